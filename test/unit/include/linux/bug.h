/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: assertions that end the test. */
#ifndef TERN_SHIM_BUG_H
#define TERN_SHIM_BUG_H

#include <stdio.h>
#include <stdlib.h>

/* A warning of the module is a failure of the test. */
#define BUG_ON(c) do {								\
	if (c) {								\
		fprintf(stderr, "%s:%d: BUG: %s\n", __FILE__, __LINE__, #c);	\
		abort();							\
	}									\
} while (0)
#define WARN_ON(c) ({ bool __warn = (c); BUG_ON(__warn); __warn; })
#define WARN_ON_ONCE(c)	WARN_ON(c)
#define BUILD_BUG_ON(c)	_Static_assert(!(c), #c)
#ifndef static_assert
#define static_assert(c, ...) _Static_assert(c, #c)
#endif

#endif
