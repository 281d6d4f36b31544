/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: roots of trees, which are lists here. */
#ifndef TERN_SHIM_RBTREE_H
#define TERN_SHIM_RBTREE_H

struct rb_root_cached {
	struct interval_tree_node *first;
};

#define RB_ROOT_CACHED (struct rb_root_cached){ 0 }

#endif
