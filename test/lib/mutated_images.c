// SPDX-License-Identifier: GPL-2.0
/*
 * Images changed by chance: whatever is in them, a restore that fails says so
 * by a documented error, names the place, and leaves the machine as it was, to
 * every register; one that succeeds can be undone by the machine's own image.
 * By each of the kernel's ways.
 */
#include "state/chance.h"
#include "state/scribble.h"
#include "../../lib/lib.h"

#define VCPUS		2
#define ROOM		4096	/* for what makes an image longer */
#define SECTIONS_MAX	16

static struct vm vm, other_vm;
static struct tern_vm *handle, *other_handle;
static struct image good, other, before;
static enum tern_method method;
static unsigned int accepted, refused, rounds = 150;

static uint8_t *image;
static size_t size;
static struct tern_section *section[SECTIONS_MAX];
static unsigned int nr_sections;

static bool is_documented(int error)
{
	return error == -EINVAL || error == -EBADMSG || error == -EPROTO ||
	       error == -ENOENT || error == -EEXIST || error == -E2BIG;
}

static void save_by(enum tern_method way, struct image *to)
{
	EXPECT(tern_vm_limit(handle, way), 0);
	save(handle, to);
	EXPECT(tern_vm_limit(handle, method), 0);
}

/* By registers now and then, for it takes long; by the best way each time. */
static void expect_unchanged(bool by_registers)
{
	struct image now;

	save_by(by_registers ? TERN_METHOD_ONE : TERN_METHOD_ALL, &now);
	expect_same(&before, &now);
	free(now.data);
}

/* The kernel's answer has to name a section and a register in it. */
static void try_state(struct tern_failure *failure)
{
	struct tern_state s = { .addr = (uintptr_t)image, .size = size };
	uint32_t sections = ((struct tern_image *)image)->nr_sections;
	int ret = vm_ioctl(vm.fd, TERN_SET_STATE, &s);

	EXPECT(s.error, ret);
	if (!ret)
		CHECK(s.failed == TERN_NO_INDEX && !s.failed_id);
	CHECK(s.failed == TERN_NO_INDEX || s.failed < sections);
	CHECK(s.failed != TERN_NO_INDEX || !s.failed_id);
	failure->error = ret;
	failure->id = s.failed_id;
	if (!ret)
		accepted++;
	else
		refused++;
}

static void try(struct tern_failure *failure)
{
	int ret;

	memset(failure, 0, sizeof(*failure));
	failure->vcpu = TERN_NO_VCPU;
	if (method == TERN_METHOD_ALL && chance_below(2) && size >= 32) {
		try_state(failure);
	} else {
		ret = tern_restore(handle, image, size, failure);
		EXPECT(failure->error, ret);
		/* a vCPU that is in the image alone is named, too */
		CHECK(failure->vcpu == TERN_NO_VCPU ||
		      failure->vcpu <= VCPUS || ret == -ENOENT);
		ret ? refused++ : accepted++;
	}
	if (failure->error && !is_documented(failure->error)) {
		fprintf(stderr, "vcpu %d id %llx: %d\n", (int)failure->vcpu,
			(unsigned long long)failure->id, failure->error);
		CHECK(!"a documented error");
	}
}

static void make(void)
{
	make_machine(&vm, VCPUS);
	handle = handle_of(&vm);
	EXPECT(tern_vm_limit(handle, method), 0);
	scribble(&vm, 6);
}

/* KVM lowers the number of priority bits in ICC_CTLR_EL1 and never raises it. */
static bool is_one_way(const struct tern_failure *failure)
{
	return failure->error == -EINVAL &&
	       failure->id == ((uint64_t)KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS << 32 |
			       0xc664);
}

static void put_back(void)
{
	struct tern_failure failure;
	int ret = tern_restore(handle, before.data, before.size, &failure);

	if (ret && is_one_way(&failure)) {
		tern_vm_free(handle);
		vm_fini(&vm);
		make();
		ret = tern_restore(handle, before.data, before.size, &failure);
	}
	if (ret)
		fprintf(stderr, "vcpu %d id %llx: not put back\n",
			(int)failure.vcpu, (unsigned long long)failure.id);
	EXPECT(ret, 0);
}

/* Mutations */

static void take(const struct image *from)
{
	struct lib_section next = { 0 };

	memcpy(image, from->data, from->size);
	size = from->size;
	nr_sections = 0;
	while (lib_section_next(image, &next)) {
		CHECK(nr_sections < SECTIONS_MAX);
		section[nr_sections++] = (struct tern_section *)next.head;
	}
}

static struct tern_section *any_section(void)
{
	return section[chance_below(nr_sections)];
}

static size_t whole(const struct tern_section *head)
{
	return sizeof(*head) + head->length;
}

static void seal_top(uint32_t sections)
{
	struct tern_image *top = (struct tern_image *)image;

	top->size = size;
	top->nr_sections = sections;
	lib_image_seal(top);
}

static void bits_in_file(void)
{
	unsigned int n = 1 + chance_below(8);
	uint64_t bit;

	while (n--) {
		bit = chance_below(8 * size);
		image[bit / 8] ^= 1 << bit % 8;
	}
}

static void shorter(void)
{
	size = chance_below(size);
}

