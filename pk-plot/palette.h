/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PALETTE_H
#define PK_PALETTE_H

/* The colours of frames. A name has the same colour in all pictures, unless the colours are random.
 * All colours are light enough for black text. */

#include <stdbool.h>
#include <stddef.h>

struct palette {
	const char *name;
	bool random;
	unsigned int seed; /* seed of random colours; starts at 0 */
};

/* Selects a palette by its name. "kind" uses the suffix of the name, such as _[k]. Other palettes
 * are "module" and "package", and the palettes of flamegraph.pl, such as hot, mem, io and java.
 * Returns false if there is no palette with this name. */
bool palette_find(struct palette *palette, const char *name);
/* Returns true if the palette works only with names that contain the object. */
bool palette_is_by_module(const struct palette *palette);
/* Returns the names of all palettes, separated by ", ". */
const char *palette_names(void);

#define PALETTE_COLOUR 8
/* Writes the colour of a frame into colour, in the form "#rgb". */
void palette_colour(struct palette *palette, const char *name, size_t size,
		    char colour[PALETTE_COLOUR]);
/* Writes the colour of a difference. It is red for growth (strongest at 1), blue for a decrease
 * (strongest at -1), and white for no change. */
void palette_change(double change, char colour[PALETTE_COLOUR]);

/* Returns the size of a frame's name without its suffix _[k], _[i], _[j] or _[w]. Sets *suffix to
 * the letter, or to 0 if there is no suffix. */
size_t frame_base(const char *name, size_t size, char *suffix);

/* Splits "object`function". Sets *name to the function, and *object to the object. Returns the size
 * of the function. *object_size is 0 if there is no object. The object is cut at a '(', so that a
 * caller can print it in parentheses. */
size_t frame_split(const char **name, size_t size, const char **object, size_t *object_size);

#endif
