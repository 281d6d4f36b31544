/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtern-preload.so: bursts of a VMM that knows nothing of tern are served
 * by tern's calls for many registers.
 *
 * What makes that unseen:
 *  - Bursts are read ahead and gathered only while no vCPU of the VM is in
 *    KVM_RUN and no other ioctl that may change it is under way. Whatever
 *    begins one of these first writes what was gathered and forgets what was
 *    read ahead.
 *  - A value that was read ahead is given once. What changes with time is
 *    never read ahead.
 *  - Only what cannot fail is gathered: registers that take any value.
 *  - Memory is touched that the kernel touched for the program just before;
 *    a pointer to anything else goes to the kernel.
 *  - While the VM has irqfds, other programs may change the GIC's state at any
 *    time, and the GIC is left alone.
 *
 * Locking: a VM's lock guards all about it but running, active and off.
 */
#ifndef TERN_LIB_PRELOAD_H
#define TERN_LIB_PRELOAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib.h"

enum preload_kind { PRELOAD_VM, PRELOAD_VCPU, PRELOAD_GIC, PRELOAD_OTHER };

/* Bits of what is known about a register */
#define PRELOAD_FRESH	1	/* read ahead and not given yet */
#define PRELOAD_KNOWN	2	/* what a register that identifies is */

/* How a burst begins, and when it proved not worth its while */
struct preload_pace {
	unsigned int gets, sets;	/* one after another */
	unsigned int threshold;		/* so many begin a burst; 0: the least */
	unsigned int given;		/* of what was last read ahead */
};

struct preload_regs {
	bool failed;			/* leave this vCPU alone */
	bool fresh;			/* a state may have PRELOAD_FRESH */
	uint32_t n;
	uint64_t *id;			/* sorted */
	uint32_t *offset;		/* of the value in values */
	uint8_t *state;
	char *values;
	uint32_t hint;
	struct preload_pace pace;
	uint32_t queued, room;
	struct kvm_one_reg *queue;
	char (*queue_values)[16];
};

struct preload_gic {
	bool failed;
	bool fresh;
	bool ready;			/* KVM_DEV_ARM_VGIC_CTRL_INIT was seen */
	uint32_t n;
	struct tern_vgic_reg *reg;	/* sorted by group and attribute */
	uint8_t *state;
	uint32_t hint;
	struct preload_pace pace;
	uint32_t queued;
	struct tern_vgic_reg *queue;
};

/* Pages that the kernel has used for this descriptor; 0: none */
#define PRELOAD_PROOFS	8
struct preload_proof {
	uint64_t page[PRELOAD_PROOFS];
	bool writable[PRELOAD_PROOFS];
	unsigned int next;
};

#define PRELOAD_VCPUS_MAX	4096

struct preload_fd {
	enum preload_kind kind;
	int fd;
	struct preload_vm *vm;
	atomic_int running;		/* a vCPU in KVM_RUN, or about to be */
	unsigned int changing;		/* ioctls under way that may change it */
	struct preload_proof proof;
	struct preload_regs regs;
	struct preload_fd *free;	/* the next that is not used */
};

struct preload_irqfd {
	uint32_t fd, gsi;
};

struct preload_vm {
	pthread_mutex_t lock;
	atomic_int active;		/* something is read ahead or gathered */
	atomic_int off;			/* it does what this does not know */
	unsigned int changing;		/* ioctls under way that may change it */
	unsigned int users;		/* descriptors */
	unsigned int queues;		/* vCPUs of which writes are gathered */
	int fd;
	uint32_t nr_vcpus;
	struct preload_fd *vcpu[PRELOAD_VCPUS_MAX];
	struct preload_fd *gic_fd;
	struct preload_gic gic;
	uint32_t nr_irqfds;
	struct preload_irqfd *irqfd;
	struct preload_vm *free;
};

