/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: a tree read without locks, as a list; the order given by the callbacks is checked. */
#ifndef TERN_SHIM_RBTREE_LATCH_H
#define TERN_SHIM_RBTREE_LATCH_H

#include <stdbool.h>
#include <linux/bug.h>
#include <linux/container_of.h>

struct latch_tree_node {
	struct latch_tree_node *next;
};

typedef struct {
	unsigned int sequence;
} seqcount_latch_t;

struct latch_tree_root {
	seqcount_latch_t seq;
	struct latch_tree_node *first;
};

struct latch_tree_ops {
	bool (*less)(struct latch_tree_node *a, struct latch_tree_node *b);
	int (*comp)(void *key, struct latch_tree_node *b);
};

#define seqcount_latch_init(s)	((s)->sequence = 0)

static inline void latch_tree_insert(struct latch_tree_node *n, struct latch_tree_root *root,
				     const struct latch_tree_ops *ops)
{
	struct latch_tree_node **p = &root->first;

	while (*p && ops->less(*p, n))
		p = &(*p)->next;
	BUG_ON(*p && !ops->less(n, *p));
	n->next = *p;
	*p = n;
}

static inline void latch_tree_erase(struct latch_tree_node *n, struct latch_tree_root *root,
				    const struct latch_tree_ops *ops)
{
	struct latch_tree_node **p = &root->first;

	while (*p && *p != n)
		p = &(*p)->next;
	BUG_ON(!*p);
	*p = n->next;
}

/* Goes through all, so that a comparison that is no order is noticed. */
static inline struct latch_tree_node *latch_tree_find(void *key, struct latch_tree_root *root,
						      const struct latch_tree_ops *ops)
{
	struct latch_tree_node *n, *found = NULL;
	int c, before = 1;

	for (n = root->first; n; n = n->next) {
		c = ops->comp(key, n);
		c = (c > 0) - (c < 0);
		BUG_ON(c > before);
		before = c;
		if (!c && !found)
			found = n;
	}
	return found;
}

#endif
