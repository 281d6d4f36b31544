// SPDX-License-Identifier: GPL-2.0
/*
 * The tables that a guest gives its ITS: device and collection table, the
 * former with one level or two, and a device's interrupt translation table.
 * All have entries of eight bytes, in pages of 64 KB.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <asm/byteorder.h>
#include "../mem/copy.h"
#include "its.h"
#include "regs.h"

#define ENTRY		8U
#define PAGE		0x10000U

/* GITS_BASER: the address's bits 51:48 are in bits 15:12. */
u64 vgic_its_table_base(u64 baser)
{
	return (baser & GENMASK_ULL(47, 16)) | (baser >> 12 & 0xf) << 48;
}

u64 vgic_its_table_size(u64 baser)
{
	return ((baser & BASER_SIZE_MASK) + 1) * PAGE;
}

int vgic_its_read_entry(struct vgic_its *its, ipa_t ipa, u64 *val)
{
	__le64 word;
	int err = mem_read(its->g->mem, ipa, &word, sizeof(word));

	if (!err)
		*val = le64_to_cpu(word);
	return err;
}

int vgic_its_write_entry(struct vgic_its *its, ipa_t ipa, u64 val)
{
	__le64 word = cpu_to_le64(val);

	return mem_write(its->g->mem, ipa, &word, sizeof(word));
}

bool vgic_its_entry(struct vgic_its *its, u32 which, u32 id, ipa_t *ipa)
{
	u64 baser = its->baser[which], base = vgic_its_table_base(baser), size = vgic_its_table_size(baser), l1;
	u32 index = id / (PAGE / ENTRY);

	if (id >= BIT(ITS_ID_BITS) || !(baser & BASER_VALID))
		return false;
	if (!(baser & BASER_INDIRECT)) {
		if (id >= size / ENTRY)
			return false;
		ipa->ipa = base + id * ENTRY;
		return mem_ipa_backed(its->g->mem, *ipa, NULL);
	}
	if (index >= size / sizeof(l1) || vgic_its_read_entry(its, (ipa_t){ base + index * sizeof(l1) }, &l1) ||
	    !(l1 & ITS_L1_VALID))
		return false;
	ipa->ipa = (l1 & ITS_L1_ADDR) + id % (PAGE / ENTRY) * ENTRY;
	return mem_ipa_backed(its->g->mem, *ipa, NULL);
}

bool vgic_its_itt_entry(struct vgic_its *its, const struct its_device *d, u32 event, ipa_t *ipa)
{
	if (event >= BIT_ULL(d->bits) || event >= BIT(ITS_ID_BITS))
		return false;
	ipa->ipa = d->itt + (u64)event * ENTRY;
	return mem_ipa_backed(its->g->mem, *ipa, NULL);
}
