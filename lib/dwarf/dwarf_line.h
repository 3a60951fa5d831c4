/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a unit (DWARF 5, 6.2). */
#ifndef PK_DWARF_LINE_H
#define PK_DWARF_LINE_H

#include "dwarf_unit.h"

struct pk_line {
	uint64_t address;
	uint32_t line; /* PK_LINE_END: the lines from this address on are unknown */
	uint32_t file;
	uint32_t column;
};
#define PK_LINE_END UINT32_MAX

struct pk_lines {
	struct pk_line *rows;
	size_t count, room;
	struct pk_line_file *files;
	size_t file_count;
	struct pk_form_value *dirs;
	size_t dir_count;
	char **paths; /* by number of the file; each is built on first use */
	uint16_t version;
};

struct pk_line_file {
	struct pk_form_value name;
	uint64_t dir;
};

/* The lines of a unit, read on first use (dwarf.c). Returns NULL if there are none, or they could
 * not be read. */
struct pk_lines *pk_unit_lines(struct pk_unit *unit);
struct pk_lines *pk_lines_read(struct pk_unit *unit);
/* The same, but all rows of statements, also several at one address, and no others. */
struct pk_lines *pk_statements_read(struct pk_unit *unit);
void pk_lines_free(struct pk_lines *l);
/* The row of an address, or NULL if no line covers the address. */
const struct pk_line *pk_lines_find(const struct pk_lines *l, uint64_t address);
/* The path of a file, joined with its folder and the compiler's working directory. file is its
 * number in rows and in DW_AT_call_file. Returns NULL if there is no such file, or memory is
 * exhausted. */
const char *pk_lines_path(struct pk_unit *unit, struct pk_lines *l, uint64_t file);

#endif
