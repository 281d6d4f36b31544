/* SPDX-License-Identifier: GPL-2.0 */
/* A machine with an ITS, whose guest's part the test plays. */
#ifndef TERN_TEST_ITS_MACHINE_H
#define TERN_TEST_ITS_MACHINE_H

#include "scribble.h"

#define GRP(name)	KVM_DEV_ARM_VGIC_GRP_##name
#define ITS_BASE	0x08080000UL
#define QUEUE		(RAM_BASE + 0x10000)
#define DEVICES		(RAM_BASE + 0x20000)
#define COLLECTIONS	(RAM_BASE + 0x30000)
#define PROPS		(RAM_BASE + 0x40000)
#define PENDING(cpu)	(RAM_BASE + 0x60000 + 0x10000UL * (cpu))
#define ITT		(RAM_BASE + 0xa0000)
#define VALID		(1UL << 63)
#define LPI		8192UL
#define DEVICE		5UL
#define ITS_VCPUS	4

struct its_machine {
	struct vm vm;
	int its;
	uint64_t cwriter;
	struct tern_vm *handle;
};

void its_make(struct its_machine *m);
void its_unmake(struct its_machine *m);
void *its_host(const struct its_machine *m, uint64_t ipa);
void its_set_reg(const struct its_machine *m, uint32_t offset, uint64_t value);
uint64_t its_get_reg(const struct its_machine *m, uint32_t offset);
void its_set_redist(const struct its_machine *m, uint64_t cpu, uint32_t offset,
		    uint32_t value);
uint32_t its_get_redist(const struct its_machine *m, uint64_t cpu,
			uint32_t offset);
/*
 * Tables, and an ITS that is enabled. Of DEVICE, events 0 to 3 are LPI + event
 * on vCPU 0, and event 4 is on vCPU 1.
 */
void its_set_up(struct its_machine *m);
/* as KVM_SIGNAL_MSI returns */
int its_message(const struct its_machine *m, uint32_t event);
/* the table in guest memory is written for it */
bool its_pending(const struct its_machine *m, int cpu, uint32_t lpi);
void its_same_registers(const struct its_machine *a, const struct its_machine *b);
void its_copy_memory(const struct its_machine *from, const struct its_machine *to);

#endif
