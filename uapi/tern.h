/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * tern's additions to <linux/kvm.h>. All else that tern offers is there.
 *
 * Everything here is found by KVM_CHECK_EXTENSION on a VM (on any KVM: 0 when
 * it is missing) or by KVM_HAS_DEVICE_ATTR. tern-state(5) tells the format of
 * state images byte by byte.
 *
 * Rules that hold throughout:
 *  - Fields called flags or reserved are zero, or the call fails with EINVAL.
 *  - The kernel reads each header, array and image once, so that a change
 *    by another thread during the call cannot be half seen.
 *  - A call that fails has changed nothing in the VM. Where a call takes
 *    many registers, it says which of them was at fault, and why.
 *  - Counts beyond the stated maximum fail with E2BIG.
 */
#ifndef TERN_UAPI_TERN_H
#define TERN_UAPI_TERN_H

#include <linux/ioctl.h>
#include <linux/kvm.h>
#include <linux/types.h>

/* KVM_CHECK_EXTENSION; the answer is 0 on other KVMs */
#define TERN_CAP_MANY		0x54450000	/* TERN_{GET,SET}_REGS: TERN_MAX_REGS */
#define TERN_CAP_VGIC_BATCH	0x54450001	/* TERN_DEV_VGIC_GRP_BATCH: TERN_MAX_VGIC_REGS */
#define TERN_CAP_STATE		0x54450002	/* TERN_{GET,SET}_STATE: TERN_STATE_VERSION */
#define TERN_CAP_PAUSE		0x54450003	/* TERN_PAUSE, TERN_RESUME: 1 */
#define TERN_CAP_REG_PAGE	0x54450004	/* the register page: TERN_SYNC_ALL */
#define TERN_CAP_STATE_ITS	0x54450005	/* TERN_STATE_ITS: TERN_STATE_MAX_ITS */
#define TERN_CAP_GUEST		0x54450010	/* tern's calls for guests, tern_guest(7): features offered */

/*
 * Many registers of one vCPU: ioctls of a vCPU.
 *
 * @n:      elements of @reg, 0 to TERN_MAX_REGS
 * @flags:  0
 * @error:  out: 0, or the error that the call failed with, negative
 * @failed: out: index of the element that it failed at, or TERN_NO_INDEX
 *          when it is no element's fault
 * @reg:    as for KVM_GET_ONE_REG and KVM_SET_ONE_REG: @addr is where the
 *          value is or goes, as many bytes as the id says
 *
 * Ids may come more than once; SET uses them in order, and where registers
 * depend on each other the result is that of KVM_SET_ONE_REG in that order.
 * GET may have written some values when it fails. SET writes all or none. With
 * SET, values that cannot be read, or ids that do not exist, are found before
 * a register is written.
 *
 * Errors, beside those of KVM_GET_ONE_REG and KVM_SET_ONE_REG for an element:
 * E2BIG @n, EINVAL @flags, EFAULT this structure (@error and @failed are not
 * written), ENOEXEC before KVM_ARM_VCPU_INIT, ENOMEM.
 */
#define TERN_MAX_REGS	4096
#define TERN_NO_INDEX	(~0U)

struct tern_regs {
	__u32 n;
	__u32 flags;
	__s32 error;
	__u32 failed;
	struct kvm_one_reg reg[];
};

#define TERN_GET_REGS	_IOWR(KVMIO, 0xf0, struct tern_regs)
#define TERN_SET_REGS	_IOWR(KVMIO, 0xf1, struct tern_regs)

/*
 * Many registers of the GIC: a group of the KVM_DEV_TYPE_ARM_VGIC_V3 device.
 * kvm_device_attr.attr is 0, .addr points to struct tern_vgic_batch, and
 * KVM_GET_DEVICE_ATTR reads while KVM_SET_DEVICE_ATTR writes.
 *
 * @n:      elements of @reg, 0 to TERN_MAX_VGIC_REGS
 * @flags:  0
 * @error, @failed: as in struct tern_regs
 *
 * Each element:
 * @group:    KVM_DEV_ARM_VGIC_GRP_DIST_REGS, _REDIST_REGS, _CPU_SYSREGS or
 *            _LEVEL_INFO
 * @reserved: 0
 * @attr:     as for that group
 * @val:      the value, out for GET. Of the groups with 32-bit values bits
 *            63:32 are 0
 *
 * Elements are used in order; a GET that fails writes no value. Errors, beside those of the
 * groups: E2BIG @n, EINVAL a group of another kind, @reserved, @flags or upper
 * bits of @val, EFAULT, ENOMEM, EBUSY a vCPU is in KVM_RUN, or the GIC is not
 * initialised (@failed is TERN_NO_INDEX in both).
 */
