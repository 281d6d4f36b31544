// SPDX-License-Identifier: GPL-2.0
/*
 * The record of tern_guest(7) of a vCPU that is switched off, by itself, by the
 * client or by SYSTEM_RESET: it says PREEMPTED at most as long as the vCPU sleeps
 * in KVM_RUN, a flush left in it goes with it, and after CPU_ON or
 * KVM_ARM_VCPU_INIT the vCPU has none: nobody writes there.
 */
#include <pthread.h>
#include <signal.h>

#include "../../uapi/tern.h"
#include "lib.h"

#define WHERE		0x50000000ULL
#define PATTERN		0x5500U
#define PREEMPTED	1U
#define FLUSH_TLB	2U

#define CPU_OFF		0x84000002UL
#define CPU_ON		0xc4000003UL
#define AFFINITY_INFO	0xc4000004UL
#define SYSTEM_RESET	0x84000009UL
#define RECORD		0xc6005401UL
#define AFF_OFF		1

/* As x19 says: 1: calls x20 and reports what it gives, again and again; else, and after reset: sleeps */
GUEST(caller,
	"	cmp	x19, #1\n"
	"	b.ne	2f\n"
	"1:	mov	x0, x20\n"
	"	mov	x1, x21\n"
	"	mov	x2, x22\n"
	"	mov	x3, xzr\n"
	"	hvc	#0\n"
	"	" REPORT
	"	b	1b\n"
	"2:	wfi\n"
	"	b	2b\n");

static struct vm vm;
static struct vcpu *boss, *other;
static volatile uint32_t *word;
static pthread_t thread;
static volatile int ended;

static void nothing(int sig)
{
	(void)sig;
}

static void begin_at(struct vcpu *vcpu, uint64_t role, uint64_t fn, uint64_t arg1, uint64_t arg2)
{
	GOOD(vcpu_set_pc(vcpu, RAM_BASE));
	GOOD(vcpu_set_x(vcpu, 19, role));
	GOOD(vcpu_set_x(vcpu, 20, fn));
	GOOD(vcpu_set_x(vcpu, 21, arg1));
	GOOD(vcpu_set_x(vcpu, 22, arg2));
}

static int64_t call(struct vcpu *vcpu, uint64_t fn, uint64_t arg1, uint64_t arg2)
{
	int64_t result;

	begin_at(vcpu, 1, fn, arg1, arg2);
	result = next_report(vcpu);
	finish_exit(vcpu);
	return result;
}

static void *run_other(void *arg)
{
	(void)arg;
	__atomic_store_n(&ended, vcpu_run(other), __ATOMIC_RELEASE);
	return NULL;
}

static void start_other(void)
{
	ended = 1;
	CHECK(!pthread_create(&thread, NULL, run_other, NULL));
}

static void stop_other(void)
{
	while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) == 1) {
		pthread_kill(thread, SIGUSR1);
		usleep(1000);
	}
	pthread_join(thread, NULL);
	EXPECT(ended, -EINTR);
}

static void wait_for(uint32_t value)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
		usleep(1000);
}

static void has_a_record(void)
{
	*word = PATTERN;
	EXPECT(call(other, RECORD, WHERE, 0), 0);
	CHECK(!*word);
}

/* Asleep as well as going there and back, it leaves the word alone. */
static void has_none_any_more(bool sleeps)
{
	*word = PATTERN;
	if (!sleeps)
		start_other();
	usleep(30000);
	CHECK(*word == PATTERN);
	stop_other();
	CHECK(*word == PATTERN);
}

static void goes_to_sleep(void)
{
	begin_at(other, 0, 0, 0, 0);
	start_other();
	wait_for(PREEMPTED);
}

static void leave_flush(void)
{
	__atomic_fetch_or(word, FLUSH_TLB, __ATOMIC_SEQ_CST);
}

static void is_on(void)
{
	EXPECT(call(boss, CPU_ON, 1, RAM_BASE), 0);
	EXPECT(call(boss, AFFINITY_INFO, 1, 0), 0);
}

static void by_itself(void)
{
	has_a_record();
	begin_at(other, 1, CPU_OFF, 0, 0);
	start_other();
	while (call(boss, AFFINITY_INFO, 1, 0) != AFF_OFF)
		;
	CHECK(!*word);
	*word = PATTERN;
	usleep(30000);
	CHECK(*word == PATTERN);
	is_on();
	has_none_any_more(true);
}

static void by_the_client(void)
{
	struct kvm_mp_state stopped = { .mp_state = KVM_MP_STATE_STOPPED };

	has_a_record();
	EXPECT(vm_ioctl(other->fd, KVM_SET_MP_STATE, &stopped), 0);
	start_other();
	wait_for(PREEMPTED);
	leave_flush();
	is_on();
	wait_for(0);
	has_none_any_more(true);
}

/* The other vCPU's thread stays in KVM_RUN until a signal comes: PREEMPTED ends there. */
static void by_reset(void)
{
	has_a_record();
	goes_to_sleep();
	begin_at(boss, 1, SYSTEM_RESET, 0, 0);
	expect_exit(boss, KVM_EXIT_SYSTEM_EVENT);
	EXPECT(boss->run->system_event.type, KVM_SYSTEM_EVENT_RESET);
	usleep(30000);
	CHECK(*word == PREEMPTED);
	leave_flush();
	stop_other();
	CHECK(!*word);

	/* The client is slow to reset it and runs it once more. */
	start_other();
	wait_for(PREEMPTED);
	stop_other();
	CHECK(!*word);

	EXPECT(init_vcpu(vm.fd, boss->fd, 0), 0);
	EXPECT(init_vcpu(vm.fd, other->fd, 0), 0);
	CHECK(!*word);
	begin_at(other, 0, 0, 0, 0);
	has_none_any_more(false);
	/* A new system may take it again, elsewhere in its life. */
	has_a_record();
	goes_to_sleep();
	stop_other();
	CHECK(!*word);
}

int main(void)
{
	struct sigaction action = { .sa_handler = nothing };

	sigaction(SIGUSR1, &action, NULL);
	make_machine(&vm, 2);
	boss = &vm.vcpu[0];
	other = &vm.vcpu[1];
	if (!(vm_capability(&vm, TERN_CAP_GUEST) & 1))
		skip("no TERN_CAP_GUEST");
	GOOD(vm_add_memory(&vm, WHERE, PAGE, 0));
	LOAD(&vm, caller);
	word = vm_host(&vm, WHERE, 4);
	by_itself();
	by_the_client();
	by_reset();
	return 0;
}
