// SPDX-License-Identifier: GPL-2.0
/* Threads that create the same vCPUs, devices and slots: each thing once. */
#include <pthread.h>

#include "lib.h"

#define THREADS		4
#define VCPUS		32

static int vm;
static void *host;
static int made_vcpus, made_gics, made_slots;
static pthread_barrier_t start;

static void add(int *made, int ret, int taken)
{
	if (ret >= 0)
		__atomic_add_fetch(made, 1, __ATOMIC_SEQ_CST);
	else
		EXPECT(ret, taken);
}

static void *create(void *arg)
{
	struct kvm_create_device gic = { .type = KVM_DEV_TYPE_ARM_VGIC_V3 };
	int i, ret;

	pthread_barrier_wait(&start);
	for (i = 0; i < VCPUS; i++) {
		add(&made_vcpus, ask(vm, KVM_CREATE_VCPU, i), -EEXIST);
		add(&made_slots, set_slot(vm, (uintptr_t)arg * VCPUS + i, 0,
					  RAM_BASE + i * PAGE, PAGE, host),
		    -EEXIST);
	}
	/* built-in KVM gives EBUSY where it finds a vCPU's lock taken */
	do {
		ret = vm_ioctl(vm, KVM_CREATE_DEVICE, &gic);
	} while (ret == -EBUSY);
	add(&made_gics, ret, -EEXIST);
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	uintptr_t i;

	vm = new_vm(open_device());
	host = pages(PAGE);
	EXPECT(pthread_barrier_init(&start, NULL, THREADS), 0);
	for (i = 0; i < THREADS; i++)
		EXPECT(pthread_create(&thread[i], NULL, create, (void *)i), 0);
	for (i = 0; i < THREADS; i++)
		EXPECT(pthread_join(thread[i], NULL), 0);
	EXPECT(made_vcpus, VCPUS);
	EXPECT(made_slots, VCPUS);
	EXPECT(made_gics, 1);
	return 0;
}
