// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of the emulator: how many instructions each CPU executes between two
 * marks. Unlike -icount it lets the CPUs really run at once, so that one that
 * spins because of another is seen to.
 *
 * A mark is an unallocated hint, which does nothing on any CPU (Arm ARM C6.2,
 * HINT): 0x7e begins, 0x7f ends. At each end a line "CPU INSTRUCTIONS" is
 * written to the file that the argument out= names.
 *
 * Debian has no header for plugins. What is used here is declared as QEMU's
 * documentation has it (docs/devel/tcg-plugins, API version 1).
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

#define CPUS_MAX	64
#define HINT(n)		(0xd503201fu | (n) << 5)
#define MARK_BEGIN	HINT(0x7eu)
#define MARK_END	HINT(0x7fu)

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info_t;

/* enum qemu_plugin_cb_flags */
#define NO_REGS	0

typedef void (*tb_trans_fn)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*exec_fn)(unsigned int cpu, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, tb_trans_fn fn);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, exec_fn fn,
					  int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    exec_fn fn, int flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

EXPORT int qemu_plugin_version = 1;

/* Each CPU has a thread and a line of its own. */
static struct {
	uint64_t executed;
	uint64_t begun;
} __attribute__((aligned(64))) cpus[CPUS_MAX];

static FILE *out;

static void executed(unsigned int cpu, void *data)
{
	if (cpu < CPUS_MAX)
		cpus[cpu].executed += (uintptr_t)data;
}

static void begins(unsigned int cpu, void *data)
{
	(void)data;
	if (cpu < CPUS_MAX)
		cpus[cpu].begun = cpus[cpu].executed;
}

static void ends(unsigned int cpu, void *data)
{
	(void)data;
	if (cpu >= CPUS_MAX)
		return;
	fprintf(out, "%u %llu\n", cpu,
		(unsigned long long)(cpus[cpu].executed - cpus[cpu].begun));
	fflush(out);
}

static void look(struct qemu_plugin_insn *insn)
{
	uint32_t code;

	if (qemu_plugin_insn_size(insn) != sizeof(code))
		return;
	memcpy(&code, qemu_plugin_insn_data(insn), sizeof(code));
	if (code == MARK_BEGIN)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, begins, NO_REGS, NULL);
	else if (code == MARK_END)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, ends, NO_REGS, NULL);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, NO_REGS,
					     (void *)(uintptr_t)n);
	for (i = 0; i < n; i++)
		look(qemu_plugin_tb_get_insn(tb, i));
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info,
			       int argc, char **argv);

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info,
			       int argc, char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4))
		return -1;
	out = fopen(argv[0] + 4, "w");
	if (!out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
