// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "command.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "bench", command_bench, "measure what exits of a guest cost" },
	{ "selftest", command_selftest, "run the bare-metal guest tests" },
	{ "stale", command_stale, "try to catch a stale translation in a guest" },
};

#define NR_COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *to)
{
	size_t i;

	fputs("usage: tern COMMAND [OPTION...]\n\n", to);
	for (i = 0; i < NR_COMMANDS; i++)
		fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].help);
	fputs("\n'tern COMMAND --help' tells more.\n", to);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		usage(stderr);
		return STATUS_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return 0;
	}
	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "tern: no command '%s'\n", argv[1]);
	usage(stderr);
	return STATUS_USAGE;
}
