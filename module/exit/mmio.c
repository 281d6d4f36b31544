// SPDX-License-Identifier: GPL-2.0
/*
 * Stage-2 aborts: memory that comes back in, and accesses where no memory is.
 */
#include <asm/esr.h>
#include <asm/unaligned.h>
#include "../mem/mem.h"
#include "data.h"
#include "exit.h"

/* Synchronous external abort, or parity error: on the access, or on a walk */
static bool is_external_abort(u64 esr)
{
	u64 fsc = esr & ESR_ELx_FSC;

	return fsc == 0x10 || fsc == 0x18 || (fsc >= 0x14 && fsc <= 0x17) || (fsc >= 0x1c && fsc <= 0x1f);
}

static ipa_t fault_page(const struct tern_vcpu *v)
{
	return to_ipa((v->hyp.hpfar & GENMASK_ULL(43, 4)) << 8);
}

static ipa_t fault_ipa(const struct tern_vcpu *v)
{
	return to_ipa(fault_page(v).ipa | (v->hyp.far & ~PAGE_MASK));
}

static bool is_insn_abort(u64 esr)
{
	return ESR_ELx_EC(esr) == ESR_ELx_EC_IABT_LOW;
}

static void store_data(void *buf, u64 data, unsigned int len)
{
	switch (len) {
	case 1:
		*(u8 *)buf = data;
		break;
	case 2:
		put_unaligned((u16)data, (u16 *)buf);
		break;
	case 4:
		put_unaligned((u32)data, (u32 *)buf);
		break;
	default:
		put_unaligned(data, (u64 *)buf);
	}
}

void exit_mmio_complete(struct tern_vcpu *v)
{
	v->mmio_pending = false;
	/* The length is ours: what the client left in the shared page is not to be trusted. */
	if (!(v->hyp.esr & ESR_ELx_WNR))
		data_read(&v->hyp, v->hyp.esr, v->hyp.pstate, get_unaligned((const u64 *)v->run->mmio.data),
			  v->mmio_len);
	vcpu_skip_insn(v);
}

static __always_inline int mmio_to_user(struct tern_vcpu *v, ipa_t ipa, unsigned int len, bool write, u64 data)
{
	struct kvm_run *run = v->run;

	run->exit_reason = KVM_EXIT_MMIO;
	run->mmio.phys_addr = ipa.ipa;
	run->mmio.len = len;
	run->mmio.is_write = write;
	if (write)
		store_data(run->mmio.data, data, len);
	v->mmio_pending = true;
	v->mmio_len = len;
	v->stat.mmio_exit_user++;
	return EXIT_USER;
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

/* The GIC's frames: 0, -ENXIO not there, -EAGAIN the guest must repeat it */
static noinline int mmio_gic(struct tern_vcpu *v, ipa_t ipa, unsigned int len, bool write, u64 data)
{
	int r = vgic_mmio(&v->vgic, ipa, len, write, &data);

	if (!r && !write)
		data_read(&v->hyp, v->hyp.esr, v->hyp.pstate, data, len);
	return r;
}

/* In the kernel? As mmio_gic(). */
static __always_inline int mmio_inside(struct tern_vcpu *v, ipa_t ipa, unsigned int len, bool write, u64 data)
{
	int r = vgic_may_claim(&v->vm->vgic, ipa) ? mmio_gic(v, ipa, len, write, data) : -ENXIO;

	if (r == -ENXIO && write && v->vm->io_write && v->vm->io_write(v->vm, ipa, len, data))
		return 0;
	return r;
}

static __always_inline int mmio(struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr, data = 0;
	ipa_t ipa = fault_ipa(v);
	bool write = esr & ESR_ELx_WNR;
	unsigned int len;
	int r;

	if (!(esr & ESR_ELx_ISV))
		return no_syndrome(v, ipa);
	len = DATA_LEN(esr);
	if (write)
		data = data_written(&v->hyp, esr, v->hyp.pstate, len);
	r = mmio_inside(v, ipa, len, write, data);
	if (r == -ENXIO)
		return mmio_to_user(v, ipa, len, write, data);
	if (!r) {
		v->stat.mmio_exit_kernel++;
		vcpu_skip_insn(v);
	}
	return EXIT_RESUME;
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
		.ipa = fault_page(v),
		.exec = exec,
		.write = !exec && esr & ESR_ELx_WNR && !(esr & ESR_ELx_CM),
		.s1ptw = esr & ESR_ELx_S1PTW,
		.cache_op = !exec && esr & ESR_ELx_CM,
		.access_flag = (esr & ESR_ELx_FSC_TYPE) == ESR_ELx_FSC_ACCESS,
		.permission = (esr & ESR_ELx_FSC_TYPE) == ESR_ELx_FSC_PERM,
		.level = esr & 3,
	};
}

static noinline int abort_any(struct tern_vcpu *v)
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
		mem_hole_learn(&v->vm->mem, &v->hole, f.ipa);
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

/* A data access, not on a table walk and no cache maintenance, to an address that has no translation */
#define ESR_PLAIN_MASK	(ESR_ELx_EC_MASK | ESR_ELx_FSC_TYPE | ESR_ELx_S1PTW | ESR_ELx_CM)
#define ESR_PLAIN	((u64)ESR_ELx_EC_DABT_LOW << ESR_ELx_EC_SHIFT | ESR_ELx_FSC_FAULT)

int exit_abort(struct tern_vcpu *v)
{
	/* Most MMIO goes where it went before. */
	if ((v->hyp.esr & ESR_PLAIN_MASK) == ESR_PLAIN &&
	    mem_is_hole(&v->vm->mem, &v->hole, fault_page(v)))
		return mmio(v);
	return abort_any(v);
}
