// SPDX-License-Identifier: GPL-2.0
/*
 * Slots come, go and change their backing while guests use them: a guest sees
 * memory or a hole, never anything else.
 */
#include <pthread.h>

#include "lib.h"

#define EXTRA		0x80000000UL
#define COUNT		16UL
#define MAGIC		0x5a5a5a5a5a5a5a5aUL
#define TURNS		400

/* reads each page in turn; x0: the value, which is MAGIC, 0 or the exit's */
GUEST(reader, "mov x1, #0x80000000\n\tmov x2, #0\n"
	      "1: and x3, x2, #15\n\tadd x3, x1, x3, lsl #12\n\t"
	      "ldr x0, [x3]\n\tadd x2, x2, #1\n\t" REPORT "b 1b");

static struct vm vm;
static volatile bool over;

static void *run(void *arg)
{
	struct vcpu *vcpu = arg;
	uint64_t value;
	int ret;

	while (!over) {
		ret = vcpu_run(vcpu);
		/* between two mappings there is nothing to give */
		if (ret == -EFAULT)
			continue;
		EXPECT(ret, KVM_EXIT_MMIO);
		memcpy(&value, vcpu->run->mmio.data, 8);
		if (!vcpu->run->mmio.is_write)
			memset(vcpu->run->mmio.data, 0, 8);
		else
			CHECK(value == MAGIC || value == 0);
	}
	return NULL;
}

static void fill(uint64_t *host)
{
	unsigned int i;

	for (i = 0; i < COUNT; i++)
		host[i * PAGE / 8] = MAGIC;
}

int main(void)
{
	uint64_t *host = pages(COUNT * PAGE);
	pthread_t thread[2];
	int i;

	make_machine(&vm, 2);
	LOAD(&vm, reader);
	fill(host);
	EXPECT(set_slot(vm.fd, 30, 0, EXTRA, COUNT * PAGE, host), 0);
	for (i = 0; i < 2; i++)
		EXPECT(pthread_create(&thread[i], NULL, run, &vm.vcpu[i]), 0);
	for (i = 0; i < TURNS; i++) {
		switch (i % 4) {
		case 0:
			EXPECT(set_slot(vm.fd, 30, 0, EXTRA, 0, NULL), 0);
			EXPECT(set_slot(vm.fd, 30, 0, EXTRA, COUNT * PAGE,
					host), 0);
			break;
		case 1:
			EXPECT(madvise(host, COUNT * PAGE, MADV_DONTNEED), 0);
			fill(host);
			break;
		case 2:
			EXPECT(set_slot(vm.fd, 30, KVM_MEM_LOG_DIRTY_PAGES,
					EXTRA, COUNT * PAGE, host), 0);
			EXPECT(set_slot(vm.fd, 30, 0, EXTRA, COUNT * PAGE,
					host), 0);
			break;
		case 3:
			EXPECT(mprotect(host, COUNT * PAGE, PROT_READ), 0);
			EXPECT(mprotect(host, COUNT * PAGE,
					PROT_READ | PROT_WRITE), 0);
			break;
		}
	}
	over = true;
	for (i = 0; i < 2; i++)
		EXPECT(pthread_join(thread[i], NULL), 0);
	return 0;
}
