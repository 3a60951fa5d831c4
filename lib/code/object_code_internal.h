/* SPDX-License-Identifier: BSD-2-Clause */
/* Between the files of object_code. */
#ifndef PK_OBJECT_CODE_INTERNAL_H
#define PK_OBJECT_CODE_INTERNAL_H

#include "object_code.h"
#include "object.h"

enum { PK_KCORE_SEGMENTS = 256 };

struct pk_kcore {
	int fd; /* -1: not open */
	size_t count;
	struct pk_elf_segment segments[PK_KCORE_SEGMENTS];
};

/* Where code of one kind begins. */
struct pk_mapping {
	uint64_t at;
	char kind;
};

struct pk_machine_code {
	struct pk_object *object;
	enum pk_object_state state;
	char *source;
	struct pk_machine machine;
	/* One of these, by the kind of the object: */
	struct pk_elf *elf;    /* a file, or vmlinux */
	struct pk_kcore kcore; /* the running kernel */
	int dump;	       /* a jitdump; -1: not open */
	uint8_t *bytes;	       /* with no object */
	uint64_t start, size;  /* of them */
	/* Its pieces of code, in two orders; made when they are first asked for. */
	struct pk_code *by_offset, *by_address;
	size_t codes_count;
	/* vmlinux: to be added to an address */
	uint64_t shift;
	struct pk_mapping *mappings; /* by address */
	size_t mappings_count;
	bool mappings_read;
};

/* True: it is the memory of this machine, and can be read. */
bool pk_kcore_open(struct pk_kcore *kcore, struct pk_machine *machine,
		   struct pk_failures *failures);
size_t pk_kcore_read(const struct pk_kcore *kcore, uint64_t address, void *to, size_t size,
		     struct pk_failures *failures);

/* Of a jitdump: the piece of code that the byte at an offset is in, and what was loaded last at an
 * address. NULL: none. */
const struct pk_code *pk_code_at_offset(struct pk_machine_code *c, uint64_t offset);
const struct pk_code *pk_code_at_address(struct pk_machine_code *c, uint64_t address);

#endif
