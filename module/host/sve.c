// SPDX-License-Identifier: GPL-2.0
/*
 * Which vector lengths there are. Linux knows but does not tell modules, so
 * each CPU is asked: a length that is written to ZCR_EL2.LEN reads back, by
 * RDVL, as the next one that is implemented (Arm ARM, ZCR_EL2).
 */
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/workqueue.h>
#include <asm/cpufeature.h>
#include <asm/neon.h>
#include <asm/sysreg.h>
#include "sve.h"

struct host_sve host_sve;

static u32 vector_units(void)
{
	u64 bytes;

	asm volatile(".arch_extension sve\n\trdvl %0, #1" : "=r"(bytes));
	return bytes / 16;
}

/* The registers are nobody's between begin and end: shorter vectors lose nothing of anyone's. */
static long probe_cpu(void *arg)
{
	u32 vq, *vqs = arg;
	u64 zcr;

	*vqs = 0;
	kernel_neon_begin();
	zcr = read_sysreg_s(SYS_ZCR_EL1);	/* ZCR_EL2: the kernel is at EL2 */
	for (vq = SVE_MAX_VQ; vq; vq--) {
		write_sysreg_s(vq - 1, SYS_ZCR_EL1);
		isb();
		vq = vector_units();
		*vqs |= BIT(vq - 1);
	}
	write_sysreg_s(zcr, SYS_ZCR_EL1);
	isb();
	kernel_neon_end();
	return 0;
}

int host_sve_init(void)
{
	u32 vqs, common = ~0U, any = 0;
	int cpu, err = 0;

	if (!system_supports_sve())
		return 0;
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		err = work_on_cpu(cpu, probe_cpu, &vqs);
		if (err)
			break;
		common &= vqs;
		any |= vqs;
	}
	cpus_read_unlock();
	if (err)
		return err;
	host_sve.max_vq = host_sve_limit(common, any);
	host_sve.vqs = host_sve.max_vq ? common & GENMASK(host_sve.max_vq - 1, 0) : 0;
	return 0;
}
