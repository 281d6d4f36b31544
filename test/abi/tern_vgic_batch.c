// SPDX-License-Identifier: GPL-2.0
/* The GIC's batch group: as one at a time, but all or none, and the element at fault is named. */
#include "../../uapi/tern.h"
#include "lib.h"

#define DIST	KVM_DEV_ARM_VGIC_GRP_DIST_REGS
#define REDIST	KVM_DEV_ARM_VGIC_GRP_REDIST_REGS
#define ICC	KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS
#define LEVEL	KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO
#define PMR	0xc230
#define CTLR	0xc664
#define AP1R1	0xc649
#define SRE	0xc665
#define IIDR	8
#define ICFGR2	0xc08
#define EDGE	0xaaaaaaaa

static struct vm vm;
static struct {
	struct tern_vgic_batch h;
	struct tern_vgic_reg reg[8];
} batch;

static int call(bool write, unsigned int n)
{
	batch.h.n = n;
	batch.h.flags = 0;
	return write ? set_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0, &batch) :
		       get_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0, &batch);
}

static void put(unsigned int i, uint32_t group, uint64_t attr, uint64_t val)
{
	batch.reg[i] = (struct tern_vgic_reg){ .group = group, .attr = attr, .val = val };
}

static uint32_t one(uint32_t group, uint64_t attr)
{
	uint64_t val = 0;

	EXPECT(get_attr(vm.gic, group, attr, &val), 0);
	return val;
}

static void expect_failed(int got, int err, unsigned int index)
{
	EXPECT(got, err);
	EXPECT(batch.h.error, err);
	EXPECT(batch.h.failed, index);
}

static void refused(uint32_t group, uint64_t attr, uint64_t val)
{
	put(0, DIST, 0x104, 0xf0);
	put(1, ICC, PMR, 0x80);
	put(2, REDIST, 0x10300, 0x2);
	put(3, group, attr, val);
	expect_failed(call(true, 4), -EINVAL, 3);
	CHECK(one(DIST, 0x104) == 0x0f);
	CHECK(one(ICC, PMR) == 0xf0);
	CHECK(one(REDIST, 0x10300) == 0);
}

static void write_one(uint32_t group, uint64_t attr, uint64_t val)
{
	EXPECT(set_attr(vm.gic, group, attr, &val), 0);
}

/* What is set in one place decides what others read: configuration, of lines, that do not show while it is edge. */
static void hidden_lines_stay(void)
{
	write_one(DIST, ICFGR2, 0);
	write_one(LEVEL, 32, 3);
	write_one(DIST, ICFGR2, EDGE);
	CHECK(one(LEVEL, 32) == 0);
	put(0, DIST, ICFGR2, 0);
	put(1, LEVEL, 32, 0);
	put(2, DIST, ICFGR2, EDGE);
	put(3, DIST, IIDR, 0);
	expect_failed(call(true, 4), -EINVAL, 3);
	CHECK(one(DIST, ICFGR2) == EDGE);
	write_one(DIST, ICFGR2, 0);
	CHECK(one(LEVEL, 32) == 3);

	/* A write of what shows already is a write. */
	write_one(DIST, ICFGR2, EDGE);
	put(0, LEVEL, 32, 0);
	put(1, DIST, ICFGR2, 0);
	EXPECT(call(true, 2), 0);
	CHECK(one(LEVEL, 32) == 0);
	put(0, DIST, ICFGR2, EDGE);
	put(1, LEVEL, 32, 2);
	put(2, DIST, ICFGR2, 0);
	put(3, LEVEL, 32, 1);
	put(4, LEVEL, 32, 3);
	EXPECT(call(true, 5), 0);
	CHECK(one(LEVEL, 32) == 3);
}

static void in_order(void)
{
	put(0, DIST, 0x104, 0xff);
	put(1, DIST, 0x184, 0xf0);
	put(2, DIST, 0x104, 0x30);
	put(3, ICC, PMR, 0x10);
	put(4, ICC, PMR, 0xf0);
	put(5, DIST, 0x184, 0x30);
	EXPECT(call(true, 6), 0);
	CHECK(one(DIST, 0x104) == 0x0f && one(ICC, PMR) == 0xf0);
}

/* ICC_CTLR_EL1 may lower the bits of priorities, never raise them: also not later in a batch. */
static void limits(void)
{
	uint64_t ctlr = 0, low;

	EXPECT(get_attr(vm.gic, ICC, CTLR, &ctlr), 0);
	low = (ctlr & ~(7ull << 8)) | 3 << 8;
	refused(ICC, CTLR, ctlr | 7 << 8);
	refused(ICC, SRE, 0);
	refused(ICC, AP1R1, 0);
	put(0, ICC, PMR, 0x80);
	put(1, ICC, CTLR, low);
	put(2, ICC, 1ull << 32 | CTLR, ctlr);
	put(3, ICC, CTLR, ctlr);
	expect_failed(call(true, 4), -EINVAL, 3);
	CHECK(one(ICC, CTLR) == ctlr && one(ICC, PMR) == 0xf0);
	put(3, ICC, CTLR, low);
	EXPECT(call(true, 4), 0);
	CHECK(one(ICC, CTLR) == low && one(ICC, 1ull << 32 | CTLR) == ctlr && one(ICC, PMR) == 0x80);
	put(0, ICC, CTLR, ctlr);
	expect_failed(call(true, 1), -EINVAL, 0);
	write_one(ICC, PMR, 0xf0);
}

int main(void)
{
	make_machine(&vm, 2);
	if (!vm_capability(&vm, TERN_CAP_VGIC_BATCH))
		skip("not tern");
	EXPECT(has_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0), 0);
	EXPECT(has_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 1), -ENXIO);
	put(0, DIST, 0x104, 0x0f);
	put(1, ICC, PMR, 0xf0);
	put(2, ICC, 1ull << 32 | PMR, 0xa0);
	put(3, LEVEL, 32, 0x3);
	put(4, REDIST, 1ull << 32 | 0x10200, 0x5);
	put(5, DIST, 0xc08, 0);	/* level-triggered */
	EXPECT(call(true, 6), 0);
	CHECK(one(DIST, 0x104) == 0x0f && one(ICC, PMR) == 0xf0 && one(ICC, 1ull << 32 | PMR) == 0xa0);
	CHECK(one(LEVEL, 32) == 3 && one(REDIST, 1ull << 32 | 0x10200) == 5);
	batch.reg[1].val = batch.reg[4].val = 0;
	EXPECT(call(false, 5), 0);
	CHECK(batch.reg[1].val == 0xf0 && batch.reg[4].val == 5);

	hidden_lines_stay();
	in_order();
	limits();
	refused(DIST, IIDR, 0);
	refused(DIST, 0xc, 1);		/* GICD_TYPER2 */
	refused(LEVEL, 33, 0);
	refused(ICC, 5ull << 32 | PMR, 0);
	refused(KVM_DEV_ARM_VGIC_GRP_CTRL, 0, 0);
	refused(DIST, 0x104, 1ull << 32);
	batch.reg[0].reserved = 1;
	expect_failed(call(false, 1), -EINVAL, 0);
	expect_failed(call(true, TERN_MAX_VGIC_REGS + 1), -E2BIG, TERN_NO_INDEX);
	expect_failed(call(true, ~0u), -E2BIG, TERN_NO_INDEX);
	EXPECT(call(true, 0), 0);
	EXPECT(set_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0, bad_pointer()), -EFAULT);
	return 0;
}
