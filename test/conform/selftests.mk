# SPDX-License-Identifier: GPL-2.0
# The selftests' own Makefile, and what some of its targets need besides.
# Used by test/conform/build, in tools/testing/selftests/kvm:
#	make -f .../selftests.mk CONFORM=.../test/conform OUTPUT=... ARCH=arm64
include Makefile

LDFLAGS += -static

# 6.1's dirty_log_test calls a later kernel's name for this macro.
$(OUTPUT)/dirty_log_test: private CFLAGS += -DTEST_ASSERT_EQ=ASSERT_EQ

$(OUTPUT)/aarch64/arch_timer: private CFLAGS += \
	-D_GNU_SOURCE= -DCONFORM_MARGIN_US=10000000 -include $(CONFORM)/margin.h

$(OUTPUT)/aarch64/vgic_init: private CFLAGS += -I$(CONFORM)/include
$(OUTPUT)/aarch64/vgic_init: private LDFLAGS += -Wl,--wrap=ioctl
$(OUTPUT)/aarch64/vgic_init: $(OUTPUT)/shim.o

$(OUTPUT)/memslot_perf_test: private LDFLAGS += -Wl,--wrap=alarm
$(OUTPUT)/memslot_perf_test: $(OUTPUT)/alarm.o

$(OUTPUT)/shim.o $(OUTPUT)/alarm.o: $(OUTPUT)/%.o: $(CONFORM)/%.c
	$(CC) $(CFLAGS) -DCONFORM_PATIENCE=60 -Wextra -Werror -c $< -o $@

# 100,000 migrations take many minutes here, and there is no parameter.
$(OUTPUT)/rseq_test.c: rseq_test.c
	sed '/^#define NR_TASK_MIGRATIONS/s/100000/2000/' $< > $@
	! cmp -s $< $@

$(OUTPUT)/rseq_test: $(OUTPUT)/rseq_test.c $(LIBKVM_OBJS)
	$(LINK.c) $^ $(LDLIBS) -o $@
