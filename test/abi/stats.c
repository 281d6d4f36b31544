// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_GET_STATS_FD: names, units, order and layout are built-in KVM 6.1's, the
 * counts follow what a guest does, and the file reads as a file does.
 */
#include <fcntl.h>

#include "lib.h"

#define NAME	48
#define BUCKETS	32

#define COUNT	(KVM_STATS_TYPE_CUMULATIVE | KVM_STATS_UNIT_NONE)
#define TIME	(KVM_STATS_TYPE_CUMULATIVE | KVM_STATS_UNIT_SECONDS)
#define HIST	(KVM_STATS_TYPE_LOG_HIST | KVM_STATS_UNIT_SECONDS)
#define NOW	(KVM_STATS_TYPE_INSTANT | KVM_STATS_UNIT_BOOLEAN)

struct expected {
	const char *name;
	uint32_t flags;
	int exponent;
	unsigned int size;
};

static const struct expected of_vm[] = {
	{ "remote_tlb_flush", COUNT, 0, 1 },
	{ "remote_tlb_flush_requests", COUNT, 0, 1 },
};

static const struct expected of_vcpu[] = {
	{ "halt_successful_poll", COUNT, 0, 1 },
	{ "halt_attempted_poll", COUNT, 0, 1 },
	{ "halt_poll_invalid", COUNT, 0, 1 },
	{ "halt_wakeup", COUNT, 0, 1 },
	{ "halt_poll_success_ns", TIME, -9, 1 },
	{ "halt_poll_fail_ns", TIME, -9, 1 },
	{ "halt_wait_ns", TIME, -9, 1 },
	{ "halt_poll_success_hist", HIST, -9, BUCKETS },
	{ "halt_poll_fail_hist", HIST, -9, BUCKETS },
	{ "halt_wait_hist", HIST, -9, BUCKETS },
	{ "blocking", NOW, 0, 1 },
	{ "hvc_exit_stat", COUNT, 0, 1 },
	{ "wfe_exit_stat", COUNT, 0, 1 },
	{ "wfi_exit_stat", COUNT, 0, 1 },
	{ "mmio_exit_user", COUNT, 0, 1 },
	{ "mmio_exit_kernel", COUNT, 0, 1 },
	{ "signal_exits", COUNT, 0, 1 },
	{ "exits", COUNT, 0, 1 },
};

#define N(array)	(sizeof(array) / sizeof((array)[0]))

struct desc {
	struct kvm_stats_desc d;
	char name[NAME];
};

/* What a file says, read at once */
struct whole {
	struct kvm_stats_header head;
	char id[NAME];
	char rest[4096];
};

static size_t read_all(int fd, struct whole *w)
{
	memset(w, 0, sizeof(*w));
	return GOOD(pread(fd, w, sizeof(*w), 0));
}

static void check_desc(const struct desc *d, const struct expected *want,
		       unsigned int offset)
{
	printf("%s\n", want->name);
	CHECK(!strcmp(d->name, want->name));
	EXPECT(d->d.flags, want->flags | KVM_STATS_BASE_POW10);
	EXPECT(d->d.exponent, want->exponent);
	EXPECT(d->d.size, want->size);
	EXPECT(d->d.offset, offset);
	EXPECT(d->d.bucket_size, 0);
}

/* The file has COUNT statistics, these. */
static void check_file(int fd, const struct expected *want, size_t count,
		       const char *id)
{
	size_t offset = 0, i, size;
	struct whole w;
	const struct desc *d = (const void *)w.rest;

	size = read_all(fd, &w);
	EXPECT(w.head.flags, 0);
	EXPECT(w.head.name_size, NAME);
	EXPECT(w.head.num_desc, count);
	EXPECT(w.head.id_offset, sizeof(w.head));
	EXPECT(w.head.desc_offset, sizeof(w.head) + NAME);
	EXPECT(w.head.data_offset, w.head.desc_offset + count * sizeof(*d));
	printf("id %s, should be %s\n", w.id, id);
	CHECK(!strcmp(w.id, id));
	for (i = 0; i < count; i++) {
		check_desc(&d[i], &want[i], offset);
		offset += want[i].size * sizeof(uint64_t);
	}
	EXPECT(size, w.head.data_offset + offset);
}

