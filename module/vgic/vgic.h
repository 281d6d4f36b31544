/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The door to the virtual GICv3.
 *
 * The architectural words are the storage. Thirty-two interrupts are a bank of
 * words laid out as GICD and GICR expose them: bank 0 of each vCPU holds its
 * SGIs and PPIs, banks 1..30 of the VM hold INTIDs 32..991. What is pending
 * and enabled in a bank is a few AND operations.
 *
 * Words are changed with atomic bit operations, so raising an interrupt takes
 * no lock and works in any context, hard interrupt included. Each vCPU has a
 * word `todo`, one bit a bank: whoever changes a bank so that its vCPU must
 * look again sets the bit, then calls kick_post(). The vCPU's thread takes the
 * bits in vgic_flush() (banks -> list registers) and gives the list registers
 * back in vgic_sync(). Both are a load and a branch when nothing goes on.
 *
 * Who may list an SPI: a vCPU claims it in the bank's `held` word first and
 * gives the claim up when, after an exit, the interrupt is no longer active.
 * So no SPI is ever in the list registers of two vCPUs, whatever IROUTER says.
 *
 * Active state of a vCPU in the guest is in its list registers. Whoever reads
 * or writes it from elsewhere stops that vCPU outside the guest first
 * (vgic_halt() in claim.c): vgic_flush() refuses meanwhile.
 *
 * Lock: vgic.lock, a mutex below the vCPUs' locks, covers configuration
 * (addresses, regions, NR_IRQS, INIT), IROUTER with the target words, and
 * halting. Raising interrupts, vgic_flush() and vgic_sync() take no lock.
 */
#ifndef TERN_VGIC_VGIC_H
#define TERN_VGIC_VGIC_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "../arch/types.h"
#include "../host/kick.h"
#include "../hyp/hyp.h"

struct mem;
struct vgic_its;
struct vgic_lpis;
struct vgic_lpi_props;

#define VGIC_PRIVATE	32	/* SGIs 0..15 and PPIs 16..31 */
#define VGIC_PPIS	0xffff0000U	/* in bank 0 */
#define VGIC_BANKS	31
#define VGIC_MAX_IRQS	992	/* the largest multiple of 32 below the special INTIDs 1020..1023 */
#define VGIC_MAX_SPI	(VGIC_MAX_IRQS - VGIC_PRIVATE)
#define VGIC_TODO_HW	BIT(31)	/* vgic_cpu.todo: make the host's view of mapped PPIs right */
#define VGIC_TODO_LPI	BIT_ULL(32)	/* ... LPIs changed */
#define VGIC_TODO_ALL	((BIT(VGIC_BANKS) - 1) | VGIC_TODO_LPI)
#define VGIC_MAX_CPUS	512
#define VGIC_MAX_MAPS	4

/* The answer to a read of ICC_SRE_EL1: SRE, DFB and DIB are read-as-one */
#define VGIC_ICC_SRE	7ULL

/** enum vgic_sgi_kind - the register an SGI was generated with */
enum vgic_sgi_kind {
	VGIC_SGI1R,
	VGIC_ASGI1R,
	VGIC_SGI0R,
};

/**
 * struct vgic_bank - thirty-two interrupts
 * @enable, @active, @group: as I{S,C}ENABLER, I{S,C}ACTIVER, IGROUPR show them
 * @latch:  pending from an edge or from ISPENDR (userspace's view of ISPENDR)
 * @line:   input level
 * @edge:   edge-triggered (ICFGR bit 1 of each field)
 * @held:   SPIs: claimed by a vCPU, see the top of this file
 * @watch:  somebody waits for the guest's EOI (irqfd resampling)
 * @prio:   IPRIORITYR
 */
struct vgic_bank {
	atomic_t enable;
	atomic_t latch;
	atomic_t line;
	atomic_t active;
	atomic_t group;
	atomic_t edge;
	atomic_t held;
	atomic_t watch;
	u8 prio[32];
};

