/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SVG_H
#define PK_SVG_H

/* Writes a picture as an SVG document with its style and script, or as the same document inside an
 * HTML page. Texts of the input become valid XML. Bytes that could harm are replaced, and markup is
 * escaped. */

#include <stdbool.h>
#include <stdio.h>

#include "buffer.h"
#include "embed.h"
#include "plot_options.h"

/* ---- Elements ---- */

/* An SVG document while it is written. */
struct svg {
	FILE *file;
	const struct plot_options *options;
	struct buffer out; /* text that was not written to `file` yet */
	double width, height;
};

/* Starts the document with the title, and with the height in pixels. kind is the class of the svg
 * element, which the style and the script use. script is the script of the kind, or NULL if there
 * is none. The script comes after plot.js in the document, and defines start(svg). */
void svg_begin(struct svg *svg, const char *kind, const char *title, double height,
	       const struct embedded *script);
/* Ends the document. Returns PK_NOMEM if memory is exhausted. In this case, the written document is
 * incomplete. */
PK_MUST_CHECK enum pk_status svg_end(struct svg *svg);

/* Adds markup of this program, without escaping it. */
void svg_raw(struct svg *svg, const char *text);
void svg_format(struct svg *svg, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds text of the input, as the content of an element, or of an attribute in double quotes. The
 * text is cut after `most` characters. */
void svg_text(struct svg *svg, const char *text, size_t size, size_t most);
/* Adds ` name="value"`. */
void svg_attribute(struct svg *svg, const char *name, double value);
/* Adds ` name="value"` with up to `decimals` decimals, for positions that scripts magnify. */
void svg_exact(struct svg *svg, const char *name, double value, unsigned int decimals);
/* Adds a text element. `class` has its class and its anchor ("start", "middle" or "end"). */
void svg_label(struct svg *svg, double x, double y, const char *class, const char *text);

/* Adds the name of a box, cut so that it fits into the width. Adds nothing if the width is too
 * small. */
void svg_box_label(struct svg *svg, const char *name, size_t size, double x, double y,
		   double width);
/* Returns the y of a text that is in the middle of a box of this height. */
double svg_baseline(const struct plot_options *options, double height);

/* Returns the width of a character of the font, in pixels. It is an upper bound for monospaced
 * fonts. */
double svg_character(const struct plot_options *options);

/* ---- Files of this folder ---- */

/* Files of pk-plot/ that svg.c writes into pictures. */

extern const struct embedded plot_style, plot_script, flame_script, timeline_script, cells_script;

#endif
