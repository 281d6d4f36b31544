// SPDX-License-Identifier: GPL-2.0
/*
 * An ITS that translates, and LPIs that pend, go with the image and the guest's
 * memory to another machine; what an ITS refuses leaves the rest as it was.
 */
#include "state/its_machine.h"
#include "../../lib/lib.h"

/* A revision that is none, in the section of the ITS */
static void refused(const struct image *image, enum tern_method method)
{
	struct image before, after;
	struct lib_section section;
	struct tern_failure failure;
	struct tern_its *its;
	struct its_machine m;

	its_make(&m);
	scribble(&m.vm, 3);
	EXPECT(tern_vm_limit(m.handle, method), 0);
	save(m.handle, &before);
	CHECK(lib_section_find(image->data, TERN_SECTION_ITS, 0, &section));
	its = (struct tern_its *)section.payload;
	its->iidr ^= 0xff000;
	lib_section_seal((struct tern_section *)section.head);
	CHECK(tern_restore(m.handle, image->data, image->size, &failure) < 0);
	CHECK(failure.error < 0);
	its->iidr ^= 0xff000;
	lib_section_seal((struct tern_section *)section.head);
	save(m.handle, &after);
	expect_same(&before, &after);
	free(before.data);
	free(after.data);
	its_unmake(&m);
}

/* LPIs are enabled already, with tables in another place, and some pend. */
static void other_tables(const struct its_machine *m)
{
	uint64_t cpu;

	for (cpu = 0; cpu < ITS_VCPUS; cpu++) {
		its_set_redist(m, cpu, 0x70, (PROPS + 0x50000) | 13);
		its_set_redist(m, cpu, 0x78, PENDING(cpu) + 0x50000);
		*(uint8_t *)its_host(m, PENDING(cpu) + 0x50000 + LPI / 8) = 1;
		its_set_redist(m, cpu, 0, 1);
	}
}

static void same_redistributors(const struct its_machine *a,
				const struct its_machine *b)
{
	static const uint32_t regs[] = { 0, 0x70, 0x74, 0x78, 0x7c };
	unsigned int i;
	uint64_t cpu;

	for (cpu = 0; cpu < ITS_VCPUS; cpu++)
		for (i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
			EXPECT(its_get_redist(a, cpu, regs[i]),
			       its_get_redist(b, cpu, regs[i]));
}

static void restored(const struct its_machine *from, const struct image *image,
		     enum tern_method method, bool elsewhere)
{
	struct tern_failure failure;
	struct its_machine to;
	uint32_t event;
	int ret;

	its_make(&to);
	if (elsewhere)
		other_tables(&to);
	its_copy_memory(from, &to);
	EXPECT(tern_vm_limit(to.handle, method), 0);
	ret = tern_restore(to.handle, image->data, image->size, &failure);
	if (ret)
		fprintf(stderr, "method %d: vcpu %d id %llx: %d\n", method,
			(int)failure.vcpu, (unsigned long long)failure.id, ret);
	EXPECT(ret, 0);
	its_same_registers(from, &to);
	same_redistributors(from, &to);
	CHECK(its_pending(&to, 0, LPI + 2) && its_pending(&to, 1, LPI + 4));
	CHECK(!its_pending(&to, 0, LPI) && !its_pending(&to, 1, LPI));
	for (event = 0; event < 5; event++)
		EXPECT(its_message(&to, event), 1);
	EXPECT(its_message(&to, 5), 0);
	CHECK(its_pending(&to, 0, LPI));
	its_unmake(&to);
}

/* Whoever writes the section, it has the same bytes. */
static void same_section(const struct image *a, const struct image *b)
{
	struct lib_section one, two;

	CHECK(lib_section_find(a->data, TERN_SECTION_ITS, 0, &one));
	CHECK(lib_section_find(b->data, TERN_SECTION_ITS, 0, &two));
	EXPECT(one.length, sizeof(struct tern_its));
	EXPECT(memcmp(one.head, two.head, sizeof(*one.head) + one.length), 0);
	EXPECT(((const struct tern_its *)one.payload)->base, ITS_BASE);
}

int main(void)
{
	enum tern_method most, save_method, method;
	struct its_machine from;
	struct image image, first;

	its_make(&from);
	its_set_up(&from);
	EXPECT(its_message(&from, 2), 1);
	EXPECT(its_message(&from, 4), 1);
	most = tern_vm_method(from.handle);
	EXPECT(tern_save(from.handle, TERN_SAVE_ITS, 0, 0, NULL, 0),
	       sizeof(struct tern_image) + sizeof(struct tern_section) +
	       sizeof(struct tern_its));
	EXPECT(tern_vm_limit(from.handle, TERN_METHOD_ONE), 0);
	save(from.handle, &first);
	for (save_method = TERN_METHOD_ONE; save_method <= most;
	     save_method++) {
		EXPECT(tern_vm_limit(from.handle, save_method), 0);
		save(from.handle, &image);
		EXPECT(tern_save_vm(from.handle, image.data, image.size - 1),
		       -E2BIG);
		same_section(&first, &image);
		for (method = TERN_METHOD_ONE; method <= most; method++) {
			restored(&from, &image, method, false);
			restored(&from, &image, method, true);
			refused(&image, method);
		}
		free(image.data);
	}
	free(first.data);
	its_unmake(&from);
	return 0;
}
