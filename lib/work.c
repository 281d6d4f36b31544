// SPDX-License-Identifier: GPL-2.0
/* Jobs shared out among threads that live no longer than the call. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "lib.h"

#define THREADS_MAX	256

struct work {
	uint32_t n;
	int (*job)(void *arg, uint32_t i);
	void *arg;
	atomic_uint next;
	atomic_int error;
};

static void *worker(void *arg)
{
	struct work *work = arg;
	int none = 0, ret;
	uint32_t i;

	while (!atomic_load(&work->error)) {
		i = atomic_fetch_add(&work->next, 1);
		if (i >= work->n)
			break;
		ret = work->job(work->arg, i);
		if (ret)
			atomic_compare_exchange_strong(&work->error, &none,
						       ret);
	}
	return NULL;
}

/*
 * The caller works too, so a thread that cannot be made is not missed. The
 * program's signals are for its own threads.
 */
int lib_work(unsigned int threads, uint32_t n,
	     int (*job)(void *arg, uint32_t i), void *arg)
{
	struct work work = { .n = n, .job = job, .arg = arg };
	pthread_t thread[THREADS_MAX];
	unsigned int made = 0;
	sigset_t all, old;

	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	if (threads > n)
		threads = n;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (made + 1 < threads &&
	       !pthread_create(&thread[made], NULL, worker, &work))
		made++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	worker(&work);
	while (made)
		pthread_join(thread[--made], NULL);
	return atomic_load(&work.error);
}
