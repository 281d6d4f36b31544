// SPDX-License-Identifier: GPL-2.0
/*
 * A watchpoint that the host set for its own process counts every store there,
 * whatever the guest and its client do with theirs in between; and a guest at
 * EL0 that stores to the same virtual address meets nothing of it.
 */
#define _GNU_SOURCE
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include "lib.h"

#define TURNS		50
#define WATCHED		(RAM_BASE + 0xf00)
#define STORE		(RAM_BASE + 8)
#define EC_STEP		0x32
#define EC_WATCH	0x34
#define WCR_EL0(lsc)	(1u | 2u << 1 | (lsc) << 3 | 0xffu << 5)
#define STORES		2u

#define REG_PSTATE	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | \
			 KVM_REG_ARM_CORE_REG(regs.pstate))
#define REG_VBAR	ARM64_SYS_REG(3, 0, 12, 0, 0)
#define REG_MDSCR	ARM64_SYS_REG(2, 0, 0, 2, 2)
#define REG_DBGWVR3	ARM64_SYS_REG(2, 0, 0, 3, 6)
#define REG_DBGWCR3	ARM64_SYS_REG(2, 0, 0, 3, 7)
#define MDSCR_MDE	(1u << 15)

/* At 0x400 what comes from EL0: report ESR_EL1, and go on behind it. */
GUEST(user,
	"movz x1, #0x4000, lsl #16\n\t"
	"movk x1, #0xf00\n"
	"1: str x1, [x1]\n\t"
	"mov x0, #1\n\t"
	REPORT
	"b 1b\n\t"
	".org user + 0x400\n\t"
	"mrs x0, esr_el1\n\t" REPORT
	"mrs x0, elr_el1\n\tadd x0, x0, #4\n\tmsr elr_el1, x0\n\teret\n\t"
	".org user + 0xf08");

static struct vm vm;
static struct vcpu *vcpu;

static int watch_stores(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = WATCHED,
		.bp_len = HW_BREAKPOINT_LEN_8,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		skip("the host gives no watchpoint");
	return fd;
}

static uint64_t stores_seen(int fd)
{
	uint64_t count;

	EXPECT(read(fd, &count, sizeof(count)), sizeof(count));
	return count;
}

static void control(uint32_t bits)
{
	struct kvm_guest_debug debug = { .control = bits };

	debug.arch.dbg_wvr[1] = WATCHED;
	debug.arch.dbg_wcr[1] = WCR_EL0(STORES);
	EXPECT(vm_ioctl(vcpu->fd, KVM_SET_GUEST_DEBUG, &debug), 0);
}

static void start(uint64_t mdscr)
{
	uint64_t el0 = 0, vbar = RAM_BASE, wvr = WATCHED, wcr = WCR_EL0(STORES);

	EXPECT(vcpu_set(vcpu, REG_PSTATE, &el0), 0);
	EXPECT(vcpu_set(vcpu, REG_VBAR, &vbar), 0);
	EXPECT(vcpu_set(vcpu, REG_DBGWVR3, &wvr), 0);
	EXPECT(vcpu_set(vcpu, REG_DBGWCR3, &wcr), 0);
	EXPECT(vcpu_set(vcpu, REG_MDSCR, &mdscr), 0);
	EXPECT(vcpu_set_pc(vcpu, RAM_BASE), 0);
}

/* nothing armed */
static void run_plain(void)
{
	EXPECT(next_report(vcpu), 1);
}

/* the guest's own watchpoint: its exception comes first */
static void run_own(void)
{
	EXPECT(next_report(vcpu) >> 26, EC_WATCH);
	EXPECT(next_report(vcpu), 1);
}

static void run_client(void)
{
	uint64_t pc;

	expect_exit(vcpu, KVM_EXIT_DEBUG);
	EXPECT(vcpu->run->debug.arch.hsr >> 26, EC_WATCH);
	EXPECT(vcpu->run->debug.arch.far, WATCHED);
	EXPECT(vcpu_get_pc(vcpu, &pc), 0);
	EXPECT(vcpu_set_pc(vcpu, pc + 4), 0);
	EXPECT(next_report(vcpu), 1);
}

/* the store, and no further */
static void run_stepped(void)
{
	EXPECT(vcpu_set_pc(vcpu, STORE), 0);
	expect_exit(vcpu, KVM_EXIT_DEBUG);
	EXPECT(vcpu->run->debug.arch.hsr >> 26, EC_STEP);
}

static void check(int fd, volatile uint64_t *watched, void (*run)(void))
{
	uint64_t before = stores_seen(fd);
	unsigned int i;

	for (i = 0; i < TURNS; i++) {
		*watched = i;
		run();
		*watched = i;
	}
	EXPECT(stores_seen(fd) - before, 2 * TURNS);
}

int main(void)
{
	/* The guest's MMU is off: its EL0 addresses are those of its RAM. */
	volatile uint64_t *watched = mmap((void *)RAM_BASE, PAGE,
		PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	int fd;

	CHECK(watched == (void *)RAM_BASE);
	watched += (WATCHED - RAM_BASE) / sizeof(*watched);
	make_machine(&vm, 1);
	vcpu = &vm.vcpu[0];
	LOAD(&vm, user);
	fd = watch_stores();

	start(0);
	check(fd, watched, run_plain);
	start(MDSCR_MDE);
	check(fd, watched, run_own);
	control(KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_USE_HW);
	start(0);
	check(fd, watched, run_client);
	control(KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_SINGLESTEP);
	start(0);
	expect_exit(vcpu, KVM_EXIT_DEBUG);
	expect_exit(vcpu, KVM_EXIT_DEBUG);
	check(fd, watched, run_stepped);
	control(0);
	start(0);
	check(fd, watched, run_plain);
	return 0;
}
