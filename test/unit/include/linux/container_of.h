/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: container_of(). */
#ifndef TERN_SHIM_CONTAINER_OF_H
#define TERN_SHIM_CONTAINER_OF_H

#include <stddef.h>

#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))

#endif
