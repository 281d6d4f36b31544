// SPDX-License-Identifier: GPL-2.0
/*
 * pipe ROUNDS: two processes that wake each other through two pipes so often,
 * as perf bench sched pipe does; on the first and the last CPU, since which of
 * them share one would be chance.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void move_to(long cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		perror("pipe: sched_setaffinity");
}

static int rounds(long n, int from, int to, int first)
{
	char token = 0;

	for (; n; n--) {
		if (first && write(to, &token, 1) != 1)
			return 1;
		if (read(from, &token, 1) != 1)
			return 1;
		if (!first && write(to, &token, 1) != 1)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	long n = argc == 2 ? atol(argv[1]) : 0;
	int a[2], b[2], status = 1;
	pid_t child;

	if (n <= 0 || pipe(a) || pipe(b)) {
		fputs("usage: pipe ROUNDS\n", stderr);
		return 2;
	}
	child = fork();
	if (child < 0)
		return 2;
	move_to(child ? 0 : sysconf(_SC_NPROCESSORS_ONLN) - 1);
	if (!child)
		_exit(rounds(n, a[0], b[1], 0));
	if (rounds(n, b[0], a[1], 1))
		return 1;
	return waitpid(child, &status, 0) == child && !status ? 0 : 1;
}
