// SPDX-License-Identifier: BSD-2-Clause
/* Prints a function as one line of JSON. docs/annotate.md describes the members. */
#include <stdlib.h>

#include "annotate_report.h"
#include "json.h"
#include "object_debug.h"

static void put_build_id(struct json *json, const struct pk_build_id *id)
{
	char hex[PK_BUILD_ID_HEX];

	if (!id->size)
		return;
	pk_build_id_format(id, hex);
	json_text(json, "build_id", hex);
}

static void put_events(const struct report *report, const struct function *f, struct json *json)
{
	json_open(json, "events", '[');
	for (unsigned int c = 0; c < f->columns; c++) {
		const struct hit_count all = code_hits_total(report->hits, f->events[c]);

		json_open(json, NULL, '{');
		json_text(json, "name", code_hits_event_name(report->hits, f->events[c]));
		json_number(json, "samples", f->totals[c].samples);
		json_number(json, "period", f->totals[c].weight);
		json_number(json, "all_samples", all.samples);
		json_number(json, "all_period", all.weight);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Writes the samples of each column, for example "samples":[1,2]. */
static void put_counts(const struct report *report, const struct function *f, uint32_t r,
		       struct json *json)
{
	const struct hit_count *counts = &f->counts[(size_t)r * f->columns];

	json_open(json, "samples", '[');
	for (unsigned int c = 0; c < f->columns; c++)
		json_number(json, NULL, counts[c].samples);
	json_close(json, ']');
	json_open(json, "period", '[');
	for (unsigned int c = 0; c < f->columns; c++)
		json_number(json, NULL, counts[c].weight);
	json_close(json, ']');
	json_open(json, "percent", '[');
	for (unsigned int c = 0; c < f->columns; c++)
		json_fixed(json, NULL, report_share(report, f, c, &counts[c]), 2);
	json_close(json, ']');
}

static void put_file(struct json *json, const struct pk_source *source)
{
	if (!source->file)
		return;
	json_text(json, "file", source->file);
	json_number(json, "line", source->line);
}

/* Writes the text of the source line, if the file can be read. */
static void put_source_text(struct report *report, const struct pk_source *source,
			    struct json *json)
{
	size_t size;
	const char *text = source->file ? pk_source_texts_line(report->files, source->file,
							       source->line, &size)
					: NULL;

	if (text)
		json_bytes(json, "source", text, size);
}

static void put_source(struct report *report, const struct function *f, const struct pk_row *row,
		       struct json *json)
{
	const struct pk_source *sources;
	size_t count = 0;

	if (f->code.object->symbols)
		count = pk_object_sources(f->code.object->symbols, f->code.address + row->at,
					  &sources);
	if (!count)
		return;
	put_file(json, &sources[0]);
	put_source_text(report, &sources[0], json);
	if (!sources[0].inlined)
		return;
	json_open(json, "inlined", '[');
	for (size_t i = 0; i + 1 < count && sources[i].inlined; i++) {
		const char *name = sources[i].function;

		json_open(json, NULL, '{');
		json_text(json, "function", name ? name : "");
		put_file(json, &sources[i + 1]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_row_blocks(const struct row_blocks *blocks, struct json *json)
{
	json_number(json, "executed", blocks->executed);
	json_number(json, "entered", blocks->entered);
	json_number(json, "taken", blocks->taken);
	json_number(json, "predicted", blocks->predicted);
}

static void put_row(struct report *report, const struct function *f, uint32_t r,
		    const struct pk_function_types *types, struct json *json)
{
	const struct pk_row *row = &f->code.rows[r];
	struct buffer text = {0};

	json_open(json, NULL, '{');
	json_hex(json, "address", row->shown);
	json_hex_bytes(json, "bytes", f->code.bytes + row->at, row->size);
	pk_function_code_line(&f->code, r, &text);
	json_bytes(json, "text", text.data, text.size);
	put_counts(report, f, r, json);
	if (f->blocks.rows)
		put_row_blocks(&f->blocks.rows[r], json);
	if (report->options->source)
		put_source(report, f, row, json);
	if (types->flow)
		type_note_json(types, r, json);
	json_close(json, '}');
	json->out->failed |= text.failed;
	free(text.data);
}

static enum pk_status put_rows(struct report *report, const struct function *f, struct json *json)
{
	struct pk_function_types types = {0};
	const bool done = !report->options->types || f->code.reason ||
			  pk_function_types_read(&types, &report->typing, &f->code) == PK_OK;

	json_open(json, "instructions", '[');
	for (uint32_t r = 0; r < f->code.rows_count; r++)
		put_row(report, f, r, &types, json);
	json_close(json, ']');
	pk_function_types_free(&types);
	return done ? PK_OK : PK_NOMEM;
}

static void put_blocks(const struct function_blocks *blocks, struct json *json)
{
	json_open(json, "blocks", '{');
	json_number(json, "count", blocks->count);
	json_number(json, "executed_instructions", blocks->executed_rows);
	json_number(json, "timed_instructions", blocks->instructions);
	json_number(json, "cycles", blocks->cycles);
	json_close(json, '}');
}

enum pk_status listing_lines_json(struct report *report, const struct function_lines *lines)
{
	struct json json = {.out = &report->out};

	json_open(&json, NULL, '{');
	json_text(&json, "function", lines->f.is.name);
	json_text(&json, "object", lines->f.object.path);
	put_events(report, &lines->f, &json);
	json_text(&json, "file", lines->file);
	json_open(&json, "lines", '[');
	for (uint32_t n = 0; n < lines->count; n++) {
		size_t size;
		const char *text =
			pk_source_texts_line(report->files, lines->file, lines->first + n, &size);

		json_open(&json, NULL, '{');
		json_number(&json, "line", lines->first + n);
		if (text)
			json_bytes(&json, "text", text, size);
		put_counts(report, &lines->f, n, &json);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_end(&json);
	return PK_OK;
}

enum pk_status listing_json(struct report *report, const struct function *f)
{
	struct json json = {.out = &report->out};
	enum pk_status status = PK_OK;

	json_open(&json, NULL, '{');
	json_text(&json, "function", f->is.name);
	json_text(&json, "object", f->object.path);
	put_build_id(&json, &f->object.build_id);
	put_events(report, f, &json);
	if (f->code.reason) {
		json_text(&json, "no_code", f->code.reason);
	} else {
		json_hex(&json, "start", f->code.shown);
		json_hex(&json, "end", f->code.shown + f->code.size);
		if (f->blocks.rows)
			put_blocks(&f->blocks, &json);
		status = put_rows(report, f, &json);
	}
	json_end(&json);
	return status;
}
