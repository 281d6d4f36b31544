// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel does this work for its own KVM, and notes a signal in that KVM's
 * vCPU: exit reason and a counter. Here they go to a vCPU that nobody reads.
 * This file alone includes KVM's own structures.
 */
#include <linux/kvm_host.h>
#include "work.h"

static struct kvm_run sink_run;
static struct kvm_vcpu sink = { .run = &sink_run };

int host_work_do(void)
{
	return xfer_to_guest_mode_handle_work(&sink);
}