/**
 * struct vgic_hw_ops - the device behind an interrupt that is mapped to a host interrupt
 * @level:      the device's output now
 * @set_active: set or clear the active state of the host's interrupt
 * Both are called by the vCPU's own thread from vgic_flush() and vgic_sync():
 * loaded, interrupts masked.
 *
 * The line of a mapped level interrupt is one-shot: it falls when the interrupt
 * becomes pending in a list register, and is asked of @level when it comes back
 * unacknowledged. After the guest's deactivation the host's interrupt fires
 * again if need be, and its handler calls vgic_set_ppi() again.
 */
struct vgic_hw_ops {
	bool (*level)(void *opaque);
	void (*set_active)(void *opaque, bool active);
};

/** struct vgic_map - one PPI mapped to a host interrupt (HW=1 in its list register) */
struct vgic_map {
	u32 intid;
	u32 host_intid;
	const struct vgic_hw_ops *ops;
	void *opaque;
};

/**
 * struct vgic_cpu - redistributor and CPU interface of one vCPU
 * @todo:   banks that changed; set by anybody, taken by the vCPU's thread
 * @carry:  banks the vCPU's thread must look at again at the next entry
 * @stop:   stay out of the guest; written under vgic.lock
 * @listed: nonzero while the list registers may hold interrupts: set by flush, cleared by sync
 * @own:    bank 0
 * @target: [b] SPIs of bank b routed here
 * @held:   [b] SPIs of bank b that this vCPU has claimed
 * @hwmap:  PPIs with an entry in @map
 * @owned:  PPIs wired to an in-kernel device: irq lines from userspace are ignored
 * @took:   [bit n] list register n took its pending state from the latch
 * @out_active: active interrupts were left out of the list registers
 * @lpi:    pending LPIs; NULL before they are first enabled
 * @lpi_on: GICR_CTLR.EnableLPIs (store-release)
 * @redist, @last: address of its redistributor, and whether no other follows, once vgic.ready
 * @id:     KVM's vCPU id, for GICR_TYPER.Processor_Number
 * @sgi_mpidr: the vCPU's MPIDR_EL1 that @sgi_self was made of
 * @sgi_self: ICC_SGI1R_EL1 for an SGI 0 to this vCPU alone, VGIC_NO_SGI without a GIC; see vgic_cpu_load()
 * @pri_bits, @id_bits: what ICC_CTLR_EL1 shows
 */
struct vgic_cpu {
	atomic64_t todo;
	u64 carry;
	u32 stop;
	u32 listed;
	struct vgic *vgic;
	struct hyp_gic *hw;
	struct hyp_vcpu *hyp;
	struct kick *kick;
	u32 index;
	u32 id;
	u32 took;
	bool out_active;
	u64 sgi_mpidr;
	u64 sgi_self;
	u64 redist;
	bool last;
	struct vgic_bank own;
	atomic_t target[VGIC_BANKS];
	atomic_t held[VGIC_BANKS];
	u32 hwmap;
	u32 owned;
	struct vgic_map map[VGIC_MAX_MAPS];
	u64 pendbaser;
	struct vgic_lpis *lpi;
	bool lpi_on;
	u8 pri_bits;
	u8 id_bits;
};

/**
 * struct vgic_region - redistributors of consecutive vCPUs
 * @count: 0 for the region of KVM_VGIC_V3_ADDR_TYPE_REDIST, which has as many as there are vCPUs
 * @first: index of the vCPU whose redistributor comes first
 */
struct vgic_region {
	u64 base;
	u32 index;
	u32 count;
	u32 first;
};

#define VGIC_ADDR_UNDEF (~0ULL)