#define TERN_DEV_VGIC_GRP_BATCH	0x54450000
#define TERN_MAX_VGIC_REGS	65536

struct tern_vgic_reg {
	__u32 group;
	__u32 reserved;
	__u64 attr;
	__u64 val;
};

struct tern_vgic_batch {
	__u32 n;
	__u32 flags;
	__s32 error;
	__u32 failed;
	struct tern_vgic_reg reg[];
};

/*
 * All state as one image: ioctls of a VM. tern-state(5) tells the format.
 *
 * @what:   TERN_STATE_*: what GET puts into the image. For SET, 0 or
 *          TERN_STATE_ITS: an image says itself what it holds, but its ITSes
 *          are passed over without that
 * @flags:  0
 * @first, @count: the vCPU ids [first, first + count) that GET is about;
 *          @count 0: all vCPUs from @first on. Ids that do not exist are
 *          passed over, but none at all is EINVAL. For SET, 0.
 * @addr:   the image
 * @size:   GET: room at @addr; out: the image's size. When there is too
 *          little room the call writes @size alone and fails with E2BIG, so
 *          @size 0 asks for the size. SET: the image's size, up to
 *          TERN_STATE_MAX_SIZE.
 * @error:  out: 0, or the error that the call failed with, negative
 * @failed: out, SET: number of the section at fault, from 0, or TERN_NO_INDEX
 * @failed_id: out, SET: the first register that cannot be honoured: its KVM
 *          id, or of a GIC register the group in bits 63:32 and the low half
 *          of its attribute; 0 when the section itself is at fault
 *
 * The vCPUs named must be out of KVM_RUN or stopped by TERN_PAUSE, and
 * initialised; for the GIC all vCPUs must. KVM_GET_ONE_REG and its
 * like by other threads are waited for; each vCPU's state is of one moment. Calls
 * about distinct vCPUs run in parallel; the GIC's parts one after another.
 *
 * SET needs a VM with the same vCPU ids (more are left alone), made with the
 * same features, and for the GIC's parts an initialised GIC with the same
 * number of interrupts. The order of sections and registers does not matter.
 * Registers that the image lacks keep their values. The virtual counter is
 * the VM's and is set once, to the greatest that a vCPU of the image has.
 * LPIs are disabled first where the image has other tables for them.
 *
 * With TERN_STATE_ITS, what ITSes map and which LPIs pend goes to the tables in
 * guest memory, or comes from them. GET writes them before it fails with EFAULT
 * for @addr, and asked for the size alone it does not; a client copies memory
 * after it, and has it in place before SET. LPIs pend as the tables say, and no
 * others, where the image has the redistributors too. An ITS that maps
 * something, or has commands left to do, cannot be set.
 *
 * Errors: EBUSY a vCPU named is in KVM_RUN, or an ITS is in use; EINVAL @what, @flags, range, or a
 * register's value; EBADMSG not an image, truncated, or damaged; EPROTO an image of a
 * newer version, or a section this tern does not know and may not skip;
 * ENOENT a register that this VM does not have, or a vCPU that it does
 * not have; EEXIST something is in the image twice; E2BIG; EFAULT; ENOMEM; ENOEXEC a
 * vCPU is not initialised; EPERM a vCPU with SVE is not finalized; ENODEV there is no GIC or it is not initialised,
 * or no such ITS; ENXIO an ITS has no address; what KVM_DEV_ARM_ITS_SAVE_TABLES,
 * _RESTORE_TABLES and KVM_DEV_ARM_VGIC_SAVE_PENDING_TABLES fail with;
 * EINTR a signal came while waiting for another thread's ioctl.
 */
