// SPDX-License-Identifier: GPL-2.0
/*
 * Stage-2 aborts: memory that comes back in, and accesses where no memory is.
 */
#include <asm/esr.h>
#include "../mem/mem.h"
#include "mmio.h"

/* Synchronous external abort, or parity error: on the access, or on a walk */
static bool is_external_abort(u64 esr)
{
	u64 fsc = esr & ESR_ELx_FSC;

	return fsc == 0x10 || fsc == 0x18 || (fsc >= 0x14 && fsc <= 0x17) || (fsc >= 0x1c && fsc <= 0x1f);
}

static bool is_insn_abort(u64 esr)
{
	return ESR_ELx_EC(esr) == ESR_ELx_EC_IABT_LOW;
}

/* Instructions without a syndrome (pairs, writeback, SIMD, atomics) need the client, if it asked for them. */
static int no_syndrome(struct tern_vcpu *v, ipa_t ipa)
{
	struct kvm_run *run = v->run;

	if (!READ_ONCE(v->vm->cap_nisv_to_user))
		return -ENOSYS;
	run->exit_reason = KVM_EXIT_ARM_NISV;
	run->arm_nisv.esr_iss = v->hyp.esr & (ESR_ELx_CM | ESR_ELx_WNR | ESR_ELx_FSC);
	run->arm_nisv.fault_ipa = ipa.ipa;
	return EXIT_USER;
}

/* In the hull of the GIC's frames: -ENXIO when there is none, -EAGAIN when the guest must repeat it */
static int mmio_gic(struct tern_vcpu *v, ipa_t ipa)
{
	u64 esr = v->hyp.esr, data = 0;
	bool write = esr & ESR_ELx_WNR;
	unsigned int len = DATA_LEN(esr);
	int r;

	if (write)
		data = data_written(&v->hyp, esr, v->hyp.pstate, len);
	r = vgic_mmio(&v->vgic, ipa, len, write, &data);
	if (!r && !write)
		data_read(&v->hyp, esr, v->hyp.pstate, data, len);
	return r;
}

static int mmio(struct tern_vcpu *v)
{
	ipa_t ipa = mmio_ipa(v);
	int r;

	if (!(v->hyp.esr & ESR_ELx_ISV))
		return no_syndrome(v, ipa);
	r = vgic_may_claim(&v->vm->vgic, ipa) ? mmio_gic(v, ipa) : -ENXIO;
	if (r == -ENXIO)
		return mmio_outside(v);
	return r ? EXIT_RESUME : mmio_done_here(v);
}

/* Asked in this order, a frame that the GIC gets meanwhile makes the hole unknown again. */
static void learn_hole(struct tern_vcpu *v, ipa_t page)
{
	struct mem_hole hole = mem_hole_find(&v->vm->mem, page);

	if (vgic_may_claim(&v->vm->vgic, page))
		v->gic_hole = hole;
	else
		v->hole = hole;
}

static void inject_abort(struct tern_vcpu *v, u64 esr, u64 far)
{
	if (is_insn_abort(esr))
		vcpu_inject_iabt(v, far);
	else
		vcpu_inject_dabt(v, far);
}

static struct mem_fault decode(const struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr;
	bool exec = is_insn_abort(esr);

	return (struct mem_fault){
		.ipa = mmio_page(v),
		.exec = exec,
		.write = !exec && esr & ESR_ELx_WNR && !(esr & ESR_ELx_CM),
		.s1ptw = esr & ESR_ELx_S1PTW,
		.cache_op = !exec && esr & ESR_ELx_CM,
		.access_flag = (esr & ESR_ELx_FSC_TYPE) == ESR_ELx_FSC_ACCESS,
		.permission = (esr & ESR_ELx_FSC_TYPE) == ESR_ELx_FSC_PERM,
		.level = esr & 3,
	};
}

static int abort_any(struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr, type = esr & ESR_ELx_FSC_TYPE;
	struct mem_fault f = decode(v);
	int r;

	if (is_external_abort(esr)) {
		vcpu_inject_serror(v, 0);
		return EXIT_RESUME;
	}
	if (type != ESR_ELx_FSC_FAULT && type != ESR_ELx_FSC_PERM && type != ESR_ELx_FSC_ACCESS)
		return -EFAULT;
	r = mem_fault(&v->vm->mem, &f);
	switch (r) {
	case MEM_RESUME:
		return EXIT_RESUME;
	case MEM_MMIO:
		learn_hole(v, f.ipa);
		return mmio(v);
	case MEM_SKIP:
		vcpu_skip_insn(v);
		return EXIT_RESUME;
	case MEM_ABORT_SEA:
		inject_abort(v, esr, v->hyp.far);
		return EXIT_RESUME;
	case MEM_ABORT_SIZE:
		vcpu_inject_size_fault(v);
		return EXIT_RESUME;
	default:
		return r;
	}
}

int exit_abort(struct tern_vcpu *v)
{
	if (is_insn_abort(v->hyp.esr) || !mmio_plain(v))
		return abort_any(v);
	if (mem_is_hole(&v->vm->mem, &v->hole, mmio_page(v)))
		return mmio_outside(v);
	if (mem_is_hole(&v->vm->mem, &v->gic_hole, mmio_page(v)))
		return mmio(v);
	return abort_any(v);
}
