/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_PROFILE_TABLES_H
#define EXPORT_PROFILE_TABLES_H

/* The tables that the stacks of a profile refer to: strings, objects, functions and locations. Each
 * item is in its table once. Items have numbers from 1 on, in the order of their first use. A
 * format uses the tables that it needs, and prints them. */

#include "buffer.h"
#include "pkstream.h"
#include "texts.h"

/* What makes a function distinct. Formats leave members out, or use their own numbers. */
struct profile_function {
	uint32_t name, object, file, line, column;
};

struct profile_object {
	uint32_t number;    /* 0: it was not used */
	uint64_t low, high; /* the lowest and the highest address */
	bool has_addresses;
	bool has_functions, has_files, has_lines, has_inlines; /* for the format */
};

/* All zero: empty. */
struct profile_tables {
	const struct pk_dictionary *names; /* set by the driver */
	bool raw; /* set by the format: strings stay as they are, and the empty one is a string */
	bool failed; /* out of memory: all numbers that were returned since are 0 */
	/* The format reads these: */
	struct pk_texts strings;
	struct pk_texts functions;
	struct pk_texts locations;
	struct profile_object *objects; /* by id in the dictionary */
	size_t objects_count;
	uint32_t *used; /* ids of objects, by number - 1 */
	size_t used_count, used_capacity;
	/* Private: */
	uint32_t *of_frames;
	size_t of_frames_count;
	struct buffer text;
};

/* The number of an item of a table of the format, or of one of these. 0: out of memory. */
uint32_t profile_number(struct profile_tables *tables, struct pk_texts *table, const void *item,
			size_t size);
/* The number of a text, as valid UTF-8 without control characters. It is 0 for the empty text. */
uint32_t profile_string(struct profile_tables *tables, const char *text, size_t size);
/* The same for a string of the dictionary. It is 0 also if there is no such string. */
uint32_t profile_string_of(struct profile_tables *tables, uint32_t id);
uint32_t profile_function(struct profile_tables *tables, const struct profile_function *function);
const struct profile_function *profile_function_at(const struct profile_tables *tables,
						   uint32_t number);
/* The object with an id in the dictionary, valid until the next call. Returns NULL if there is no
 * such object, or memory is exhausted. */
struct profile_object *profile_object(struct profile_tables *tables, uint32_t id);
void profile_object_add(struct profile_object *object, uint64_t address);
/* The start of the object's mapping. Addresses in files, modules and the vdso are offsets: their
 * mappings start at 0. Returns UINT64_MAX if no address is known. */
uint64_t profile_object_start(const struct profile_object *object, const struct pk_dso *dso);
/* Its end, which is rounded up to a power of two: so the mappings of several recordings of an
 * object are usually equal. */
uint64_t profile_object_limit(const struct profile_object *object);
/* A place for a number by the id of a frame, at first 0. A format uses it for its own numbers, or
 * for those of locations. NULL: out of memory. */
uint32_t *profile_of_frame(struct profile_tables *tables, uint32_t frame);
/* The location of these frames, which are a function after those that are inlined there. */
uint32_t profile_location(struct profile_tables *tables, const uint32_t *frames, size_t count);
/* The frames of a location. */
const uint32_t *profile_location_frames(const struct profile_tables *tables, uint32_t number,
					size_t *count);
void profile_tables_free(struct profile_tables *tables);

#endif