/* A byte at a time, in pieces over the joints, at the end and beyond it */
static void check_reading(int fd)
{
	struct whole w, piece;
	size_t size = read_all(fd, &w), i, n, step;

	for (step = 1; step < 200; step += 99) {
		for (i = 0; i < w.head.data_offset; i += n) {
			n = w.head.data_offset - i < step ?
				w.head.data_offset - i : step;
			EXPECT(pread(fd, &piece, n, i), n);
			CHECK(!memcmp(&piece, (char *)&w + i, n));
		}
	}
	EXPECT(read(fd, &piece, 100), 100);
	EXPECT(read(fd, (char *)&piece + 100, sizeof(piece) - 100),
	       size - 100);
	CHECK(!memcmp(&piece, &w, w.head.data_offset));
	EXPECT(read(fd, &piece, 1), 0);
	EXPECT(pread(fd, &piece, 1, size), 0);
	EXPECT(pread(fd, &piece, 2, size - 1), 1);
	EXPECT(pread(fd, &piece, 1, 1LL << 62), 0);
	EXPECT(pread(fd, &piece, 0, 0), 0);
	CHECK(pread(fd, bad_pointer(), 100, 0) == -1 && errno == EFAULT);
	CHECK(write(fd, &piece, 1) == -1 && errno == EBADF);
	CHECK(ioctl(fd, KVM_GET_STATS_FD, 0) == -1 && errno == ENOTTY);
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

static uint64_t stat_of(int fd, const char *name)
{
	const struct desc *d;
	uint64_t value = 0;
	struct whole w;
	unsigned int i;

	read_all(fd, &w);
	d = (const void *)w.rest;
	for (i = 0; i < w.head.num_desc; i++, d++) {
		if (strcmp(d->name, name))
			continue;
		EXPECT(pread(fd, &value, sizeof(value),
			     w.head.data_offset + d->d.offset), sizeof(value));
		return value;
	}
	CHECK(!"a statistic of that name");
	return 0;
}

/*
 * Reports, makes a hypercall that nobody knows (to Linux context in either
 * KVM), reads a device of the client's, and waits until its timer is up.
 */
GUEST(busy,
	"mov x1, #0x08000000\n"		/* GICD */
	"mov w2, #0x12\n"
	"str w2, [x1]\n"
	"mov x1, #0x080b0000\n"		/* GICR, SGI frame */
	"mov w2, #1 << 27\n"
	"str w2, [x1, #0x80]\n"
	"str w2, [x1, #0x100]\n"
	"mov x1, #0xff\n"
	"msr S3_0_C4_C6_0, x1\n"	/* ICC_PMR_EL1 */
	"mov x1, #1\n"
	"msr S3_0_C12_C12_7, x1\n"	/* ICC_IGRPEN1_EL1 */
	"isb\n"
	"1:\n"
	REPORT
	"ldr w0, =0x8600ffff\n"
	"hvc #0\n"
	"ldr w1, [x9]\n"
	"mrs x1, cntfrq_el0\n"
	"lsr x1, x1, #6\n"		/* 16 ms */
	"msr cntv_tval_el0, x1\n"
	"mov x1, #1\n"
	"msr cntv_ctl_el0, x1\n"
	"2: wfi\n"
	"mrs x1, cntv_ctl_el0\n"
	"tbz x1, #2, 2b\n"
	"msr cntv_ctl_el0, xzr\n"
	"b 1b\n"
	".ltorg\n");

static void check_counts(void)
{
	struct kvm_enable_cap none = { .cap = KVM_CAP_HALT_POLL };
	uint64_t waited, exits;
	struct vm vm;
	int fd;

	make_machine(&vm, 1);
	GOOD(vm_ioctl(vm.fd, KVM_ENABLE_CAP, &none));
	LOAD(&vm, busy);
	fd = GOOD(ask(vm.vcpu[0].fd, KVM_GET_STATS_FD, 0));
	EXPECT(stat_of(fd, "exits"), 0);
	next_report(&vm.vcpu[0]);
	exits = stat_of(fd, "exits");
	CHECK(exits >= 1);
	EXPECT(stat_of(fd, "mmio_exit_user"), 1);
	expect_exit(&vm.vcpu[0], KVM_EXIT_MMIO);
	EXPECT(stat_of(fd, "mmio_exit_user"), 2);
	EXPECT(stat_of(fd, "hvc_exit_stat"), 1);
	EXPECT(stat_of(fd, "wfi_exit_stat"), 0);
	EXPECT(stat_of(fd, "halt_wait_ns"), 0);
	next_report(&vm.vcpu[0]);
	CHECK(stat_of(fd, "exits") >= exits + 3);
	CHECK(stat_of(fd, "wfi_exit_stat") >= 1);
	CHECK(stat_of(fd, "halt_wakeup") >= 1);
	EXPECT(stat_of(fd, "halt_attempted_poll"), 0);
	EXPECT(stat_of(fd, "blocking"), 0);
	waited = stat_of(fd, "halt_wait_ns");
	printf("waited %llu ns\n", (unsigned long long)waited);
	CHECK(waited > 1000000 && waited < 10000000000);
	vm.vcpu[0].run->immediate_exit = 1;
	CHECK(vm_ioctl(vm.vcpu[0].fd, KVM_RUN, NULL) == -EINTR);
	EXPECT(stat_of(fd, "mmio_exit_user"), 3);
}

/* The file outlives its VM, and a process that got it may read it. */
static void check_alone(int kvm)
{
	int vm = new_vm(kvm), vcpu = new_vcpu(vm, 3), vm_fd, vcpu_fd;
	char id[NAME];

	vm_fd = GOOD(ask(vm, KVM_GET_STATS_FD, 0));
	vcpu_fd = GOOD(ask(vcpu, KVM_GET_STATS_FD, 12345));
	close(vcpu);
	close(vm);
	snprintf(id, sizeof(id), "kvm-%d", getpid());
	check_file(vm_fd, of_vm, N(of_vm), id);
	check_reading(vm_fd);
	snprintf(id, sizeof(id), "kvm-%d/vcpu-3", getpid());
	check_file(vcpu_fd, of_vcpu, N(of_vcpu), id);
	check_reading(vcpu_fd);
}

int main(void)
{
	int kvm = open_device();

	EXPECT(ask(kvm, KVM_CHECK_EXTENSION, KVM_CAP_BINARY_STATS_FD), 1);
	EXPECT(ask(kvm, KVM_GET_STATS_FD, 0), -EINVAL);
	check_alone(kvm);
	check_counts();
	return 0;
}
