// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "embed.h"
#include "lookups.h"
#include "name_files.h"
#include "page_data.h"
#include "plot_options.h"

/* ---- Files of the page ---- */

EMBED(page_style, "page/page.css");
EMBED(page_body, "page/body.html");
/* The page has these files in this order, inside one function. */
EMBED(page_data_script, "page/data.js");
EMBED(page_model_script, "page/model.js");
EMBED(page_state_script, "page/state.js");
EMBED(page_text_script, "page/text.js");
EMBED(page_timeline_script, "page/timeline.js");
EMBED(page_flame_script, "page/flame.js");
EMBED(page_table_script, "page/table.js");
EMBED(page_main_script, "page/main.js");

static const struct embedded *const scripts[] = {
	&page_data_script,     &page_model_script, &page_state_script, &page_text_script,
	&page_timeline_script, &page_flame_script, &page_table_script, &page_main_script,
};

/* The options of pk-plot page. */
struct page_options {
	struct pk_common common;
	struct pk_tail_options selection;
	const char *title; /* the title of the page; NULL selects the recorded command */
	const char *base;  /* a recording to compare with, or NULL */
	uint64_t code;	   /* the number of functions whose code is added */
};

/* ---- Output ---- */

/* Appends bytes as base64 (RFC 4648). */
static void add_base64(struct buffer *out, const uint8_t *data, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *p = buffer_room(out, size / 3 * 4 + 5);

	if (!p)
		return;
	for (; size; size -= size < 3 ? size : 3, data += 3) {
		const uint32_t bits = (uint32_t)data[0] << 16 |
				      (size > 1 ? (uint32_t)data[1] << 8 : 0) |
				      (size > 2 ? data[2] : 0);

		*p++ = digits[bits >> 18];
		*p++ = digits[bits >> 12 & 63];
		*p++ = size > 1 ? digits[bits >> 6 & 63] : '=';
		*p++ = size > 2 ? digits[bits & 63] : '=';
	}
	buffer_end(out, p);
}

static void add_part(struct buffer *out, const struct embedded *part)
{
	buffer_add(out, part->text, (size_t)(part->end - part->text));
}

/* The policy in the page forbids it to load images, fonts or scripts, and to open connections. */
static void add_head(struct buffer *out)
{
	buffer_text(out,
		    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; "
		    "form-action 'none'\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<title>pk</title>\n<style>\n");
	add_part(out, &page_style);
	buffer_text(out, "</style>\n</head>\n");
}

/* Names of the input occur only in the compressed data. The script inserts them as text and never
 * as markup. */
static void add_page(struct buffer *out, const uint8_t *packed, size_t size)
{
	add_head(out);
	add_part(out, &page_body);
	buffer_text(out, "<script type=\"application/octet-stream\" id=\"data\">");
	add_base64(out, packed, size);
	buffer_text(out, "</script>\n<script>\n(function () {\n'use strict';\n");
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		add_part(out, scripts[i]);
	buffer_text(out, "})();\n</script>\n</body>\n</html>\n");
}

static enum pk_status write_page(struct page_data *data, const char *title)
{
	struct buffer page = {0};
	size_t size = 0;
	uint8_t *packed = page_pack(data, title, &size);
	bool done;

	/* Reading the code of functions can have added messages. */
	pk_print_messages(&data->tail.run->messages);
	if (packed)
		add_page(&page, packed, size);
	done = packed && !page.failed;
	if (done)
		fwrite(page.data, 1, page.size, stdout);
	free(packed);
	free(page.data);
	return done ? PK_OK : PK_NOMEM;
}

static int page(struct pk_run *run, struct page_data *data, const char *title)
{
	int result = page_read(data, run);

	if (!data->samples) {
		const int nothing = plot_nothing("there are no samples: the page is empty");

		return result ? result : nothing;
	}
	return write_page(data, title ? title : "") != PK_OK ? pk_no_memory() : result;
}

/* ---- Options ---- */

#define AT(member) PK_AT(struct page_options, member)

static const struct pk_option rows[] = {
	PK_TITLE("The page"),
	{0, "title", "TEXT", PK_TEXT, "the title (the recorded command)", AT(title)},
	{0, "diff", "BASE", PK_TEXT, "compare with the recording BASE", AT(base)},
	{0, "code", "N", PK_NUMBER, "add the source and instructions of the N hottest functions",
	 AT(code), .most = 1000, .wants = "a number of functions, at most 1000"},
	{.kind = PK_ROWS, .rows = plot_sample_rows, AT(selection)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-plot page [OPTION...] [FILE...]\n"
		 "\n"
		 "Writes a page for a browser: timeline, flame graph, trees and tables of samples, "
		 "in\n"
		 "one HTML file. Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-plot page > app.html\n"
		    "  pk-plot page --code=20 -o app.html app.pk\n"
		    "  pk-plot page --diff=before.pk -o change.html after.pk\n",
};

static int run_page(const struct pk_common *common, int argc, char **argv)
{
	struct page_options options = {.common = *common};
	struct page_data data = {.selection = &options.selection};
	struct pk_run run = {0};
	int result;

	options.selection.symbols.tried = pk_report_tried;
	result = pk_parse_options(&command, &options, &argc, &argv);
	if (result < 0) {
		data.base = options.base;
		data.code.most = (uint32_t)options.code;
		options.selection.symbols.no_lines = !options.code;
		if (options.base)
			pk_protect_input(options.base);
		result = plot_start(&options.common, argc, argv, &run);
		if (!result)
			result = pk_finish(page(&run, &data, options.title));
	}
	return page_free(&data, result);
}

const struct plot_kind plot_page = {"page", "page for a browser: all views of the samples",
				    run_page};
