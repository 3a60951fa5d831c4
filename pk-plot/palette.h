/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PALETTE_H
#define PK_PALETTE_H

/* Colours of frames. The same name has the same colour in all pictures, unless they are random. All
 * are light enough for black text. */

#include <stdbool.h>
#include <stddef.h>

struct palette {
	const char *name;
	bool random;
	unsigned int seed; /* of random colours; 0 at first */
};

/* Sets the palette by its name: "kind" (by the suffix of the name, _[k] ...), "module", "package",
 * or one of flamegraph.pl: hot, mem, io, java ... Returns false if there is none of this name. */
bool palette_find(struct palette *palette, const char *name);
/* Whether names need the object, so that the palette can work. */
bool palette_is_by_module(const struct palette *palette);
/* The names of all palettes, separated by ", ". */
const char *palette_names(void);

#define PALETTE_COLOUR 8
/* Writes the colour of a frame, "#rgb", into colour. */
void palette_colour(struct palette *palette, const char *name, size_t size,
		    char colour[PALETTE_COLOUR]);
/* The colour of a difference: red for growth (up to change 1), blue for a decrease (down to -1),
 * else white. */
void palette_change(double change, char colour[PALETTE_COLOUR]);

/* The size of a frame's name without its suffix _[k], _[i], _[j] or _[w]. *suffix is the letter, or
 * 0. */
size_t frame_base(const char *name, size_t size, char *suffix);

/* Splits "object`function". *name becomes the function, and *object the object. Returns the size of
 * the function. *object_size is 0 if there is no object. The object ends before a '(', so that it
 * can stand in parentheses. */
size_t frame_split(const char **name, size_t size, const char **object, size_t *object_size);

#endif
