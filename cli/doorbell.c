// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doorbell.h"

#define TEXT_MAX	200

void doorbell_note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	flockfile(stdout);
	fputs("# ", stdout);
	vprintf(fmt, args);
	putchar('\n');
	fflush(stdout);
	funlockfile(stdout);
	va_end(args);
}

void doorbell_end(struct guest *guest, enum guest_end end, uint64_t status)
{
	pthread_mutex_lock(&guest->lock);
	if (guest->end == GUEST_RUNNING) {
		guest->status = status;
		__atomic_store_n(&guest->end, end, __ATOMIC_RELEASE);
		pthread_cond_broadcast(&guest->ended);
	}
	pthread_mutex_unlock(&guest->lock);
}

/* The guest's string, wherever it points: only what memory really holds. */
static void say_text(const struct guest *guest, uint64_t addr)
{
	char text[TEXT_MAX + 1];
	size_t n;

	for (n = 0; n < TEXT_MAX; n++) {
		const char *c = vm_host(&guest->vm, addr + n, 1);

		if (!c || !*c)
			break;
		text[n] = *c < ' ' || *c > '~' ? '?' : *c;
	}
	text[n] = '\0';
	doorbell_note("%s", text);
}

/*
 * Leaves other values than the guest's in the host thread's FP registers, and
 * moves it to another CPU, so that state which was only left lying shows.
 */
static void disturb(struct guest *guest)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	asm volatile("movi v0.16b, #0xa5; movi v8.16b, #0xa5;"
		     "movi v15.16b, #0xa5; movi v31.16b, #0xa5"
		     : : : "v0", "v8", "v15", "v31");
	if (cpus < 1)
		cpus = 1;
	CPU_ZERO(&set);
	CPU_SET(++guest->disturbed % cpus, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		doorbell_note("could not move to CPU %ld",
			      guest->disturbed % cpus);
	sched_yield();
}

static void irq(const struct guest *guest, const struct vcpu *vcpu,
		unsigned int reg, uint64_t intid)
{
	int level = reg == DB_SPI_HIGH || reg == DB_PPI_HIGH;
	int ret;

	if (reg == DB_SPI_HIGH || reg == DB_SPI_LOW)
		ret = vm_irq_line(&guest->vm, intid, level);
	else
		ret = vm_ppi_line(&guest->vm, vcpu->id, intid, level);
	if (ret < 0)
		doorbell_note("interrupt %" PRIu64 ": %s", intid,
			      strerror(-ret));
}

static void doorbell_write(struct guest *guest, const struct vcpu *vcpu,
			   unsigned int reg, uint64_t v)
{
	switch (reg) {
	case DB_DONE:
		doorbell_end(guest, v ? GUEST_FAILED : GUEST_PASSED, v);
		break;
	case DB_TEXT:
		say_text(guest, v);
		break;
	case DB_VALUE:
		doorbell_note("  %#" PRIx64, v);
		break;
	case DB_SPI_HIGH:
	case DB_SPI_LOW:
	case DB_PPI_HIGH:
	case DB_PPI_LOW:
		irq(guest, vcpu, reg, v);
		break;
	case DB_DISTURB:
		disturb(guest);
		break;
	case DB_SLEEP:
		usleep(v > 1000000 ? 1000000 : v);
		break;
	case DB_SAMPLE:
		if (guest->sample)
			guest->sample(guest->sample_arg, v);
		break;
	case DB_ECHO:
		guest->echo = v;
		break;
	case DB_YIELD:
		sched_yield();
		break;
	}
}

static uint64_t doorbell_read(const struct guest *guest, unsigned int reg)
{
	switch (reg) {
	case DB_ECHO:		return guest->echo;
	case DB_BATCH:		return guest->batch;
	case DB_BATCHES:	return guest->batches;
	case DB_MARK:		return guest->mark;
	case DB_FEATURES:	return guest->features;
	case DB_SEEN_ADDR:	return guest->seen_addr;
	case DB_SEEN_DATA:	return guest->seen_data;
	case DB_SEEN_SIZE:	return guest->seen_size;
	case DB_SEEN_COUNT:	return guest->seen_count;
	case DB_NISV_COUNT:	return guest->nisv_count;
	case DB_NISV_ADDR:	return guest->nisv_addr;
	case DB_VCPUS:		return guest->vm.nr_vcpus;
	default:		return 0;
	}
}

static void seen(struct guest *guest, struct kvm_run *run)
{
	unsigned int i;

	guest->seen_addr = run->mmio.phys_addr;
	guest->seen_size = run->mmio.len;
	guest->seen_data = 0;
	guest->seen_count++;
	if (run->mmio.is_write) {
		guest->seen_size |= DB_SEEN_WRITE;
		memcpy(&guest->seen_data, run->mmio.data, run->mmio.len);
		return;
	}
	for (i = 0; i < run->mmio.len; i++)
		run->mmio.data[i] = GUEST_READ_BYTE + i;
}

/* Copied whole: a copy of unknown length would use, and so cost, the thread's vector registers. */
static uint64_t written(const struct kvm_run *run)
{
	unsigned int unused = 64 - 8 * run->mmio.len;
	uint64_t v;

	memcpy(&v, run->mmio.data, sizeof(v));
	return v << unused >> unused;
}

void doorbell_mmio(struct guest *guest, const struct vcpu *vcpu)
{
	struct kvm_run *run = vcpu->run;
	uint64_t reg = run->mmio.phys_addr - GUEST_DOORBELL;
	uint64_t v = 0;

	if (run->mmio.len > sizeof(run->mmio.data)) {
		doorbell_note("MMIO exit of %u bytes", run->mmio.len);
		doorbell_end(guest, GUEST_BROKE, 0);
		return;
	}
	if (reg >= DB_SIZE) {
		seen(guest, run);
	} else if (run->mmio.is_write) {
		doorbell_write(guest, vcpu, reg, written(run));
	} else {
		v = doorbell_read(guest, reg);
		memcpy(run->mmio.data, &v, sizeof(v));
	}
}

void doorbell_nisv(struct guest *guest, const struct vcpu *vcpu)
{
	uint64_t pc;
	int ret;

	guest->nisv_count++;
	guest->nisv_addr = vcpu->run->arm_nisv.fault_ipa;
	ret = vcpu_get_pc(vcpu, &pc);
	if (!ret)
		ret = vcpu_set_pc(vcpu, pc + 4);
	if (ret < 0) {
		doorbell_note("cannot step over: %s", strerror(-ret));
		doorbell_end(guest, GUEST_BROKE, 0);
	}
}
