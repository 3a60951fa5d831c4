// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>

#include "annotate_report.h"
#include "json.h"
#include "lookups.h"
#include "object_debug.h"
#include "texts.h"

/* The counts of a source line. */
struct line {
	uint32_t file, line; /* file is the number of the file's name in lines.names, or 0 if the
			      * line is unknown */
	struct hit_count counts[];
};

struct lines {
	struct report *report;
	const uint32_t *events;
	unsigned int columns;
	struct pk_texts names; /* names of source files */
	struct pk_table table; /* struct line by file << 32 | line */
};

/* ---- Adding up ---- */

/* Finds the source line of a cell. If the line is unknown, *name and *line become 0. */
static enum pk_status find_line(struct lines *lines, const struct hit_cell *cell, uint32_t *name,
				uint32_t *line)
{
	struct report *report = lines->report;
	const struct pk_place_function function = code_hits_function(report->hits, cell->function);
	const struct pk_code_file object = code_hits_object(report->hits, function.object);
	const struct pk_code_object *code;
	const struct pk_source *sources;
	const char *file;

	if (cell->source.file) {
		file = code_hits_file(report->hits, cell->source.file);
		*name = pk_texts_add(&lines->names, file, strlen(file));
		*line = cell->source.line;
		return *name ? PK_OK : PK_NOMEM;
	}
	code = pk_code_objects_open(report->objects, function.object, &object);
	pk_print_messages(report->messages);
	*name = *line = 0;
	if (!code || !code->symbols || !pk_object_sources(code->symbols, cell->address, &sources) ||
	    !sources->file || !sources->line)
		return PK_OK;
	*name = pk_texts_add(&lines->names, sources->file, strlen(sources->file));
	*line = sources->line;
	return *name ? PK_OK : PK_NOMEM;
}

static enum pk_status add_cells(struct lines *lines, unsigned int column)
{
	size_t count;
	const struct hit_cell *cells =
		code_hits_cells(lines->report->hits, lines->events[column], &count);
	const size_t size = sizeof(struct line) + lines->columns * sizeof(struct hit_count);
	bool named = false;

	for (size_t i = 0; i < count; i++) {
		uint32_t file, number;
		struct line *line;

		if (!i || cells[i].function != cells[i - 1].function)
			PK_TRY(rank_is_named(lines->report->hits, lines->report->options,
					     cells[i].function, lines->report->met, &named));
		if (!named)
			continue;
		PK_TRY(find_line(lines, &cells[i], &file, &number));
		line = pk_table_get_or_add(&lines->table, (uint64_t)file << 32 | number, size);
		if (!line)
			return PK_NOMEM;
		line->file = file;
		line->line = number;
		line->counts[column].samples += cells[i].count.samples;
		line->counts[column].weight += cells[i].count.weight;
	}
	return PK_OK;
}

/* ---- Order ---- */

struct place {
	const struct line *line;
	uint64_t weight;
};

static int hottest_first(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->line->file != b->line->file)
		return a->line->file < b->line->file ? -1 : 1;
	return a->line->line < b->line->line ? -1 : a->line->line > b->line->line;
}

static struct place *in_order(const struct lines *lines)
{
	struct place *places = malloc((lines->table.count + 1) * sizeof(*places));
	const struct line *line;
	size_t n = 0, cursor = 0;

	while (places && (line = pk_table_next_value(&lines->table, &cursor)))
		places[n++] =
			(struct place){line, weight_of(lines->report->options, &line->counts[0])};
	if (places && n)
		qsort(places, n, sizeof(*places), hottest_first);
	return places;
}

/* ---- Printing ---- */

static double share_of(const struct lines *lines, const struct line *line, unsigned int column)
{
	const struct hit_count all = code_hits_total(lines->report->hits, lines->events[column]);
	const uint64_t whole = weight_of(lines->report->options, &all);

	return whole ? 100 * (double)weight_of(lines->report->options, &line->counts[column]) /
			       (double)whole
		     : 0;
}

static void put_text(const struct lines *lines, const struct line *line)
{
	struct report *report = lines->report;
	const char *file = pk_texts_get(&lines->names, line->file, NULL), *text;
	size_t size;

	for (unsigned int c = 0; c < lines->columns; c++)
		buffer_format(&report->out, "%8.2f", share_of(lines, line, c));
	buffer_text(&report->out, "  ");
	if (!file) {
		buffer_text(&report->out, "[unknown]\n");
		return;
	}
	buffer_harmless(&report->out, file, strlen(file));
	buffer_format(&report->out, ":%u", line->line);
	text = pk_source_texts_line(report->files, file, line->line, &size);
	if (text) {
		for (; size && (*text == ' ' || *text == '\t'); text++, size--)
			;
		buffer_text(&report->out, "  ");
		buffer_harmless(&report->out, text, size);
	}
	buffer_char(&report->out, '\n');
}

static void put_json(const struct lines *lines, const struct line *line)
{
	struct json json = {.out = &lines->report->out};
	const char *file = pk_texts_get(&lines->names, line->file, NULL);

	json_open(&json, NULL, '{');
	if (file)
		json_text(&json, "file", file);
	else
		json_word(&json, "file", "null");
	json_number(&json, "line", line->line);
	json_open(&json, "events", '[');
	for (unsigned int c = 0; c < lines->columns; c++) {
		const char *name = code_hits_event_name(lines->report->hits, lines->events[c]);

		json_open(&json, NULL, '{');
		json_text(&json, "name", name);
		json_number(&json, "samples", line->counts[c].samples);
		json_number(&json, "period", line->counts[c].weight);
		json_fixed(&json, "percent", share_of(lines, line, c), 2);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_end(&json);
}

/* Returns true if the line has at least --min-percent of the samples of any of the events. If the
 * options name functions, all lines of these functions are hot. */
static bool is_hot(const struct lines *lines, const struct line *line)
{
	const struct annotate_options *options = lines->report->options;
	bool hot = options->functions.count;

	for (unsigned int c = 0; c < lines->columns; c++)
		hot |= share_of(lines, line, c) >= options->min_percent;
	return hot;
}

/* Writes the lines, the hottest first. --hottest and --min-percent apply to lines in the same way
 * as to functions. */
static void put_lines(const struct lines *lines, const struct place *places)
{
	const struct annotate_options *options = lines->report->options;
	size_t count = lines->table.count, left = options->hottest ? options->hottest : count;

	if (!options->json)
		report_head(lines->report, lines->events, lines->columns, "source lines");
	for (size_t i = 0; i < count && left; i++) {
		if (!is_hot(lines, places[i].line))
			continue;
		(options->json ? put_json : put_text)(lines, places[i].line);
		left--;
	}
	if (!options->json)
		buffer_char(&lines->report->out, '\n');
}

enum pk_status report_by_line(struct report *report, const uint32_t *events, unsigned int columns)
{
	struct lines lines = {.report = report, .events = events, .columns = columns};
	struct place *places = NULL;
	enum pk_status status = PK_OK;

	for (unsigned int c = 0; status == PK_OK && c < columns; c++)
		status = add_cells(&lines, c);
	if (status == PK_OK)
		places = in_order(&lines);
	if (places)
		put_lines(&lines, places);
	free(places);
	pk_table_free_all(&lines.table);
	pk_texts_free(&lines.names);
	return places ? PK_OK : PK_NOMEM;
}
