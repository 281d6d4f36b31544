/* SPDX-License-Identifier: GPL-2.0 */
/* The client's side of the doorbell: answers one exit of a guest. */
#ifndef TERN_CLI_DOORBELL_H
#define TERN_CLI_DOORBELL_H

#include "guest.h"

/* Answers the MMIO exit that vcpu->run holds; the guest may end by it. */
void doorbell_mmio(struct guest *guest, const struct vcpu *vcpu);

/* Notes an access without a syndrome and steps over it. */
void doorbell_nisv(struct guest *guest, const struct vcpu *vcpu);

/* The first end is the one that counts. */
void doorbell_end(struct guest *guest, enum guest_end end, uint64_t status);

/* A line of the guest's, or about it, as a TAP diagnostic. */
void __attribute__((format(printf, 1, 2))) doorbell_note(const char *fmt, ...);

#endif
