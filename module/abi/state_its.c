// SPDX-License-Identifier: GPL-2.0
/*
 * The ITSes' part of state images: registers in the image, what they lead to in
 * guest memory. All vCPUs are claimed and vm->lock is held.
 */
#include <linux/errno.h>
#include <linux/kvm.h>
#include <asm/byteorder.h>
#include "../vgic/its_state.h"
#include "abi.h"
#include "state.h"

int state_its_find(struct tern_vm *vm, struct state_its *f)
{
	u32 i;
	int n = vgic_its_list(&vm->vgic, f->its, ARRAY_SIZE(f->its));

	if (n < 0)
		return -EINVAL;
	for (i = 0; i < n; i++)
		if (vgic_its_base(f->its[i]) == VGIC_ADDR_UNDEF)
			return -ENXIO;
	f->nr = n;
	return n ? 0 : -ENODEV;
}

u64 state_its_size(const struct state_its *f)
{
	return f->nr * sizeof(struct tern_its);
}

int state_its_save(struct tern_vm *vm, const struct state_its *f)
{
	u32 i;
	int err = 0;

	for (i = 0; i < f->nr && !err; i++)
		err = vgic_its_save(f->its[i]);
	return err || !f->nr ? err : vgic_save_pending_tables(&vm->vgic);
}

void *state_its_put(const struct state_its *f, void *at)
{
	struct tern_its *to;
	u32 i;

	for (i = 0; i < f->nr; i++) {
		to = image_section(at, TERN_SECTION_ITS, i, sizeof(*to));
		vgic_its_get_state(f->its[i], to);
		image_may_skip(at);
		image_seal(at);
		at = to + 1;
	}
	return at;
}

/* The one that the section means, or NULL */
static struct vgic_its *meant(const struct state_its *all, const struct image_part *p)
{
	const struct tern_its *from = p->data;
	u32 i;

	if (p->length < sizeof(*from))
		return p->index < all->nr ? all->its[p->index] : NULL;
	for (i = 0; i < all->nr; i++)
		if (vgic_its_base(all->its[i]) == le64_to_cpu(from->base))
			return all->its[i];
	return NULL;
}

int state_its_sort(struct state_its_set *s, struct tern_vm *vm, const struct image_part *p)
{
	struct state_its all = {};
	struct vgic_its *its;
	u32 i;
	int err = state_its_find(vm, &all);

	if (err)
		return err;
	its = meant(&all, p);
	if (!its)
		return -ENODEV;
	for (i = 0; i < s->nr; i++)
		if (s->its[i] == its)
			return -EEXIST;
	s->part[s->nr] = p;
	s->its[s->nr++] = its;
	return 0;
}

int state_its_check(struct state_its_set *s, const struct image_part **bad, u64 *failed)
{
	u32 i, reg;
	int err;

	for (i = 0; i < s->nr; i++) {
		reg = 0;
		err = vgic_its_check_state(s->its[i], s->part[i]->data, &reg);
		if (err) {
			*bad = s->part[i];
			*failed = err == -EINVAL ? (u64)KVM_DEV_ARM_VGIC_GRP_ITS_REGS << 32 | reg : 0;
			return err;
		}
	}
	return 0;
}

int state_its_set(struct state_its_set *s, const struct image_part **bad)
{
	int err = 0;

	for (s->done = 0; s->done < s->nr && !err; s->done++) {
		vgic_its_get_state(s->its[s->done], &s->old[s->done]);
		err = vgic_its_set_state(s->its[s->done], s->part[s->done]->data);
		if (err)
			*bad = s->part[s->done];
	}
	if (err)
		state_its_undo(s);
	return err;
}

void state_its_undo(struct state_its_set *s)
{
	while (s->done) {
		s->done--;
		vgic_its_undo_state(s->its[s->done], &s->old[s->done]);
	}
}

void state_its_start(struct state_its_set *s)
{
	u32 i;

	for (i = 0; i < s->nr; i++)
		vgic_its_start_state(s->its[i], s->part[i]->data);
}