/* What became of an ioctl */
enum preload_way {
	PRELOAD_DONE,		/* *ret is its result, or a negative errno */
	PRELOAD_PASS,		/* to the kernel: it changes nothing here */
	PRELOAD_CHANGE_SELF,	/* to the kernel, as a change to this vCPU alone */
	PRELOAD_CHANGE,		/* to the kernel, as a change to the VM */
};

/* This thread is in here: the library's own ioctls, and signal handlers' */
extern __thread int preload_inside
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/* preload.c: to the kernel; as a negative errno */
HIDDEN int preload_pass(int fd, unsigned long request, unsigned long arg);

/* preload_fd.c: NULL when it is none of a VM that is known */
HIDDEN struct preload_fd *preload_fd(int fd);
HIDDEN void preload_notice_vm(int fd);
/* what the program made, or made ready, by an ioctl that succeeded: with the lock */
HIDDEN void preload_notice(struct preload_fd *f, uint32_t request, void *arg,
			   int ret);
/* before they are closed, for then they may be another's at once */
HIDDEN void preload_forget_range(unsigned int first, unsigned int last);
/* a second descriptor for it would not be noticed */
HIDDEN void preload_duplicated(int fd);

/* preload_ioctl.c */
HIDDEN int preload_ioctl(int fd, unsigned long request, unsigned long arg);
/* what was gathered is written, what was read ahead forgotten: with the lock */
HIDDEN int preload_settle(struct preload_vm *vm);
/* a VM that does what this does not know: with its lock */
HIDDEN void preload_turn_off(struct preload_vm *vm);

/*
 * May something about this descriptor be read ahead or gathered? If so, from
 * now on KVM_RUN looks for it.
 */
HIDDEN bool preload_activate(struct preload_fd *f);

/*
 * preload_proof.c: may these bytes be read, or written? Yes when the kernel did
 * since the VM was last settled.
 */
HIDDEN bool preload_proven(const struct preload_proof *proof, uint64_t addr,
			   size_t size, bool writable);
HIDDEN void preload_prove(struct preload_proof *proof, uint64_t addr,
			  size_t size, bool writable);
HIDDEN void preload_disprove(struct preload_proof *proof);

/* What was given from what was read ahead, and so on; for TERN_PRELOAD=count */
struct preload_counts {
	atomic_ulong given, gathered, dropped, batches, replayed;
};
HIDDEN extern struct preload_counts preload_counts;

/*
 * A get or a set of a row: is the row long enough to be a burst? Reading
 * ahead that was not worth it makes the next burst begin later.
 */
HIDDEN bool preload_pace_get(struct preload_pace *pace, unsigned int least);
HIDDEN bool preload_pace_set(struct preload_pace *pace, unsigned int least);
HIDDEN void preload_pace_read(struct preload_pace *pace, unsigned int worth,
			      unsigned int least);

/* preload_vcpu.c: all with the VM's lock */
HIDDEN enum preload_way preload_get_reg(struct preload_fd *f,
					const struct kvm_one_reg *one,
					int *ret);
HIDDEN enum preload_way preload_set_reg(struct preload_fd *f,
					const struct kvm_one_reg *one,
					int *ret);
/* writes what was gathered: 0 or a negative errno */
HIDDEN int preload_regs_flush(struct preload_fd *f);
HIDDEN void preload_regs_forget(struct preload_regs *regs);
HIDDEN void preload_regs_fini(struct preload_regs *regs);

/* preload_gic.c: all with the VM's lock */
/* bytes of a value of this group, 0 when it is no register's */
HIDDEN size_t preload_attr_size(uint32_t group);
HIDDEN enum preload_way preload_get_attr(struct preload_fd *f,
					 const struct kvm_device_attr *attr,
					 int *ret);
HIDDEN enum preload_way preload_set_attr(struct preload_fd *f,
					 const struct kvm_device_attr *attr,
					 int *ret);
HIDDEN int preload_gic_flush(struct preload_vm *vm);
HIDDEN void preload_gic_forget(struct preload_gic *gic);
HIDDEN void preload_gic_fini(struct preload_gic *gic);

#endif
