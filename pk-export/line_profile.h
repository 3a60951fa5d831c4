/* SPDX-License-Identifier: BSD-2-Clause */
/* A sample profile for compilers: how often the lines of each function ran. An inlined function has
 * a profile of its own for each place where it is inlined. The text format is that of LLVM:
 *
 *     FUNCTION:TOTAL:HEAD
 *      LINE[.DISCRIMINATOR]: COUNT [CALLED FUNCTION:COUNT]...
 *      LINE[.DISCRIMINATOR]: INLINED FUNCTION:TOTAL
 *       ...
 */
#ifndef LINE_PROFILE_H
#define LINE_PROFILE_H

#include "export_output.h"
#include "pkstream.h"
#include "texts.h"

/* A place in a function. Lines are relative to the line where the function is declared, modulo
 * 65536, so that they stay valid if the code before the function changes. */
struct line_place {
	uint32_t line, discriminator;
};

/* A function, or an inlined copy of it. */
struct line_function {
	uint32_t parent; /* number of the function into which it is inlined; 0 if it is not inlined
			  */
	struct line_place place; /* the place of the call in the parent */
	const char *name;
	uint64_t total; /* sum of the bytes of the instructions that ran */
	uint64_t head;	/* how often the function was called */
};

/* The count of a place in a function. */
struct line_count {
	uint32_t function; /* number of the function */
	struct line_place place;
	uint64_t count;
};

/* How often a place has called a function that is not inlined. */
struct line_call {
	uint32_t from; /* number of the count */
	const char *name;
	uint64_t count;
};

/* Numbers are indices plus 1. A struct of zero bytes is empty. */
struct line_profile {
	struct pk_texts names;
	struct line_functions {
		struct line_function *items;
		size_t count, capacity;
	} functions;
	struct line_counts {
		struct line_count *items;
		size_t count, capacity;
	} counts;
	struct line_calls {
		struct line_call *items;
		size_t count, capacity;
	} calls;
	struct pk_table function_numbers, count_numbers, call_numbers;
};

/* Returns the text of the name of a function in the profile. It does not have the suffixes ".llvm."
 * and ".part." with which compilers mark copies and parts of functions. Texts are equal only if
 * their addresses are equal. Returns NULL if memory is exhausted. */
const char *line_profile_name(struct line_profile *profile, const char *name);
/* These functions return the number of a function, of a count or of a call, and add it with counts
 * of 0 if it is new. They return 0 if memory is exhausted. `name` comes from line_profile_name().
 */
uint32_t line_profile_function(struct line_profile *profile, uint32_t parent,
			       struct line_place place, const char *name);
uint32_t line_profile_count(struct line_profile *profile, uint32_t function,
			    struct line_place place);
uint32_t line_profile_call(struct line_profile *profile, uint32_t from, const char *name);

/* Writes the profile. The functions with the largest totals come first. */
PK_MUST_CHECK enum pk_status line_profile_write(struct line_profile *profile,
						struct export_output *output);
void line_profile_free(struct line_profile *profile);

#endif
