# SPDX-License-Identifier: BSD-2-Clause
# GNU make and a C compiler are all this needs; "make help" lists the targets.
# Adding a source, a tool, a test or a fuzz target edits no list: wildcards find it.

.DEFAULT_GOAL = all

VERSION   = 0.1
SOVERSION = 0

# The layers below the programs, the highest first. A file includes headers of its own layer and of
# lower ones. libpkstream contains lib/base. A layer is in lib/NAME, but "stream" is in libpkstream.
LAYERS = report fold cli span profile field names event code dwarf symbol trace session stream

# Libraries that the layers need. The linker drops those that a program does not use.
EXT = -lncursesw -ltinfo -ljansson -lbpf -lelf -ldeflate -lz -lsqlite3 -llzma -lzstd -l:libiberty.a -lm

# Variables for the command line: CC, CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS, SAN, WERROR=1, V=1, T (which tests), DESTDIR.
CFLAGS  ?= -O2 -g
PREFIX   = /usr/local
bindir     = $(PREFIX)/bin
libdir     = $(PREFIX)/lib
includedir = $(PREFIX)/include
mandir     = $(PREFIX)/share/man
datadir    = $(PREFIX)/share/pk
bashdir    = $(PREFIX)/share/bash-completion/completions
zshdir     = $(PREFIX)/share/zsh/site-functions
fishdir    = $(PREFIX)/share/fish/vendor_completions.d

B = build$(if $(SAN),-san)$(if $(STATIC),-static)
Q = $(if $(V),,@)

WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
	-Wwrite-strings -Wvla -Wundef $(if $(WERROR),-Werror)
