/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: memory and strings. */
#ifndef TERN_SHIM_STRING_H
#define TERN_SHIM_STRING_H

#include <string.h>

#endif
