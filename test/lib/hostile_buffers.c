// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers that are not there, cannot be written, end too early, or change while
 * the kernel reads them; counts beyond all bounds: the documented error, the
 * failing index, and a machine that is as it was.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "state/scribble.h"
#include "../../lib/gic.h"
#include "../../lib/lib.h"

#define VCPUS	2
#define REGS	64
#define ROUNDS	300

static struct vm vm;
static struct tern_vm *handle;
static struct image good, before;
static char *room;		/* some pages, and one behind that is not there */
static size_t room_size;

static void unchanged(void)
{
	struct image now;

	save(handle, &now);
	expect_same(&before, &now);
	free(now.data);
}

/* n bytes that end where the mapping does */
static void *at_end(size_t n)
{
	return room + room_size - n;
}

static void protect(int protection)
{
	CHECK(!mprotect(room, room_size, protection));
}

/* Images */

static int state(unsigned long request, uint32_t what, void *addr, size_t size,
		 struct tern_state *s)
{
	*s = (struct tern_state){
		.what = what, .addr = (uintptr_t)addr, .size = size,
		.error = 77, .failed = 77,
	};
	return vm_ioctl(vm.fd, request, s);
}

static void image_buffers(void)
{
	struct tern_state s, *header;
	size_t size = good.size;

	memcpy(at_end(size), good.data, size);
	EXPECT(state(TERN_SET_STATE, 0, (char *)at_end(size) + 8, size, &s),
	       -EFAULT);
	EXPECT(s.error, -EFAULT);
	EXPECT(s.failed, TERN_NO_INDEX);
	EXPECT(state(TERN_SET_STATE, 0, bad_pointer(), size, &s), -EFAULT);
	EXPECT(state(TERN_SET_STATE, 0, NULL, size, &s), -EFAULT);
	EXPECT(state(TERN_SET_STATE, 0, at_end(size), ~0ull, &s), -E2BIG);
	EXPECT(state(TERN_SET_STATE, 0, at_end(size),
		     TERN_STATE_MAX_SIZE + 1ul, &s), -E2BIG);
	EXPECT(state(TERN_GET_STATE, TERN_STATE_VM, (char *)at_end(size) + 8,
		     size, &s), -EFAULT);
	EXPECT(state(TERN_GET_STATE, TERN_STATE_VM, NULL, size, &s), -EFAULT);
	EXPECT(state(TERN_SET_STATE, TERN_STATE_VM, at_end(size), size, &s),
	       -EINVAL);
	EXPECT(vm_ioctl(vm.fd, TERN_SET_STATE, bad_pointer()), -EFAULT);
	EXPECT(vm_ioctl(vm.fd, TERN_GET_STATE, NULL), -EFAULT);

	/* the answer has no place: nothing is done */
	header = at_end(sizeof(*header));
	*header = (struct tern_state){
		.addr = (uintptr_t)good.data, .size = size,
	};
	protect(PROT_READ);
	EXPECT(vm_ioctl(vm.fd, TERN_SET_STATE, header), -EFAULT);
	EXPECT(state(TERN_GET_STATE, TERN_STATE_VM, at_end(size), size, &s),
	       -EFAULT);
	protect(PROT_READ | PROT_WRITE);
	EXPECT(vm_ioctl(vm.fd, TERN_SET_STATE, (char *)header + 8), -EFAULT);
	unchanged();
}

/* Many registers */

#define X(n)	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | \
		 (KVM_REG_ARM_CORE_REG(regs.regs[0]) + 2 * (n)))

static uint64_t values[REGS];

/* Each with one value more than is there: what gets through is seen. */
static struct tern_regs *many(uint32_t n)
{
	size_t size = sizeof(struct tern_regs) + n * sizeof(struct kvm_one_reg);
	struct tern_regs *m = at_end(size);
	uint32_t i;

	m->n = n;
	m->flags = 0;
	m->error = 77;
	m->failed = 77;
	for (i = 0; i < n; i++) {
		values[i] = 0xbad00 + i;
		m->reg[i] = (struct kvm_one_reg){
			.id = X(i % 31), .addr = (uintptr_t)&values[i],
		};
	}
	return m;
}

static void said(const struct tern_regs *m, int error, uint32_t failed)
{
	EXPECT(m->error, error);
	EXPECT(m->failed, failed);
	unchanged();
}

static void many_buffers(void)
{
	static const uint32_t counts[] = {
		TERN_MAX_REGS + 1, 1u << 28, 1u << 31, ~0u,
	};
	int vcpu = vm.vcpu[0].fd;
	struct tern_regs *m;
	unsigned int i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		m = many(REGS);
		m->n = counts[i];
		EXPECT(vm_ioctl(vcpu, TERN_SET_REGS, m), -E2BIG);
		EXPECT(vm_ioctl(vcpu, TERN_GET_REGS, m), -E2BIG);
		said(m, -E2BIG, TERN_NO_INDEX);
	}
	m = many(REGS);
	m->n = REGS + 1;	/* the last is behind the end */
	EXPECT(vm_ioctl(vcpu, TERN_SET_REGS, m), -EFAULT);
	unchanged();
	m = many(REGS);
	m->flags = 1;
	EXPECT(vm_ioctl(vcpu, TERN_SET_REGS, m), -EINVAL);
	said(m, -EINVAL, TERN_NO_INDEX);
	m = many(REGS);
	m->reg[REGS - 1].addr = (uintptr_t)room + room_size - 4;
	EXPECT(vm_ioctl(vcpu, TERN_SET_REGS, m), -EFAULT);
	said(m, -EFAULT, REGS - 1);
	m = many(REGS);
	m->reg[5].id ^= KVM_REG_SIZE_U64 ^ KVM_REG_SIZE_U32;
	CHECK(vm_ioctl(vcpu, TERN_SET_REGS, m) < 0);
	said(m, m->error, 5);
	m = many(REGS);
	protect(PROT_READ);
	EXPECT(vm_ioctl(vcpu, TERN_SET_REGS, m), -EFAULT);
	protect(PROT_READ | PROT_WRITE);
	unchanged();
	EXPECT(vm_ioctl(vcpu, TERN_SET_REGS, NULL), -EFAULT);
	unchanged();
}

