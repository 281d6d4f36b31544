// SPDX-License-Identifier: GPL-2.0
/*
 * What a guest does while it is moved: it keeps memory, vector registers, a
 * disk, its clocks and a network connection busy, and knows at every moment
 * what each must hold.
 *
 *	load ADDRESS PORT DISK [MICROSECONDS]
 *				until the peer says stop; 0 if all was right;
 *				with pauses of that length, for machines in
 *				which each busy moment takes long
 *	load --disk FILE	write the disk's first content
 *
 * Each CPU has a thread of its own that also sleeps, so a timer that is lost
 * on one CPU shows as passes that no longer grow.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST_CPUS	16
#define HOT_WORDS	(1 << 16)	/* 512 KiB, all rewritten each pass */
#define COLD_PAGES	(2 << 10)	/* 8 MiB, some pages each pass */
#define PAGE_WORDS	512
#define COLD_STEP	8
#define DISK_CHUNKS	128
#define CHUNK_SIZE	65536
#define CHUNK_WORDS	(CHUNK_SIZE / 8)
#define DISTANCE_SLACK	100000		/* ns, how well it is known */
#define BACK_SECONDS	60		/* for the peer to answer */

struct worker {
	pthread_t thread;
	unsigned int cpu;
	_Atomic uint64_t passes;
	uint64_t *hot;
	uint64_t *cold;
	uint32_t *generation;		/* of each cold page */
};

static struct worker workers[MOST_CPUS];
static unsigned int nr_workers;
static _Atomic uint64_t disk_reads;
static _Atomic unsigned int faults;
static _Atomic uint64_t latest;		/* of all CPUs' monotonic clock */
static _Atomic uint64_t longest;	/* gap seen by one thread, ns */
static _Atomic int ending;
static unsigned int pause_us;

__attribute__((format(printf, 1, 2)))
static void wrong(const char *format, ...)
{
	va_list args;

	if (atomic_fetch_add(&faults, 1) >= 10)
		return;
	va_start(args, format);
	printf("load: WRONG: ");
	vprintf(format, args);
	printf("\n");
	fflush(stdout);
	va_end(args);
}

static void give_up(const char *what)
{
	printf("load: %s: %s\n", what, strerror(errno));
	fflush(stdout);
	exit(1);
}

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* A word that tells place and generation, and resembles no other. */
static uint64_t mix(uint64_t where, uint64_t generation)
{
	uint64_t x = where * 0x9e3779b97f4a7c15ull + generation;

	x = (x ^ (x >> 31)) * 0xd6e8feb86659fd93ull;
	return x ^ (x >> 29);
}

/*
 * No clock goes back, on one CPU or from one to the next, and the wall clock
 * keeps its distance from the monotonic one: nobody here sets it.
 */
static void check_clocks(uint64_t *last, int64_t *distance)
{
	uint64_t seen = atomic_load(&latest);
	uint64_t mono = now(CLOCK_MONOTONIC);
	uint64_t real = now(CLOCK_REALTIME);
	uint64_t after = now(CLOCK_MONOTONIC);
	int64_t early = real - after;
	int64_t late = real - mono;
	uint64_t gap;

	if (mono < seen)
		wrong("CLOCK_MONOTONIC went back by %llu ns",
		      (unsigned long long)(seen - mono));
	if (*distance && (*distance > late + DISTANCE_SLACK ||
			  *distance < early - DISTANCE_SLACK))
		wrong("CLOCK_REALTIME moved %lld ns against CLOCK_MONOTONIC",
		      (long long)(late - *distance));
	if (!*distance && late - early < DISTANCE_SLACK)
		*distance = late - (late - early) / 2;
	gap = *last ? mono - *last : 0;
	*last = after;
	while (seen < mono &&
	       !atomic_compare_exchange_weak(&latest, &seen, mono))
		;
	seen = atomic_load(&longest);
	while (seen < gap &&
	       !atomic_compare_exchange_weak(&longest, &seen, gap))
		;
}

static void pass_hot(struct worker *w, uint64_t pass)
{
	uint64_t i, base = (uint64_t)w->cpu << 40;

	for (i = 0; i < HOT_WORDS; i++) {
		if (w->hot[i] != mix(base + i, pass - 1))
			wrong("CPU %u pass %llu: hot word %llu is %016llx",
			      w->cpu, (unsigned long long)pass,
			      (unsigned long long)i,
			      (unsigned long long)w->hot[i]);
		w->hot[i] = mix(base + i, pass);
	}
}

static void fill_page(struct worker *w, unsigned int page)
{
	uint64_t *word = w->cold + (size_t)page * PAGE_WORDS;
	uint64_t where = ((uint64_t)w->cpu << 40) + ((uint64_t)page << 20);
	unsigned int i;

	for (i = 0; i < PAGE_WORDS; i++)
		word[i] = mix(where + i, w->generation[page]);
}

