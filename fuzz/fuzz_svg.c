/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-plot/svg.c */
/*
 * Tests texts of the input in a picture: as titles, labels, tooltips and attributes, whole and cut.
 * The document is read back as XML. It must be well-formed, and must have only characters that XML
 * allows. It must have only elements that the writer creates, so that no text has become markup.
 */
#include <stdio.h>
#include <string.h>

#include "check_that.h"
#include "panels.h"
#include "safe_text.h"
#include "svg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- The input ---- */

struct texts {
	const uint8_t *data;
	size_t size;
};

/* Returns the size of the next text. The input has a byte with the size, and then the bytes of the
 * text. */
static size_t next_text(struct texts *texts, char text[256])
{
	size_t size = 0;

	if (texts->size) {
		size = texts->data[0] < texts->size ? texts->data[0] : texts->size - 1;
		memcpy(text, texts->data + 1, size);
		texts->data += 1 + size;
		texts->size -= 1 + size;
	}
	text[size] = '\0';
	return size;
}

/* ---- The document ---- */

static void draw_text(struct svg *svg, struct texts *texts, unsigned int number)
{
	char text[256];
	const size_t size = next_text(texts, text);
	struct legend legend = {0};

	svg_raw(svg, "<g><title>");
	svg_text(svg, text, size, SIZE_MAX);
	svg_raw(svg, "</title><rect data-name=\"");
	svg_text(svg, text, size, number % 40);
	svg_raw(svg, "\"/>");
	svg_box_label(svg, text, size, 1, 2, number * 7.3);
	svg_label(svg, 3, 4, "start", text);
	legend_add(&legend, LEGEND_BOX, "k1", text);
	legend_add(&legend, LEGEND_LINE, "q", text);
	legend_draw(svg, &legend, 5, 6);
	svg_raw(svg, "</g>\n");
}

static void draw(FILE *file, struct texts *texts, uint8_t flags)
{
	char title[256], notes[256];
	struct plot_options options = {
		.width = 100u + flags, .font_size = 12, .html = flags & 1, .notes = notes};
	struct svg svg = {.file = file, .options = &options};

	next_text(texts, title);
	next_text(texts, notes);
	svg_begin(&svg, "kind", title, 100, flags & 2 ? &cells_script : NULL);
	for (unsigned int i = 0; texts->size && i < 64; i++)
		draw_text(&svg, texts, i);
	check_that(svg_end(&svg) == PK_OK);
}

/* ---- Reading it back ---- */

#define DEPTH 16

struct document {
	const char *at, *end;
	const char *open[DEPTH]; /* names of the open elements */
	unsigned int depth, scripts;
};

static bool starts(const struct document *d, const char *text)
{
	const size_t size = strlen(text);

	return (size_t)(d->end - d->at) >= size && !memcmp(d->at, text, size);
}

static void skip_after(struct document *d, const char *text)
{
	while (!starts(d, text))
		check_that(d->at++ < d->end);
	d->at += strlen(text);
}

/* Returns an element that the writer creates, or NULL if it is another one. The element meta has no
 * end. */
static const char *element_of(const char *name, size_t size)
{
	static const char *const names[] = {"svg",  "title", "desc", "style", "script",
					    "rect", "text",  "g",    "path",  "html",
					    "head", "body",  "meta"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == size && !memcmp(names[i], name, size))
			return names[i];
	return NULL;
}

static const char *read_name(struct document *d)
{
	const char *begin = d->at, *name;

	while (d->at < d->end && *d->at >= 'a' && *d->at <= 'z')
		d->at++;
	name = element_of(begin, (size_t)(d->at - begin));
	check_that(name != NULL);
	return name;
}

static void read_entity(struct document *d)
{
	check_that(starts(d, "&amp;") || starts(d, "&lt;") || starts(d, "&gt;") ||
		   starts(d, "&quot;"));
	skip_after(d, ";");
}

/* Reads one character of a text or an attribute. */
static void read_character(struct document *d)
{
	const size_t size = pk_utf8_size(d->at, (size_t)(d->end - d->at));

	check_that(size > 0);
	check_that((unsigned char)*d->at >= ' ' || *d->at == '\n' || *d->at == '\t');
	check_that(!starts(d, "\xef\xbf\xbe") && !starts(d, "\xef\xbf\xbf"));
	if (*d->at == '&')
		read_entity(d);
	else
		d->at += size;
}

/* Reads ` name="value"`. */
static void read_attribute(struct document *d)
{
	d->at++;
	check_that(!starts(d, "on"));
	while (d->at < d->end && ((*d->at >= 'a' && *d->at <= 'z') || strchr("-BXx1", *d->at)))
		d->at++;
	check_that(starts(d, "=\""));
	for (d->at += 2; d->at < d->end && *d->at != '"';) {
		check_that(*d->at != '<');
		read_character(d);
	}
	check_that(d->at < d->end);
	d->at++;
}

static void read_start(struct document *d)
{
	const char *name;

	d->at++;
	name = read_name(d);
	while (d->at < d->end && *d->at == ' ')
		read_attribute(d);
	d->scripts += !strcmp(name, "script");
	if (starts(d, "/>")) {
		d->at += 2;
		return;
	}
	check_that(starts(d, ">") && d->depth < DEPTH);
	d->at++;
	if (strcmp(name, "meta") != 0)
		d->open[d->depth++] = name;
	if (!strcmp(name, "style"))
		while (!starts(d, "</style>"))
			read_character(d);
}

static void read_end(struct document *d)
{
	d->at += 2;
	check_that(d->depth > 0 && d->open[d->depth - 1] == read_name(d));
	d->depth--;
	check_that(starts(d, ">"));
	d->at++;
}

static void read_back(const char *text, size_t size, bool with_script)
{
	struct document d = {.at = text, .end = text + size};

	while (d.at < d.end) {
		if (starts(&d, "<?xml ") || starts(&d, "<!DOCTYPE html>")) {
			check_that(d.at == text);
			skip_after(&d, ">");
		} else if (starts(&d, "<![CDATA[")) {
			check_that(d.depth && !strcmp(d.open[d.depth - 1], "script"));
			skip_after(&d, "]]>");
		} else if (starts(&d, "</")) {
			read_end(&d);
		} else if (*d.at == '<') {
			read_start(&d);
		} else {
			check_that(!starts(&d, "]]>"));
			read_character(&d);
		}
	}
	check_that(!d.depth && d.scripts == with_script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct texts texts = {data + 1, size - 1};
	size_t written = 0;
	char *document = NULL;
	FILE *file;

	if (!size)
		return 0;
	file = open_memstream(&document, &written);
	check_that(file != NULL);
	draw(file, &texts, data[0]);
	check_that(!fclose(file));
	read_back(document, written, data[0] & 2);
	free(document);
	return 0;
}
