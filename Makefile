# SPDX-License-Identifier: BSD-2-Clause
# GNU make and a C compiler are all this needs; "make help" lists the targets.
# Adding a source, a tool, a test or a fuzz target edits no list: wildcards find it.

.DEFAULT_GOAL = all

# One goal is built with all processors. make -j1 builds with one. Several goals are built one after the other.
ifeq ($(MAKELEVEL)$(word 2,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

VERSION   = 0.1
SOVERSION = 0

# The layers below the programs, the highest first. A file includes headers of its own layer and of
# lower ones. libpkstream contains lib/base. A layer is in lib/NAME, but "stream" is in libpkstream.
LAYERS = second report fold cli span profile field names event code dwarf symbol trace session stats stream

# Libraries that the layers need. The linker drops those that a program does not use.
EXT = -lncursesw -ltinfo -lnettle -ljansson -lbpf -lelf -ldeflate -lz -lsqlite3 -llzma -lzstd -l:libiberty.a -lm

# Variables for the command line: CC, CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS, SAN, WERROR=1, V=1, T (which tests), DESTDIR.
CFLAGS  ?= $(if $(SAN),-O1,-O2) -g

B = build$(if $(SAN),-san)$(if $(STATIC),-static)
Q = $(if $(V),,@)

WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
	-Wwrite-strings -Wvla -Wundef $(if $(WERROR),-Werror)
SANFLAGS = $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
# Hardening. The last flags are those that the compiler has for this architecture: CET on x86, BTI and PAC on arm64.
takes    = $(shell echo | $(CC) -Werror $(1) -x c -c -o /dev/null - 2>/dev/null && echo $(1))
HARDEN  := $(if $(SAN),,-fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 $(call takes,-fstack-clash-protection) \
	$(call takes,-fcf-protection) $(call takes,-mbranch-protection=standard))
# 32-bit machines: sizes of files and times have 64 bits.
BITS    := $(if $(shell echo __SIZEOF_LONG__ | $(CC) -E -P - 2>/dev/null | grep -x 4),-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64)
INCLUDE  = $(patsubst %/,-iquote %,$(sort $(wildcard lib/*/) libpkstream/))
COMPILE  = $(CC) -std=gnu11 $(WARN) -fvisibility=hidden $(INCLUDE) \
	-DPK_VERSION='"$(VERSION)"' $(HARDEN) $(BITS) $(CPPFLAGS) $(CFLAGS) $(SANFLAGS)
LINK     = $(CC) $(CFLAGS) $(SANFLAGS) -Wl,-z,relro -Wl,-z,now $(LDFLAGS) -Wl,--as-needed

TOOLS    := $(patsubst %/main.c,%,$(wildcard pk/main.c pk-*/main.c))
MAN      := $(wildcard pk/*.[1-8] pk-*/*.[1-8] lib*/*.[1-8] format/*.[1-8])

# STATIC=1: programs for machines that have nothing, into build-static/. musl-gcc has no libraries; Debian's sources do.
# pk-top and pk-export sqlite are left out.
ifdef STATIC
CC       = musl-gcc
TOOLS   := $(filter-out pk-top,$(TOOLS))
EXT      = -lnettle -ljansson -lbpf -lelf -ldeflate -lz -llzma -lzstd -l:libiberty.a -lm
CPPFLAGS += -isystem $(B)/libraries/include
CFLAGS  += -ffunction-sections -fdata-sections
LDFLAGS += -static -L$(B)/libraries/lib -Wl,--gc-sections
endif

objs = $(patsubst %.c,$(B)/%.o,$(call replaced,$(wildcard $(addsuffix /*.c,$(1)))))
replaced = $(if $(STATIC),$(1:pk-export/sqlite_store.c=static/no_sqlite.c),$(1))
layer = $(wildcard lib/$(1) libpk$(1)) $(if $(filter stream,$(1)),lib/base)
LIBS := $(LAYERS:%=$(B)/libpk%.a)
SO = $(if $(STATIC),,$(B)/libpkstream.so.$(SOVERSION))
# libpkheap.so is loaded into the programs that pk-record --heap records.
HEAP = $(if $(STATIC),,$(B)/lib/pk/libpkheap.so)

.PHONY: all demo bench deps clean help FORCE
.DELETE_ON_ERROR:
.SECONDEXPANSION:

all: $(TOOLS:%=$(B)/bin/%) $(LIBS) $(SO) $(HEAP) ## libraries and tools, into build/ (the default)

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC   $<")
	$(Q)$(COMPILE) $(LOCAL) -MMD -MP -c -o $@ $<

$(B)/lib%.o: LOCAL = -fPIC
# Tables of symbols that other versions of these files have made are not used again.
$(B)/lib/symbol/cached_table.o: $(wildcard lib/symbol/*.[ch])
$(B)/lib/symbol/cached_table.o: LOCAL = -fPIC -DPK_SYMBOL_RULES='"$(shell cat $(sort $^) | cksum)"'
$(B)/pk-plot/svg.o $(B)/pk-plot/page.o: $(wildcard pk-plot/*.css pk-plot/*.js pk-plot/page/*)
# Their assembler defines symbols. With -flto, the compiler does not know these symbols.
$(B)/pk-plot/svg.o $(B)/pk-plot/page.o: LOCAL = -fno-lto

# If a compiler or its flags change, what it compiles is built again.
$(B)/flags: export FLAGS = $(COMPILE) $(LDFLAGS)
$(B)/flags $(B)/bpf_flags: FORCE
	@mkdir -p $(@D) && { printf '%s\n' "$$FLAGS" | cmp -s - $@ || printf '%s\n' "$$FLAGS" >$@; }

$(B)/flags: $(if $(STATIC),| $(B)/libraries)
$(B)/libraries: static/libraries.sh
	$(if $(V),,@echo "  GEN  $@")
	$(Q)rm -rf $@ $@.new && CC='$(CC)' static/libraries.sh $@.new && mv $@.new $@

$(LIBS): $(B)/libpk%.a: $$(call objs,$$(call layer,$$*))
	@mkdir -p $(@D) && rm -f $@
	$(if $(V),,@echo "  AR   $@")
	$(Q)$(AR) rcs $@ $^

$(B)/libpkstream.so.$(SOVERSION): $$(call objs,$$(call layer,stream))
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(LINK) -shared -Wl,-soname,$(@F) $(if $(SAN),,-Wl,-z,defs) -o $@ $^ -lzstd $(LDLIBS)

$(B)/static/%.o: CPPFLAGS += -iquote pk-export

$(TOOLS:%=$(B)/bin/%): $(B)/bin/%: $$(call objs,$$*) $(LIBS)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(LINK) -pie -o $@ $^ $(EXT) $(LDLIBS)

# Completions for bash, zsh and fish. The programs print their options; a cross build sets HOST_BIN to a folder of programs
# that run here.
HOST_BIN = $(B)/bin
$(B)/completions/options: $(TOOLS:%=$(B)/bin/%) $(wildcard completions/*) $(MAN) docs/fields.md
	$(if $(V),,@echo "  GEN  $(@D)")
	$(Q)completions/generate.sh $(HOST_BIN) $(@D)

demo: ## records a small program and leaves demo.folded and a picture, demo.svg
	@CC='$(CC)' tests/deps.sh build
	@$(MAKE) --no-print-directory all
	@B='$(B)' CC='$(CC)' demo/demo.sh

bench: ## pk beside perf on the same input: ratios
	@CC='$(CC)' tests/deps.sh build bench
	@$(MAKE) --no-print-directory all
	@B='$(B)' CC='$(CC)' bench/run $(T)

deps: ## installs what is missing (Debian)
	@CC='$(CC)' tests/deps.sh build check lint

clean: ## all that was built
	rm -rf build build-*/ demo.folded demo.pk demo.svg

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile tests/tests.mk fuzz/fuzz.mk python/python.mk share/install.mk | expand -t 18

include pk-record/preload/preload.mk pk-record/bpf/bpf.mk python/python.mk fuzz/fuzz.mk tests/tests.mk share/install.mk
-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d)
