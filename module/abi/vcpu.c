// SPDX-License-Identifier: GPL-2.0
/*
 * ioctls of a vCPU.
 */
#include <linux/anon_inodes.h>
#include <linux/kvm.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include "../exit/exit.h"
#include "../vcpu/sve.h"
#include "../../uapi/tern.h"
#include "../fw/fw.h"
#include "abi.h"
#include "event.h"
#include "stats.h"

static long vcpu_ioctl_init(struct tern_vcpu *v, void __user *arg)
{
	struct kvm_vcpu_init init;

	if (copy_from_user(&init, arg, sizeof(init)))
		return -EFAULT;
	return vcpu_init_features(v, &init);
}

/* A reset that PSCI CPU_ON owes this vCPU comes before anybody looks at its registers. */
static void settle(struct tern_vcpu *v)
{
	if (kick_test_clear(&v->kick, VCPU_REQ_RESET))
		vcpu_reset(v);
}

static long vcpu_ioctl_reg_list(struct tern_vcpu *v, void __user *arg)
{
	if (!v->initialized)
		return -ENOEXEC;
	return vcpu_sve_ready(v) ? vcpu_reg_list(v, arg) : -EPERM;
}

static long vcpu_ioctl_finalize(struct tern_vcpu *v, int __user *arg)
{
	int feature;

	if (!v->initialized)
		return -ENOEXEC;
	if (get_user(feature, arg))
		return -EFAULT;
	return feature == KVM_ARM_VCPU_SVE ? vcpu_sve_finalize(v) : -EINVAL;
}

static long vcpu_ioctl_get_events(struct tern_vcpu *v, void __user *arg)
{
	struct kvm_vcpu_events e;
	int r = vcpu_get_events(v, &e);

	if (r)
		return r;
	return copy_to_user(arg, &e, sizeof(e)) ? -EFAULT : 0;
}

static long vcpu_ioctl_set_events(struct tern_vcpu *v, void __user *arg)
{
	struct kvm_vcpu_events e;

	if (copy_from_user(&e, arg, sizeof(e)))
		return -EFAULT;
	return vcpu_set_events(v, &e);
}

static long vcpu_ioctl_get_mp_state(struct tern_vcpu *v, void __user *arg)
{
	struct kvm_mp_state mp = { .mp_state = READ_ONCE(v->mp_state) };

	return copy_to_user(arg, &mp, sizeof(mp)) ? -EFAULT : 0;
}

static long vcpu_ioctl_set_mp_state(struct tern_vcpu *v, void __user *arg)
{
	struct kvm_mp_state mp;

	if (copy_from_user(&mp, arg, sizeof(mp)))
		return -EFAULT;
	switch (mp.mp_state) {
	case KVM_MP_STATE_RUNNABLE:
	case KVM_MP_STATE_STOPPED:
	case KVM_MP_STATE_SUSPENDED:
		break;
	default:
		return -EINVAL;
	}
	spin_lock(&v->power_lock);
	WRITE_ONCE(v->mp_state, mp.mp_state);
	spin_unlock(&v->power_lock);
	kick_request(&v->kick, VCPU_REQ_PAUSE);
	return 0;
}

static long vcpu_ioctl_signal_mask(struct tern_vcpu *v, struct kvm_signal_mask __user *arg)
{
	struct kvm_signal_mask mask;
	sigset_t set;

	if (!arg) {
		v->around &= ~VCPU_AROUND_SIGSET;
		return 0;
	}
	if (copy_from_user(&mask, arg, sizeof(mask)))
		return -EFAULT;
	if (mask.len != sizeof(set))
		return -EINVAL;
	if (copy_from_user(&set, arg->sigset, sizeof(set)))
		return -EFAULT;
	sigdelsetmask(&set, sigmask(SIGKILL) | sigmask(SIGSTOP));
	v->sigset = set;
	v->around |= VCPU_AROUND_SIGSET;
	return 0;
}

static int pmu_attr_set(struct tern_vcpu *v, const struct kvm_device_attr *a)
{
	int r;

	mutex_lock(&v->vm->lock);
	r = pmu_set_attr(&v->pmu, a, v->vm->ran_once);
	mutex_unlock(&v->vm->lock);
	return r;
}

static int attr_set(struct tern_vcpu *v, const struct kvm_device_attr *a)
{
	switch (a->group) {
	case KVM_ARM_VCPU_PMU_V3_CTRL:
		return pmu_attr_set(v, a);
	case KVM_ARM_VCPU_TIMER_CTRL:
		return timer_set_attr(&v->timer, a, v->vm->vgic.created);
	case KVM_ARM_VCPU_PVTIME_CTRL:
		return fw_pvtime_set_attr(v, a);
	default:
		return -ENXIO;
	}
}