SANFLAGS = $(if $(SAN),-O1 -fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
# Hardening. The last flags are those that the compiler has for this architecture: CET on x86, BTI and PAC on arm64.
takes    = $(shell echo | $(CC) -Werror $(1) -x c -c -o /dev/null - 2>/dev/null && echo $(1))
HARDEN  := $(if $(SAN),,-fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 $(call takes,-fstack-clash-protection) \
	$(call takes,-fcf-protection) $(call takes,-mbranch-protection=standard))
# 32-bit machines: sizes of files and times have 64 bits.
BITS    := $(if $(shell echo __SIZEOF_LONG__ | $(CC) -E -P - | grep -x 4),-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64)
INCLUDE  = $(patsubst %/,-iquote %,$(sort $(wildcard lib/*/) libpkstream/))
COMPILE  = $(CC) -std=gnu11 $(WARN) -fvisibility=hidden $(INCLUDE) \
	-DPK_VERSION='"$(VERSION)"' $(HARDEN) $(BITS) $(CPPFLAGS) $(CFLAGS) $(SANFLAGS)
LINK     = $(CC) $(CFLAGS) $(SANFLAGS) -Wl,-z,relro -Wl,-z,now $(LDFLAGS) -Wl,--as-needed

TOOLS    := $(patsubst %/main.c,%,$(wildcard pk/main.c pk-*/main.c))
UNIT     := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
FUZZ     := $(patsubst fuzz/fuzz_%.c,%,$(wildcard fuzz/fuzz_*.c))
DRIVERS  := $(wildcard tests/faults/drive_*.c)
HELPERS  := $(patsubst %.c,%,$(wildcard tests/live/*.c tests/long/*.c) $(DRIVERS))
SHIMS    := $(patsubst %.c,%.so,$(filter-out $(DRIVERS),$(wildcard tests/faults/*.c)))
HEADERS  := $(wildcard libpkstream/pkstream.h libpkstream/*_abi.h)
SHARE    := $(wildcard share/pk/*)
FLEET    := $(filter-out fleet/check.sh fleet/check_units.sh,$(filter-out $(patsubst %/,%,$(wildcard fleet/*/)),$(wildcard fleet/* fleet/*/*)))
MAN      := $(wildcard pk/*.[1-8] pk-*/*.[1-8] lib*/*.[1-8] format/*.[1-8])

# STATIC=1: programs for machines that have nothing, into build-static/. musl-gcc has no libraries; Debian's sources do.
ifdef STATIC
CC       = musl-gcc
TOOLS   := pk-record pk-inject pk-merge-callchains
# Layers of these programs, and those that lib/cli includes.
LAYERS   = report cli profile field names event dwarf symbol trace session stream
EXT      = -ljansson -lbpf -lelf -ldeflate -lz -llzma -lzstd -l:libiberty.a -lm
CPPFLAGS += -isystem $(B)/libraries/include
CFLAGS  += -ffunction-sections -fdata-sections
LDFLAGS += -static -L$(B)/libraries/lib -Wl,--gc-sections
endif

objs = $(patsubst %.c,$(B)/%.o,$(wildcard $(addsuffix /*.c,$(1))))
layer = $(wildcard lib/$(1) libpk$(1)) $(if $(filter stream,$(1)),lib/base)
LIBS := $(LAYERS:%=$(B)/libpk%.a)
TOOL_OBJS = $(filter-out %/main.o,$(call objs,pk pk-*))
SO = $(if $(STATIC),,$(B)/libpkstream.so.$(SOVERSION))

# The extension of Python: built where PYTHON has the headers of C. `make` alone does not need them.
PYTHON  ?= python3
PYSOURCE = import os, sysconfig; path = sysconfig.get_paths()["include"]; print(path if os.path.exists(path + "/Python.h") else "")
PYHEADERS = $(shell $(PYTHON) -c '$(PYSOURCE)' 2>/dev/null)
PYMODULE = $(B)/python/pkstream
# Where PYTHON looks for modules, as pip installs them.
pythondir ?= $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("platlib"))')

.PHONY: all tests python check check-all check-long check-bare check-packages check-static check-cross check-vm fleet-check lint demo bench fuzz fuzz-all fuzz-replay fuzzers install install-python uninstall uninstall-python dist deb rpm deps html clean help FORCE
.DELETE_ON_ERROR:
.SECONDEXPANSION:

all: $(TOOLS:%=$(B)/bin/%) $(LIBS) $(SO) ## libraries and tools, into build/ (the default)

tests: all python $(UNIT:%=$(B)/tests/%) $(FUZZ:%=$(B)/fuzz/replay_%) $(HELPERS:%=$(B)/%) $(SHIMS:%=$(B)/%) \
	$(B)/format/mkvectors $(B)/tests/sweep/sweep $(B)/tests/assemble/assemble $(B)/completions/options

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC   $<")
	$(Q)$(COMPILE) $(LOCAL) -MMD -MP -c -o $@ $<

$(B)/lib%.o: LOCAL = -fPIC
$(B)/tests/unit/%.o: LOCAL = $(addprefix -I,$(TOOLS)) -Itests/unit
$(B)/fuzz/%.o: LOCAL = $(addprefix -I,$(TOOLS))
$(B)/tests/assemble/%.o: LOCAL = -Ipk-script
$(B)/tests/sweep/%.o: LOCAL = $(if $(SAN),-fno-sanitize=all)
$(B)/tests/faults/%.o: LOCAL = -fPIC -fvisibility=default $(if $(BITS),-U_FILE_OFFSET_BITS -U_TIME_BITS) $(if $(SAN),-fno-sanitize=all)

$(B)/python/%.o: LOCAL = -fPIC -Wno-write-strings -isystem $(PYHEADERS)

$(B)/pk-plot/svg.o: $(wildcard pk-plot/*.css pk-plot/*.js)

# BPF programs of pk-record, in the byte order of the machine. Without clang the objects are empty, and pk-record says so.
BPF_CLANG ?= clang
BPF_STRIP = $(or $(shell command -v llvm-strip || ls /usr/bin/llvm-strip-* 2>/dev/null | tail -n 1),:)
BPF_FLAGS = -target bpf$(if $(shell echo __BYTE_ORDER__ | $(CC) -E -P - | grep -x 4321),eb,el) -mcpu=v3 -std=gnu11 -ffreestanding -O2 -g -Wall -Wextra \
	$(if $(WERROR),-Werror) -idirafter /usr/include/$(shell $(CC) -print-multiarch) -I/usr/include
BPF_OBJECTS = $(patsubst %.c,$(B)/%.o,$(wildcard pk-record/bpf/*.bpf.c))

$(BPF_OBJECTS): $(B)/%.o: %.c $(B)/bpf_flags
	@mkdir -p $(@D)
	$(if $(V),,@echo "  BPF  $<")
	$(Q)if command -v $(BPF_CLANG) >/dev/null; then \
		$(BPF_CLANG) $(BPF_FLAGS) -MMD -MP -c -o $@ $< && $(BPF_STRIP) -g $@; \
	else \
		echo "$<: left out: no clang" >&2; : >$@; \
	fi

$(B)/pk-record/bpf_own.o: $(BPF_OBJECTS)
$(B)/pk-record/bpf_own.o: LOCAL = -DBPF_OBJECTS='"$(B)/pk-record/bpf/"'

# If a compiler or its flags change, what it compiles is built again.
$(B)/flags: export FLAGS = $(COMPILE) $(LDFLAGS)
$(B)/bpf_flags: export FLAGS = $(shell command -v $(BPF_CLANG)) $(BPF_FLAGS)
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

python: $(if $(PYHEADERS),$(PYMODULE)/_pkstream.abi3.so) ## the extension pkstream of Python, into build/python/

$(PYMODULE)/_pkstream.abi3.so: $$(call objs,python/src) $(LIBS) $(wildcard python/pkstream/*)
	@mkdir -p $(@D) && cp $(wildcard python/pkstream/*) $(@D)
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(LINK) -shared -Wl,--exclude-libs,ALL -o $@ $(filter %.o %.a,$^) $(EXT) $(LDLIBS)

# Unit tests and fuzz targets are linked with all libraries, and with all files of the programs but
# main.c.
$(B)/tests/tools.a: $$(TOOL_OBJS)
	@mkdir -p $(@D) && rm -f $@
	$(Q)$(AR) rcs $@ $^

$(UNIT:%=$(B)/tests/%): $(B)/tests/%: $(B)/tests/unit/%.o $(B)/tests/tools.a $(LIBS)
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(LINK) -o $@ $^ -lcheck -lsubunit $(EXT) -lrt -lpthread $(LDLIBS)

# Programs that the scripts in tests/live, tests/long and tests/faults run, and libraries that those in
# tests/faults preload.
$(HELPERS:%=$(B)/%): %: %.o $(B)/libpkstream.a
	$(Q)$(LINK) -o $@ $^ -lzstd -lm -lpthread $(LDLIBS)

$(SHIMS:%=$(B)/%): %.so: %.o
	$(Q)$(CC) $(LDFLAGS) -shared -o $@ $^ -ldl

$(B)/format/mkvectors: $$(call objs,format/vectors)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# Converts text in the layout of pk-script --dump to streams.
$(B)/tests/assemble/assemble: $$(call objs,tests/assemble) $(B)/tests/tools.a $(LIBS)
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(LINK) -o $@ $^ $(EXT) $(LDLIBS)

# Runs a program repeatedly. In each run, another system call or allocation fails.
$(B)/tests/sweep/sweep: $$(call objs,tests/sweep)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(FUZZ:%=$(B)/fuzz/replay_%): $(B)/fuzz/replay_%: $(B)/fuzz/replay.o $(B)/fuzz/fuzz_%.o $(B)/tests/tools.a $(LIBS)
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(LINK) -o $@ $^ $(EXT) $(LDLIBS)

$(FUZZ:%=$(B)/fuzz/fuzz_%): $(B)/fuzz/fuzz_%: $(B)/fuzz/fuzz_%.o $(B)/tests/tools.a $(LIBS)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $^ $(EXT) $(LDLIBS)

fuzzers: $(FUZZ:%=$(B)/fuzz/fuzz_%)

check: ## all tests (T="fold order": only those whose name has one of these words)
	@CC='$(CC)' tests/deps.sh build check
	@$(MAKE) --no-print-directory tests
	@B='$(B)' SAN='$(SAN)' tests/run.sh -lint/ -long/ $(T)

check-long: ## the tests that take longer than the others together (tests/long)
	@CC='$(CC)' tests/deps.sh build check
	@$(MAKE) --no-print-directory tests
	@B='$(B)' SAN='$(SAN)' tests/run.sh $(or $(T:%=long/%),long/)

check-all: ## everything: lint, check with and without sanitizers, check-long, check-vm, check-static, check-bare (root)
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory check
	@$(MAKE) --no-print-directory SAN=address,undefined check
	@$(MAKE) --no-print-directory check-long
	@$(MAKE) --no-print-directory check-vm
	@$(MAKE) --no-print-directory check-static
	@$(MAKE) --no-print-directory check-bare

lint: ## layers, sizes, formatting, manual pages, warnings of gcc and clang
	@CC='$(CC)' tests/deps.sh build check lint
	@$(MAKE) --no-print-directory all
	@B='$(B)' MAKE='$(MAKE)' tests/run.sh $(or $(T:%=lint/%),lint/)

demo: ## records a small program and leaves demo.folded and a picture, demo.svg
	@CC='$(CC)' tests/deps.sh build
	@$(MAKE) --no-print-directory all
	@B='$(B)' CC='$(CC)' demo/demo.sh

bench: ## pk beside perf on the same input: ratios
	@CC='$(CC)' tests/deps.sh build bench
	@$(MAKE) --no-print-directory all
	@B='$(B)' CC='$(CC)' bench/run $(T)

fuzz: ## every fuzz target for FUZZ_SECONDS=60 (needs clang)
	@CC=clang tests/deps.sh build
	@$(MAKE) --no-print-directory CC=clang SAN=fuzzer-no-link,address,undefined B=build-fuzz fuzzers
	@B=build-fuzz fuzz/run.sh $(T)

fuzz-all: ## the same, and a table of executions and of the lines of the parsers that were reached
	@CC=clang tests/deps.sh build fuzz
	@$(MAKE) --no-print-directory fuzz
	@$(MAKE) --no-print-directory CC=clang HARDEN= B=build-coverage LDFLAGS=-fprofile-instr-generate \
		CFLAGS='-O1 -g -fprofile-instr-generate -fcoverage-mapping' fuzz-replay
	@fuzz/coverage.sh build-fuzz build-coverage

fuzz-replay: $(FUZZ:%=$(B)/fuzz/replay_%)

check-bare: ## make demo, make check and the Python package in a fresh Debian with only git and make (root, debootstrap)
	@tests/bare.sh
	@tests/bare.sh tests/bare_python.sh

check-packages: ## builds, checks, installs, uses and purges the Debian packages in fresh Debian 12 and sid (root, debootstrap)
	@tests/packages.sh $(T)

check-static: all ## make STATIC=1, and its programs in an empty chroot (root, musl-tools, dpkg-dev; skipped without)
	@B='$(B)' MAKEFLAGS= tests/static.sh || [ $$? = 77 ]

check-cross: all ## arm64, s390x, armhf, riscv64 under qemu-user; clang, musl; streams of each read by all (root, debootstrap; T="s390x clang")
	@B='$(B)' CC='$(CC)' MAKEFLAGS= tests/cross.sh $(T) || [ $$? = 77 ]

check-vm: ## deferred callchains on a kernel that has them: qemu, Debian sid's kernel (skipped where they cannot be had)
	@CC='$(CC)' tests/deps.sh build; tests/deps.sh vm || :
	@$(MAKE) --no-print-directory all
	@B='$(B)' CC='$(CC)' tests/vm/check.sh || [ $$? = 77 ]

fleet-check: all ## runs the units in a container; loads into SQLite and ClickHouse, also with Slurm and replicas (installs them)
	@B='$(B)' fleet/check_units.sh
	@B='$(B)' fleet/check.sh

deps: ## installs what is missing (Debian)
	@CC='$(CC)' tests/deps.sh build check lint

install: all $(B)/completions/options ## PREFIX=/usr/local, DESTDIR
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(libdir)/pkgconfig $(DESTDIR)$(includedir)
	$(if $(TOOLS),install $(TOOLS:%=$(B)/bin/%) $(DESTDIR)$(bindir))
	install -m 644 $(HEADERS) $(DESTDIR)$(includedir)
	install -m 644 $(B)/libpkstream.a $(SO) $(DESTDIR)$(libdir)
	ln -sf libpkstream.so.$(SOVERSION) $(DESTDIR)$(libdir)/libpkstream.so
	sed -e 's|@prefix@|$(PREFIX)|' -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' \
		-e 's|@version@|$(VERSION)|' pkstream.pc.in >$(DESTDIR)$(libdir)/pkgconfig/pkstream.pc
	install -D -m 644 -t $(DESTDIR)$(datadir) $(SHARE)
	for f in $(FLEET); do install -D -m $$([ -x $$f ] && echo 755 || echo 644) $$f $(DESTDIR)$(datadir)/$$f || exit; done
	cd $(DESTDIR)$(datadir)/fleet && sed -i -e 's|/usr/local/bin|$(bindir)|' -e 's|/usr/local/lib/pk|$(datadir)|' *.service
	install -D -m 644 -t $(DESTDIR)$(bashdir) $(B)/completions/bash/pk
	for t in $(filter-out pk,$(TOOLS)); do ln -sf pk $(DESTDIR)$(bashdir)/$$t || exit; done
	install -D -m 644 -t $(DESTDIR)$(zshdir) $(B)/completions/zsh/_pk
	install -D -m 644 -t $(DESTDIR)$(fishdir) $(TOOLS:%=$(B)/completions/fish/%.fish)
	for m in $(MAN); do install -D -m 644 $$m $(DESTDIR)$(mandir)/man$${m##*.}/$${m##*/} || exit; done

