// SPDX-License-Identifier: GPL-2.0
/*
 * The timers of the CPU, and what they are used for. See hw.h.
 */
#include <linux/interrupt.h>
#include <asm/arch_timer.h>
#include "../host/caps.h"
#include "hw.h"

DEFINE_PER_CPU(struct timer_host, timer_host);

int timer_host_irq(enum timer_id id)
{
	return id == TIMER_VIRT ? host_caps.vtimer_irq : host_caps.ptimer_irq;
}

u64 timer_counter(void)
{
	return arch_timer_read_counter();
}

/* CNTVOFF_EL2 offsets the virtual timer; the physical one has none. */
static u64 timer_offset(const struct timer_one *o)
{
	return o->id == TIMER_VIRT ? READ_ONCE(o->cpu->vm->cntvoff) : 0;
}

u64 timer_now(const struct timer_one *o)
{
	return timer_counter() - timer_offset(o);
}

bool timer_level(const struct timer_one *o)
{
	if (o->cpu->loaded)
		return hw_level(o);
	return timer_can_fire(o) && timer_now(o) >= o->cval;
}

void host_set_active(enum timer_id id, bool active)
{
	struct timer_host *host = this_cpu_ptr(&timer_host);

	if (host->active[id] == active)
		return;
	host->active[id] = active;
	WARN_ON_ONCE(irq_set_irqchip_state(timer_host_irq(id), IRQCHIP_STATE_ACTIVE, active));
}

void timer_tell(struct timer_one *o, bool level)
{
	if (o->cpu->gic)
		vgic_set_ppi(o->cpu->vgic, o->intid, level);
	else if (level)
		kick_post(o->cpu->kick);
}