/* Payload, with sums that are right */
static void words(void)
{
	struct tern_section *head = any_section();
	unsigned int n = 1 + chance_below(3);
	uint64_t *word = (uint64_t *)(head + 1);

	while (n--)
		word[chance_below(head->length / 8)] = chance_word();
	lib_section_seal(head);
}

static void bits(void)
{
	struct tern_section *head = any_section();
	uint64_t bit = chance_below(8 * head->length);

	((uint8_t *)(head + 1))[bit / 8] ^= 1 << bit % 8;
	lib_section_seal(head);
}

static void header(void)
{
	struct tern_section *head = any_section();

	switch (chance_below(4)) {
	case 0:
		head->kind = chance_below(9);
		break;
	case 1:
		head->index = chance_word();
		break;
	case 2:
		head->flags = chance_below(4);
		break;
	default:
		/* a length that no sum can be made for */
		head->length = chance_word();
		return;
	}
	lib_section_seal(head);
}

static void counts(void)
{
	seal_top(chance_below(2) ? nr_sections + 1 - chance_below(3) :
		 chance_word());
}

static void swapped(void)
{
	unsigned int i = chance_below(nr_sections - 1);
	size_t a = whole(section[i]), b = whole(section[i + 1]);
	uint8_t *copy = malloc(a);

	CHECK(copy);
	memcpy(copy, section[i], a);
	memmove(section[i], section[i + 1], b);
	memcpy((char *)section[i] + b, copy, a);
	free(copy);
}

static void doubled(void)
{
	struct tern_section *head = any_section();
	size_t n = whole(head);

	if (n > ROOM)
		return;
	memcpy(image + size, head, n);
	size += n;
	seal_top(nr_sections + 1);
}

static void dropped(void)
{
	struct tern_section *head = any_section();
	size_t n = whole(head);
	uint8_t *end = (uint8_t *)head + n;

	memmove(head, end, image + size - end);
	size -= n;
	seal_top(nr_sections - 1);
}

static struct tern_section *any_list(void)
{
	struct tern_section *head;

	do {
		head = any_section();
	} while (head->kind != TERN_SECTION_REG_LIST &&
		 head->kind != TERN_SECTION_GIC_LIST);
	return head;
}

/* A name of another width, of another, or of nothing that there is */
static void names(void)
{
	struct tern_section *head = any_list();
	uint64_t n = head->length / 8, *name = (uint64_t *)(head + 1);
	uint64_t at = chance_below(n);

	switch (chance_below(4)) {
	case 0:
		name[at] ^= (chance() << KVM_REG_SIZE_SHIFT) &
			KVM_REG_SIZE_MASK;
		break;
	case 1:
		name[at] = name[chance_below(n)];
		break;
	case 2:
		name[at] ^= 1ull << chance_below(64);
		break;
	default:
		name[at] = chance_word();
	}
	lib_section_seal(head);
}

static void (*const mutations[])(void) = {
	bits_in_file, shorter, words, words, words, bits, bits, bits, header,
	header, counts, swapped, doubled, dropped, names, names,
};

static void mutate(unsigned int round)
{
	struct tern_failure failure;
	unsigned int n = 1 + !chance_below(4);

	take(chance_below(8) ? &good : &other);
	mutations[chance_below(sizeof(mutations) / sizeof(mutations[0]))]();
	/* a second on top only where the first left sections in place */
	if (n > 1 && size >= good.size)
		bits_in_file();
	try(&failure);
	if (!failure.error)
		put_back();
	expect_unchanged(!failure.error || round % 16 == 0);
}

/* Another machine's state, as it is: a vCPU more than there are here */
static void another_machine(void)
{
	struct tern_failure failure;

	take(&other);
	try(&failure);
	EXPECT(failure.error, -ENOENT);
	expect_unchanged(true);
}

static void another_order(void)
{
	struct tern_failure failure;
	struct image now;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		take(&good);
		swapped();
		try(&failure);
		EXPECT(failure.error, 0);
		save_by(TERN_METHOD_ONE, &now);
		expect_same(&good, &now);
		free(now.data);
		put_back();
	}
}

static void begin(void)
{
	make_machine(&other_vm, VCPUS + 1);
	other_handle = handle_of(&other_vm);
	scribble(&other_vm, 7);
	save(other_handle, &other);
	method = TERN_METHOD_ALL;
	make();
	scribble(&vm, 5);
	save(handle, &good);
	scribble(&vm, 6);
	method = tern_vm_method(handle);
	image = malloc((good.size > other.size ? good.size : other.size) +
		       ROOM);
	CHECK(image);
}

int main(int argc, char **argv)
{
	enum tern_method most;
	unsigned int i;

	chance_begin(argc, argv, &rounds);
	begin();
	most = method;
	for (method = TERN_METHOD_ONE; method <= most; method++) {
		EXPECT(tern_vm_limit(handle, method), 0);
		/* what is restored once stays as it is */
		save(handle, &before);
		put_back();
		save(handle, &before);
		another_machine();
		another_order();
		for (i = 0; i < rounds; i++)
			mutate(i);
		printf("method %d: %u accepted, %u refused\n", method,
		       accepted, refused);
		fflush(stdout);
	}
	CHECK(accepted > rounds / 8 && refused > rounds / 4);
	return 0;
}