install-python: python ## the package pkstream where PYTHON looks for modules: pythondir=, DESTDIR
	install -d $(DESTDIR)$(pythondir)/pkstream
	install -m 644 $(wildcard python/pkstream/*) $(PYMODULE)/_pkstream.abi3.so $(DESTDIR)$(pythondir)/pkstream

uninstall-python: ## what install-python has put there
	$(if $(pythondir),rm -rf $(DESTDIR)$(pythondir)/pkstream)

uninstall: ## what install has put there
	cd $(DESTDIR)$(bindir) && rm -f $(TOOLS)
	cd $(DESTDIR)$(includedir) && rm -f $(notdir $(HEADERS))
	cd $(DESTDIR)$(libdir) && rm -f libpkstream.a libpkstream.so libpkstream.so.$(SOVERSION) pkgconfig/pkstream.pc
	cd $(DESTDIR)$(datadir) && rm -f $(notdir $(SHARE)) $(FLEET)
	cd $(DESTDIR)$(bashdir) && rm -f $(TOOLS)
	rm -f $(DESTDIR)$(zshdir)/_pk $(TOOLS:%=$(DESTDIR)$(fishdir)/%.fish)
	for m in $(MAN); do rm -f $(DESTDIR)$(mandir)/man$${m##*.}/$${m##*/}; done

