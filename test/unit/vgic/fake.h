/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine around the virtual GIC: vCPUs with a model of the GICv3 virtual
 * CPU interface (list registers, priorities, maintenance interrupt), and for
 * each a timer behind a host interrupt. Everything happens in one thread: a
 * kick makes a vCPU that is in the guest leave it on the spot.
 */
#ifndef TERN_TEST_FAKE_H
#define TERN_TEST_FAKE_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "arch/ich.h"
#include "host/caps.h"
#include "vgic/vgic.h"
#include "vgic/regs.h"

#define FAKE_CPUS	4
#define FAKE_TIMER	27	/* the PPI with a host interrupt behind it */
#define FAKE_HOST_PPI	27
#define SPURIOUS	1023

/**
 * struct fake_cpu - a vCPU and the CPU that runs it
 * @in_guest:    between vgic_flush() and vgic_sync()
 * @kicks:       kicks received
 * @ipi:         kicked on the way in: leaves at once
 * @lr, @hcr:    the list registers and ICH_HCR_EL2 while in the guest
 * @ap:          active priorities [group], bit n: priority n << 3
 * @timer_line:  output of the timer
 * @host_active: the host's timer interrupt is active
 */
struct fake_cpu {
	struct vgic_cpu c;
	struct hyp_vcpu hyp;
	struct kick kick;
	bool in_guest;
	u32 kicks;
	bool ipi;
	u64 lr[HYP_MAX_LR];
	u32 hcr;
	u32 ap[2];
	bool timer_line;
	bool host_active;
};

struct fake {
	struct vgic g;
	u32 nr;
	struct fake_cpu cpu[FAKE_CPUS];
};

/** fake_sgi_self() - a guest's SGI to itself, served while in the guest if possible */
void fake_sgi_self(struct fake_cpu *p, u32 sgi);

/** fake_kick() - what a kick does; a test with threads has its own */
extern void (*fake_kick)(struct fake_cpu *p);

#define FAKE_DIST	0x08000000ULL
#define FAKE_REDIST	0x080a0000ULL

/** fake_new() - a VM with @nr vCPUs, initialised, mapped, distributor on, CPU interfaces open for both groups */
struct fake *fake_new(u32 nr, u32 nr_irqs);
void fake_free(struct fake *f);

void fake_enter(struct fake_cpu *p);
void fake_exit(struct fake_cpu *p);
/** fake_settle() - every vCPU in the guest; exits and enters as long as maintenance interrupts ask for it */
void fake_settle(struct fake *f);
/** fake_exit_all() - out, and in again */
void fake_bounce(struct fake *f);

/* The guest's use of the CPU interface; in the guest */
u32 fake_hppi(const struct fake_cpu *p, u32 *prio);
u32 fake_ack(struct fake_cpu *p);
void fake_eoi(struct fake_cpu *p, u32 intid);
void fake_dir(struct fake_cpu *p, u32 intid);
/** fake_running() - priority of what the CPU does, 0x100 when idle */
u32 fake_running(const struct fake_cpu *p);

/* The guest's use of memory-mapped registers: out of the guest for the access */
u32 fake_read(struct fake_cpu *p, u64 ipa);
void fake_write(struct fake_cpu *p, u64 ipa, u32 val);
void fake_write8(struct fake_cpu *p, u64 ipa, u8 val);
void fake_write64(struct fake_cpu *p, u64 ipa, u64 val);

static inline u64 fake_sgi_frame(const struct fake_cpu *p)
{
	return FAKE_REDIST + (u64)p->c.index * GICR_SIZE + R_SGI;
}

/** fake_timer() - the timer's output moves */
void fake_timer(struct fake_cpu *p, bool level);

#endif
