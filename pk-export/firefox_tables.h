/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIREFOX_TABLES_H
#define FIREFOX_TABLES_H

/* The tables in a profile of the Firefox Profiler that all threads share. They are the tables of
 * stacks, frames, functions, native symbols, objects (resources and libs), source files and
 * strings. They contain all stacks of a dictionary. */

#include "export_output.h"
#include "profile_tables.h"

/* The numbers are the indexes in meta.categories. */
enum firefox_category { FIREFOX_OTHER, FIREFOX_USER, FIREFOX_KERNEL, FIREFOX_JIT };

/* The tables of a profile while they are made. */
struct firefox_tables {
	/* ---- Set by the caller ---- */
	struct export_output *out;
	struct profile_tables *shared; /* the member `raw` is true */
	const char *machine;	       /* name of the recorded machine; "" if unknown */
	/* Only firefox_tables.c uses these members: */
	struct pk_texts sources, frames,
		symbols; /* the items of three tables of the profile; an item's number minus 1 is
			  * its index in the table */
	struct firefox_stack {
		/* Index of the stack in the table of the profile, plus 1. If its frame is not code,
		 * it is the index of the caller's stack plus 1, or 0 if there is no caller. */
		uint32_t index;
		uint32_t parent; /* index of the caller's stack in the table, plus 1; 0 if there is
				  * no caller */
		uint32_t frame;	 /* number of the frame; 0 if the frame is not code */
		uint32_t symbol; /* number of the frame's symbol in `symbols` */
		uint8_t depth;	 /* number of inlined functions at the address, from the frame's
				  * function to the function that is not inlined */
	} * stacks;		 /* the index is the id of the stack in the dictionary, minus 1 */
	size_t stacks_count, stacks_capacity;
	uint32_t written; /* number of stacks that the table of the profile has */
	struct buffer text;
};

/* Returns the index of a text in the table of strings. */
uint32_t firefox_string(struct firefox_tables *tables, const char *text, size_t size);
/* Reads all stacks of the dictionary. Call this once, before the functions below. */
void firefox_tables_read(struct firefox_tables *tables);
/* Returns the index + 1 of a stack of the dictionary. Returns 0 if the stack has no frames or is
 * undefined. */
uint32_t firefox_stack(const struct firefox_tables *tables, uint32_t id);
/* Writes the members "libs" and "shared", each after a comma. No strings can be added after this.
 */
void firefox_tables_write(struct firefox_tables *tables);
void firefox_tables_free(struct firefox_tables *tables);

#endif
