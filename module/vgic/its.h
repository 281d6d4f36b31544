/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interrupt translation service: (device, event) of a message -> LPI and
 * collection -> vCPU (Arm IHI 0069, chapter 5).
 *
 * The maps are arrays of plain values, read under RCU from any context. The
 * guest's tables are where the maps are saved to (ITS_SAVE_TABLES) and
 * restored from; otherwise they only say which numbers are valid.
 *
 * Locks: vgic_its.lock, a mutex outside vgic.lock, covers everything of an
 * ITS but the look-up of a message.
 */
#ifndef TERN_VGIC_ITS_H
#define TERN_VGIC_ITS_H

#include <linux/xarray.h>
#include "lpi.h"

#define ITS_SIZE	0x20000
#define ITS_ID_BITS	16	/* devices, events and collections */
#define ITS_MAX_EVENTS	BIT(LPI_ID_BITS)	/* at once; more cannot lead to different LPIs */

enum { ITS_DEVICES, ITS_COLLECTIONS, ITS_NR_BASERS };

/**
 * struct vgic_its - one ITS
 * @next:       of the VM
 * @base:       address of its frame, or VGIC_ADDR_UNDEF
 * @cbaser, @baser: as the registers read
 * @creadr, @cwriter: byte offsets in the command queue
 * @device:     DeviceID -> struct its_device, packed
 * @event:      DeviceID << 16 | EventID -> struct its_event, packed
 * @collection: ICID -> index of the vCPU + 1, or 0: known but not mapped
 * @scratch:    a set of LPIs
 */
struct vgic_its {
	struct vgic_its *next;
	struct vgic *g;
	struct mutex lock;
	u64 base;
	bool enabled;
	u64 cbaser;
	u64 baser[ITS_NR_BASERS];
	u32 creadr;
	u32 cwriter;
	u32 nr_events;
	struct xarray device;
	struct xarray event;
	struct xarray collection;
	unsigned long scratch[LPI_LONGS];
};

/** struct its_device - @itt: address of its table in guest memory; @bits: size of an EventID */
struct its_device {
	u64 itt;
	u32 bits;
};

struct its_event {
	u32 lpi;
	u32 icid;
};

static inline unsigned long its_key(u32 device, u32 event)
{
	return (unsigned long)device << ITS_ID_BITS | event;
}

/* its.c */

/** vgic_its_at() - the ITS whose frame @addr is in, or NULL; any context */
struct vgic_its *vgic_its_at(struct vgic *g, u64 addr);
/** vgic_its_mmio() - Return: 0, -EAGAIN the guest must repeat it */
int vgic_its_mmio(struct vgic_its *its, u32 off, u32 len, bool write, u64 *val);
void vgic_its_free_all(struct vgic *g);
/** vgic_its_fixed_baser() - what nobody chooses: kind and size of entries, and the size of pages */
u64 vgic_its_fixed_baser(u32 n);

/* its_save.c: vgic_its_restore() in two steps */

/** vgic_its_restore_maps() - from the guest's tables. Return: 0, -EINVAL, -EFAULT, -EEXIST, -ENOMEM, -EINTR; then none is left */
int vgic_its_restore_maps(struct vgic_its *its);
/** vgic_its_load() - what is mapped has the properties, and pends, as guest memory says. Return: 0, -EFAULT */
int vgic_its_load(struct vgic_its *its);

/* its_table.c: the guest's tables */

/** vgic_its_entry() - number @id is within the table @which; its entry is at @ipa */
bool vgic_its_entry(struct vgic_its *its, u32 which, u32 id, ipa_t *ipa);
/** vgic_its_itt_entry() - the same of an event */
bool vgic_its_itt_entry(struct vgic_its *its, const struct its_device *d, u32 event, ipa_t *ipa);
u64 vgic_its_table_base(u64 baser);
u64 vgic_its_table_size(u64 baser);
/* A 64-bit little-endian entry. 0 or -EFAULT */
int vgic_its_read_entry(struct vgic_its *its, ipa_t ipa, u64 *val);
int vgic_its_write_entry(struct vgic_its *its, ipa_t ipa, u64 val);

