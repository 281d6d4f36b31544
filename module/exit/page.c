// SPDX-License-Identifier: GPL-2.0
/*
 * The register page: registers in the memory that KVM_RUN shares with the
 * client (uapi/tern.h, TERN_CAP_REG_PAGE). What the client left there is read
 * once.
 */
#include <linux/kvm.h>
#include <linux/string.h>
#include <asm/kvm_arm.h>
#include "../../uapi/tern.h"
#include "../host/caps.h"
#include "../vcpu/ref.h"
#include "../vcpu/sve.h"
#include "mmio.h"

static_assert(sizeof(struct tern_reg_page) <= SYNC_REGS_SIZE_BYTES);
static_assert(offsetof(struct tern_reg_page, device_irq_level) == offsetof(struct kvm_sync_regs, device_irq_level));

static struct tern_reg_page *page_of(struct tern_vcpu *v)
{
	return (struct tern_reg_page *)&v->run->s;
}

static const enum sysreg_id banked_spsr[] = {
	REG_SPSR_EL1, REG_SPSR_ABT, REG_SPSR_UND, REG_SPSR_IRQ, REG_SPSR_FIQ,
};

static void take_core(struct tern_vcpu *v, const struct tern_reg_page *p, u64 pstate)
{
	memcpy(v->hyp.x, p->x, sizeof(p->x));
	v->hyp.sp_el0 = READ_ONCE(p->sp);
	v->hyp.pc = READ_ONCE(p->pc);
	v->hyp.pstate = pstate;
	vcpu_narrow32(v);
}

static void take_el1(struct tern_vcpu *v, const struct tern_reg_page *p)
{
	unsigned int i;

	vcpu_write_sys(v, REG_SP_EL1, READ_ONCE(p->sp_el1));
	vcpu_write_sys(v, REG_ELR_EL1, READ_ONCE(p->elr_el1));
	for (i = 0; i < ARRAY_SIZE(banked_spsr); i++)
		vcpu_write_sys(v, banked_spsr[i], READ_ONCE(p->spsr[i]));
}

static void take_fp(struct tern_vcpu *v, const struct tern_reg_page *p)
{
	u64 half[2 * ARRAY_SIZE(p->v)];

	memcpy(half, p->v, sizeof(half));
	vcpu_set_v(v, half);
	v->hyp.fp.fpsr = READ_ONCE(p->fpsr);
	v->hyp.fp.fpcr = READ_ONCE(p->fpcr);
}

int exit_page_in(struct tern_vcpu *v)
{
	const struct tern_reg_page *p = page_of(v);
	u64 dirty = READ_ONCE(v->run->kvm_dirty_regs), pstate = READ_ONCE(p->pstate);

	if (!dirty)
		return 0;
	if (!v->initialized)
		return -ENOEXEC;
	if (dirty & ~(u64)(v->page_sets & ~TERN_SYNC_EXIT))
		return -EINVAL;
	if (dirty & TERN_SYNC_CORE && !vcpu_regid_pstate_ok(pstate, host_caps.el0_32))
		return -EINVAL;
	/* What precedes the client's values is done, and registers are found in memory. */
	if (v->mmio_len) {
		vcpu_load(v);
		mmio_complete(v);
		vcpu_pause(v);
	}
	vcpu_evict(v);
	if (kick_test_clear(&v->kick, VCPU_REQ_RESET))
		vcpu_reset(v);
	if (dirty & TERN_SYNC_CORE)
		take_core(v, p, pstate);
	if (dirty & TERN_SYNC_EL1)
		take_el1(v, p);
	if (dirty & TERN_SYNC_FP)
		take_fp(v, p);
	WRITE_ONCE(v->run->kvm_dirty_regs, 0);
	return 0;
}

static void give_core(struct tern_vcpu *v, struct tern_reg_page *p)
{
	memcpy(p->x, v->hyp.x, sizeof(p->x));
	p->sp = v->hyp.sp_el0;
	p->pc = v->hyp.pc;
	p->pstate = v->hyp.pstate;
}

static void give_el1(struct tern_vcpu *v, struct tern_reg_page *p)
{
	unsigned int i;

	vcpu_evict(v);
	p->sp_el1 = vcpu_read_sys(v, REG_SP_EL1);
	p->elr_el1 = vcpu_read_sys(v, REG_ELR_EL1);
	for (i = 0; i < ARRAY_SIZE(banked_spsr); i++)
		p->spsr[i] = vcpu_read_sys(v, banked_spsr[i]);
}

static void give_fp(struct tern_vcpu *v, struct tern_reg_page *p)
{
	vcpu_get_v(v, p->v[0]);
	p->fpsr = v->hyp.fp.fpsr;
	p->fpcr = v->hyp.fp.fpcr;
}

static void give_exit(struct tern_vcpu *v, struct tern_reg_page *p)
{
	p->esr = v->hyp.esr;
	p->far = v->hyp.far;
	p->ipa = (v->hyp.hpfar & GENMASK_ULL(43, 4)) << 8;
	p->mp_state = READ_ONCE(v->mp_state);
	p->pending = (v->mmio_len ? TERN_PENDING_MMIO : 0) | (v->hyp.hcr & HCR_VSE ? TERN_PENDING_SERROR : 0);
}

void exit_page_out(struct tern_vcpu *v)
{
	struct tern_reg_page *p = page_of(v);

	if (v->page_sets & TERN_SYNC_CORE)
		give_core(v, p);
	if (v->page_sets & TERN_SYNC_EL1)
		give_el1(v, p);
	if (v->page_sets & TERN_SYNC_FP)
		give_fp(v, p);
	if (v->page_sets & TERN_SYNC_EXIT)
		give_exit(v, p);
	v->run->kvm_valid_regs = v->page_sets;
	v->run->kvm_dirty_regs = 0;
}
