# SPDX-License-Identifier: BSD-2-Clause

FUZZ     := $(patsubst fuzz/fuzz_%.c,%,$(wildcard fuzz/fuzz_*.c))

.PHONY: fuzz fuzz-all fuzz-replay fuzzers

$(B)/fuzz/%.o: LOCAL = $(addprefix -I,$(TOOLS))

$(FUZZ:%=$(B)/fuzz/replay_%): $(B)/fuzz/replay_%: $(B)/fuzz/replay.o $(B)/fuzz/fuzz_%.o $(B)/tests/tools.a $(LIBS)
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(LINK) -o $@ $^ $(EXT) $(LDLIBS)

$(FUZZ:%=$(B)/fuzz/fuzz_%): $(B)/fuzz/fuzz_%: $(B)/fuzz/fuzz_%.o $(B)/tests/tools.a $(LIBS)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $^ $(EXT) $(LDLIBS)

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

fuzzers: $(FUZZ:%=$(B)/fuzz/fuzz_%)
