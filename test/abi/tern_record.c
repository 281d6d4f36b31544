// SPDX-License-Identifier: GPL-2.0
/*
 * The record of tern_guest(7), as the client sees it: PREEMPTED while the
 * vCPU sleeps in KVM_RUN and never outside; part of an image; cleared in memory
 * that is taken away, to which nobody writes any more, and there again when
 * memory is; gone by KVM_ARM_VCPU_INIT.
 */
#include <pthread.h>
#include <signal.h>

#include "../../uapi/tern.h"
#include "lib.h"

#define WHERE		0x50000000ULL
#define ELSEWHERE	0x58000000ULL
#define PATTERN		0x5500U	/* none of the record's bits */
#define SLOT		1	/* the second that is added */
#define SIZE		(64 * 1024)
#define INVALID		(-3LL)

/* Registers x21 as its record, reports, and sleeps from then on. */
GUEST(registers,
	"	movz	x0, #0x5401\n"
	"	movk	x0, #0xc600, lsl #16\n"
	"	mov	x1, x21\n"
	"	hvc	#0\n"
	"	" REPORT
	"1:	wfi\n"
	"	b	1b\n");

static struct vm vm, other;
static uint8_t image[SIZE], old[SIZE], bad[SIZE] __attribute__((aligned(8)));

static int get(struct vm *of, void *at)
{
	struct tern_state s = { .what = TERN_STATE_VCPUS, .addr = (uintptr_t)at, .size = SIZE };

	return ioctl(of->fd, TERN_GET_STATE, &s) ? -errno : 0;
}

static int set(struct vm *of, const void *at, uint32_t *failed)
{
	const struct tern_image *head = at;
	struct tern_state s = { .addr = (uintptr_t)at, .size = head->size };
	int ret = ioctl(of->fd, TERN_SET_STATE, &s) ? -errno : 0;

	*failed = s.failed;
	return ret;
}

/* The record's section in an image, or NULL. */
static struct tern_section *find(void *at, uint32_t *number)
{
	struct tern_image *head = at;
	struct tern_section *s = (void *)(head + 1);

	for (*number = 0; *number < head->nr_sections; (*number)++) {
		if (s->kind == TERN_SECTION_RECORD)
			return s;
		s = (void *)((uint8_t *)(s + 1) + s->length);
	}
	return NULL;
}

static uint64_t record_of(struct vm *of)
{
	struct tern_section *s;
	uint32_t number;

	EXPECT(get(of, image), 0);
	s = find(image, &number);
	return s ? *(uint64_t *)(s + 1) : ~0ULL;
}

/* CRC-32C, by bits: nothing here is in a hurry. */
static uint32_t sum_of(const void *data, size_t n)
{
	const uint8_t *p = data;
	uint32_t sum = ~0U;
	int i;

	while (n--)
		for (sum ^= *p++, i = 0; i < 8; i++)
			sum = sum >> 1 ^ (sum & 1 ? 0x82f63b78 : 0);
	return ~sum;
}

static void restore_bad(uint64_t address, int want)
{
	struct tern_section *s;
	uint32_t number, failed;

	EXPECT(get(&vm, bad), 0);
	s = find(bad, &number);
	CHECK(s);
	*(uint64_t *)(s + 1) = address;
	s->sum = 0;
	s->sum = sum_of(s, sizeof(*s) + s->length);
	EXPECT(set(&vm, bad, &failed), want);
	CHECK(failed == number);
	CHECK(record_of(&vm) == WHERE);
}

static int64_t register_at(struct vm *of, uint64_t where)
{
	GOOD(vcpu_set_pc(&of->vcpu[0], RAM_BASE));
	GOOD(vcpu_set_x(&of->vcpu[0], 21, where));
	where = next_report(&of->vcpu[0]);
	finish_exit(&of->vcpu[0]);
	return where;
}

static volatile uint32_t *word;
static volatile int ended;

static void *sleeper(void *arg)
{
	(void)arg;
	__atomic_store_n(&ended, vcpu_run(&vm.vcpu[0]), __ATOMIC_RELEASE);
	return NULL;
}

static void nothing(int sig)
{
	(void)sig;
}

static void wait_for(uint32_t value)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
		usleep(1000);
}

/* The vCPU sleeps, @meanwhile happens, and a signal ends KVM_RUN. */
static void sleep_while(void (*meanwhile)(void))
{
	pthread_t thread;

	ended = 1;
	CHECK(!pthread_create(&thread, NULL, sleeper, NULL));
	wait_for(1);
	if (meanwhile)
		meanwhile();
	while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) == 1) {
		pthread_kill(thread, SIGUSR1);
		usleep(1000);
	}
	pthread_join(thread, NULL);
	EXPECT(ended, -EINTR);
}

