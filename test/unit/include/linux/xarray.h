/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: an array by number, as a list; stores into reserved or taken places need no memory. */
#ifndef TERN_SHIM_XARRAY_H
#define TERN_SHIM_XARRAY_H

#include <limits.h>
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/slab.h>

struct xa_node_ {
	struct xa_node_ *next;
	unsigned long index;
	void *entry;		/* NULL: reserved */
};

struct xarray {
	struct xa_node_ *head;
};

static inline void xa_init(struct xarray *xa)
{
	xa->head = NULL;
}

static inline struct xa_node_ **xa_place_(struct xarray *xa, unsigned long index)
{
	struct xa_node_ **p = &xa->head;

	while (*p && (*p)->index < index)
		p = &(*p)->next;
	return p;
}

static inline void *xa_load(struct xarray *xa, unsigned long index)
{
	struct xa_node_ *n;

	shim_point();
	n = *xa_place_(xa, index);
	return n && n->index == index ? n->entry : NULL;
}

static inline int xa_reserve(struct xarray *xa, unsigned long index, unsigned int gfp)
{
	struct xa_node_ **p = xa_place_(xa, index), *n;

	if (*p && (*p)->index == index)
		return 0;
	n = kzalloc(sizeof(*n), gfp);
	if (!n)
		return -ENOMEM;
	n->index = index;
	n->next = *p;
	*p = n;
	return 0;
}

static inline void *xa_store(struct xarray *xa, unsigned long index, void *entry, unsigned int gfp)
{
	struct xa_node_ *n;
	void *old;

	shim_point();
	if (gfp && xa_reserve(xa, index, gfp))
		return ERR_PTR(-ENOMEM);
	n = *xa_place_(xa, index);
	/* Who may not allocate stores only where there is room. */
	BUG_ON(!n || n->index != index);
	old = n->entry;
	n->entry = entry;
	return old;
}

static inline void *xa_erase(struct xarray *xa, unsigned long index)
{
	struct xa_node_ **p, *n;
	void *old;

	shim_point();
	p = xa_place_(xa, index);
	n = *p;
	if (!n || n->index != index)
		return NULL;
	old = n->entry;
	*p = n->next;
	free(n);
	return old;
}

static inline void *xa_mk_value(unsigned long val)
{
	return (void *)(val << 1 | 1);
}

static inline unsigned long xa_to_value(const void *entry)
{
	return (unsigned long)entry >> 1;
}

static inline int xa_err(const void *entry)
{
	return IS_ERR(entry) ? PTR_ERR(entry) : 0;
}

#define XA_PRESENT 8

/* The first entry at or after *@index, up to @last */
static inline void *xa_find(struct xarray *xa, unsigned long *index, unsigned long last, unsigned int filter)
{
	struct xa_node_ *n = *xa_place_(xa, *index);

	while (n && !n->entry)
		n = n->next;
	if (!n || n->index > last)
		return NULL;
	*index = n->index;
	return n->entry;
}

static inline void *xa_find_after(struct xarray *xa, unsigned long *index, unsigned long last, unsigned int filter)
{
	unsigned long next = *index + 1;
	void *entry = next ? xa_find(xa, &next, last, filter) : NULL;

	if (entry)
		*index = next;
	return entry;
}

#define xa_for_each_range(xa, index, entry, start, last)			\
	for ((index) = (start), (entry) = xa_find(xa, &(index), last, XA_PRESENT);	\
	     (entry); (entry) = xa_find_after(xa, &(index), last, XA_PRESENT))
#define xa_for_each(xa, index, entry)	xa_for_each_range(xa, index, entry, 0, ULONG_MAX)

static inline void xa_release(struct xarray *xa, unsigned long index)
{
	if (!xa_load(xa, index))
		xa_erase(xa, index);
}

static inline void xa_destroy(struct xarray *xa)
{
	while (xa->head)
		xa_erase(xa, xa->head->index);
}

#endif