/**
 * struct vgic - the distributor, and what the vCPUs share
 * @created:  KVM_CREATE_DEVICE done: the VM has an in-kernel GIC
 * @initialized: KVM_DEV_ARM_VGIC_CTRL_INIT done (store-release)
 * @hull_base, @hull_size: all register frames lie within; only those of ITSes before @ready
 * @ready:    addresses fixed at the first KVM_RUN
 * @enabled:  GICD_CTLR.EnableGrp1
 * @spi:      [b - 1] is bank b
 * @irouter:  GICD_IROUTER of each SPI
 * @route:    index of the vCPU that matches, or VGIC_NO_CPU; target words mirror it
 * @holder:   index of the vCPU that holds the SPI, valid while its held bit is set
 * @lpi_props, @lpi_maps: see lpi.h
 * @lpi_props_known: a vCPU's EnableLPIs read all of the table at @propbaser, and all since stayed on
 * @its:      the VM's ITSes, which come and stay (store-release)
 * @mem:      guest memory, for the tables of LPIs; set before @its
 * @ack:      called from vgic_sync() when the guest deactivates a watched SPI; interrupts masked
 */
struct vgic {
	bool created;
	bool initialized;
	bool ready;
	u32 impl_rev;
	atomic_t enabled;
	u32 nr_spis;
	u32 ipa_bits;
	u64 hull_base;
	u64 hull_size;
	u64 dist_base;
	struct mutex lock;
	struct vgic_region *region;
	u32 nr_regions;
	u32 nr_cpus;
	struct vgic_cpu *cpu[VGIC_MAX_CPUS];
	struct vgic_bank spi[VGIC_BANKS - 1];
	u32 irouter[VGIC_MAX_SPI];
	u16 route[VGIC_MAX_SPI];
	u16 holder[VGIC_MAX_SPI];
	u64 propbaser;
	struct vgic_lpi_props *lpi_props;
	bool lpi_props_known;
	atomic_t lpi_maps;
	struct vgic_its *its;
	struct mem *mem;
	void (*ack)(void *opaque, u32 intid);
	void *ack_opaque;
};

#define VGIC_NO_CPU 0xffff
#define VGIC_NO_SGI (~0ULL)

/* Life. vgic_vm_init() first; vgic_cpu_init() in order of index, before or after vgic_create(). */
void vgic_vm_init(struct vgic *g, u32 ipa_bits);
void vgic_vm_fini(struct vgic *g);

/** vgic_create() - KVM_CREATE_DEVICE; the caller holds the VM's lock and knows no vCPU has run
 *  Return: 0 or -EEXIST. */
int vgic_create(struct vgic *g);

/**
 * vgic_cpu_init() - under the VM's lock, @index one more than the last
 * @id: KVM's vCPU id. The vCPU's MPIDR_EL1 is read from @hyp's register image.
 * Return: 0, -EINVAL when its redistributor's region is misplaced, -EBUSY after INIT.
 */
int vgic_cpu_init(struct vgic_cpu *c, struct vgic *g, u32 index, u32 id, struct kick *kick,
		  struct hyp_gic *hw, struct hyp_vcpu *hyp);
/** vgic_cpu_fini() - of the last vCPU first, once nobody raises interrupts; undoes a failed vCPU creation too */
void vgic_cpu_fini(struct vgic_cpu *c);

/** vgic_cpu_reset() - KVM_ARM_VCPU_INIT and PSCI CPU_ON: mapped interrupts go idle, as in built-in KVM */
void vgic_cpu_reset(struct vgic_cpu *c);

/** vgic_cpu_load() - the vCPU's MPIDR_EL1 may have changed */
void vgic_cpu_load(struct vgic_cpu *c);

/** vgic_init() - KVM_DEV_ARM_VGIC_CTRL_INIT; again is 0 */
int vgic_init(struct vgic *g);

static inline bool vgic_initialized(const struct vgic *g)
{
	return smp_load_acquire(&g->initialized);
}

/** vgic_map_resources() - at the first KVM_RUN
 *  Return: 0, -ENXIO address missing, -EINVAL overlap, -EBUSY not initialised. */
int vgic_map_resources(struct vgic *g);

/* Raising interrupts: any context */