static int attr_get(struct tern_vcpu *v, const struct kvm_device_attr *a)
{
	switch (a->group) {
	case KVM_ARM_VCPU_PMU_V3_CTRL:
		return pmu_get_attr(&v->pmu, a);
	case KVM_ARM_VCPU_TIMER_CTRL:
		return timer_get_attr(&v->timer, a);
	case KVM_ARM_VCPU_PVTIME_CTRL:
		return fw_pvtime_get_attr(v, a);
	default:
		return -ENXIO;
	}
}

static int attr_has(struct tern_vcpu *v, const struct kvm_device_attr *a)
{
	switch (a->group) {
	case KVM_ARM_VCPU_PMU_V3_CTRL:
		return pmu_has_attr(&v->pmu, a);
	case KVM_ARM_VCPU_TIMER_CTRL:
		return timer_has_attr(&v->timer, a);
	case KVM_ARM_VCPU_PVTIME_CTRL:
		return fw_pvtime_has_attr(v, a);
	default:
		return -ENXIO;
	}
}

static long vcpu_ioctl_attr(struct tern_vcpu *v, unsigned int cmd, void __user *arg)
{
	struct kvm_device_attr a;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	if (cmd == KVM_SET_DEVICE_ATTR)
		return attr_set(v, &a);
	return cmd == KVM_GET_DEVICE_ATTR ? attr_get(v, &a) : attr_has(v, &a);
}

static long vcpu_ioctl_guest_debug(struct tern_vcpu *v, void __user *arg)
{
	struct kvm_guest_debug dbg;

	if (copy_from_user(&dbg, arg, sizeof(dbg)))
		return -EFAULT;
	return exit_debug_set(v, &dbg);
}

static long run_debugged(struct tern_vcpu *v)
{
	long r;

	exit_debug_begin(v);
	r = exit_run(v);
	exit_debug_end(v);
	return r;
}

static long run_with_page(struct tern_vcpu *v)
{
	long r = exit_page_in(v);

	if (r)
		return r;
	r = v->extra & VCPU_EXTRA_DEBUG ? run_debugged(v) : exit_run(v);
	exit_page_out(v);
	return r;
}

/*
 * The VM is paused, or was. What an exit left to be completed waits too,
 * unless it is just that which the client wants (immediate_exit).
 */
static long stay_paused(struct tern_vcpu *v)
{
	if (v->parked)
		return -EBUSY;
	if (READ_ONCE(v->paused) && v->initialized && !READ_ONCE(v->run->immediate_exit)) {
		kick_rebind(&v->kick);
		exit_park(v);
		if (READ_ONCE(v->paused)) {
			v->run->exit_reason = KVM_EXIT_INTR;
			return -EINTR;
		}
	}
	if (!READ_ONCE(v->paused))
		v->extra &= ~VCPU_EXTRA_PAUSE;
	return 0;
}

static noinline long run_extra(struct tern_vcpu *v)
{
	long r = v->extra & VCPU_EXTRA_PAUSE ? stay_paused(v) : 0;

	if (r)
		return r;
	if (v->extra & VCPU_EXTRA_PAGE)
		return run_with_page(v);
	return v->extra & VCPU_EXTRA_DEBUG ? run_debugged(v) : exit_run(v);
}

/* Of all ioctls this one is called without end: it has a way of its own. */
static __always_inline long vcpu_ioctl_run(struct tern_vcpu *v, unsigned long arg)
{
	long r;

	if (arg)
		return -EINVAL;
	if (unlikely(vcpu_lock(&v->lock, TASK_KILLABLE)))
		return -EINTR;
	r = unlikely(v->extra) ? run_extra(v) : exit_run(v);
	vcpu_unlock(&v->lock);
	return r;
}

/* The only capability that a vCPU has of its own: the register page. */
static long vcpu_ioctl_enable_cap(struct tern_vcpu *v, void __user *arg)
{
	struct kvm_enable_cap cap;

	if (copy_from_user(&cap, arg, sizeof(cap)))
		return -EFAULT;
	if (cap.cap != TERN_CAP_REG_PAGE || cap.flags || cap.args[0] & ~TERN_SYNC_ALL)
		return -EINVAL;
	v->page_sets = cap.args[0];
	v->extra = (v->extra & ~VCPU_EXTRA_PAGE) | (v->page_sets ? VCPU_EXTRA_PAGE : 0);
	return 0;
}

static long vcpu_ioctl_regs(struct tern_vcpu *v, bool write, void __user *arg)
{
	settle(v);
	return abi_vcpu_regs(v, write, arg);
}

