/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What this CPU must do at a guest's exit so that the guest's branches do not
 * steer the host's (Spectre v2, branch history injection).
 */
#ifndef TERN_HOST_PREDICTOR_H
#define TERN_HOST_PREDICTOR_H

#include <linux/types.h>

/** enum predictor_kind - the order is that of the vector tables in hyp/entry.S */
enum predictor_kind {
	PREDICTOR_NONE,
	PREDICTOR_LOOP,		/* as many branches as the history holds */
	PREDICTOR_CLEAR,	/* FEAT_CLRBHB: one instruction */
	PREDICTOR_FIRMWARE,	/* SMCCC_ARCH_WORKAROUND_1 or _3 */
	PREDICTOR_NR
};

/**
 * struct predictor_cure - what one CPU does
 * @kind: enum predictor_kind
 * @arg:  how many times the loop runs, or the function the firmware is asked for
 */
struct predictor_cure {
	u32 kind;
	u32 arg;
};

/**
 * predictor_init() - @mode is the module's parameter
 *
 * "auto": what each CPU needs. "off": nothing. "loop", "clear", "firmware": what
 * each CPU needs, and this where it needs nothing, to see what it costs.
 * Return: 0, or -EINVAL or -ENODEV after saying so in the kernel log.
 */
int predictor_init(const char *mode);

/** predictor_off() - guests' exits are left as they are, though a CPU may need more */
bool predictor_off(void);

/** predictor_cure() - what this CPU does from now on; preemption off */
struct predictor_cure predictor_cure(void);

#endif
