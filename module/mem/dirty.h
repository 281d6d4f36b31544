/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Making and freeing a slot's dirty log, for mem.c.
 */
#ifndef TERN_MEM_DIRTY_H
#define TERN_MEM_DIRTY_H

#include "slots.h"

/** mem_dirty_alloc() - a log for @slot, all clean or all dirty; NULL: no memory */
unsigned long *mem_dirty_alloc(const struct mem_slot *slot, bool all_set);
void mem_dirty_free(unsigned long *dirty);

#endif
