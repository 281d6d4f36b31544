/* SPDX-License-Identifier: GPL-2.0 */
/* What is tried by chance can be tried again: the seed is told. */
#ifndef TERN_TEST_CHANCE_H
#define TERN_TEST_CHANCE_H

#include <stdint.h>

/*
 * The seed is the program's first argument, or one of its own, and its second
 * how many times. A test that fails has told both on its standard output.
 */
void chance_begin(int argc, char **argv, unsigned int *rounds);
uint64_t chance(void);
/* 0 to n - 1 */
uint64_t chance_below(uint64_t n);
/* all ones, one bit, an edge, anything */
uint64_t chance_word(void);

#endif
