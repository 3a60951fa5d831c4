/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NAME_FILES_H
#define PK_NAME_FILES_H

/* Small text files whose paths are given in options. */

#include <stdbool.h>
#include <stddef.h>

#include "palette.h"
#include "texts.h"

/* ---- Colours ---- */

/* The file of --cp. It has the colours of names in earlier pictures. Its lines are
 * `NAME->rgb(R,G,B)`. flamegraph.pl reads and writes the same format. */

struct palette_map {
	const char *path; /* NULL if --cp is not given */
	struct pk_texts names;
	struct palette_map_colour {
		char text[PALETTE_COLOUR];
	} * colours; /* the colour of each name; the index is the number of the name in `names` */
	size_t colours_count;
	bool changed;
};

/* Reads the file. The file need not exist. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status palette_map_read(struct palette_map *map, const char *path);
/* Sets `colour` to the colour that the name has in the file. If the file does not have the name,
 * adds the name with the colour that `colour` contains. */
PK_MUST_CHECK enum pk_status palette_map_colour(struct palette_map *map, const char *name,
						size_t size, char colour[PALETTE_COLOUR]);
/* Writes the file if names were added. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status palette_map_write(const struct palette_map *map);
void palette_map_free(struct palette_map *map);

/* ---- Attributes ---- */

/* The file of --nameattr. It has attributes of frames by name, as in flamegraph.pl. Each line is
 *
 *   NAME<TAB>ATTRIBUTE=VALUE<TAB>...
 *
 * The possible attributes are title, href, target, class, style and id. Other attributes could run
 * code, and are refused. */

enum name_attribute {
	NAME_TITLE,
	NAME_HREF,
	NAME_TARGET,
	NAME_CLASS,
	NAME_STYLE,
	NAME_ID,
	NAME_ATTRIBUTES
};

/* The content of the file of --nameattr. */
struct name_attributes {
	const char *path;
	struct pk_texts names;
	struct name_values {
		char *values[NAME_ATTRIBUTES]; /* NULL if the attribute is not set */
		bool used;
	} * items; /* the attributes of each name; the index is the number of the name in `names` */
	size_t items_count;
	uint64_t refused; /* number of refused attributes */
};

/* Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status name_attributes_read(struct name_attributes *attributes,
						  const char *path);
/* Returns the attributes of a name. Returns NULL if the file does not have the name. */
struct name_values *name_attributes_find(const struct name_attributes *attributes, const char *name,
					 size_t size);
/* Returns the name of an attribute. */
const char *name_attribute(enum name_attribute attribute);
/* Warns about names that no frame has. */
void name_attributes_report(const struct name_attributes *attributes);
void name_attributes_free(struct name_attributes *attributes);

/* ---- Lines of files ---- */

/* Calls line() with each line of the file, without the newline. line() can change the text. After
 * an error, line() returns false and sets errno to the error, or to 0 if memory is exhausted. If
 * `missing` is set, the file need not exist. If this function fails, it prints a message and
 * returns PK_FAILED. */
PK_MUST_CHECK enum pk_status text_lines_read(const char *path, bool missing,
					     bool (*line)(void *arg, char *text), void *arg);

#endif
