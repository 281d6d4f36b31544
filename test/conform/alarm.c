// SPDX-License-Identifier: GPL-2.0
/*
 * Linked into memslot_perf_test with --wrap=alarm. That test takes a guest
 * for dead that has not answered within 2 seconds, in which an emulated one
 * cannot touch 512 MiB page by page. It gets CONFORM_PATIENCE times as long;
 * a guest that is really dead still ends the test.
 */
unsigned int __real_alarm(unsigned int seconds);
unsigned int __wrap_alarm(unsigned int seconds);

unsigned int __wrap_alarm(unsigned int seconds)
{
	return __real_alarm(seconds * CONFORM_PATIENCE);
}