static void leave_flush(void)
{
	__atomic_fetch_or((uint32_t *)vm_host(&vm, WHERE, 4), 2, __ATOMIC_SEQ_CST);
}

static void put_slot(uint64_t where, size_t size)
{
	EXPECT(set_slot(vm.fd, SLOT, 0, where, size, vm.slot[SLOT].host), 0);
}

/* Once the slot is gone the word says "runs", and is the client's alone. */
static void delete_slot(void)
{
	put_slot(WHERE, 0);
	CHECK(!*word);
	*word = PATTERN;
}

static void move_slot(void)
{
	put_slot(ELSEWHERE, PAGE);
	CHECK(!*word);
	*word = PATTERN;
}

/* A vCPU that sleeps meanwhile finds it as it was, but for the word. */
static void replace_slot(void)
{
	leave_flush();
	put_slot(WHERE, 0);
	CHECK(!*word);
	put_slot(WHERE, PAGE);
}

static void forbid_writing(void)
{
	CHECK(!mprotect(vm.slot[SLOT].host, PAGE, PROT_READ));
}

static void allow_writing(void)
{
	CHECK(!mprotect(vm.slot[SLOT].host, PAGE, PROT_READ | PROT_WRITE));
}

/* The slot is gone: @away; and comes back. */
static void lose_slot(void (*away)(void))
{
	sleep_while(away);
	CHECK(*word == PATTERN);
	CHECK(record_of(&vm) == ~0ULL);
	EXPECT(register_at(&vm, WHERE), INVALID);
	put_slot(WHERE, PAGE);
	CHECK(record_of(&vm) == WHERE);
	*word = 0;
	sleep_while(NULL);
	CHECK(!*word);
}

static void lose_memory(void)
{
	lose_slot(delete_slot);
	lose_slot(move_slot);
	sleep_while(replace_slot);
	CHECK(!*word && record_of(&vm) == WHERE);
	sleep_while(NULL);

	/* What cannot be written is written later. */
	sleep_while(forbid_writing);
	CHECK(*word == 1);
	allow_writing();
	sleep_while(NULL);
	CHECK(!*word);
	forbid_writing();
	EXPECT(register_at(&vm, WHERE), INVALID);
	CHECK(record_of(&vm) == ~0ULL);
	allow_writing();
	EXPECT(register_at(&vm, WHERE), 0);
}

static void images(void)
{
	uint32_t failed;

	EXPECT(get(&vm, image), 0);
	EXPECT(set(&other, image, &failed), -EINVAL);	/* it has no memory there */
	GOOD(vm_add_memory(&other, WHERE, PAGE, 0));
	EXPECT(set(&other, image, &failed), 0);
	CHECK(record_of(&other) == WHERE);
	EXPECT(set(&other, old, &failed), 0);
	CHECK(record_of(&other) == ~0ULL);
	restore_bad(WHERE + 4, -EINVAL);
	restore_bad(0x60000000, -EINVAL);
	restore_bad(~63ULL, -EINVAL);
	CHECK(!*word);
}

int main(void)
{
	struct sigaction action = { .sa_handler = nothing };

	sigaction(SIGUSR1, &action, NULL);
	make_machine(&vm, 1);
	make_machine(&other, 1);
	if (!(vm_capability(&vm, TERN_CAP_GUEST) & 1))
		skip("no TERN_CAP_GUEST");
	GOOD(vm_add_memory(&vm, WHERE, PAGE, 0));
	LOAD(&vm, registers);
	word = vm_host(&vm, WHERE, 4);
	*word = 0x5555;
	EXPECT(get(&vm, old), 0);
	EXPECT(register_at(&vm, 0x60000000), INVALID);
	EXPECT(register_at(&vm, WHERE + PAGE - 32), INVALID);
	CHECK(record_of(&vm) == ~0ULL && *word == 0x5555);
	EXPECT(register_at(&vm, WHERE), 0);
	CHECK(record_of(&vm) == WHERE && !*word);
	sleep_while(NULL);
	CHECK(!*word);
	sleep_while(leave_flush);
	CHECK(!*word);
	images();
	lose_memory();
	EXPECT(init_vcpu(vm.fd, vm.vcpu[0].fd, 0), 0);
	CHECK(record_of(&vm) == ~0ULL && !*word);
	return 0;
}