static noinline long vcpu_ioctl_other(struct tern_vcpu *v, unsigned int cmd, unsigned long argument)
{
	void __user *arg = (void __user *)argument;

	if (_IOC_TYPE(cmd) != KVMIO)
		return -EINVAL;
	vcpu_evict(v);
	switch (cmd) {
	case KVM_ARM_VCPU_INIT:
		return vcpu_ioctl_init(v, arg);
	case KVM_GET_REG_LIST:
		return vcpu_ioctl_reg_list(v, arg);
	case KVM_ARM_VCPU_FINALIZE:
		return vcpu_ioctl_finalize(v, (int __user *)argument);
	case KVM_GET_VCPU_EVENTS:
		return vcpu_ioctl_get_events(v, arg);
	case KVM_SET_VCPU_EVENTS:
		return vcpu_ioctl_set_events(v, arg);
	case KVM_GET_MP_STATE:
		return vcpu_ioctl_get_mp_state(v, arg);
	case KVM_SET_MP_STATE:
		return vcpu_ioctl_set_mp_state(v, arg);
	case KVM_SET_SIGNAL_MASK:
		return vcpu_ioctl_signal_mask(v, arg);
	case KVM_SET_GUEST_DEBUG:
		return vcpu_ioctl_guest_debug(v, arg);
	case KVM_SET_DEVICE_ATTR:
	case KVM_GET_DEVICE_ATTR:
	case KVM_HAS_DEVICE_ATTR:
		return vcpu_ioctl_attr(v, cmd, arg);
	case KVM_GET_STATS_FD:
		return abi_vcpu_stats_fd(v);
	case KVM_ENABLE_CAP:
		return vcpu_ioctl_enable_cap(v, arg);
	case TERN_GET_REGS:
	case TERN_SET_REGS:
		return vcpu_ioctl_regs(v, cmd == TERN_SET_REGS, arg);
	default:
		return -EINVAL;
	}
}

static long vcpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct tern_vcpu *v = file->private_data;
	long r;

	if (!vm_serves_current(v->vm))
		return -EIO;
	if (likely(cmd == KVM_RUN))
		return vcpu_ioctl_run(v, arg);
	if (unlikely(vcpu_lock(&v->lock, TASK_KILLABLE)))
		return -EINTR;
	if (cmd == KVM_GET_ONE_REG)
		r = vcpu_get_one_reg(v, (void __user *)arg);
	else if (cmd == KVM_SET_ONE_REG)
		r = vcpu_set_one_reg(v, (void __user *)arg);
	else
		r = vcpu_ioctl_other(v, cmd, arg);
	vcpu_unlock(&v->lock);
	return r;
}

static vm_fault_t vcpu_fault(struct vm_fault *vmf)
{
	struct tern_vcpu *v = vmf->vma->vm_file->private_data;

	if (vmf->pgoff == 0)
		vmf->page = virt_to_page(v->run);
	else if (vmf->pgoff == KVM_COALESCED_MMIO_PAGE_OFFSET)
		vmf->page = virt_to_page(v->vm->event->ring);
	else
		return VM_FAULT_SIGBUS;
	get_page(vmf->page);
	return 0;
}

static const struct vm_operations_struct vcpu_vm_ops = { .fault = vcpu_fault };

static int vcpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	vma->vm_ops = &vcpu_vm_ops;
	return 0;
}

static int vcpu_release(struct inode *inode, struct file *file)
{
	struct tern_vcpu *v = file->private_data;

	vm_put(v->vm);
	return 0;
}

static const struct file_operations vcpu_fops = {
	.owner = THIS_MODULE,
	.release = vcpu_release,
	.unlocked_ioctl = vcpu_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = vcpu_mmap,
	.llseek = noop_llseek,
};

/* vm->lock held. The vCPU is published last, when nothing can fail any more. */
static int vcpu_fd_locked(struct tern_vm *vm, unsigned long id)
{
	struct tern_vcpu *v;
	char name[32];
	int fd;

	if (vgic_initialized(&vm->vgic))
		return -EBUSY;
	if (vm->nr_vcpus >= VM_MAX_VCPUS)
		return -EINVAL;
	if (vm_vcpu_by_id(vm, id))
		return -EEXIST;
	v = vcpu_create(vm, id);
	if (IS_ERR(v))
		return PTR_ERR(v);
	exit_leaf_init(&v->hyp);
	exit_tlbi_vcpu(v);
	vm_get(vm);
	snprintf(name, sizeof(name), "kvm-vcpu:%lu", id);
	fd = anon_inode_getfd(name, &vcpu_fops, v, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		vm_put(vm);
		vcpu_destroy(v);
		return fd;
	}
	v->paused = vm->paused;
	if (v->paused)
		v->extra |= VCPU_EXTRA_PAUSE;
	vm->quiet = false;	/* of this one it is not known */
	vm->vcpu[vm->nr_vcpus] = v;
	smp_store_release(&vm->nr_vcpus, vm->nr_vcpus + 1);
	return fd;
}

int abi_vcpu_fd(struct tern_vm *vm, unsigned long id)
{
	int r;

	if (id >= VM_MAX_VCPUS)
		return -EINVAL;
	mutex_lock(&vm->lock);
	r = vcpu_fd_locked(vm, id);
	mutex_unlock(&vm->lock);
	return r;
}