static void check_page(struct worker *w, unsigned int page)
{
	uint64_t *word = w->cold + (size_t)page * PAGE_WORDS;
	uint64_t where = ((uint64_t)w->cpu << 40) + ((uint64_t)page << 20);
	unsigned int i;

	for (i = 0; i < PAGE_WORDS; i++) {
		if (word[i] == mix(where + i, w->generation[page]))
			continue;
		wrong("CPU %u: cold page %u word %u is %016llx", w->cpu, page,
		      i, (unsigned long long)word[i]);
		break;
	}
}

/* Every other page that is checked is also written again. */
static void pass_cold(struct worker *w, uint64_t pass)
{
	unsigned int i, page;

	for (i = 0; i < COLD_STEP; i++) {
		page = (pass * COLD_STEP + i) % COLD_PAGES;
		check_page(w, page);
		if (page & 1)
			continue;
		w->generation[page]++;
		fill_page(w, page);
	}
}

#define ALL_VECTORS(op)							\
	op " {v0.16b-v3.16b}, [x9], #64\n" op " {v4.16b-v7.16b}, [x9], #64\n" \
	op " {v8.16b-v11.16b}, [x9], #64\n" op " {v12.16b-v15.16b}, [x9], #64\n" \
	op " {v16.16b-v19.16b}, [x9], #64\n" op " {v20.16b-v23.16b}, [x9], #64\n" \
	op " {v24.16b-v27.16b}, [x9], #64\n" op " {v28.16b-v31.16b}, [x9], #64\n"

/* Values wait in the vector registers while nothing else uses them. */
static void pass_vectors(struct worker *w, uint64_t pass)
{
	uint64_t in[64], out[64];
	unsigned int i;

	for (i = 0; i < 64; i++)
		in[i] = mix(((uint64_t)w->cpu << 40) + i, ~pass);
	asm volatile("mov x9, %0\n" ALL_VECTORS("ld1")
		     "mov x10, #50000\n"
		     "1: subs x10, x10, #1\n"
		     "b.ne 1b\n"
		     "mov x9, %1\n" ALL_VECTORS("st1")
		     : : "r"(in), "r"(out)
		     : "memory", "cc", "x9", "x10", "v0", "v1", "v2", "v3",
		       "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12",
		       "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20",
		       "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
		       "v29", "v30", "v31");
	if (memcmp(in, out, sizeof(in)))
		wrong("CPU %u pass %llu: vector registers", w->cpu,
		      (unsigned long long)pass);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	uint64_t pass, last = 0;
	int64_t distance = 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(w->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		give_up("sched_setaffinity");
	for (pass = 1; !atomic_load(&ending); pass++) {
		pass_hot(w, pass);
		check_clocks(&last, &distance);
		pass_cold(w, pass);
		pass_vectors(w, pass);
		check_clocks(&last, &distance);
		if (sched_getcpu() != (int)w->cpu)
			wrong("CPU %u became %d", w->cpu, sched_getcpu());
		atomic_store(&w->passes, pass);
		usleep(pause_us ? pause_us : 2000);
	}
	return NULL;
}

static void start_worker(struct worker *w, unsigned int cpu)
{
	uint64_t i;

	w->cpu = cpu;
	w->hot = aligned_alloc(4096, HOT_WORDS * 8);
	w->cold = aligned_alloc(4096, COLD_PAGES * PAGE_WORDS * 8);
	w->generation = calloc(COLD_PAGES, sizeof(*w->generation));
	if (!w->hot || !w->cold || !w->generation)
		give_up("memory");
	for (i = 0; i < HOT_WORDS; i++)
		w->hot[i] = mix(((uint64_t)cpu << 40) + i, 0);
	for (i = 0; i < COLD_PAGES; i++)
		fill_page(w, i);
	if (pthread_create(&w->thread, NULL, work, w))
		give_up("pthread_create");
}

static void fill_chunk(uint64_t *words, uint64_t chunk, uint64_t generation)
{
	unsigned int i;

	for (i = 0; i < CHUNK_WORDS; i++)
		words[i] = mix((chunk << 20) + i, generation + (1ull << 60));
}

/* Reads chunks and checks them, and writes one of four anew. */
static void *use_disk(void *arg)
{
	static uint32_t generation[DISK_CHUNKS];
	uint64_t *got = aligned_alloc(4096, CHUNK_SIZE);
	uint64_t *want = aligned_alloc(4096, CHUNK_SIZE);
	int fd = open(arg, O_RDWR | O_DIRECT);
	uint64_t n, chunk;
	off_t at;

	if (fd < 0 || !got || !want)
		give_up("the disk");
	for (n = 0; !atomic_load(&ending); n++) {
		chunk = mix(n, 7) % DISK_CHUNKS;
		at = chunk * CHUNK_SIZE;
		if (pread(fd, got, CHUNK_SIZE, at) != CHUNK_SIZE)
			give_up("reading the disk");
		fill_chunk(want, chunk, generation[chunk]);
		if (memcmp(got, want, CHUNK_SIZE))
			wrong("disk read %llu: chunk %llu",
			      (unsigned long long)n, (unsigned long long)chunk);
		atomic_fetch_add(&disk_reads, 1);
		if (pause_us)
			usleep(pause_us);
		if (n % 4)
			continue;
		fill_chunk(want, chunk, ++generation[chunk]);
		if (pwrite(fd, want, CHUNK_SIZE, at) != CHUNK_SIZE)
			give_up("writing the disk");
	}
	close(fd);
	return NULL;
}

static int make_disk(const char *name)
{
	uint64_t *words = malloc(CHUNK_SIZE);
	int fd = open(name, O_RDWR | O_CREAT, 0644);
	uint64_t chunk;

	if (fd < 0 || !words)
		give_up(name);
	for (chunk = 0; chunk < DISK_CHUNKS; chunk++) {
		fill_chunk(words, chunk, 0);
		if (write(fd, words, CHUNK_SIZE) != CHUNK_SIZE)
			give_up(name);
	}
	if (fsync(fd) && errno != EINVAL)
		give_up(name);
	close(fd);
	return 0;
}

static int reach_peer(const char *address, const char *port)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(atoi(port)),
	};
	struct timeval wait = { .tv_sec = BACK_SECONDS };
	int tries, fd, one = 1;

	inet_aton(address, &to.sin_addr);
	for (tries = 0; tries < 200; tries++) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		if (fd < 0)
			give_up("socket");
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		if (!connect(fd, (struct sockaddr *)&to, sizeof(to)))
			return fd;
		close(fd);
		usleep(100000);
	}
	give_up("no way to the peer");
	return -1;
}

