# SPDX-License-Identifier: GPL-2.0
# A copy of module/ elsewhere is built as the Makefile builds module/.
ifeq ($(shell uname -m),aarch64)
CROSS_COMPILE ?=
KDIR ?= /lib/modules/$(shell uname -r)/build
else
CROSS_COMPILE ?= aarch64-linux-gnu-
KDIR ?= $(TOP)/build/linux-headers-6.1
endif

all:
	$(MAKE) -C $(KDIR) M=$(CURDIR) ARCH=arm64 \
		CROSS_COMPILE=$(CROSS_COMPILE) CONFIG_DEBUG_INFO_BTF_MODULES= modules
