/* SPDX-License-Identifier: GPL-2.0 */
/* What each test program of this suite includes. */
#ifndef TERN_UNIT_REGS_CHECK_H
#define TERN_UNIT_REGS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/types.h>

#endif
