// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "safe_text.h"
#include "svg.h"

/* ---- Elements ---- */

#define FLUSH_SIZE  ((size_t)64 << 10)
#define LABEL_LEAST 3 /* minimum length of a label in characters; shorter labels are left out */

static void flush(struct svg *svg)
{
	if (svg->out.size)
		fwrite(svg->out.data, 1, svg->out.size, svg->file);
	svg->out.size = 0;
}

void svg_raw(struct svg *svg, const char *text)
{
	buffer_text(&svg->out, text);
	if (svg->out.size >= FLUSH_SIZE)
		flush(svg);
}

void svg_format(struct svg *svg, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	svg_raw(svg, text);
}

/* Adds one valid character, escaped if needed. Leaves out U+FFFE and U+FFFF, which XML does not
 * allow. */
static void add_character(struct buffer *out, const char *text, size_t size)
{
	switch (*text) {
	case '&': buffer_text(out, "&amp;"); return;
	case '<': buffer_text(out, "&lt;"); return;
	case '>': buffer_text(out, "&gt;"); return;
	case '"': buffer_text(out, "&quot;"); return;
	default: break;
	}
	if (pk_is_harmful(text, size) ||
	    (size == 3 && (!memcmp(text, "\xef\xbf\xbe", 3) || !memcmp(text, "\xef\xbf\xbf", 3))))
		buffer_char(out, '?');
	else
		buffer_add(out, text, size);
}

void svg_text(struct svg *svg, const char *text, size_t size, size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i < size; count++) {
		const size_t length = pk_utf8_size(text + i, size - i);

		if (count == most) {
			buffer_text(&svg->out, "..");
			break;
		}
		if (length)
			add_character(&svg->out, text + i, length);
		else
			buffer_char(&svg->out, '?');
		i += length ? length : 1;
	}
}

/* Adds a number with at most two decimals. */
static void svg_number(struct svg *svg, double value)
{
	const bool negative = value < 0;
	const uint64_t hundredths = (uint64_t)llround(fabs(value) * 100);
	const unsigned int rest = (unsigned int)(hundredths % 100);

	if (negative && hundredths)
		buffer_char(&svg->out, '-');
	buffer_decimal(&svg->out, hundredths / 100, 0);
	if (!rest)
		return;
	buffer_char(&svg->out, '.');
	buffer_char(&svg->out, (char)('0' + rest / 10));
	if (rest % 10)
		buffer_char(&svg->out, (char)('0' + rest % 10));
}

void svg_attribute(struct svg *svg, const char *name, double value)
{
	buffer_char(&svg->out, ' ');
	buffer_text(&svg->out, name);
	buffer_text(&svg->out, "=\"");
	svg_number(svg, value);
	buffer_char(&svg->out, '"');
}

void svg_exact(struct svg *svg, const char *name, double value, unsigned int decimals)
{
	char text[64];
	size_t size = (size_t)snprintf(text, sizeof(text), "%.*f", (int)decimals, value);

	if (size >= sizeof(text))
		size = 0;
	while (decimals && size && text[size - 1] == '0')
		size--;
	if (size && text[size - 1] == '.')
		size--;
	buffer_char(&svg->out, ' ');
	buffer_text(&svg->out, name);
	buffer_text(&svg->out, "=\"");
	buffer_add(&svg->out, text, size);
	buffer_char(&svg->out, '"');
}

void svg_label(struct svg *svg, double x, double y, const char *class, const char *text)
{
	svg_raw(svg, "<text class=\"");
	svg_raw(svg, class);
	svg_raw(svg, "\"");
	svg_attribute(svg, "x", x);
	svg_attribute(svg, "y", y);
	svg_raw(svg, ">");
	svg_text(svg, text, strlen(text), SIZE_MAX);
	svg_raw(svg, "</text>\n");
}

double svg_character(const struct plot_options *options)
{
	return options->font_size * 0.61;
}

double svg_baseline(const struct plot_options *options, double height)
{
	return height - (height - options->font_size) / 2 - 2;
}