# The commit alone determines the bytes. Changes that are not committed are left out.
dist: ## build/pk-VERSION.tar.gz: the sources of the last commit, reproducible
	@mkdir -p $(B)
	@git diff --quiet HEAD || echo "make dist: changes that are not committed are left out" >&2
	git -c tar.umask=0022 archive --prefix=pk-$(VERSION)/ -o $(B)/pk-$(VERSION).tar HEAD
	gzip -9 -n -f $(B)/pk-$(VERSION).tar

deb: dist ## Debian packages in build/deb/, from make dist
	rm -rf $(B)/deb && mkdir -p $(B)/deb
	tar -xzf $(B)/pk-$(VERSION).tar.gz -C $(B)/deb
	cd $(B)/deb/pk-$(VERSION) && SOURCE_DATE_EPOCH=$$(git -C $(CURDIR) log -1 --format=%ct) \
		env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS dpkg-buildpackage -us -uc $(DEB_OPTIONS)
	rm -rf $(B)/deb/pk-$(VERSION)

rpm: dist ## packages of RPM in build/rpm/, from make dist
	rm -rf $(B)/rpm && mkdir -p $(B)/rpm
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS \
		rpmbuild -ta --define '_topdir $(CURDIR)/$(B)/rpm' $(RPM_OPTIONS) $(B)/pk-$(VERSION).tar.gz

html: ## manual pages and documentation as a static site, build/html/index.html; a dead link is an error
	@CC='$(CC)' tests/deps.sh html
	@rm -rf $(B)/html
	$(Q)perl docs/html.pl $(B)/html $(wildcard *.md */*.md) $(MAN)

clean: ## all that was built
	rm -rf build build-*/ demo.folded demo.pk demo.svg

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d)
