/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Acknowledging an interrupt of the host's in Linux's place.
 *
 * Linux's way into an interrupt and out of it costs more than all else that a
 * guest's timer needs. An interrupt is acknowledged by a read of ICC_IAR1_EL1,
 * which takes whatever is most urgent; ICC_HPPIR1_EL1 tells what that is, and
 * changes nothing (Arm IHI 0069, 12.2.8). So what is not ours is left for Linux.
 *
 * With interrupts masked, in a thread: no other interrupt is then between its
 * acknowledgement and its priority drop, for Linux drops at once (EOImode 1).
 */
#ifndef TERN_HOST_IRQ_H
#define TERN_HOST_IRQ_H

#include <linux/irq.h>
#include <linux/irqchip/arm-gic-v3.h>
#include <linux/types.h>
#include "compat.h"

/* INTIDs that are no interrupt are 1020 to 1023; the last is: nothing pending (Arm IHI 0069, 2.2.1) */
#define HOST_IRQ_SPECIAL	1020
#define HOST_IRQ_NONE		ICC_IAR1_EL1_SPURIOUS

/**
 * host_irq_may_take() - host_irq_take() works on this machine
 *
 * Not where Linux masks by priority (irqchip.gicv3_pseudo_nmi=1), for then what
 * may be acknowledged depends on ICC_PMR_EL1 and an NMI wants more than that;
 * not where acknowledging needs a workaround; and not in EOImode 0, in which
 * the priority drop would deactivate.
 */
bool host_irq_may_take(void);

/** host_irq_next() - Return: INTID of the interrupt that this CPU would take next, or HOST_IRQ_NONE */
static __always_inline u32 host_irq_next(void)
{
	return read_sysreg_s(SYS_ICC_HPPIR1_EL1);
}

/** host_irq_waits() - an interrupt is pending that would be taken if it were not masked (Arm ARM D17.2, ISR_EL1) */
static __always_inline bool host_irq_waits(void)
{
	return read_sysreg(isr_el1) & PSR_I_BIT;
}

/** host_irq_put_back() - @intid, acknowledged with its priority dropped, is pending again as it was */
void host_irq_put_back(u32 intid);

/**
 * host_irq_take() - acknowledge @intid, which host_irq_next() gave, and drop its priority; it stays active
 * @desc: Linux's, in whose statistics it counts
 * Return: false when something else was quicker: Linux will find that pending.
 */
static __always_inline bool host_irq_take(u32 intid, struct irq_desc *desc)
{
	u32 got = gic_read_iar_common();

	if (unlikely(got >= HOST_IRQ_SPECIAL && got <= HOST_IRQ_NONE))
		return false;
	write_sysreg_s(got, SYS_ICC_EOIR1_EL1);
	isb();
	if (unlikely(got != intid)) {
		host_irq_put_back(got);
		return false;
	}
	compat_count_irq(desc);
	return true;
}

#endif
