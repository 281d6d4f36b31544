# SPDX-License-Identifier: GPL-2.0
# The front door: "make help" tells what there is. Everything made goes to
# build/; module/ and the other source folders stay as they are.

VERSION := $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
TOP := $(CURDIR)
KERNEL ?= 6.1
PREFIX ?= /usr/local
MANDIR ?= $(PREFIX)/share/man
MIRROR := build/module

ifeq ($(shell uname -m),aarch64)
CROSS_COMPILE ?=
KDIR ?= /lib/modules/$(shell uname -r)/build
else
CROSS_COMPILE ?= aarch64-linux-gnu-
KDIR ?= $(TOP)/build/linux-headers-$(KERNEL)
endif

# All CPUs, unless make was told how many.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

all: module tools

help:
	@echo 'make              module (build/tern.ko), tools (build/tern), build/lib'
	@echo 'make demo         boot a Linux guest on tern.ko, and show what exits cost'
	@echo 'make test         every test; the last line is the count'
	@echo "make conform      the kernel's own KVM tests, tern beside built-in KVM"
	@echo 'make bench        what exits cost, tern beside built-in KVM'
	@echo "make bench-tlb    what flushing other vCPUs' TLBs costs, and against limits"
	@echo "make bench-tlb-linux  the same with a Linux guest that knows tern"
	@echo 'make bench-accesses   which registers exits touch, counted likewise'
	@echo "make bench-work   what a guest's real work adds, likewise"
	@echo "make bench-xen    the same exits on Debian's Xen"
	@echo 'make charts       doc/figures.svg and .png of what make bench counted'
	@echo 'make guest-linux  a Linux guest kernel that knows tern, and its test'
	@echo 'make migrate      move running guests, between QEMUs, tern and built-in KVM'
	@echo 'make soak         boot and power off guests, thirty times'
	@echo 'make install      on an arm64 machine: module, tools, libtern, man pages'
	@echo 'make clean        remove build/ (machine/prepare keeps its cache)'
	@echo 'make setup        install the Debian packages that all this needs'
	@echo
	@echo 'KDIR=...          kernel build folder ($(KDIR))'

# The running kernel's headers come with it; others with the emulated machine.
$(TOP)/build/linux-headers-$(KERNEL):
	@tools/setup --check
	@machine/prepare --kernel $(KERNEL)

# Kbuild writes beside the sources, so it is given links to them. Type
# information (BTF) would need the kernel's own vmlinux, which Debian does not
# ship with the headers. One build at a time: test/run and demo/run call this.
module: | $(KDIR)
	@mkdir -p $(MIRROR)
	@cp -rsfT $(TOP)/module $(MIRROR)
	@ln -sfn $(TOP)/uapi build/uapi
	@find $(MIRROR) -xtype l -delete
	@flock build/module.lock \
		$(MAKE) --no-print-directory $(JOBS) -C $(KDIR) M=$(TOP)/$(MIRROR) \
		ARCH=arm64 CROSS_COMPILE=$(CROSS_COMPILE) \
		CONFIG_DEBUG_INFO_BTF_MODULES= modules
	@cmp -s $(MIRROR)/tern.ko build/tern.ko || \
		cp $(MIRROR)/tern.ko build/tern.ko

tools:
	@$(MAKE) --no-print-directory -C lib
	@$(MAKE) --no-print-directory -C cli

setup:
	@tools/setup

# What follows is for a machine that may lack everything.
demo: setup
	@demo/run

bench: setup
	@demo/run --bench

bench-tlb: setup
	@$(MAKE) --no-print-directory all
	@test/tlb/bench

guest-linux: guest-linux-image
	@test/guest/linux

guest-linux-image:
	@tools/setup bc bison flex
	@$(MAKE) --no-print-directory all
	@guest/linux/build

bench-tlb-linux: guest-linux-image
	@test/tlb/linux

test: setup
	@test/run

bench-accesses: setup
	@$(MAKE) --no-print-directory all
	@test/accesses

bench-work: setup
	@$(MAKE) --no-print-directory all
	@machine/prepare
	@test/overhead/run

bench-xen: setup
	@machine/prepare
	@test/xen/run

# Of the figures that make bench counted last.
charts:
	@demo/charts

conform: setup
	@$(MAKE) --no-print-directory all
	@test/conform/run

migrate: setup
	@$(MAKE) --no-print-directory all
	@test/migrate/run

soak: setup
	@$(MAKE) --no-print-directory all
	@test/soak

# With DKMS the module follows kernel updates; without it, it is installed for
# the running kernel. With DESTDIR (for packagers) only files are put in place,
# the module's as sources for DKMS.
DKMS := $(wildcard /usr/sbin/dkms)

ifneq ($(DESTDIR),)
install: install-tools install-sources
else ifneq ($(shell uname -m),aarch64)
install:
	@echo 'install: tern.ko is for arm64 machines; set DESTDIR to make a package here' >&2
	@false
else ifneq ($(DKMS),)
install: install-tools install-sources
	-$(DKMS) remove tern/$(VERSION) --all
	$(DKMS) add tern/$(VERSION)
	$(DKMS) install tern/$(VERSION)
	@echo 'Start the kernel with kvm-arm.mode=none, then: modprobe tern'
else
install: install-tools module
	install -D -m 644 build/tern.ko \
		/lib/modules/$(shell uname -r)/updates/tern.ko
	depmod
	@echo 'Start the kernel with kvm-arm.mode=none, then: modprobe tern'
endif

install-tools: tools
	install -D -m 755 build/tern $(DESTDIR)$(PREFIX)/bin/tern
	$(MAKE) -C lib install PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)
	for page in $(wildcard doc/man/*.[1-8]); do \
		section=$${page##*.}; \
		install -D -m 644 $$page \
			$(DESTDIR)$(MANDIR)/man$$section/$${page##*/} || exit 1; \
	done

install-sources:
	install -d $(DESTDIR)/usr/src/tern-$(VERSION)
	cp -r module $(wildcard uapi) dkms.conf \
		$(DESTDIR)/usr/src/tern-$(VERSION)/

clean:
	rm -rf build

.PHONY: all help module tools setup demo charts bench bench-accesses bench-work bench-xen bench-tlb \
	bench-tlb-linux guest-linux guest-linux-image test conform migrate soak install \
	install-tools install-sources clean
