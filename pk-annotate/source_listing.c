// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "source_listing.h"

/* The maximum number of lines of a function. Samples in later lines are counted as samples outside
 * of the lines. */
#define LINES_MAX 100000

/* The lines of the cells that are in one file. */
struct span {
	uint32_t file; /* number of the file; 0 if no cell has a line */
	uint32_t first, last;
};

static void widen(struct span *span, const struct hit_source *source)
{
	const uint32_t first =
		source->first && source->first < source->line ? source->first : source->line;

	if (!source->file || !source->line || (span->file && span->file != source->file))
		return;
	if (!span->file || first < span->first)
		span->first = first;
	if (!span->file || source->line > span->last)
		span->last = source->line;
	span->file = source->file;
}

/* Returns the lines of the function in the file of its first cell that has a line. */
static struct span find_span(const struct code_hits *hits, uint32_t number, const uint32_t *events,
			     unsigned int columns)
{
	struct span span = {0};

	for (unsigned int c = 0; c < columns; c++) {
		size_t count;
		const struct hit_cell *cells = code_hits_cells_of(hits, events[c], number, &count);

		for (size_t i = 0; i < count; i++)
			widen(&span, &cells[i].source);
	}
	return span;
}

bool has_function_lines(const struct code_hits *hits, uint32_t number, const uint32_t *events,
			unsigned int columns)
{
	const struct pk_place_function function = code_hits_function(hits, number);

	return code_hits_object(hits, function.object).kind == PK_DSO_ANON &&
	       find_span(hits, number, events, columns).file;
}

static void count_column(struct function_lines *lines, uint32_t file, unsigned int column,
			 const struct hit_cell *cells, size_t count)
{
	struct function *f = &lines->f;

	for (size_t i = 0; i < count; i++) {
		const struct hit_source *source = &cells[i].source;
		struct hit_count *to = &f->totals[column];

		to->samples += cells[i].count.samples;
		to->weight += cells[i].count.weight;
		if (source->file != file || source->line < lines->first ||
		    source->line - lines->first >= lines->count) {
			f->outside += cells[i].count.samples;
			continue;
		}
		to = &f->counts[(size_t)(source->line - lines->first) * f->columns + column];
		to->samples += cells[i].count.samples;
		to->weight += cells[i].count.weight;
	}
}

enum pk_status function_lines_load(struct function_lines *lines, const struct code_hits *hits,
				   uint32_t number, const uint32_t *events, unsigned int columns)
{
	const struct span span = find_span(hits, number, events, columns);
	struct function *f = &lines->f;

	*lines = (struct function_lines){
		.f = {.is = code_hits_function(hits, number), .events = events, .columns = columns},
		.file = code_hits_file(hits, span.file),
		.first = span.first,
		.count = span.last - span.first < LINES_MAX ? span.last - span.first + 1
							    : LINES_MAX};
	f->object = code_hits_object(hits, f->is.object);
	f->totals = calloc(columns, sizeof(*f->totals));
	f->counts = calloc((size_t)lines->count * columns, sizeof(*f->counts));
	if (!f->totals || !f->counts)
		return PK_NOMEM;
	for (unsigned int c = 0; c < columns; c++) {
		size_t count;
		const struct hit_cell *cells = code_hits_cells_of(hits, events[c], number, &count);

		count_column(lines, span.file, c, cells, count);
	}
	return PK_OK;
}