/**
 * vgic_set_irq() - drive an input line from outside: KVM_IRQ_LINE, irqfd
 * @c: the vCPU, for PPIs; ignored for SPIs
 * A rising edge makes an edge interrupt pending. Lines of in-kernel devices are left alone.
 * Return: 0, -EBUSY before INIT, -EINVAL for no such interrupt.
 */
int vgic_set_irq(struct vgic *g, struct vgic_cpu *c, u32 intid, bool level);

/** vgic_set_ppi() - the same for the in-kernel owner of a PPI (timers) */
int vgic_set_ppi(struct vgic_cpu *c, u32 intid, bool level);

/** vgic_sgi() - a write to ICC_SGI1R_EL1, ICC_ASGI1R_EL1 or ICC_SGI0R_EL1 */
void vgic_sgi(struct vgic_cpu *from, u64 val, enum vgic_sgi_kind kind);

/**
 * vgic_leaf_sgi_self() - an SGI of vCPU @c to itself, while it is in the guest (tier b)
 *
 * Fills a list register if the interrupt may be delivered.
 * Return: true when done, false when it takes a full exit.
 */
bool vgic_leaf_sgi_self(struct vgic_cpu *c, u32 intid);

/** vgic_leaf_sgi() - vgic_sgi(VGIC_SGI1R) in tier (b), for a target list without the sender */
void vgic_leaf_sgi(struct vgic_cpu *from, u64 val);

/** vgic_sgi_waits() - that SGI is pending already, or to be: the kick that comes with it is on its way */
static inline bool vgic_sgi_waits(const struct vgic_cpu *c, u32 intid)
{
	return (u32)atomic_read(&c->own.latch) >> intid & 1;
}

/** vgic_valid_spi() - is @intid an SPI of this VM? */
static inline bool vgic_valid_spi(const struct vgic *g, u32 intid)
{
	return intid >= VGIC_PRIVATE && intid < g->nr_spis + VGIC_PRIVATE;
}

/** vgic_watch() - @intid's deactivation by the guest is reported through g->ack; on=false ends it */
int vgic_watch(struct vgic *g, u32 intid, bool on);

/** vgic_set_ack() - install g->ack (once, before any vgic_watch()) */
void vgic_set_ack(struct vgic *g, void (*ack)(void *opaque, u32 intid), void *opaque);

/* Interrupts of in-kernel devices */

/** vgic_own() - PPI @intid belongs to an in-kernel device
 *  Return: 0, -EAGAIN before INIT, -EINVAL not a PPI, -EEXIST already owned. */
int vgic_own(struct vgic_cpu *c, u32 intid);

/** vgic_map_hw() - deliver PPI @intid with HW=1 and pINTID @host_intid; unmap undoes it. Not while in the guest.
 *  Return: 0, -EINVAL not a PPI, -ENOSPC. */
int vgic_map_hw(struct vgic_cpu *c, u32 intid, u32 host_intid, const struct vgic_hw_ops *ops, void *opaque);
void vgic_unmap_hw(struct vgic_cpu *c, u32 intid);

/** vgic_hw_active() - the virtual interrupt is active, so the host's must be (the vCPU's own thread, outside the guest) */
static inline bool vgic_hw_active(struct vgic_cpu *c, u32 intid)
{
	return atomic_read(&c->own.active) & BIT(intid);
}

/** vgic_raise_own() - vgic_set_ppi() of a line that rises, by the vCPU's own thread before vgic_flush(): nobody to kick */
static inline void vgic_raise_own(struct vgic_cpu *c, u32 intid)
{
	u32 mask = BIT(intid);

	atomic_or(mask, atomic_read(&c->own.edge) & mask ? &c->own.latch : &c->own.line);
	c->carry |= BIT(0);
}

/* Entry and exit. ICH_VMCR and the active priorities are loaded and unloaded by hyp. */

bool vgic_flush_slow(struct vgic_cpu *c);
void vgic_sync_slow(struct vgic_cpu *c);