/* its_map.c: the maps; lock held but where it says otherwise */

bool vgic_its_device(struct vgic_its *its, u32 device, struct its_device *d);
bool vgic_its_event(struct vgic_its *its, u32 device, u32 event, struct its_event *e);
/** vgic_its_target() - the vCPU of a collection, or NULL */
struct vgic_cpu *vgic_its_target(struct vgic_its *its, u32 icid);
bool vgic_its_has_collection(struct vgic_its *its, u32 icid);
/** vgic_its_cpu() - by GICR_TYPER.Processor_Number, or NULL */
struct vgic_cpu *vgic_its_cpu(struct vgic *g, u32 number);

int vgic_its_map_device(struct vgic_its *its, u32 device, const struct its_device *d);
void vgic_its_unmap_device(struct vgic_its *its, u32 device);
/** vgic_its_map_event() - Return: 0, -ENOMEM, -ENOSPC */
int vgic_its_map_event(struct vgic_its *its, u32 device, u32 event, const struct its_event *e);
/** vgic_its_redirect_event() - a mapped event goes to another collection; its pending LPI is the caller's. 0 or -ENOMEM */
int vgic_its_redirect_event(struct vgic_its *its, u32 device, u32 event, const struct its_event *e);
void vgic_its_unmap_event(struct vgic_its *its, u32 device, u32 event);
/** vgic_its_map_collection() - @c NULL: known but not mapped. Pending LPIs move along. */
int vgic_its_map_collection(struct vgic_its *its, u32 icid, struct vgic_cpu *c);
void vgic_its_clear_devices(struct vgic_its *its);
void vgic_its_clear_collections(struct vgic_its *its);
/** vgic_its_abandon() - it maps nothing; it was never enabled with what it maps, so no LPI pends by it */
void vgic_its_abandon(struct vgic_its *its);

/** vgic_its_raise() - a message arrives; any context
 *  Return: 0, -EBUSY (off), -ENOENT (not mapped) */
int vgic_its_raise(struct vgic_its *its, u32 device, u32 event);

/* its_cmd.c */
void vgic_its_command(struct vgic_its *its, const u64 *cmd);

/* The maps as words, also those in guest memory (Documentation/virt/kvm/devices/arm-vgic-its.rst, revision 0) */
#define ITE_NEXT_SHIFT	48
#define ITE_LPI_SHIFT	16
#define ITE_ICID_MASK	0xffffU
#define ITE_MAX_NEXT	0xffffU
#define DTE_VALID	BIT_ULL(63)
#define DTE_NEXT_SHIFT	49
#define DTE_MAX_NEXT	0x3fffU
#define DTE_ITT_SHIFT	5	/* of address bits 51:8 */
#define DTE_SIZE_MASK	0x1fU
#define CTE_VALID	BIT_ULL(63)
#define CTE_CPU_SHIFT	16
#define CTE_NO_CPU	0xffffffffU

#define ITT_ADDR	GENMASK_ULL(51, 8)

static inline u64 its_event_word(const struct its_event *e, u32 next)
{
	return (u64)min(next, ITE_MAX_NEXT) << ITE_NEXT_SHIFT | (u64)e->lpi << ITE_LPI_SHIFT | e->icid;
}

static inline struct its_event its_word_event(u64 word)
{
	return (struct its_event){ .lpi = word >> ITE_LPI_SHIFT, .icid = word & ITE_ICID_MASK };
}

static inline u64 its_device_word(const struct its_device *d, u32 next)
{
	return DTE_VALID | (u64)min(next, DTE_MAX_NEXT) << DTE_NEXT_SHIFT |
	       (d->itt & ITT_ADDR) >> 8 << DTE_ITT_SHIFT | ((d->bits - 1) & DTE_SIZE_MASK);
}

static inline struct its_device its_word_device(u64 word)
{
	return (struct its_device){ .itt = word >> DTE_ITT_SHIFT << 8 & ITT_ADDR, .bits = (word & DTE_SIZE_MASK) + 1 };
}

#endif
