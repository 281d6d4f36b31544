// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "guest.h"

#define PATIENCE_SECONDS	60

static const char help[] =
"usage: tern selftest [OPTION...]\n"
"\n"
"Runs the bare-metal guest tests, each in a virtual machine of its own, and\n"
"reports in TAP. Fails when one of them does.\n"
"\n"
"  --device PATH     the KVM device (" DEFAULT_DEVICE ")\n"
"  --only NAME       this test alone; may be repeated\n"
"  --list            names and titles\n";

struct selftest {
	const char *device;
	struct guest_only only;
	unsigned int planned;
	unsigned int run;
	unsigned int failed;
};

static int count_image(const struct guest_image *image, void *arg)
{
	struct selftest *selftest = arg;

	selftest->planned += guest_wanted(&selftest->only, image->name);
	return 0;
}

/* What went wrong, or NULL. */
static const char *run_guest(const struct selftest *selftest,
			     const struct guest_image *image, bool *lacking)
{
	static char text[64];
	struct guest guest;
	int ret;

	ret = guest_init(&guest, image, selftest->device);
	*lacking = ret == -EOPNOTSUPP;
	if (ret)
		return strerror(-ret);
	ret = guest_run(&guest, PATIENCE_SECONDS);
	guest_fini(&guest);
	switch (ret) {
	case GUEST_PASSED:
		return NULL;
	case GUEST_FAILED:
		snprintf(text, sizeof(text), "failed at line %llu",
			 (unsigned long long)guest.status);
		return text;
	case GUEST_BROKE:
		return "broke off";
	case GUEST_TIMED_OUT:
		return "timed out";
	default:
		return strerror(-ret);
	}
}

static int run_image(const struct guest_image *image, void *arg)
{
	struct selftest *selftest = arg;
	const char *wrong;
	bool lacking;

	if (!guest_wanted(&selftest->only, image->name))
		return 0;
	selftest->run++;
	wrong = run_guest(selftest, image, &lacking);
	if (wrong && !lacking) {
		printf("# %s: %s\n", image->name, wrong);
		selftest->failed++;
	}
	printf("%s %u - %s: %s%s\n", wrong && !lacking ? "not ok" : "ok",
	       selftest->run, image->name, image->header->title,
	       lacking ? " # SKIP the host lacks what it needs" : "");
	fflush(stdout);
	return 0;
}

static int list_image(const struct guest_image *image, void *arg)
{
	(void)arg;
	printf("%-20s %s\n", image->name, image->header->title);
	return 0;
}

static int run_all(struct selftest *selftest)
{
	guest_for_each(GUEST_KIND_TEST, count_image, selftest);
	printf("1..%u\n", selftest->planned);
	guest_for_each(GUEST_KIND_TEST, run_image, selftest);
	return selftest->failed ? STATUS_FAILED : 0;
}

int command_selftest(int argc, char **argv)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "only", required_argument, NULL, 'o' },
		{ "list", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct selftest selftest = { .device = DEFAULT_DEVICE };
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'd':
			selftest.device = optarg;
			break;
		case 'o':
			if (!guest_find(GUEST_KIND_TEST, optarg) ||
			    !guest_only_add(&selftest.only, optarg)) {
				fprintf(stderr, "tern selftest: no test '%s'\n",
					optarg);
				return STATUS_USAGE;
			}
			break;
		case 'l':
			return guest_for_each(GUEST_KIND_TEST, list_image,
					      NULL);
		case 'h':
			fputs(help, stdout);
			return 0;
		default:
			return STATUS_USAGE;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "tern selftest: unexpected '%s'\n",
			argv[optind]);
		return STATUS_USAGE;
	}
	return run_all(&selftest);
}