/**
 * vgic_work() - did anything change since vgic_flush()?
 * vgic_flush() must come after kick_enter(), or vgic_work() be tested after
 * it: then either the poster sees IN_GUEST or the thread sees the work.
 */
static inline bool vgic_work(const struct vgic_cpu *c)
{
	return atomic64_read(&c->todo);
}

/**
 * vgic_flush() - before hyp_enter(), interrupts masked
 * Return: true, or false when somebody has this vCPU halted: unmask, and come back after vgic_await().
 */
static inline bool vgic_flush(struct vgic_cpu *c)
{
	if (likely(!(atomic64_read(&c->todo) | c->carry)))
		return true;
	return vgic_flush_slow(c);
}

/** vgic_await() - until nobody has the vCPU halted, which is not long: interrupts on */
static inline void vgic_await(const struct vgic_cpu *c)
{
	while (READ_ONCE(c->stop))
		cpu_relax();
}

/** vgic_sync() - after hyp_enter(), or after vgic_flush() when the entry was called off; interrupts masked */
static inline void vgic_sync(struct vgic_cpu *c)
{
	if (unlikely(c->listed))
		vgic_sync_slow(c);
}

/** vgic_deliverable_of() - the same of what is flagged in @todo */
bool vgic_deliverable_of(struct vgic_cpu *c, u64 todo);

/** vgic_deliverable() - does an interrupt wait that would wake the vCPU from WFI? Own thread, outside the guest. */
static inline bool vgic_deliverable(struct vgic_cpu *c)
{
	u64 todo = (atomic64_read(&c->todo) | c->carry) & ~(u64)VGIC_TODO_HW;

	return todo && vgic_deliverable_of(c, todo);
}

/* Trapped accesses */

/** vgic_note_frame() - a register frame is there from now on: vgic_may_claim() must know; under vgic.lock */
void vgic_note_frame(struct vgic *g, u64 base, u64 size);

/** vgic_may_claim() - false: vgic_mmio() would answer -ENXIO for @ipa */
static inline bool vgic_may_claim(const struct vgic *g, ipa_t ipa)
{
	return ipa.ipa - READ_ONCE(g->hull_base) < READ_ONCE(g->hull_size);
}

/** vgic_mmio() - a guest access to GICD, GICR or an ITS; @val is in and out
 *  Return: 0 done, -ENXIO not ours, -EAGAIN the guest must repeat it (a signal waits). Preemption on. */
int vgic_mmio(struct vgic_cpu *c, ipa_t ipa, unsigned int len, bool write, u64 *val);

/** vgic_leaf_mmio() - the same in tier (b), where what locks is refused; of what is read the low @len bytes count
 *  Return: false when it takes a full exit */
bool vgic_leaf_mmio(struct vgic_cpu *c, ipa_t ipa, unsigned int len, bool write, u64 *val);

/** vgic_icc_dir() - a trapped write to ICC_DIR_EL1 (trapped only while active interrupts overflow the list registers) */
void vgic_icc_dir(struct vgic_cpu *c, u64 val);

/*
 * For the client (KVM_DEV_TYPE_ARM_VGIC_V3). Register accesses need every vCPU
 * out of KVM_RUN, which the caller sees to.
 */

/** vgic_set_nr_irqs() - Return: 0, -EINVAL, -EBUSY when already set or initialised */
int vgic_set_nr_irqs(struct vgic *g, u32 nr);

/** vgic_set_dist() - Return: 0, -EEXIST, -EINVAL, -E2BIG */
int vgic_set_dist(struct vgic *g, u64 base);

/** vgic_add_region() - @count 0: the single region of the older interface
 *  Return: 0, -EEXIST, -EINVAL, -E2BIG, -ENOMEM. */
int vgic_add_region(struct vgic *g, u32 index, u64 base, u32 count);
/** vgic_get_region() - Return: 0 or -ENOENT */
int vgic_get_region(struct vgic *g, u32 index, struct vgic_region *r);