#define TERN_STATE_VCPUS	(1U << 0)	/* registers, events and power state of the vCPUs named */
#define TERN_STATE_GIC_DIST	(1U << 1)	/* the distributor */
#define TERN_STATE_GIC_CPUS	(1U << 2)	/* redistributors and CPU interfaces of the vCPUs named */
#define TERN_STATE_GIC		(TERN_STATE_GIC_DIST | TERN_STATE_GIC_CPUS)
#define TERN_STATE_ITS		(1U << 3)	/* all ITSes; more than TERN_STATE_MAX_ITS: EINVAL */
#define TERN_STATE_VM		(TERN_STATE_VCPUS | TERN_STATE_GIC)	/* without a GIC, EINVAL */

#define TERN_STATE_MAX_SIZE	(16U << 20)
#define TERN_STATE_MAX_ITS	8

struct tern_state {
	__u32 what;
	__u32 flags;
	__u32 first;
	__u32 count;
	__u64 addr;
	__u64 size;
	__s32 error;
	__u32 failed;
	__u64 failed_id;
};

#define TERN_GET_STATE	_IOWR(KVMIO, 0xf2, struct tern_state)
#define TERN_SET_STATE	_IOWR(KVMIO, 0xf3, struct tern_state)

/*
 * Stop and release all vCPUs: ioctls of a VM, without argument.
 *
 * After TERN_PAUSE no vCPU is in the guest, and none goes there before
 * TERN_RESUME. Threads in KVM_RUN stay in it, asleep, and count as out of KVM_RUN
 * for everything but KVM_RUN; signals end their sleep as ever (EINTR). A read
 * or write by MMIO that awaits its completion stays so. Pausing
 * what is paused, or releasing what is not, does nothing. A vCPU made while
 * the VM is paused is paused.
 *
 * Errors: EINTR (TERN_PAUSE: a signal came first; vCPUs stay paused).
 */
#define TERN_PAUSE	_IO(KVMIO, 0xf4)
#define TERN_RESUME	_IO(KVMIO, 0xf5)

/*
 * The register page: KVM_ENABLE_CAP of a vCPU with cap TERN_CAP_REG_PAGE,
 * flags 0, and args[0] the TERN_SYNC_* sets that KVM_RUN is to provide (0:
 * off). From then on, whenever KVM_RUN returns:
 *  - kvm_run.s.regs, read as struct tern_reg_page, holds those sets
 *  - kvm_run.kvm_valid_regs has their bits
 *  - kvm_run.kvm_dirty_regs is 0
 * and when KVM_RUN begins, the sets whose bits are in kvm_run.kvm_dirty_regs
 * are written to the vCPU, after what the last exit still has to complete
 * (a value read by MMIO, the step over the instruction): a set written wins.
 * Bits of sets that are not enabled, or of TERN_SYNC_EXIT, or a pstate that
 * KVM_SET_ONE_REG refuses: KVM_RUN fails with EINVAL and does nothing.
 * Neither ONE_REG nor TERN_SET_* changes the page; KVM_RUN alone does.
 *
 * Errors of KVM_ENABLE_CAP: EINVAL.
 */
#define TERN_SYNC_CORE	(1ULL << 0)	/* x to pstate */
#define TERN_SYNC_EL1	(1ULL << 1)	/* sp_el1 to spsr */
#define TERN_SYNC_FP	(1ULL << 2)	/* fpsr to v */
#define TERN_SYNC_EXIT	(1ULL << 3)	/* esr to pending; read only */
#define TERN_SYNC_ALL	(TERN_SYNC_CORE | TERN_SYNC_EL1 | TERN_SYNC_FP | TERN_SYNC_EXIT)

#define TERN_PENDING_MMIO	(1U << 0)	/* KVM_EXIT_MMIO or _ARM_NISV is to be completed by KVM_RUN */
#define TERN_PENDING_SERROR	(1U << 1)	/* a virtual SError is pending */

/*
 * @device_irq_level: KVM's own use of the area, as ever
 * @spsr: of KVM_SPSR_EL1, _ABT, _UND, _IRQ, _FIQ
 * @v:    little-endian 128-bit registers, low half first
 * @esr, @far, @ipa: ESR_EL2, FAR_EL2 and faulting address (HPFAR_EL2's, to
 *        4 KiB) of the last synchronous exception that took the guest out;
 *        which of them mean anything depends on the class in @esr
 * @mp_state: as KVM_GET_MP_STATE
 * @pending:  TERN_PENDING_*
 */