void svg_box_label(struct svg *svg, const char *name, size_t size, double x, double y, double width)
{
	const double characters = (width - 4) / svg_character(svg->options);
	size_t count = 0;

	if (characters < LABEL_LEAST)
		return;
	for (size_t i = 0; i < size; i++)
		count += (name[i] & 0xc0) != 0x80;
	svg_raw(svg, "<text");
	svg_attribute(svg, "x", x + 3);
	svg_attribute(svg, "y", y);
	svg_raw(svg, ">");
	svg_text(svg, name, size, (double)count <= characters ? count : (size_t)characters - 2);
	svg_raw(svg, "</text>");
}

static void add_part(struct svg *svg, const struct embedded *part)
{
	buffer_add(&svg->out, part->text, (size_t)(part->end - part->text));
}

/* Adds the script that all kinds of pictures share, and then the script of this kind, which defines
 * start(). */
static void add_script(struct svg *svg, const struct embedded *script)
{
	svg_raw(svg, "<script><![CDATA[\n(function () {\n'use strict';\n"
		     "const script = document.currentScript;\n");
	add_part(svg, &plot_script);
	add_part(svg, script);
	svg_raw(svg, "if (document.readyState === 'loading')\n"
		     "\taddEventListener('DOMContentLoaded', () => start(script.closest('svg')));\n"
		     "else\n\tstart(script.closest('svg'));\n})();\n]]></script>\n");
}

static void add_html_head(struct svg *svg, const char *title)
{
	svg_raw(svg, "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>");
	svg_text(svg, title, strlen(title), SIZE_MAX);
	svg_raw(svg, "</title>\n<style>body{margin:0}</style>\n</head>\n<body>\n");
}

static void add_background(struct svg *svg)
{
	const char *colour = svg->options->background;

	svg_raw(svg, "<rect class=\"background\" width=\"100%\" height=\"100%\"");
	if (colour) {
		svg_raw(svg, " style=\"fill:");
		svg_text(svg, colour, strlen(colour), SIZE_MAX);
		svg_raw(svg, "\"");
	}
	svg_raw(svg, "/>\n");
}

void svg_begin(struct svg *svg, const char *kind, const char *title, double height,
	       const struct embedded *script)
{
	const struct plot_options *options = svg->options;

	svg->width = options->width;
	svg->height = height;
	if (options->html)
		add_html_head(svg, title);
	else
		svg_raw(svg, "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n");
	svg_format(svg,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pk %s%s\" width=\"%u\" "
		   "height=\"%.0f\" viewBox=\"0 0 %u %.0f\" style=\"font:%gpx ",
		   kind, options->background ? " plain" : "", options->width, height,
		   options->width, height, options->font_size);
	svg_text(svg, options->font ? options->font : "monospace",
		 options->font ? strlen(options->font) : strlen("monospace"), 100);
	svg_raw(svg, "\" role=\"img\">\n<title>");
	svg_text(svg, title, strlen(title), SIZE_MAX);
	svg_raw(svg, "</title>\n");
	if (options->notes) {
		svg_raw(svg, "<desc>");
		svg_text(svg, options->notes, strlen(options->notes), SIZE_MAX);
		svg_raw(svg, "</desc>\n");
	}
	svg_raw(svg, "<style>\n");
	add_part(svg, &plot_style);
	svg_raw(svg, "</style>\n");
	if (script)
		add_script(svg, script);
	add_background(svg);
}

enum pk_status svg_end(struct svg *svg)
{
	const bool failed = svg->out.failed;

	svg_raw(svg, svg->options->html ? "</svg>\n</body>\n</html>\n" : "</svg>\n");
	flush(svg);
	free(svg->out.data);
	return failed ? PK_NOMEM : PK_OK;
}

/* ---- Files of this folder ---- */

EMBED(plot_style, "plot.css");
EMBED(plot_script, "plot.js");
EMBED(flame_script, "flame.js");
EMBED(timeline_script, "timeline.js");
EMBED(cells_script, "cells.js");