static void batch_buffers(void)
{
	size_t size = sizeof(struct tern_vgic_batch) +
		REGS * sizeof(struct tern_vgic_reg);
	struct tern_vgic_batch *b = at_end(size);
	unsigned int i;

	memset(b, 0, size);
	b->n = REGS;
	for (i = 0; i < REGS; i++)
		b->reg[i] = (struct tern_vgic_reg){
			.group = GIC_DIST, .attr = GICD_IPRIORITYR + 32 +
				4 * (i % 16), .val = 0xa0a0a0a0,
		};
	b->reg[REGS - 1].attr = GICD_IIDR;
	EXPECT(set_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0, b), -EINVAL);
	EXPECT(b->error, -EINVAL);
	EXPECT(b->failed, REGS - 1);
	unchanged();
	b->n = REGS + 1;
	EXPECT(set_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0, b), -EFAULT);
	unchanged();
	b->n = 1u << 29;	/* times the size of one: a few bytes */
	EXPECT(set_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0, b), -E2BIG);
	EXPECT(b->failed, TERN_NO_INDEX);
	b->n = REGS - 1;
	protect(PROT_READ);
	EXPECT(set_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0, b), -EFAULT);
	EXPECT(get_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0, b), -EFAULT);
	protect(PROT_READ | PROT_WRITE);
	unchanged();
}

/* Another thread */

static atomic_bool stop;
static uint64_t *moving, moves[2];

static void *move(void *arg)
{
	volatile uint64_t *word = moving;
	unsigned int i;

	for (i = 0; !atomic_load(&stop); i++)
		*word = moves[i & 1];
	return arg;
}

static void begin_moving(void *at, uint64_t other, pthread_t *thread)
{
	moving = at;
	moves[0] = *moving;
	moves[1] = other;
	atomic_store(&stop, false);
	CHECK(!pthread_create(thread, NULL, move, NULL));
}

static void end_moving(pthread_t thread)
{
	atomic_store(&stop, true);
	CHECK(!pthread_join(thread, NULL));
	*moving = moves[0];
}

/* A length that is right and one that is not, a payload that no sum is of */
static void changing_image(size_t offset, uint64_t other)
{
	char *image = at_end(good.size);
	struct tern_state s;
	pthread_t thread;
	unsigned int i;
	int ret;

	memcpy(image, before.data, before.size);
	CHECK(before.size == good.size);
	begin_moving(image + offset, other, &thread);
	for (i = 0; i < ROUNDS; i++) {
		ret = state(TERN_SET_STATE, 0, image, good.size, &s);
		CHECK(!ret || ret == -EBADMSG || ret == -E2BIG);
		EXPECT(s.error, ret);
	}
	end_moving(thread);
	unchanged();
}

static void changing_many(void)
{
	struct tern_regs *m = many(REGS);
	pthread_t thread;
	unsigned int i;
	uint32_t j;
	int ret;

	/* all with the values that are there, and a count that grows */
	for (j = 0; j < REGS; j++)
		GOOD(vcpu_get(&vm.vcpu[0], m->reg[j].id, &values[j]));
	begin_moving(m, 0xffffffffull, &thread);
	for (i = 0; i < ROUNDS; i++) {
		ret = vm_ioctl(vm.vcpu[0].fd, TERN_SET_REGS, m);
		CHECK(!ret || ret == -E2BIG || ret == -EFAULT);
	}
	end_moving(thread);
	unchanged();
	begin_moving(&m->reg[REGS / 2].id, 0, &thread);
	for (i = 0; i < ROUNDS; i++) {
		ret = vm_ioctl(vm.vcpu[0].fd, TERN_SET_REGS, m);
		CHECK(!ret || (ret == -ENOENT && m->failed == REGS / 2) ||
		      (ret == -EINVAL && m->failed == REGS / 2));
	}
	end_moving(thread);
	unchanged();
}

int main(void)
{
	struct tern_section *first;

	make_machine(&vm, VCPUS);
	if (!vm_capability(&vm, TERN_CAP_STATE) ||
	    !vm_capability(&vm, TERN_CAP_MANY))
		skip("not tern");
	handle = handle_of(&vm);
	scribble(&vm, 5);
	save(handle, &good);
	scribble(&vm, 6);
	EXPECT(tern_restore(handle, good.data, good.size, NULL), 0);
	scribble(&vm, 6);
	save(handle, &before);
	room_size = (good.size + 2 * PAGE) & ~(PAGE - 1);
	room = mmap(NULL, room_size + PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(room != MAP_FAILED);
	CHECK(!munmap(room + room_size, PAGE));
	image_buffers();
	many_buffers();
	batch_buffers();
	first = (struct tern_section *)((struct tern_image *)before.data + 1);
	changing_image((char *)&first->length - (char *)before.data,
		       first->length + 8);
	changing_image((char *)&first->length - (char *)before.data, ~7ull);
	changing_image((char *)(first + 1) - (char *)before.data, 0);
	changing_image(offsetof(struct tern_image, size), ~0ull);
	changing_many();
	return 0;
}