struct tern_reg_page {
	__u64 device_irq_level;
	__u64 x[31];
	__u64 sp;
	__u64 pc;
	__u64 pstate;
	__u64 sp_el1;
	__u64 elr_el1;
	__u64 spsr[5];
	__u32 fpsr;
	__u32 fpcr;
	__u64 v[32][2];
	__u64 esr;
	__u64 far;
	__u64 ipa;
	__u32 mp_state;
	__u32 pending;
};

/*
 * The image, little-endian throughout: struct tern_image, then @nr_sections
 * times struct tern_section with its payload. Every structure begins at a
 * multiple of 8 bytes. Sums are CRC-32C (Castagnoli: polynomial 0x1edc6f41
 * reflected, initial value and final inversion of all ones), of a header with
 * its sum as 0, and for a section also the payload.
 */
#define TERN_STATE_MAGIC	"TERNSTAT"	/* 8 bytes, without a NUL */
#define TERN_STATE_VERSION	1

struct tern_image {
	__u8 magic[8];
	__u32 version;
	__u32 nr_sections;
	__u64 size;		/* of the whole image */
	__u32 reserved;		/* 0 */
	__u32 sum;
};

/* @index: a vCPU's id, a list's number (an image may have several), or 0 */
struct tern_section {
	__u32 kind;		/* TERN_SECTION_* */
	__u32 index;
	__u64 length;		/* of the payload: a multiple of 8 */
	__u32 flags;		/* TERN_SECTION_MAY_SKIP */
	__u32 sum;
};

#define TERN_SECTION_MAY_SKIP	(1U << 0)	/* who does not know the kind may ignore it */

/* Names: what the values in other sections are the values of */
#define TERN_SECTION_REG_LIST	1	/* __u64 KVM register ids */
#define TERN_SECTION_GIC_LIST	2	/* __u64 each: the group in 63:32; offset, register or INTID as in bits 31:0 of
					 * its attributes. Not for affinities: those are the vCPU's */
/*
 * Values. struct tern_values, then the values in the list's order: a REG_LIST
 * register takes the bytes its id says, rounded up to 8 with zeroes; a
 * GIC_LIST one takes 8.
 */
#define TERN_SECTION_VCPU	3	/* struct tern_vcpu_values, for vCPU @index */
#define TERN_SECTION_GIC_DIST	4	/* struct tern_values: groups DIST_REGS, and LEVEL_INFO of SPIs */
#define TERN_SECTION_GIC_CPU	5	/* struct tern_values: REDIST_REGS, CPU_SYSREGS, and LEVEL_INFO of INTIDs 0 to 31 */

/*
 * An ITS: @index counts them in the order in which they were made, up to
 * TERN_STATE_MAX_ITS. The flag TERN_SECTION_MAY_SKIP is set. @base, where its
 * frame is, tells which it is; in images of older makers, which end before it,
 * @index does. What it maps, and pending LPIs, are in guest memory.
 */
#define TERN_SECTION_ITS	6	/* struct tern_its */

struct tern_its {
	__u32 ctlr;		/* GITS_CTLR and so on */
	__u32 iidr;
	__u64 cbaser;
	__u64 cwriter;
	__u64 creadr;
	__u64 baser[8];
	__u64 base;
};

/*
 * A vCPU's record of tern_guest(7): __u64, its guest-physical address. There only
 * when there is one, with TERN_SECTION_MAY_SKIP: who knows no records leaves the
 * guest without, and it is right all the same.
 */
#define TERN_SECTION_RECORD	7

struct tern_values {
	__u32 list;		/* @index of the list section: the image has it, anywhere */
	__u32 reserved;		/* 0 */
};

/*
 * @serror_*: as struct kvm_vcpu_events has them. ext_dabt_pending is never
 * saved: it takes effect at once.
 * @has_ptimer: @ptimer_ctl and @ptimer_cval are known. They have no KVM
 * register id that works everywhere; who has no way to set them ignores them.
 */
struct tern_vcpu_values {
	__u32 list;
	__u32 mp_state;		/* as KVM_GET_MP_STATE */
	__u8 serror_pending;	/* 0, 1 */
	__u8 serror_has_esr;	/* 0, 1 */
	__u8 has_ptimer;	/* 0, 1 */
	__u8 reserved[5];	/* 0 */
	__u64 serror_esr;	/* 0 unless serror_has_esr */
	__u64 ptimer_ctl;	/* CNTP_CTL_EL0 without ISTATUS */
	__u64 ptimer_cval;	/* CNTP_CVAL_EL0 */
};

#endif
