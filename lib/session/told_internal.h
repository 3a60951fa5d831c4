/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TOLD_INTERNAL_H
#define TOLD_INTERNAL_H

#include "session_internal.h"

struct pk_told_image {
	struct pk_told_image *next;
	uint32_t kind; /* enum pk_dso_kind */
	const char *path;
	const char *module;	  /* a kernel module's name, without brackets; NULL: it is none */
	struct pk_space *symbols; /* NULL: none so far */
	struct pk_table sources;  /* by address: struct pk_told_source */
};

/* The image is first, so that a map can refer to it. */
struct pk_told_symbol {
	struct pk_image image;
	const struct pk_told_image *of;
	struct pk_told_symbol *next;
};

/* Takes in IMAGE, SYMBOLS, SOURCE and FORGET; ignores others. */
enum pk_status pk_told_record(struct pk_told *told, const struct pk_record *record);
/* Forgets all but which ids were used. */
void pk_told_clear(struct pk_told *told);

#endif
