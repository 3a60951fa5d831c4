/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PALETTE_MAP_H
#define PK_PALETTE_MAP_H

/* The file of --cp: the colours of names in earlier pictures, with lines `NAME->rgb(R,G,B)`, as
 * flamegraph.pl writes and reads it. */

#include "palette.h"
#include "texts.h"

struct palette_map {
	const char *path; /* NULL: there is no such file */
	struct pk_texts names;
	struct palette_map_colour {
		char text[PALETTE_COLOUR];
	} * colours; /* by number of the name */
	size_t colours_count;
	bool changed;
};

/* Reads the file, which need not exist. False after a message. */
bool palette_map_read(struct palette_map *map, const char *path);
/* Sets the colour of a name: that of the file; if the file does not have the name, it gets the
 * colour that the argument has. False: out of memory. */
bool palette_map_colour(struct palette_map *map, const char *name, size_t size,
			char colour[PALETTE_COLOUR]);
/* Writes the file if names were added. False after a message. */
bool palette_map_write(const struct palette_map *map);
void palette_map_free(struct palette_map *map);

#endif
