/* SPDX-License-Identifier: GPL-2.0 */
/* The bare-metal guests embedded in the client, and how one is run. */
#ifndef TERN_CLI_GUEST_H
#define TERN_CLI_GUEST_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "../guest/image.h"
#include "vm.h"

/* One entry of the table that embed.S makes. */
struct guest_image {
	const char *name;
	const struct guest_header *header;
	uint64_t size;
};

/* Calls fn for each image of a kind in order of name; stops when it fails. */
int guest_for_each(int kind, int (*fn)(const struct guest_image *image,
				       void *arg), void *arg);
const struct guest_image *guest_find(int kind, const char *name);

/* The names that --only gave; without any, everything is wanted. */
#define GUEST_ONLY_MAX	64
struct guest_only {
	unsigned int n;
	const char *name[GUEST_ONLY_MAX];
};
bool guest_only_add(struct guest_only *only, const char *name);
bool guest_wanted(const struct guest_only *only, const char *name);

enum guest_end {
	GUEST_RUNNING,
	GUEST_PASSED,
	GUEST_FAILED,		/* the guest said so, at line guest.status */
	GUEST_BROKE,		/* KVM_RUN failed or exited unexpectedly */
	GUEST_TIMED_OUT,
};

struct guest {
	struct vm vm;
	const struct guest_image *image;
	uint16_t features;		/* GUEST_NEEDS_x the vCPUs have */

	/* for benchmarks: what the guest is told, who is told its samples */
	uint64_t batch;
	uint64_t batches;
	uint64_t mark;			/* for DB_MARK */
	void (*sample)(void *arg, uint64_t ticks);
	void *sample_arg;

	/* lock guards how it ended; a guest whose vCPUs ring the doorbell at
	 * the same time orders them itself */
	pthread_mutex_t lock;
	pthread_cond_t ended;
	enum guest_end end;
	uint64_t status;
	uint64_t echo;
	uint64_t seen_addr, seen_data, seen_size, seen_count;
	uint64_t nisv_count, nisv_addr;
	unsigned int disturbed;
	int event;			/* the eventfd of DB_EVENT, or -1 */
};

/*
 * Makes the machine of this image and loads it: 0, -EOPNOTSUPP when the host
 * lacks something the image needs, or another negative errno.
 */
int guest_init(struct guest *guest, const struct guest_image *image,
	       const char *device);
/* the same with so many vCPUs, up to GUEST_MAX_VCPUS, instead of the image's */
int guest_init_vcpus(struct guest *guest, const struct guest_image *image,
		     const char *device, unsigned int vcpus);
/* the same with the memory of another, which is left without; its vCPUs stand still */
int guest_init_moved(struct guest *guest, struct guest *from, const char *device);
void guest_fini(struct guest *guest);

/*
 * Runs every vCPU in a thread of its own until the guest ends or seconds have
 * passed. What the guest has to say goes to stdout as TAP diagnostics. Gives
 * how it ended, or a negative errno when threads could not be made.
 */
int guest_run(struct guest *guest, unsigned int seconds);

/* how often the guest's ioeventfd was signalled since this was last asked */
uint64_t guest_events(const struct guest *guest);

#endif
