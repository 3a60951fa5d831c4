/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the line tables of units (DWARF 5, 6.2). */
#ifndef PK_DWARF_LINE_H
#define PK_DWARF_LINE_H

#include "dwarf_unit.h"

/* A row of the line table. */
struct pk_line {
	uint64_t address;
	uint32_t line; /* PK_LINE_END if no line covers the addresses from this address up to the
			* next row */
	uint32_t file;
	uint32_t column;
	uint32_t discriminator; /* distinguishes the blocks of code of one line */
};
#define PK_LINE_END UINT32_MAX

/* The line table of a unit. */
struct pk_lines {
	struct pk_line *rows;
	size_t count, room;
	struct pk_line_file *files;
	size_t file_count;
	struct pk_form_value *dirs;
	size_t dir_count;
	char **paths; /* The paths of files. The index is the number of the file. A path is NULL
		       * until it is first used. */
	uint16_t version;
};

struct pk_line_file {
	struct pk_form_value name;
	uint64_t dir;
};

/* pk_unit_lines() returns the lines of a unit, and reads them when they are first used (dwarf.c).
 * It returns NULL if there are no lines, or if they could not be read. */
struct pk_lines *pk_unit_lines(struct pk_unit *unit);
struct pk_lines *pk_lines_read(struct pk_unit *unit);
/* Like pk_lines_read(), but returns only the rows that start a statement (is_stmt). If several of
 * these rows have the same address, returns all of them. */
struct pk_lines *pk_statements_read(struct pk_unit *unit);
void pk_lines_free(struct pk_lines *l);
/* Returns the row of an address, or NULL if no line covers the address. */
const struct pk_line *pk_lines_find(const struct pk_lines *l, uint64_t address);
/* Returns the path of a file, joined with its folder and the working directory of the compiler.
 * `file` is its number in rows and in DW_AT_call_file. Returns NULL if there is no such file, or if
 * memory is exhausted. */
const char *pk_lines_path(struct pk_unit *unit, struct pk_lines *l, uint64_t file);

#endif
