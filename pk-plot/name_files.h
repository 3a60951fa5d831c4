/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NAME_FILES_H
#define PK_NAME_FILES_H

/* Small text files that options name. */

#include <stdbool.h>
#include <stddef.h>

#include "palette.h"
#include "texts.h"

/* ---- Colours ---- */

/* The file of --cp: the colours of names in earlier pictures, with lines `NAME->rgb(R,G,B)`, as
 * flamegraph.pl writes and reads it. */

struct palette_map {
	const char *path; /* NULL: there is no such file */
	struct pk_texts names;
	struct palette_map_colour {
		char text[PALETTE_COLOUR];
	} * colours; /* by number of the name */
	size_t colours_count;
	bool changed;
};

/* Reads the file, which need not exist. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status palette_map_read(struct palette_map *map, const char *path);
/* Sets the colour of a name to that of the file. If the file does not have the name, it gets the
 * colour that the argument has. */
PK_MUST_CHECK enum pk_status palette_map_colour(struct palette_map *map, const char *name,
						size_t size, char colour[PALETTE_COLOUR]);
/* Writes the file if names were added. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status palette_map_write(const struct palette_map *map);
void palette_map_free(struct palette_map *map);

/* ---- Attributes ---- */

/* The file of --nameattr: attributes of frames by name, in lines of
 *
 *     NAME<TAB>ATTRIBUTE=VALUE<TAB>...
 *
 * as for flamegraph.pl. Attributes are title, href, target, class, style and id; others could run
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

struct name_attributes {
	const char *path;
	struct pk_texts names;
	struct name_values {
		char *values[NAME_ATTRIBUTES]; /* NULL: none */
		bool used;
	} * items; /* by number of the name */
	size_t items_count;
	uint64_t refused; /* attributes */
};

/* Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status name_attributes_read(struct name_attributes *attributes,
						  const char *path);
/* The values of a name, or NULL if it has none. */
struct name_values *name_attributes_find(const struct name_attributes *attributes, const char *name,
					 size_t size);
/* The name of an attribute. */
const char *name_attribute(enum name_attribute attribute);
/* Warns about names that no frame has. */
void name_attributes_report(const struct name_attributes *attributes);
void name_attributes_free(struct name_attributes *attributes);

#endif
