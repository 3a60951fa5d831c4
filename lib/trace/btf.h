/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_BTF_H
#define PK_BTF_H

/* BTF: the types of a BPF object (section .BTF), in host byte order. */

#include "raw_format.h"

struct pk_btf;

/* Reads the types. The data is borrowed. NULL: malformed or, with errno ENOMEM, out of memory. */
struct pk_btf *pk_btf_open(const void *data, size_t size);
void pk_btf_free(struct pk_btf *btf);

/* The type of a struct; 0: there is none of this name. */
uint32_t pk_btf_find_struct(const struct pk_btf *btf, const char *name);

/* A global variable, and its place in a section of the object, such as ".rodata". */
struct pk_btf_variable {
	const char *section;
	uint32_t offset, size;
	uint32_t type;
};
/* False: there is none of this name. */
bool pk_btf_find_variable(const struct pk_btf *btf, const char *name,
			  struct pk_btf_variable *variable);

/* Describes a type: a struct or union by its members and those of its members, whose names are
 * joined by "_"; another type as one field of this name. Bit-fields, members without a size and
 * floating-point numbers are left out. False: the type is malformed, or larger than
 * PK_BTF_SIZE_MAX. */
#define PK_BTF_SIZE_MAX 65535u
bool pk_btf_describe(const struct pk_btf *btf, uint32_t type, const char *name,
		     struct pk_raw_layout *layout);

#endif
