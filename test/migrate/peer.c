// SPDX-License-Identifier: GPL-2.0
/*
 * The other end of a moved guest's network connection: it answers each report
 * (load.c) with its number, and logs it with the time it came.
 *
 *	peer PORT LOG
 *
 * On SIGTERM it answers the next report with "stop", says what it saw, and
 * ends. "lag" is how much the guest's clock fell behind this one's from the
 * first reports to the last: as long as the guest stood still. The least of
 * some reports counts, so that slow delivery does not.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SOME	25

static volatile sig_atomic_t ending;
static int64_t first_behind[SOME], last_behind[SOME];
static unsigned long long reports, next_number;
static unsigned int connections, faults;
static FILE *log_file;

static void on_signal(int number)
{
	(void)number;
	ending = 1;
}

static void give_up(const char *what)
{
	fprintf(stderr, "peer: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t microseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000ll + t.tv_nsec / 1000;
}

/* A report whose answer was lost comes again. */
static void note(const char *line)
{
	unsigned long long number;
	int64_t here = microseconds();
	long long guest;

	if (sscanf(line, "%llu %lld", &number, &guest) != 2) {
		printf("peer: no report: %s", line);
		faults++;
		return;
	}
	if (next_number && number != next_number && number + 1 != next_number) {
		printf("peer: report %llu came for %llu\n", number, next_number);
		faults++;
	}
	next_number = number + 1;
	if (reports < SOME)
		first_behind[reports] = here - guest;
	last_behind[reports++ % SOME] = here - guest;
	fprintf(log_file, "%lld %s", (long long)here, line);
	fflush(log_file);
}

static int64_t least(const int64_t *values)
{
	int64_t found = values[0];
	unsigned int i;

	for (i = 1; i < SOME && i < reports; i++)
		if (values[i] < found)
			found = values[i];
	return found;
}

/* Until the other end is gone, or was told to stop. */
static void serve(int fd)
{
	char line[256], answer[40];
	FILE *in = fdopen(fd, "r");
	int n, last;

	if (!in)
		give_up("fdopen");
	while (fgets(line, sizeof(line), in)) {
		last = ending;
		note(line);
		n = last ? snprintf(answer, sizeof(answer), "stop\n") :
			   snprintf(answer, sizeof(answer), "%llu\n",
				    next_number - 1);
		if (send(fd, answer, n, MSG_NOSIGNAL) != n || last)
			break;
	}
	fclose(in);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = SA_RESTART };
	struct sockaddr_in at = { .sin_family = AF_INET };
	int fd, one = 1, listener;

	if (argc != 3) {
		fprintf(stderr, "usage: peer PORT LOG\n");
		return 2;
	}
	log_file = fopen(argv[2], "w");
	if (!log_file)
		give_up(argv[2]);
	sigaction(SIGTERM, &action, NULL);
	at.sin_port = htons(atoi(argv[1]));
	listener = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (listener < 0 || bind(listener, (struct sockaddr *)&at, sizeof(at)) ||
	    listen(listener, 4))
		give_up("listening");
	while (!ending || !connections) {
		fd = accept(listener, NULL, NULL);
		if (fd < 0)
			give_up("accept");
		connections++;
		serve(fd);
	}
	printf("peer: end: reports %llu, connections %u, lag %lld us, wrong %u\n",
	       reports, connections,
	       (long long)(least(last_behind) - least(first_behind)), faults);
	return faults || !reports;
}