/** vgic_cpu_by_mpidr() - or NULL */
struct vgic_cpu *vgic_cpu_by_mpidr(struct vgic *g, u64 mpidr);

/* 32-bit registers by offset. _has: is there such a register? */
bool vgic_dist_has(struct vgic *g, u32 offset);
int vgic_dist_uaccess(struct vgic *g, u32 offset, bool write, u32 *val);
bool vgic_redist_has(struct vgic *g, u32 offset);
int vgic_redist_uaccess(struct vgic_cpu *c, u32 offset, bool write, u32 *val);

/* Would a client's write succeed? Of GICD_IIDR, ICC_CTLR_EL1; and of EnableLPIs after this: 0 or -ENOMEM */
bool vgic_iidr_ok(const struct vgic *g, u64 val);
bool vgic_icc_ctlr_ok(const struct vgic_cpu *c, u64 val);
int vgic_lpi_prepare(struct vgic_cpu *c);
/** vgic_icc_limit() - no more priority and interrupt id bits than this value of ICC_CTLR_EL1 has, which may be written */
void vgic_icc_limit(struct vgic_cpu *c, u64 val);

/** vgic_set_clear() - is @offset one of a pair that sets and clears (enable, active)? The pair's offsets */
bool vgic_set_clear(bool redist, u32 offset, u32 *set, u32 *clear);

/** vgic_level_uaccess() - input lines of INTIDs [intid, intid + 32). Return: 0, -EINVAL */
int vgic_level_uaccess(struct vgic *g, struct vgic_cpu *c, u32 intid, bool write, u32 *val);

/** vgic_save_pending_tables() - pending LPIs to guest memory. Return: 0, -ENXIO before INIT, -EFAULT */
int vgic_save_pending_tables(struct vgic *g);

/*
 * ITSes (KVM_DEV_TYPE_ARM_VGIC_ITS). Accesses to registers and tables need
 * every vCPU out of KVM_RUN.
 */

static inline bool vgic_has_its(const struct vgic *g)
{
	return smp_load_acquire(&g->its);
}

/** vgic_its_create() - under the VM's lock; it lives as long as the VM. Return: 0 or -ENOMEM */
int vgic_its_create(struct vgic *g, struct mem *mem, struct vgic_its **its);
/** vgic_its_set_base() - Return: 0, -EEXIST, -EINVAL, -E2BIG */
int vgic_its_set_base(struct vgic_its *its, u64 base);
u64 vgic_its_base(const struct vgic_its *its);
/** vgic_its_has_reg() - Return: 0, -EINVAL unaligned, -ENXIO none */
int vgic_its_has_reg(u64 offset);
/** vgic_its_uaccess() - Return: 0, -EINVAL, -ENXIO (also: no address yet), -EBUSY */
int vgic_its_uaccess(struct vgic_its *its, u64 offset, bool write, u64 *val);
void vgic_its_reset(struct vgic_its *its);
/* Maps to and from the tables in guest memory. Return: 0, -EFAULT, -EINVAL, -EEXIST, -ENOMEM, -EINTR */
int vgic_its_save(struct vgic_its *its);
int vgic_its_restore(struct vgic_its *its);

/** struct vgic_msi - a message: @data written to @addr by device @devid, if it is known */
struct vgic_msi {
	u64 addr;
	u32 data;
	u32 devid;
	bool has_devid;
};

/** vgic_msi() - any context
 *  Return: 1 raised, 0 the guest has not mapped it, -ENODEV no ITS, -EINVAL no ITS there
 *  or no @devid, -EBUSY ITS or LPIs disabled */
int vgic_msi(struct vgic *g, const struct vgic_msi *msi);

/* ICC registers by SYSREG_ENCODE() number. Return: 0, -ENOENT no such register, -EINVAL */
bool vgic_icc_has(u32 enc);
int vgic_icc_uaccess(struct vgic_cpu *c, u32 enc, bool write, u64 *val);

#endif
