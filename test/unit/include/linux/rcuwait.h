/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: nobody sleeps here. */
#ifndef TERN_SHIM_RCUWAIT_H
#define TERN_SHIM_RCUWAIT_H

struct rcuwait {
	void *task;
};

#endif
