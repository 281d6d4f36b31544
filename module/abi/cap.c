// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_CHECK_EXTENSION.
 */
#include <linux/cpumask.h>
#include <linux/kvm.h>
#include "../exit/exit.h"
#include "../fw/fw.h"
#include "../../uapi/tern.h"
#include "../host/caps.h"
#include "../host/sve.h"
#include "abi.h"
#include "event.h"

static long nr_vcpus_advised(void)
{
	return min_t(long, num_online_cpus(), VM_MAX_VCPUS);
}

/* The answers are built-in KVM's for the features that tern has. */
long abi_check_extension(const struct tern_vm *vm, unsigned long cap)
{
	switch (cap) {
	case KVM_CAP_USER_MEMORY:
	case KVM_CAP_DESTROY_MEMORY_REGION_WORKS:
	case KVM_CAP_JOIN_MEMORY_REGIONS_WORKS:
	case KVM_CAP_INTERNAL_ERROR_DATA:
	case KVM_CAP_IRQCHIP:
	case KVM_CAP_IRQFD:
	case KVM_CAP_IRQFD_RESAMPLE:
	case KVM_CAP_SIGNAL_MSI:
	case KVM_CAP_IOEVENTFD:
	case KVM_CAP_IOEVENTFD_ANY_LENGTH:
	case KVM_CAP_CHECK_EXTENSION_VM:
	case KVM_CAP_ENABLE_CAP_VM:
	case KVM_CAP_HALT_POLL:
	case KVM_CAP_DEVICE_CTRL:
	case KVM_CAP_SYNC_MMU:
	case KVM_CAP_ONE_REG:
	case KVM_CAP_ARM_PSCI:
	case KVM_CAP_ARM_PSCI_0_2:
	case KVM_CAP_READONLY_MEM:
	case KVM_CAP_MP_STATE:
	case KVM_CAP_IMMEDIATE_EXIT:
	case KVM_CAP_VCPU_EVENTS:
	case KVM_CAP_VCPU_ATTRIBUTES:
	case KVM_CAP_ARM_IRQ_LINE_LAYOUT_2:
	case KVM_CAP_ARM_NISV_TO_USER:
	case KVM_CAP_ARM_INJECT_EXT_DABT:
	case KVM_CAP_ARM_SYSTEM_SUSPEND:
	case KVM_CAP_SYSTEM_EVENT_DATA:
	case KVM_CAP_PTP_KVM:
	case KVM_CAP_ARM_SET_DEVICE_ADDR:
	case KVM_CAP_ARM_USER_IRQ:
	case KVM_CAP_SET_GUEST_DEBUG:
	case KVM_CAP_COALESCED_PIO:
	case KVM_CAP_BINARY_STATS_FD:
		return 1;
	case KVM_CAP_ARM_SVE:
		return host_sve.max_vq != 0;
	case KVM_CAP_SET_GUEST_DEBUG2:
		return EXIT_DEBUG_CONTROLS;
	case KVM_CAP_GUEST_DEBUG_HW_BPS:
		return hyp_debug_breakpoints();
	case KVM_CAP_GUEST_DEBUG_HW_WPS:
		return hyp_debug_watchpoints();
	case KVM_CAP_MSI_DEVID:
		return vm ? vgic_has_its(&vm->vgic) : -EINVAL;
	case KVM_CAP_NR_VCPUS:
		return nr_vcpus_advised();
	case KVM_CAP_MAX_VCPUS:
	case KVM_CAP_MAX_VCPU_ID:
		return VM_MAX_VCPUS;
	case KVM_CAP_NR_MEMSLOTS:
		return MEM_MAX_SLOTS;
	case KVM_CAP_IRQ_ROUTING:
		return EVENT_MAX_ROUTES;
	case KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2:
		return MEM_DIRTY_LOG_CAPS;
	case KVM_CAP_ARM_VM_IPA_SIZE:
		return host_caps.ipa_bits;
	case KVM_CAP_ARM_INJECT_SERROR_ESR:
		return host_caps.ras;
	case KVM_CAP_ARM_PTRAUTH_ADDRESS:
	case KVM_CAP_ARM_PTRAUTH_GENERIC:
		return host_caps.ptrauth;
	case KVM_CAP_COALESCED_MMIO:
		return KVM_COALESCED_MMIO_PAGE_OFFSET;
	case KVM_CAP_ARM_PMU_V3:
		return pmu_supported();
	case TERN_CAP_MANY:
		return TERN_MAX_REGS;
	case TERN_CAP_VGIC_BATCH:
		return TERN_MAX_VGIC_REGS;
	case TERN_CAP_STATE:
		return TERN_STATE_VERSION;
	case TERN_CAP_STATE_ITS:
		return TERN_STATE_MAX_ITS;
	case TERN_CAP_PAUSE:
		return 1;
	case TERN_CAP_REG_PAGE:
		return TERN_SYNC_ALL;
	case TERN_CAP_GUEST:
		return FW_PVTLB_FEATURES;
	case KVM_CAP_STEAL_TIME:
		return fw_pvtime_supported();
	default:
		return 0;
	}
}
