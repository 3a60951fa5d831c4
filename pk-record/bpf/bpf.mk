# SPDX-License-Identifier: BSD-2-Clause

# BPF programs of pk-record, in the byte order of the machine. Without clang the objects are empty, and pk-record says so.
BPF_CLANG ?= clang
BPF_STRIP = $(or $(shell command -v llvm-strip || ls /usr/bin/llvm-strip-* 2>/dev/null | tail -n 1),:)
BPF_FLAGS = -target bpf$(if $(shell echo __BYTE_ORDER__ | $(CC) -E -P - | grep -x 4321),eb,el) -mcpu=v3 -std=gnu11 -ffreestanding -O2 -g -Wall -Wextra \
	$(if $(WERROR),-Werror) -idirafter /usr/include/$(shell $(CC) -print-multiarch) -I/usr/include -iquote lib/dwarf \
	-DHOST_$(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
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
$(B)/pk-record/bpf_own.o: LOCAL = -fno-lto -DBPF_OBJECTS='"$(B)/pk-record/bpf/"'

$(B)/bpf_flags: export FLAGS = $(shell command -v $(BPF_CLANG)) $(BPF_FLAGS)
