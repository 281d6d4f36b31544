/* SPDX-License-Identifier: GPL-2.0 */
/* The subcommands: each gets its own argv and gives an exit status. */
#ifndef TERN_CLI_COMMAND_H
#define TERN_CLI_COMMAND_H

/* Exit statuses, beside 0. */
#define STATUS_FAILED	1	/* it ran, and a result is bad */
#define STATUS_USAGE	2	/* the command line is wrong */
#define STATUS_ERROR	3	/* it could not run */

#define DEFAULT_DEVICE	"/dev/kvm"

int command_bench(int argc, char **argv);
int command_bench_state(int argc, char **argv);
int command_bench_tlb(int argc, char **argv);
int command_selftest(int argc, char **argv);
int command_stale(int argc, char **argv);

#endif
