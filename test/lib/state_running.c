// SPDX-License-Identifier: GPL-2.0
/*
 * State calls beside vCPUs that run: EBUSY at once for one in KVM_RUN, spinning
 * or asleep, and nothing changed; others' are not minded; paused, all can be
 * read and set, and go on from there. Beside calls that write registers an
 * image has each vCPU as it was before one or after it.
 */
#include <pthread.h>
#include <signal.h>

#include "../../lib/lib.h"
#include "../../uapi/tern.h"
#include "state/scribble.h"

#define VCPUS	4
#define SIZE	(1u << 18)
#define X(n)	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | (2 * (n)))
#define EQUAL	8	/* x10 to x17 are written together */

/* vCPU 0 counts in x5, vCPU 1 sleeps; the others are not run. */
GUEST(count_or_sleep,
	"mov x6, x0\n\t" REPORT
	"cbz x6, 2f\n"
	"1:\twfi\n\tb 1b\n"
	"2:\tadd x5, x5, #1\n\tb 2b");

static struct vm vm;
static uint8_t image[SIZE], before[SIZE];
static volatile bool stop;

static int call(unsigned long request, uint32_t first, uint32_t count, void *at, uint64_t *size)
{
	struct tern_state s = {
		.what = request == TERN_GET_STATE ? TERN_STATE_VCPUS : 0, .first = first, .count = count,
		.addr = (uintptr_t)at, .size = *size,
	};
	int ret = vm_ioctl(vm.fd, request, &s);

	*size = s.size;
	return ret;
}

static int get(uint32_t first, uint32_t count)
{
	uint64_t size = SIZE;

	return call(TERN_GET_STATE, first, count, image, &size);
}

static uint64_t reg(unsigned int vcpu, unsigned int n)
{
	uint64_t value = 0;

	GOOD(vcpu_get(&vm.vcpu[vcpu], X(n), &value));
	return value;
}

static void ignore(int signal)
{
	(void)signal;
}

static void *run(void *arg)
{
	EXPECT(vcpu_run(arg), -EINTR);
	return NULL;
}

static void until_busy(uint32_t vcpu)
{
	int tries;

	for (tries = 0; get(vcpu, 1) != -EBUSY; tries++) {
		CHECK(tries < 5000);
		usleep(1000);
	}
}

static void beside_runners(uint64_t size)
{
	uint64_t mark = 0x77, x5;

	EXPECT(get(0, 1), -EBUSY);
	EXPECT(get(1, 1), -EBUSY);
	EXPECT(get(0, 0), -EBUSY);
	EXPECT(get(2, 0), 0);
	/* the image has another x5 for the vCPU that does not run */
	GOOD(vcpu_set(&vm.vcpu[3], X(5), &mark));
	EXPECT(call(TERN_SET_STATE, 0, 0, before, &size), -EBUSY);
	EXPECT(reg(3, 5), mark);

	EXPECT(ioctl(vm.fd, TERN_PAUSE, 0), 0);
	EXPECT(get(0, 0), 0);
	x5 = reg(0, 5);
	CHECK(x5 > 1);
	EXPECT(call(TERN_SET_STATE, 0, 0, before, &size), 0);
	EXPECT(reg(0, 5), 0);
	EXPECT(reg(3, 5), 0);
	EXPECT(ioctl(vm.fd, TERN_RESUME, 0), 0);
	until_busy(0);
	until_busy(1);
	EXPECT(ioctl(vm.fd, TERN_PAUSE, 0), 0);
	CHECK(reg(0, 5) > 0);
}

static void running(void)
{
	pthread_t thread[2];
	uint64_t size = SIZE;
	unsigned int i;

	for (i = 0; i < 2; i++)
		next_report(&vm.vcpu[i]);
	/* what the exit left undone is done, so that an image has it */
	for (i = 0; i < 2; i++)
		finish_exit(&vm.vcpu[i]);
	EXPECT(call(TERN_GET_STATE, 0, 0, before, &size), 0);
	for (i = 0; i < 2; i++)
		EXPECT(pthread_create(&thread[i], NULL, run, &vm.vcpu[i]), 0);
	until_busy(0);
	until_busy(1);
	beside_runners(size);
	/* a signal ends KVM_RUN of a paused vCPU, and another resume is harmless */
	for (i = 0; i < 2; i++) {
		pthread_kill(thread[i], SIGUSR1);
		EXPECT(pthread_join(thread[i], NULL), 0);
	}
	EXPECT(ioctl(vm.fd, TERN_RESUME, 0), 0);
	EXPECT(ioctl(vm.fd, TERN_RESUME, 0), 0);
	EXPECT(get(0, 0), 0);
}

static void *write_equal(void *arg)
{
	struct {
		struct tern_regs h;
		struct kvm_one_reg reg[EQUAL];
	} many = { .h.n = EQUAL };
	uint64_t value[EQUAL], k;
	unsigned int i;

	for (k = 1; !stop; k++) {
		for (i = 0; i < EQUAL; i++) {
			value[i] = k;
			many.reg[i] = (struct kvm_one_reg){ X(10 + i), (uintptr_t)&value[i] };
		}
		GOOD(ioctl(vm.vcpu[2].fd, TERN_SET_REGS, &many));
	}
	return arg;
}

static void expect_equal(void)
{
	struct lib_section section = { 0 };
	struct lib_values values;
	uint64_t first = 0, now;
	const char *at;
	uint32_t i, n = 0;

	CHECK(lib_section_find(image, TERN_SECTION_VCPU, 2, &section));
	lib_section_values(image, &section, &values);
	for (i = 0, at = values.first; i < values.n; at += lib_reg_room(values.id[i++])) {
		if (values.id[i] < X(10) || values.id[i] >= X(10 + EQUAL))
			continue;
		memcpy(&now, at, sizeof(now));
		if (!n++)
			first = now;
		EXPECT(now, first);
	}
	EXPECT(n, EQUAL);
}

static void beside_writers(void)
{
	pthread_t thread;
	unsigned int i;

	/* equal to begin with */
	EXPECT(pthread_create(&thread, NULL, write_equal, NULL), 0);
	while (!reg(2, 10 + EQUAL - 1))
		usleep(100);
	for (i = 0; i < 2000; i++) {
		EXPECT(get(2, 1), 0);
		expect_equal();
	}
	stop = true;
	EXPECT(pthread_join(thread, NULL), 0);
}

int main(void)
{
	struct sigaction action = { .sa_handler = ignore };

	sigaction(SIGUSR1, &action, NULL);
	make_machine(&vm, VCPUS);
	if (vm_capability(&vm, TERN_CAP_STATE) <= 0)
		skip("not tern");
	LOAD(&vm, count_or_sleep);
	running();
	beside_writers();
	return 0;
}
