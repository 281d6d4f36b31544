/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the KVM-ABI tests share. Each is a program that checks one behaviour
 * on $TERN_DEVICE (/dev/kvm): it exits 0 when the behaviour is there, 77 when
 * this machine cannot show it, and 1 at the first check that fails, after
 * saying which. A test that hangs is ended by SIGALRM.
 *
 * Failures are negative errnos, as in cli/vm.h, which does the plumbing.
 */
#ifndef TERN_TEST_ABI_LIB_H
#define TERN_TEST_ABI_LIB_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vm.h"

#define PAGE		4096UL
#define RAM_BASE	0x40000000UL
#define RAM_SIZE	0x100000UL
#define DIST_BASE	0x08000000UL
#define REDIST_BASE	0x080a0000UL
/* where a guest reports: no memory, no device of the kernel's */
#define DOORBELL	0x09000000UL

#define EXPECT(call, want)						\
	expect_at(__FILE__, __LINE__, #call, (long)(call), (long)(want))
#define CHECK(condition)						\
	check_at(__FILE__, __LINE__, #condition, condition)
/* ends the test unless call gives 0 or more, which it then is */
#define GOOD(call)							\
	good_at(__FILE__, __LINE__, #call, (long)(call))

void expect_at(const char *file, int line, const char *call, long got,
	       long want);
void check_at(const char *file, int line, const char *text, bool holds);
long good_at(const char *file, int line, const char *call, long got);
__attribute__((noreturn)) void skip(const char *why);

/* an ioctl whose argument is a number */
int ask(int fd, unsigned long request, unsigned long value);
/* an address that every copy from or to user space refuses */
void *bad_pointer(void);

const char *device_path(void);
int open_device(void);
/* an empty VM with type 0, or the largest smaller address space there is */
int new_vm(int kvm);
unsigned int ipa_limit(int kvm);
void preferred_target(int vm, struct kvm_vcpu_init *init);
int new_vcpu(int vm, unsigned long id);
int init_vcpu(int vm, int vcpu, uint32_t features);
struct kvm_run *map_run(int kvm, int vcpu);

int set_slot(int vm, uint32_t slot, uint32_t flags, uint64_t guest,
	     uint64_t size, const void *host);
/* zeroed pages, unmapped neither by the tests nor at their end */
void *pages(size_t size);

int new_gic(int vm);
int set_attr(int fd, uint32_t group, uint64_t attr, const void *value);
int get_attr(int fd, uint32_t group, uint64_t attr, void *value);
int has_attr(int fd, uint32_t group, uint64_t attr);

/*
 * Guests are position-independent assembly, loaded at RAM_BASE, where every
 * vCPU starts with the MMU off at EL1h. x0 holds the vCPU's number.
 */
#define GUEST(name, body)						\
	extern const char name[], name##_end[];				\
	__asm__(".pushsection .rodata." #name ",\"a\"\n"		\
		".globl " #name ", " #name "_end\n"			\
		".balign 2048\n" #name ":\n" body "\n"			\
		#name "_end:\n.popsection\n")
/* stores x0 at DOORBELL; overwrites x9 */
#define REPORT	"mov x9, #0x09000000\n\tstr x0, [x9]\n"

#define LOAD(vm, name)	load_guest(vm, name, (size_t)(name##_end - name))

/* a VM with RAM_SIZE of memory, that many vCPUs and a GICv3 with 96 interrupts */
void make_machine(struct vm *vm, unsigned int vcpus);
/* the same without a GIC, for what needs to come before it */
void make_bare(struct vm *vm, unsigned int vcpus);
void load_guest(struct vm *vm, const void *code, size_t size);
/* runs to the guest's next report; any other exit fails the test */
uint64_t next_report(struct vcpu *vcpu);
void expect_exit(struct vcpu *vcpu, unsigned int reason);
/* completes the access of the last exit without running on (api.rst, KVM_RUN) */
void finish_exit(struct vcpu *vcpu);

#endif
