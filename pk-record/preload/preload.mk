# SPDX-License-Identifier: BSD-2-Clause

# Programs without sanitizers load libpkheap.so, too. Those of musl do not start if it needs functions of glibc.
$(B)/pk-record/preload/%.o: SANFLAGS =
$(B)/pk-record/preload/%.o: LOCAL = -fPIC -fexceptions -fno-builtin -fno-lto -fno-stack-protector -U_FORTIFY_SOURCE

$(HEAP): $(call objs,pk-record/preload)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(CC) $(CFLAGS) -Wl,-z,relro -Wl,-z,now $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,-z,defs -o $@ $^ -ldl -lpthread
