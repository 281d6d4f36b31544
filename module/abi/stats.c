// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_GET_STATS_FD (KVM API 4.132): a file that says what is counted, by name
 * and unit, and what the counts are now. Names, units, order and layout are
 * those of built-in KVM. The file may be handed to another process, which
 * watches a client's guests: whoever has it may read it.
 */
#include <linux/anon_inodes.h>
#include <linux/build_bug.h>
#include <linux/file.h>
#include <linux/kvm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "../vcpu/vcpu.h"
#include "../vcpu/vm.h"
#include "stats.h"

#define NAME_SIZE 48

/** struct desc - struct kvm_stats_desc with its name */
struct desc {
	u32 flags;
	s16 exponent;
	u16 size;
	u32 offset;
	u32 bucket_size;
	char name[NAME_SIZE];
};

static_assert(offsetof(struct desc, name) == sizeof(struct kvm_stats_desc));

/** struct vm_stat - what a VM counts, as the client reads it */
struct vm_stat {
	u64 remote_tlb_flush;
	u64 remote_tlb_flush_requests;
};

#define DESC(type, field, flags_, exponent_)						\
	{ .flags = (flags_), .exponent = (exponent_), .offset = offsetof(type, field),	\
	  .size = sizeof_field(type, field) / sizeof(u64), .name = #field }
#define COUNTER(type, field) \
	DESC(type, field, KVM_STATS_TYPE_CUMULATIVE | KVM_STATS_UNIT_NONE | KVM_STATS_BASE_POW10, 0)
#define TIME(field) \
	DESC(struct vcpu_stat, field, \
	     KVM_STATS_TYPE_CUMULATIVE | KVM_STATS_UNIT_SECONDS | KVM_STATS_BASE_POW10, -9)
#define TIME_HIST(field) \
	DESC(struct vcpu_stat, field, \
	     KVM_STATS_TYPE_LOG_HIST | KVM_STATS_UNIT_SECONDS | KVM_STATS_BASE_POW10, -9)
#define FLAG(field) \
	DESC(struct vcpu_stat, field, \
	     KVM_STATS_TYPE_INSTANT | KVM_STATS_UNIT_BOOLEAN | KVM_STATS_BASE_POW10, 0)

static const struct desc vm_desc[] = {
	COUNTER(struct vm_stat, remote_tlb_flush),
	COUNTER(struct vm_stat, remote_tlb_flush_requests),
};

static const struct desc vcpu_desc[] = {
	COUNTER(struct vcpu_stat, halt_successful_poll),
	COUNTER(struct vcpu_stat, halt_attempted_poll),
	COUNTER(struct vcpu_stat, halt_poll_invalid),
	COUNTER(struct vcpu_stat, halt_wakeup),
	TIME(halt_poll_success_ns),
	TIME(halt_poll_fail_ns),
	TIME(halt_wait_ns),
	TIME_HIST(halt_poll_success_hist),
	TIME_HIST(halt_poll_fail_hist),
	TIME_HIST(halt_wait_hist),
	FLAG(blocking),
	COUNTER(struct vcpu_stat, hvc_exit_stat),
	COUNTER(struct vcpu_stat, wfe_exit_stat),
	COUNTER(struct vcpu_stat, wfi_exit_stat),
	COUNTER(struct vcpu_stat, mmio_exit_user),
	COUNTER(struct vcpu_stat, mmio_exit_kernel),
	COUNTER(struct vcpu_stat, signal_exits),
	COUNTER(struct vcpu_stat, exits),
};

/**
 * struct stats - what such a file stands for
 * @vm:   referenced
 * @vcpu: whose they are, or NULL: the VM's
 * @head, @id: how the file begins
 */
struct stats {
	struct tern_vm *vm;
	const struct tern_vcpu *vcpu;
	struct kvm_stats_header head;
	char id[NAME_SIZE];
};

/** struct part - one of the blocks that the file is made of, in their order */
struct part {
	const void *from;
	size_t size;
};

static ssize_t read_parts(const struct part *part, u32 parts, char __user *buf, size_t size, loff_t *pos)
{
	loff_t at = *pos;
	size_t done = 0;
	ssize_t n;
	u32 i;

	for (i = 0; i < parts; i++) {
		n = simple_read_from_buffer(buf + done, size - done, &at, part[i].from, part[i].size);
		if (n < 0)
			return n;
		done += n;
		if (at < part[i].size)
			break;
		at -= part[i].size;
	}
	*pos += done;
	return done;
}

static ssize_t stats_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	const struct stats *s = file->private_data;
	struct vm_stat vm = { .remote_tlb_flush_requests = atomic64_read(&s->vm->mem.flush_requests) };
	const struct part part[] = {
		{ &s->head, sizeof(s->head) },
		{ s->id, sizeof(s->id) },
		s->vcpu ? (struct part){ vcpu_desc, sizeof(vcpu_desc) } : (struct part){ vm_desc, sizeof(vm_desc) },
		s->vcpu ? (struct part){ &s->vcpu->stat, sizeof(s->vcpu->stat) } : (struct part){ &vm, sizeof(vm) },
	};

	return read_parts(part, ARRAY_SIZE(part), buf, size, pos);
}

static int stats_release(struct inode *inode, struct file *file)
{
	struct stats *s = file->private_data;

	vm_put(s->vm);
	kfree(s);
	return 0;
}

static const struct file_operations stats_fops = {
	.owner = THIS_MODULE,
	.read = stats_read,
	.release = stats_release,
	.llseek = noop_llseek,
};

/* The client may pread(); anonymous files cannot unless they say so. */
static int install(struct stats *s, const char *name)
{
	int fd = get_unused_fd_flags(O_CLOEXEC);
	struct file *file;

	if (fd < 0)
		return fd;
	file = anon_inode_getfile(name, &stats_fops, s, O_RDONLY);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	file->f_mode |= FMODE_PREAD;
	fd_install(fd, file);
	return fd;
}

static int stats_fd(struct stats *s, u32 num_desc, const char *name)
{
	int fd;

	s->head.name_size = NAME_SIZE;
	s->head.num_desc = num_desc;
	s->head.id_offset = sizeof(s->head);
	s->head.desc_offset = s->head.id_offset + sizeof(s->id);
	s->head.data_offset = s->head.desc_offset + num_desc * sizeof(struct desc);
	vm_get(s->vm);
	fd = install(s, name);
	if (fd < 0) {
		vm_put(s->vm);
		kfree(s);
	}
	return fd;
}

int abi_vm_stats_fd(struct tern_vm *vm)
{
	struct stats *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return -ENOMEM;
	s->vm = vm;
	snprintf(s->id, sizeof(s->id), "kvm-%d", vm->creator);
	return stats_fd(s, ARRAY_SIZE(vm_desc), "kvm-vm-stats");
}

int abi_vcpu_stats_fd(struct tern_vcpu *v)
{
	struct stats *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return -ENOMEM;
	s->vm = v->vm;
	s->vcpu = v;
	snprintf(s->id, sizeof(s->id), "kvm-%d/vcpu-%u", v->vm->creator, v->id);
	return stats_fd(s, ARRAY_SIZE(vcpu_desc), "kvm-vcpu-stats");
}
