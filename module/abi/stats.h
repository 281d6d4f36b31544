/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KVM_GET_STATS_FD: what a VM or a vCPU counted.
 */
#ifndef TERN_ABI_STATS_H
#define TERN_ABI_STATS_H

struct tern_vcpu;
struct tern_vm;

/** abi_vm_stats_fd() / abi_vcpu_stats_fd() - a file of them. Return: its descriptor or a negative errno */
int abi_vm_stats_fd(struct tern_vm *vm);
int abi_vcpu_stats_fd(struct tern_vcpu *v);

#endif
