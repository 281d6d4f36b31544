// SPDX-License-Identifier: GPL-2.0
/*
 * How far apart the wall clocks of two machines are: a guest that moves from
 * one to the other stops by one of them and goes on by the other.
 *
 *	clock serve PORT	answer, for ever
 *	clock ask ADDRESS PORT	microseconds that ADDRESS's clock is ahead
 *
 * Of some exchanges the quickest counts: it is off by half its time at most.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define EXCHANGES	50

static void give_up(const char *what)
{
	fprintf(stderr, "clock: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t microseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * 1000000ll + t.tv_nsec / 1000;
}

static void serve(int fd, const struct sockaddr_in *at)
{
	struct sockaddr_in from;
	socklen_t length;
	int64_t word;

	if (bind(fd, (const struct sockaddr *)at, sizeof(*at)))
		give_up("bind");
	for (;;) {
		length = sizeof(from);
		if (recvfrom(fd, &word, sizeof(word), 0,
			     (struct sockaddr *)&from, &length) < 0)
			give_up("recvfrom");
		word = microseconds();
		sendto(fd, &word, sizeof(word), 0, (struct sockaddr *)&from,
		       length);
	}
}

static int ask(int fd, const struct sockaddr_in *at)
{
	struct timeval wait = { .tv_sec = 1 };
	int64_t least = INT64_MAX, ahead = 0, before, after, word;
	int i;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	if (connect(fd, (const struct sockaddr *)at, sizeof(*at)))
		give_up("connect");
	for (i = 0; i < EXCHANGES; i++) {
		word = before = microseconds();
		if (send(fd, &word, sizeof(word), 0) < 0 ||
		    recv(fd, &word, sizeof(word), 0) != sizeof(word))
			continue;
		after = microseconds();
		if (after - before >= least)
			continue;
		least = after - before;
		ahead = word - (before + after) / 2;
	}
	if (least == INT64_MAX)
		give_up("no answer");
	printf("%lld %lld\n", (long long)ahead, (long long)least);
	return 0;
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		give_up("socket");
	if (argc == 3 && !strcmp(argv[1], "serve")) {
		at.sin_port = htons(atoi(argv[2]));
		serve(fd, &at);
	}
	if (argc == 4 && !strcmp(argv[1], "ask") &&
	    inet_aton(argv[2], &at.sin_addr)) {
		at.sin_port = htons(atoi(argv[3]));
		return ask(fd, &at);
	}
	fprintf(stderr, "usage: clock serve PORT | ask ADDRESS PORT\n");
	return 2;
}
