// SPDX-License-Identifier: BSD-2-Clause
/* A function as a line of JSON: docs/annotate.md describes its members. */
#include <inttypes.h>
#include <stdlib.h>

#include "annotate_report.h"
#include "object_debug.h"
#include "type_notes.h"

static void put_text(struct buffer *out, const char *name, const char *text)
{
	buffer_format(out, "\"%s\":", name);
	buffer_quoted(out, text, strlen(text));
}

static void put_build_id(struct buffer *out, const struct pk_build_id *id)
{
	char hex[PK_BUILD_ID_HEX];

	if (!id->size)
		return;
	pk_build_id_format(id, hex);
	buffer_format(out, ",\"build_id\":\"%s\"", hex);
}

static void put_events(struct report *report, const struct function *f)
{
	struct buffer *out = &report->out;

	buffer_text(out, ",\"events\":[");
	for (unsigned int c = 0; c < f->columns; c++) {
		const struct hit_count all = code_hits_total(report->hits, f->events[c]);

		buffer_text(out, c ? ",{" : "{");
		put_text(out, "name", code_hits_event_name(report->hits, f->events[c]));
		buffer_format(out,
			      ",\"samples\":%" PRIu64 ",\"period\":%" PRIu64
			      ",\"all_samples\":%" PRIu64 ",\"all_period\":%" PRIu64 "}",
			      f->totals[c].samples, f->totals[c].weight, all.samples, all.weight);
	}
	buffer_char(out, ']');
}

/* "samples":[1,2] */
static void put_counts(struct report *report, const struct function *f, uint32_t r)
{
	const struct hit_count *counts = &f->counts[(size_t)r * f->columns];
	struct buffer *out = &report->out;

	buffer_text(out, ",\"samples\":[");
	for (unsigned int c = 0; c < f->columns; c++)
		buffer_format(out, "%s%" PRIu64, c ? "," : "", counts[c].samples);
	buffer_text(out, "],\"period\":[");
	for (unsigned int c = 0; c < f->columns; c++)
		buffer_format(out, "%s%" PRIu64, c ? "," : "", counts[c].weight);
	buffer_text(out, "],\"percent\":[");
	for (unsigned int c = 0; c < f->columns; c++)
		buffer_format(out, "%s%.2f", c ? "," : "", report_share(report, f, c, &counts[c]));
	buffer_char(out, ']');
}

static void put_file(struct buffer *out, const struct pk_source *source)
{
	if (!source->file)
		return;
	buffer_char(out, ',');
	put_text(out, "file", source->file);
	buffer_format(out, ",\"line\":%u", source->line);
}

static void put_source(const struct function *f, const struct pk_row *row, struct buffer *out)
{
	const struct pk_source *sources;
	size_t count = 0;

	if (f->code.object->symbols)
		count = pk_object_sources(f->code.object->symbols, f->code.address + row->at,
					  &sources);
	if (!count)
		return;
	put_file(out, &sources[0]);
	if (!sources[0].inlined)
		return;
	buffer_text(out, ",\"inlined\":[");
	for (size_t i = 0; i + 1 < count && sources[i].inlined; i++) {
		const char *name = sources[i].function;

		buffer_text(out, i ? ",{" : "{");
		put_text(out, "function", name ? name : "");
		put_file(out, &sources[i + 1]);
		buffer_char(out, '}');
	}
	buffer_char(out, ']');
}

static void put_row_blocks(const struct row_blocks *blocks, struct buffer *out)
{
	buffer_format(out,
		      ",\"executed\":%" PRIu64 ",\"entered\":%" PRIu64 ",\"taken\":%" PRIu64
		      ",\"predicted\":%" PRIu64,
		      blocks->executed, blocks->entered, blocks->taken, blocks->predicted);
}

static void put_row(struct report *report, const struct function *f, uint32_t r,
		    const struct pk_function_types *types)
{
	const struct pk_row *row = &f->code.rows[r];
	struct buffer *out = &report->out;
	struct buffer text = {0};

	buffer_format(out, "%s{\"address\":\"0x%" PRIx64 "\",\"bytes\":\"", r ? "," : "",
		      row->shown);
	for (unsigned int i = 0; i < row->size; i++)
		buffer_format(out, "%02x", f->code.bytes[row->at + i]);
	buffer_text(out, "\",\"text\":");
	report_instruction(f, r, &text);
	buffer_quoted(out, text.data, text.size);
	put_counts(report, f, r);
	if (f->blocks.rows)
		put_row_blocks(&f->blocks.rows[r], out);
	if (report->options->source)
		put_source(f, row, out);
	if (types->flow)
		type_note_json(types, r, out);
	buffer_char(out, '}');
	out->failed |= text.failed;
	free(text.data);
}

static bool put_rows(struct report *report, const struct function *f)
{
	struct buffer *out = &report->out;
	struct pk_function_types types = {0};
	const bool done = !report->options->types || f->code.reason ||
			  pk_function_types_read(&types, &report->typing, &f->code);

	buffer_text(out, ",\"instructions\":[");
	for (uint32_t r = 0; r < f->code.rows_count; r++)
		put_row(report, f, r, &types);
	buffer_char(out, ']');
	pk_function_types_free(&types);
	return done;
}

static void put_blocks(const struct function_blocks *blocks, struct buffer *out)
{
	buffer_format(out,
		      ",\"blocks\":{\"count\":%" PRIu64 ",\"executed_instructions\":%u"
		      ",\"timed_instructions\":%" PRIu64 ",\"cycles\":%" PRIu64 "}",
		      blocks->count, blocks->executed_rows, blocks->instructions, blocks->cycles);
}

bool listing_json(struct report *report, const struct function *f)
{
	struct buffer *out = &report->out;
	bool done = true;

	buffer_char(out, '{');
	put_text(out, "function", f->is.name);
	buffer_char(out, ',');
	put_text(out, "object", f->object.path);
	put_build_id(out, &f->object.build_id);
	put_events(report, f);
	if (f->code.reason) {
		buffer_char(out, ',');
		put_text(out, "no_code", f->code.reason);
	} else {
		buffer_format(out, ",\"start\":\"0x%" PRIx64 "\",\"end\":\"0x%" PRIx64 "\"",
			      f->code.shown, f->code.shown + f->code.size);
		if (f->blocks.rows)
			put_blocks(&f->blocks, out);
		done = put_rows(report, f);
	}
	buffer_text(out, "}\n");
	return done;
}
