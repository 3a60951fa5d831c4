/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_PROFILE_TABLES_H
#define EXPORT_PROFILE_TABLES_H

/* Tables for the stacks of a profile. They have strings, objects, functions and locations. Each
 * item is in its table once. The numbers of items start at 1, in the order of their first use. A
 * format uses and prints the tables that it needs. */

#include "buffer.h"
#include "pkstream.h"
#include "texts.h"

/* The members that make a function distinct. A format can leave members 0, or use numbers of its
 * own. */
struct profile_function {
	uint32_t name, object, file, line, column;
};

/* An object (a file with code) of a profile. */
struct profile_object {
	uint32_t number; /* number of the object in the profile; 0 if the profile does not use the
			  * object */
	uint64_t low,
		high; /* the lowest and the highest address that the profile has of this object */
	bool has_addresses;
	bool has_functions, has_files, has_lines,
		has_inlines; /* the format can set and use these members */
};

/* The tables of a profile. A struct of zero bytes has empty tables. */
struct profile_tables {
	const struct pk_dictionary *names; /* the dictionary; export_inputs() sets it */
	bool raw;    /* The format sets it if it wants texts that are not changed. The empty text is
		      * then also in the table of strings. */
	bool failed; /* memory was exhausted; from then on, all functions return the number 0 */
	/* The format reads these members: */
	struct pk_texts strings;
	struct pk_texts functions;
	struct pk_texts locations;
	struct profile_object *objects; /* the index is the id of the object in the dictionary */
	size_t objects_count;
	uint32_t *used; /* ids of the used objects in the dictionary; the index is
			 * profile_object.number - 1 */
	size_t used_count, used_capacity;
	/* Only profile_tables.c uses these members: */
	uint32_t *of_frames;
	size_t of_frames_count;
	struct buffer text;
};

/* Returns the number of an item in a table. The format can also pass a table of its own. Returns 0
 * if memory is exhausted. */
uint32_t profile_number(struct profile_tables *tables, struct pk_texts *table, const void *item,
			size_t size);
/* Returns the number of a text in the table of strings. The text becomes valid UTF-8 without
 * control characters. The number of the empty text is 0. */
uint32_t profile_string(struct profile_tables *tables, const char *text, size_t size);
/* Like profile_string(), for a string of the dictionary. Also returns 0 if there is no such string.
 */
uint32_t profile_string_of(struct profile_tables *tables, uint32_t id);
uint32_t profile_function(struct profile_tables *tables, const struct profile_function *function);
const struct profile_function *profile_function_at(const struct profile_tables *tables,
						   uint32_t number);
/* Returns the object with an id in the dictionary. The result is valid until the next call. Returns
 * NULL if there is no such object or memory is exhausted. */
struct profile_object *profile_object(struct profile_tables *tables, uint32_t id);
void profile_object_add(struct profile_object *object, uint64_t address);
/* Returns the start of the object's mapping. For files, modules and the vdso, addresses are
 * offsets, so the start is 0. Returns UINT64_MAX if no address is known. */
uint64_t profile_object_start(const struct profile_object *object, const struct pk_dso *dso);
/* Returns the end of the object's mapping. The end is rounded up to a power of two. So an object
 * usually has the same mapping in several recordings. */
uint64_t profile_object_limit(const struct profile_object *object);
/* Returns a pointer to a number that belongs to a frame and is 0 at first. A format uses it for
 * numbers of its own or for locations. Returns NULL if memory is exhausted. */
uint32_t *profile_of_frame(struct profile_tables *tables, uint32_t frame);
/* Returns the number of the location with these frames. The last frame is a function. The frames
 * before it are the functions that are inlined into it, the innermost first. */
uint32_t profile_location(struct profile_tables *tables, const uint32_t *frames, size_t count);
/* Returns the frames of a location. */
const uint32_t *profile_location_frames(const struct profile_tables *tables, uint32_t number,
					size_t *count);
void profile_tables_free(struct profile_tables *tables);

#endif
