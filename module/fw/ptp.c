// SPDX-License-Identifier: GPL-2.0
/*
 * KVM's vendor call for a precise clock: the host's time of day with the
 * counter value it was true at.
 */
#include <linux/arm-smccc.h>
#include <linux/clocksource_ids.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include "internal.h"

int fw_ptp_call(struct tern_vcpu *v, u32 fn)
{
	struct system_time_snapshot snap;
	u64 count;

	/* The guest's counter is the architected one; no other clock source relates to it. */
	ktime_get_snapshot(&snap);
	if (snap.cs_id != CSID_ARM_ARCH_COUNTER)
		return fw_answer1(v, FW_NOT_SUPPORTED);

	switch ((u32)fw_arg(v, 1)) {
	case KVM_PTP_VIRT_COUNTER:
		count = snap.cycles - READ_ONCE(v->vm->timer.cntvoff);
		break;
	case KVM_PTP_PHYS_COUNTER:
		count = snap.cycles;
		break;
	default:
		return fw_answer1(v, FW_NOT_SUPPORTED);
	}
	return fw_answer(v, upper_32_bits(snap.real), lower_32_bits(snap.real),
			 upper_32_bits(count), lower_32_bits(count));
}
