// SPDX-License-Identifier: GPL-2.0
/*
 * What ebizzy does, inside a Linux guest: each thread maps memory, fills it,
 * searches it and unmaps it again.
 *
 *	load THREADS MILLISECONDS	prints records a second
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX	64
#define SIZE		65536
#define WORDS		(SIZE / sizeof(uint64_t))
#define SEARCHES	64

static uint64_t source[WORDS];
static int stop;

static void one_record(void)
{
	uint64_t *copy = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	uint64_t key = 7;
	int i;

	if (copy == MAP_FAILED) {
		perror("load: mmap");
		exit(1);
	}
	memcpy(copy, source, SIZE);
	for (i = 0; i < SEARCHES; i++, key = key * 25 + 11) {
		uint64_t low = 0, high = WORDS, want = key % (3 * WORDS);

		while (high - low > 1) {
			uint64_t mid = (low + high) / 2;

			*(copy[mid] <= want ? &low : &high) = mid;
		}
		if (low != want / 3) {
			fputs("load: memory is not what was written\n", stderr);
			exit(1);
		}
	}
	munmap(copy, SIZE);
}

static void *work(void *arg)
{
	uint64_t *records = arg;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		one_record();
		++*records;
	}
	return NULL;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv)
{
	static struct {
		pthread_t thread;
		uint64_t records;
	} __attribute__((aligned(64))) worker[THREADS_MAX];
	int i, n = argc > 2 ? atoi(argv[1]) : 0, ms = argc > 2 ? atoi(argv[2]) : 0;
	uint64_t sum = 0;
	double from;

	if (n < 1 || n > THREADS_MAX || ms < 1) {
		fputs("usage: load THREADS MILLISECONDS\n", stderr);
		return 2;
	}
	for (i = 0; i < (int)WORDS; i++)
		source[i] = 3 * i;
	from = now();
	for (i = 0; i < n; i++) {
		if (pthread_create(&worker[i].thread, NULL, work, &worker[i].records)) {
			perror("load: thread");
			return 1;
		}
	}
	usleep(1000 * ms);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < n; i++) {
		pthread_join(worker[i].thread, NULL);
		sum += worker[i].records;
	}
	printf("load: %.0f records/s\n", sum / (now() - from));
	return 0;
}
