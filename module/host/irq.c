// SPDX-License-Identifier: GPL-2.0
/*
 * Acknowledging an interrupt of the host's in Linux's place. See irq.h.
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include "caps.h"
#include "irq.h"

#define LPI_FIRST	8192

bool host_irq_may_take(void)
{
	return !system_uses_irq_prio_masking() && !compat_has_slow_ack() &&
	       read_sysreg_s(SYS_ICC_CTLR_EL1) & ICC_CTLR_EL1_EOImode_MASK;
}

/*
 * It is made pending by hand, which for a level interrupt whose device gives
 * up at this moment is once too often, and for all others as it was; then
 * deactivated. LPIs have no active state (Arm IHI 0069, chapter 5).
 */
void host_irq_put_back(u32 intid)
{
	struct irq_data *timer = irq_get_irq_data(host_caps.vtimer_irq);
	unsigned int irq = irq_find_mapping(timer->domain, intid);

	if (irq)
		WARN_ON_ONCE(irq_set_irqchip_state(irq, IRQCHIP_STATE_PENDING, true));
	if (intid < LPI_FIRST)
		gic_write_dir(intid);
}
