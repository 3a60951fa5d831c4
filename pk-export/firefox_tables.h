/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIREFOX_TABLES_H
#define FIREFOX_TABLES_H

/* The tables of a profile of the Firefox Profiler that all threads share: stacks, frames,
 * functions, native symbols, objects (resources and libs), source files and strings. They are made
 * of all stacks of a dictionary. */

#include "export_output.h"
#include "profile_tables.h"

/* Indexes of meta.categories. */
enum firefox_category { FIREFOX_OTHER, FIREFOX_USER, FIREFOX_KERNEL, FIREFOX_JIT };

struct firefox_tables {
	/* Set by the caller: */
	struct export_output *out;
	struct profile_tables *shared; /* strings are `raw`; failed: out of memory */
	const char *machine;	       /* name of the recorded machine; "": unknown */
	/* Private to the tables: */
	struct pk_texts sources, frames, symbols; /* numbers are indexes + 1 */
	struct firefox_stack {
		uint32_t index;	 /* + 1; that of the caller for a frame that is no code; 0: none */
		uint32_t parent; /* index + 1 of the caller; 0: none */
		uint32_t frame;	 /* number; 0: the frame is no code */
		uint32_t symbol; /* number */
		uint8_t depth;	 /* inlined functions between it and the function of the address */
	} * stacks;		 /* by id of the stack - 1 */
	size_t stacks_count, stacks_capacity;
	uint32_t written; /* stacks */
	struct buffer text;
};

/* The index of a text in the table of strings. */
uint32_t firefox_string(struct firefox_tables *tables, const char *text, size_t size);
/* Reads all stacks of the dictionary. Call it once, before the following ones. */
void firefox_tables_read(struct firefox_tables *tables);
/* The index of a stack of the dictionary + 1, or 0 if it has no frames, or is undefined. */
uint32_t firefox_stack(const struct firefox_tables *tables, uint32_t id);
/* Writes the members "libs" and "shared", with a comma before each. After that, no strings can be
 * added. */
void firefox_tables_write(struct firefox_tables *tables);
void firefox_tables_free(struct firefox_tables *tables);

#endif
