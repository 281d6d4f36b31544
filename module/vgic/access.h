/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Register maps as tables, and the registers that distributor and
 * redistributors have in common.
 */
#ifndef TERN_VGIC_ACCESS_H
#define TERN_VGIC_ACCESS_H

#include "bank.h"

/**
 * struct vgic_access - one access to a register
 * @c:    the redistributor's vCPU, or NULL: the distributor
 * @off:  byte offset from the register's (array's) beginning
 * @len:  1, 4 or 8 bytes
 * @user: by the client with no vCPU running, not by the guest
 */
struct vgic_access {
	struct vgic *g;
	struct vgic_cpu *c;
	u32 off;
	u32 len;
	bool user;
};

/**
 * struct vgic_reg - a register, or an array of them
 * @bits:  bits an interrupt, or 0: such arrays end with the VM's last
 *         interrupt, and in the distributor the part of SGIs and PPIs is
 *         RAZ/WI (GICD_CTLR.ARE_NS = 1)
 * @sizes: lengths that work, ORed; others are RAZ/WI
 * @slow:  SLOW_READ, SLOW_WRITE: not for tier (b), since it takes a lock, or what is read may
 *         be in list registers or in a timer
 * @read:  NULL: RAZ
 * @write: NULL: WI. Return: 0 or -EINVAL, which only a client sees
 */
struct vgic_reg {
	u32 off;
	u32 len;
	u8 bits;
	u8 sizes;
	u8 slow;
	u64 (*read)(const struct vgic_access *a);
	int (*write)(const struct vgic_access *a, u64 val);
};

#define VGIC_REG_SLOW(_off, _len, _bits, _sizes, _slow, _read, _write) \
	{ .off = (_off), .len = (_len), .bits = (_bits), .sizes = (_sizes), .slow = (_slow), \
	  .read = (_read), .write = (_write) }
#define VGIC_REG(_off, _len, _bits, _sizes, _read, _write) \
	VGIC_REG_SLOW(_off, _len, _bits, _sizes, 0, _read, _write)

#define SLOW_READ	1
#define SLOW_WRITE	2
#define SLOW_BOTH	(SLOW_READ | SLOW_WRITE)

/** struct vgic_regs - a frame's registers, in order of their offsets */
struct vgic_regs {
	const struct vgic_reg *reg;
	u32 n;
};

extern const struct vgic_regs vgic_dist_regs, vgic_redist_regs;

/** vgic_first_intid() - the first INTID that an access at @off into register array @r touches */
static inline u32 vgic_first_intid(const struct vgic_reg *r, u32 off)
{
	return (off - r->off) * 8 / r->bits;
}

/** vgic_reg_find() - the register at @off that takes an access of @len bytes, or NULL: RAZ/WI */
static inline const struct vgic_reg *vgic_reg_find(const struct vgic *g, const struct vgic_regs *regs, u32 off, u32 len)
{
	const struct vgic_reg *r;

	for (r = regs->reg; r < regs->reg + regs->n; r++) {
		if (off - r->off >= r->len)
			continue;
		if (!(r->sizes & len) || off & (len - 1))
			return NULL;
		if (r->bits && vgic_first_intid(r, off) >= g->nr_spis + VGIC_PRIVATE)
			return NULL;
		return r;
	}
	return NULL;
}

/** vgic_reg_access() - @a->off is from the beginning of the map. Return: 0 or -EINVAL */
int vgic_reg_access(const struct vgic_access *a, const struct vgic_regs *regs, bool write, u64 *val);

u64 vgic_read_group(const struct vgic_access *a);
int vgic_write_group(const struct vgic_access *a, u64 val);
u64 vgic_read_enable(const struct vgic_access *a);
int vgic_write_senable(const struct vgic_access *a, u64 val);
int vgic_write_cenable(const struct vgic_access *a, u64 val);
u64 vgic_read_spend(const struct vgic_access *a);
int vgic_write_spend(const struct vgic_access *a, u64 val);
u64 vgic_read_cpend(const struct vgic_access *a);
int vgic_write_cpend(const struct vgic_access *a, u64 val);
u64 vgic_read_active(const struct vgic_access *a);
int vgic_write_sactive(const struct vgic_access *a, u64 val);
int vgic_write_cactive(const struct vgic_access *a, u64 val);
u64 vgic_read_prio(const struct vgic_access *a);
int vgic_write_prio(const struct vgic_access *a, u64 val);
u64 vgic_read_cfg(const struct vgic_access *a);
int vgic_write_cfg(const struct vgic_access *a, u64 val);
u64 vgic_read_idregs(const struct vgic_access *a);

/* Part of a 64-bit register as a read of @a sees it, and the whole after a write of @a. */
u64 vgic_part(const struct vgic_access *a, u64 whole);
u64 vgic_merge(const struct vgic_access *a, u64 whole, u64 val);

#endif
