/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: intervals, as a list in order of start. */
#ifndef TERN_SHIM_INTERVAL_TREE_H
#define TERN_SHIM_INTERVAL_TREE_H

#include <linux/bug.h>
#include <linux/container_of.h>
#include <linux/rbtree.h>

struct interval_tree_node {
	struct interval_tree_node *next;
	unsigned long start;
	unsigned long last;
};

static inline void interval_tree_insert(struct interval_tree_node *n, struct rb_root_cached *root)
{
	struct interval_tree_node **p = &root->first;

	while (*p && (*p)->start <= n->start)
		p = &(*p)->next;
	n->next = *p;
	*p = n;
}

static inline void interval_tree_remove(struct interval_tree_node *n, struct rb_root_cached *root)
{
	struct interval_tree_node **p = &root->first;

	while (*p && *p != n)
		p = &(*p)->next;
	BUG_ON(!*p);
	*p = n->next;
}

static inline struct interval_tree_node *interval_tree_from_(struct interval_tree_node *n,
							     unsigned long start,
							     unsigned long last)
{
	while (n && (n->last < start || n->start > last))
		n = n->next;
	return n;
}

static inline struct interval_tree_node *
interval_tree_iter_first(struct rb_root_cached *root, unsigned long start, unsigned long last)
{
	return interval_tree_from_(root->first, start, last);
}

static inline struct interval_tree_node *
interval_tree_iter_next(struct interval_tree_node *n, unsigned long start, unsigned long last)
{
	return interval_tree_from_(n->next, start, last);
}

#endif