static uint64_t fewest_passes(void)
{
	uint64_t least = UINT64_MAX, passes;
	unsigned int i;

	for (i = 0; i < nr_workers; i++) {
		passes = atomic_load(&workers[i].passes);
		if (passes < least)
			least = passes;
	}
	return least;
}

/* One report and the peer's answer: 0 to go on, 1 to stop, -1 for no peer. */
static int report(int fd, uint64_t number)
{
	char line[200], expect[40];
	ssize_t length;
	int n;

	n = snprintf(line, sizeof(line), "%llu %llu %llu %llu %llu %llu %u\n",
		     (unsigned long long)number,
		     (unsigned long long)now(CLOCK_MONOTONIC) / 1000,
		     (unsigned long long)now(CLOCK_REALTIME) / 1000,
		     (unsigned long long)fewest_passes(),
		     (unsigned long long)atomic_load(&disk_reads),
		     (unsigned long long)atomic_load(&longest) / 1000,
		     atomic_load(&faults));
	if (send(fd, line, n, MSG_NOSIGNAL) != n)
		return -1;
	length = recv(fd, line, sizeof(line) - 1, 0);
	if (length <= 0)
		return -1;
	line[length] = 0;
	snprintf(expect, sizeof(expect), "%llu\n", (unsigned long long)number);
	if (!strcmp(line, "stop\n"))
		return 1;
	if (strcmp(line, expect))
		wrong("the peer answered %s", line);
	return 0;
}

static unsigned int talk(const char *address, const char *port)
{
	unsigned int connections = 1;
	int fd = reach_peer(address, port);
	uint64_t number = 1;
	int answer;

	for (;;) {
		answer = report(fd, number);
		if (answer > 0)
			break;
		if (answer < 0) {
			printf("load: the connection broke: %s\n",
			       strerror(errno));
			fflush(stdout);
			close(fd);
			fd = reach_peer(address, port);
			connections++;
			continue;
		}
		number++;
		usleep(20000);
	}
	close(fd);
	return connections;
}

int main(int argc, char **argv)
{
	unsigned int connections, i;
	pthread_t disk;

	if (argc == 3 && !strcmp(argv[1], "--disk"))
		return make_disk(argv[2]);
	if (argc != 4 && argc != 5) {
		fprintf(stderr, "usage: load ADDRESS PORT DISK [MICROSECONDS]\n");
		return 2;
	}
	if (argc == 5)
		pause_us = atoi(argv[4]);
	nr_workers = sysconf(_SC_NPROCESSORS_ONLN);
	if (nr_workers > MOST_CPUS)
		nr_workers = MOST_CPUS;
	for (i = 0; i < nr_workers; i++)
		start_worker(&workers[i], i);
	if (pthread_create(&disk, NULL, use_disk, argv[3]))
		give_up("pthread_create");
	connections = talk(argv[1], argv[2]);
	atomic_store(&ending, 1);
	for (i = 0; i < nr_workers; i++)
		pthread_join(workers[i].thread, NULL);
	pthread_join(disk, NULL);
	for (i = 0; i < nr_workers; i++) {
		unsigned int page;

		for (page = 0; page < COLD_PAGES; page++)
			check_page(&workers[i], page);
	}
	printf("load: end: %u CPUs, passes %llu, disk reads %llu, connections %u, longest gap %llu us, wrong %u\n",
	       nr_workers, (unsigned long long)fewest_passes(),
	       (unsigned long long)atomic_load(&disk_reads), connections,
	       (unsigned long long)atomic_load(&longest) / 1000,
	       atomic_load(&faults));
	return atomic_load(&faults) != 0;
}
