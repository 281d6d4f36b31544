# SPDX-License-Identifier: GPL-2.0
# How the programs of a folder of tests are built: static arm64 programs in
# build/test/FOLDER, those that are no tests (TOOLS) in build/test/tools.
# Included by that folder's Makefile, which may set TOOLS, and EXTRA: more to
# link with each.

FOLDER := $(notdir $(CURDIR))
TOP := $(abspath ../..)
OUT := $(TOP)/build/test/$(FOLDER)
TOOLS_OUT := $(TOP)/build/test/tools
OBJ := $(TOP)/build/test/obj/$(FOLDER)

ifneq ($(shell uname -m),aarch64)
CROSS_COMPILE ?= aarch64-linux-gnu-
endif
CC := $(CROSS_COMPILE)gcc
STRIP := $(CROSS_COMPILE)strip

CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror -pthread -MMD -MP \
	  -I. -I$(TOP)/test/abi -I$(TOP)/cli
LDFLAGS := -static -pthread

SHARED := $(OBJ)/shared/lib.o $(OBJ)/shared/vm.o $(EXTRA)
NAMES := $(filter-out lib,$(basename $(sort $(wildcard *.c))))
TESTS := $(filter-out $(TOOLS),$(NAMES))

all: $(TESTS:%=$(OUT)/%) $(TOOLS:%=$(TOOLS_OUT)/%)
	@cd $(OUT) && for old in *; do \
		case ' $(TESTS) ' in *" $$old "*) ;; *) rm -f "$$old" ;; esac; \
	done

define link
@mkdir -p $(@D)
$(CC) $(LDFLAGS) -o $@ $^
@$(STRIP) $@
endef

$(OUT)/%: $(OBJ)/%.o $(SHARED)
	$(link)

$(TOOLS_OUT)/%: $(OBJ)/%.o $(SHARED)
	$(link)

$(OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

$(OBJ)/shared/lib.o: $(TOP)/test/abi/lib.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

$(OBJ)/shared/vm.o: $(TOP)/cli/vm.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

clean:
	rm -rf $(OUT) $(OBJ)

.PHONY: all clean
.SECONDARY:

-include $(wildcard $(OBJ)/*.d $(OBJ)/shared/*.d)
