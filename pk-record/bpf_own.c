// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "bpf_library.h"

/* The assembler copies the compiled objects of pk-record/bpf into the program. The Makefile defines
 * BPF_OBJECTS, and knows that the object file of this source depends on them. Without clang, the
 * compiled objects are empty. */
#define EMBED(name)                                                                                \
	__asm__(".pushsection .rodata\n.balign 8\n" #name                                          \
		"_bpf_begin:\n.incbin \"" BPF_OBJECTS #name ".bpf.o\"\n" #name                     \
		"_bpf_end:\n.popsection\n");                                                       \
	extern const char name##_bpf_begin[] __attribute__((visibility("hidden")));                \
	extern const char name##_bpf_end[] __attribute__((visibility("hidden")))

EMBED(offcpu);
EMBED(strings);
EMBED(unwind);

static const struct own {
	const char *name, *begin, *end;
} objects[] = {
	{"offcpu", offcpu_bpf_begin, offcpu_bpf_end},
	{"strings", strings_bpf_begin, strings_bpf_end},
	{"unwind", unwind_bpf_begin, unwind_bpf_end},
};

struct bpf_library *bpf_library_open_own(const char *name, const struct bpf_owner *owner,
					 struct pk_messages *messages)
{
	const struct own *own = objects;

	while (strcmp(own->name, name) != 0)
		own++;
	if (own->begin == own->end) {
		pk_messages_error(
			messages,
			"%s: pk-record was built without clang, which compiles its BPF "
			"programs: record %s instead, or install clang and build pk again",
			owner->option, owner->instead);
		return NULL;
	}
	return bpf_library_open(own->begin, (size_t)(own->end - own->begin), owner, messages);
}
