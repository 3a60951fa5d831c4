# SPDX-License-Identifier: BSD-2-Clause

UNIT     := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
DRIVERS  := $(wildcard tests/faults/drive_*.c)
HELPERS  := $(patsubst %.c,%,$(wildcard tests/live/*.c tests/long/*.c) $(DRIVERS))
SHIMS    := $(patsubst %.c,%.so,$(filter-out $(DRIVERS),$(wildcard tests/faults/*.c)))
TOOL_OBJS = $(filter-out %/main.o,$(call objs,pk pk-*))

$(B)/tests/unit/%.o: LOCAL = $(addprefix -I,$(TOOLS)) -Itests/unit
# This test reads its own code and debug information.
$(B)/tests/unit/test_flow.o: LOCAL = -Itests/unit $(if $(SAN),-O1 -g)
$(B)/tests/assemble/%.o: LOCAL = -Ipk-script
$(B)/tests/sweep/%.o: LOCAL = $(if $(SAN),-fno-sanitize=all)
$(B)/tests/faults/%.o: LOCAL = -fPIC -fvisibility=default $(if $(BITS),-U_FILE_OFFSET_BITS -U_TIME_BITS) $(if $(SAN),-fno-sanitize=all)

.PHONY: tests scripts check check-all check-long check-bare check-packages check-static check-cross check-vm fleet-check lint

tests: scripts $(UNIT:%=$(B)/tests/%) $(FUZZ:%=$(B)/fuzz/replay_%)

# What the tests need that are scripts.
scripts: all python $(HELPERS:%=$(B)/%) $(SHIMS:%=$(B)/%) $(B)/format/mkvectors $(B)/tests/sweep/sweep \
	$(B)/tests/assemble/assemble $(B)/completions/options

# Unit tests and fuzz targets are linked with all libraries, and with all files of the programs but
# main.c.
$(B)/tests/tools.a: $$(TOOL_OBJS)
	@mkdir -p $(@D) && rm -f $@
	$(Q)$(AR) rcsT $@ $^

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

check: ## all tests (T="fold order": only those whose name has one of these words)
	@CC='$(CC)' tests/deps.sh build check
	@$(MAKE) --no-print-directory $$(B='$(B)' tests/run.sh --targets -lint/ -long/ $(if $(filter-out -%,$(T)),,-@long) $(T))
	@B='$(B)' SAN='$(SAN)' tests/run.sh -lint/ -long/ $(if $(filter-out -%,$(T)),,-@long) $(T)

check-long: ## the tests that take longer than the others together (tests/long)
	@CC='$(CC)' tests/deps.sh build check
	@$(MAKE) --no-print-directory scripts
	@B='$(B)' SAN='$(SAN)' tests/run.sh $(or $(T:%=long/%),long/ @long)

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

check-bare: ## make demo, make check and the Python package in a fresh Debian with only git and make (root, debootstrap)
	@tests/bare.sh
	@tests/bare.sh tests/bare_python.sh

check-packages: ## builds, checks, installs, uses and purges the Debian packages in fresh Debian 12 and sid (root, debootstrap)
	@tests/packages.sh $(T)

check-static: all ## make dist-static, and its programs in an empty chroot (root, musl-tools, dpkg-dev; skipped without)
	@B='$(B)' MAKEFLAGS= tests/static.sh || [ $$? = 77 ]

check-cross: all ## arm64, s390x, armhf, riscv64 under qemu-user; clang, musl; streams of each read by all (root, debootstrap; T="s390x clang")
	@B='$(B)' CC='$(CC)' MAKEFLAGS= tests/cross.sh $(T) || [ $$? = 77 ]

check-vm: ## other kernels in qemu, those of Debian sid and bookworm (T=bookworm: one of them; skipped where they cannot be had)
	@CC='$(CC)' tests/deps.sh build; tests/deps.sh vm || :
	@$(MAKE) --no-print-directory all
	@B='$(B)' CC='$(CC)' tests/vm/check.sh $(T) || [ $$? = 77 ]

fleet-check: all ## runs the units in a container; loads into SQLite and ClickHouse, also with Slurm and replicas (installs them)
	@B='$(B)' fleet/check_units.sh
	@B='$(B)' fleet/check.sh
