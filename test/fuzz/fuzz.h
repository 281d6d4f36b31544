/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of the fuzzer know of each other. */
#ifndef TERN_FUZZ_H
#define TERN_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/*
 * Each parser's verdict, 0 or a negative errno. What its callers rely on
 * afterwards is used, every byte of it: the image ends where its memory does.
 */
int fuzz_kernel(const void *image, size_t size);
int fuzz_library(const void *image, size_t size);

/* ends the process, so that the fuzzer keeps the input */
void fuzz_require(int holds, const char *what);
/* folds these bytes into something that no compiler leaves out */
void fuzz_read(const void *data, size_t size);

#endif
