// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "cli.h"
#include "formats.h"
#include "lookups.h"
#include "paths.h"
#include "reporter.h"
#include "summarize.h"
#include "terminal.h"

/* The space for the line "# N more lines", in bytes. */
#define MISSING_SIZE 40

/* ---- Sides ---- */

/* The two sides of --diff are the inputs and the bases. The inputs are compared with the bases. */

static bool side_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_tail *tail = ((const struct pk_run *)view->context->arg)->arg;
	const struct reporter *r = tail->arg;

	*key = r->results.side;
	return true;
}

const struct pk_field pk_report_side_field = {
	.name = "side", .kind = PK_VALUE_NUMBER, .key = side_key, .is_event = true};

/* Reads the bases. Call it before the inputs are read. Returns the exit status. */
static int sides_read_bases(struct reporter *r)
{
	int result = PK_EXIT_OK;

	for (unsigned int i = 0; i < r->options->layout.bases; i++) {
		int status;

		r->results.side = i + 1;
		status = pk_tail_read_base(&r->tail, r->options->bases[i]);
		result = status > result ? status : result;
	}
	for (int i = 0; i < r->options->more_bases_count; i++) {
		const int status = pk_tail_read_base(&r->tail, r->options->more_bases[i]);

		result = status > result ? status : result;
	}
	r->results.side = 0;
	return result;
}

/* Returns whether an event has samples on the new side and in at least one base. */
static bool is_matched(const struct sheet *sheet)
{
	for (unsigned int i = 1; i < sheet->sets_count; i++)
		if (sheet->sets[i].samples)
			return sheet->sets[0].samples;
	return false;
}

/* Removes the tables of events that have no samples on one side. Call it after
 * pk_reporter_refresh(). Returns the exit status. */
static int sides_drop_unmatched(struct reporter *r)
{
	struct results *results = &r->results;
	size_t matched = 0;

	if (results->layout->sets != SETS_SIDES || results->layout->one_table ||
	    !results->sheets_count)
		return PK_EXIT_OK;
	for (size_t i = 0; i < results->sheets_count; i++) {
		struct sheet sheet = results->sheets[i];

		if (is_matched(&sheet)) {
			results->sheets[matched++] = sheet;
			continue;
		}
		pk_warn("event %s: only %s has samples, skipped",
			pk_results_event(results, sheet.event, NULL),
			sheet.sets[0].samples ? "the new side" : "the base");
		free(sheet.lines);
		free(sheet.sets);
	}
	results->sheets_count = matched;
	if (matched)
		return PK_EXIT_OK;
	pk_error("no event has samples on both sides");
	return PK_EXIT_FAILED;
}

/* Reports the events that cannot be compared, with the reason. */
static void sides_report(const struct reporter *r)
{
	const struct results *results = &r->results;

	for (size_t i = 0; i < results->blocks.events_count; i++) {
		const struct row_event *event = &results->blocks.events[i];
		const char *reason = pk_differences_refused(results, event);
		const char *name =
			event->event ? pk_results_event(results, event->event, NULL) : "";

		if (reason && r->options->layout.has_differences)
			pk_warn("%s%s%schanges are unknown: %s", *name ? "event " : "", name,
				*name ? ": " : "", reason);
	}
}

/* Reports the functions that have another name in the base. */
static enum pk_status renames_report(const struct results *results)
{
	for (size_t i = 0; i < results->renames_count; i++) {
		const struct rename *rename = &results->renames[i];
		const uint32_t names[] = {rename->from, rename->to};
		struct buffer texts[2] = {0};

		for (unsigned int j = 0; j < 2; j++) {
			size_t size;
			const char *text = pk_texts_get(&results->rows.texts, names[j], &size);

			buffer_harmless(&texts[j], text, size);
			buffer_char(&texts[j], '\0');
		}
		if (!texts[0].failed && !texts[1].failed)
			pk_warn("%s is now %s: %.0f%% of its callers and %.0f%% of its callees are "
				"the same",
				texts[0].data, texts[1].data, 100 * rename->callers,
				100 * rename->callees);
		free(texts[0].data);
		free(texts[1].data);
		if (texts[0].failed || texts[1].failed)
			return PK_NOMEM;
	}
	return PK_OK;
}

/* ---- Findings ---- */

/* Appends the name of a line: its fields. */
static void add_name(const struct results *results, const struct sheet *sheet, uint32_t line,
		     struct buffer *out)
{
	const struct text_options options = {0};
	struct buffer cell = {0};

	for (unsigned int i = 0; i < results->layout->columns_count; i++) {
		const struct column *column = &results->layout->columns[i];

		if (column->kind != COLUMN_FIELD)
			continue;
		cell.size = 0;
		if (pk_text_table_cell(results, sheet, &options, column, line, &cell) != PK_OK)
			out->failed = true;
		buffer_text(out, out->size ? " " : "");
		buffer_harmless(out, cell.data, cell.size);
	}
	buffer_char(out, '\0');
	free(cell.data);
}

/* Reports a finding on one line. */
static enum pk_status report_finding(const struct results *results, const struct sheet *sheet,
				     uint32_t line)
{
	const struct difference *difference = pk_difference_of(results, line, 1);
	const char *word = pk_difference_word(difference->mark);
	char low[32] = "?", high[32] = "?";
	struct buffer name = {0};

	add_name(results, sheet, line, &name);
	if (isfinite(difference->low))
		snprintf(low, sizeof(low), "%+.1f%%", difference->low);
	if (isfinite(difference->high))
		snprintf(high, sizeof(high), "%+.1f%%", difference->high);
	if (!name.failed && isfinite(difference->change))
		pk_error("found: %s: %s, %+.1f%% (%s to %s)", name.data, word, difference->change,
			 low, high);
	else if (!name.failed)
		pk_error("found: %s: %s, the base has none", name.data, word);
	free(name.data);
	return name.failed ? PK_NOMEM : PK_OK;
}

/* Reports the findings of a sheet, and sets *found if there are some. */
static enum pk_status report_sheet(const struct reporter *r, const struct sheet *sheet, bool *found)
{
	for (size_t i = 0; i < sheet->count; i++) {
		bool is;

		PK_TRY(pk_is_finding(&r->options->findings, &r->results, sheet, sheet->lines[i],
				     &is));
		if (is)
			PK_TRY(report_finding(&r->results, sheet, sheet->lines[i]));
		*found |= is;
	}
	return PK_OK;
}

/* Reports all findings. Returns the exit status. */
static int report_findings(const struct reporter *r)
{
	bool found = false;

	if (!finding_options_set(&r->options->findings))
		return PK_EXIT_OK;
	for (size_t i = 0; i < r->results.sheets_count; i++)
		if (report_sheet(r, &r->results.sheets[i], &found) != PK_OK)
			return pk_no_memory();
	return found ? PK_EXIT_FINDING : PK_EXIT_OK;
}

/* ---- Tables ---- */

/* Reports what is missing in the trees. */
static void report_graph(const struct reporter *r, const struct graph_text *graph)
{
	char number[32];

	if (graph->forest->cut)
		pk_warn("%s stacks have more than %d frames: only the outermost ones are in the "
			"trees",
			pk_number(number, graph->forest->cut), PK_PATH_DEPTH_MAX);
	if (graph->forest->shortened)
		pk_warn("%s stacks have only their %d outermost frames in the trees: together, the "
			"stacks of all groups are too large for so small an input; --by with fewer "
			"values has fewer of them",
			pk_number(number, graph->forest->shortened), PK_STACK_SHORT);
	if (graph->rows_cut)
		pk_warn("%s trees are cut or missing: all trees together are too large for so "
			"small "
			"an input; -g with a larger threshold prints smaller ones",
			pk_number(number, graph->rows_cut));
	if (!r->has_callchains && r->tail.profile.counted)
		pk_warn("no sample has a callchain: there are no trees; record with -g");
	if (graph->cut)
		pk_warn("%s branches are cut: a tree has at most %d levels",
			pk_number(number, graph->cut), GRAPH_LEVELS_MAX);
}

/* Prints a table with or without trees. */
static enum pk_status print_table(struct reporter *r, struct text_options *text)
{
	const struct graph_options *options = &r->options->graph;
	const bool children = r->results.has_children;
	struct graph_text graph = {.options = options,
				   .forest = &r->results.forest,
				   .caller = options->ordered ? options->caller : children,
				   .children = children,
				   .skip_first = r->options->graph_skips_first,
				   .colour = r->options->colour,
				   .separator = r->options->separator};
	enum pk_status status;

	pk_allowance_pay(&r->trees, r->tail.profile.bytes);
	graph.allowance = &r->trees;
	text->graph = r->results.has_forest ? &graph : NULL;
	status = pk_report_print_text(&r->results, text);
	if (r->results.has_forest && r->ended)
		report_graph(r, &graph);
	return status;
}

static enum pk_status print(struct reporter *r, FILE *out)
{
	const struct report_options *options = r->options;
	char losses[512];
	struct text_options text = {
		.out = out,
		.separator = options->separator,
		.units = options->units,
		.full_paths = options->full_paths,
		.colour = options->colour,
		.width = options->width,
		.comments = pk_cli_verbose() >= 0,
		.lost = r->run->losses.lost_samples,
		.losses = pk_losses_text(&r->run->losses, losses, sizeof(losses)) ? losses : NULL,
		.percent_limit = options->results.percent_limit,
		.files = r->run->files,
		.files_count = r->run->files_count,
		.bases = options->bases,
	};

	memcpy(text.column_widths, options->column_widths, sizeof(text.column_widths));
	switch (options->format) {
	case FORMAT_CSV: return pk_report_print_csv(&r->results, out);
	case FORMAT_JSON: return pk_report_print_json(&r->results, out);
	case FORMAT_MARKDOWN: return pk_report_print_markdown(&r->results, &text);
	default: return print_table(r, &text);
	}
}

/* Prints as many whole lines of the text as the limit allows. The last line says how many are
 * missing. */
static void print_bytes(FILE *out, const char *text, size_t size, size_t most)
{
	size_t end = size, missing = 0;
	const size_t room = most > MISSING_SIZE ? most - MISSING_SIZE : 0;

	if (size > most)
		for (end = room; end && text[end - 1] != '\n';)
			end--;
	for (size_t i = end; i < size; i++)
		missing += text[i] == '\n';
	fwrite(text, 1, end, out);
	if (missing)
		fprintf(out, "# %zu more lines\n", missing);
}

/* Prints the report, and obeys the option --max-bytes. */
static enum pk_status print_limited(struct reporter *r)
{
	char *text = NULL;
	size_t size = 0;
	enum pk_status status;
	FILE *memory;

	if (!r->options->max_bytes)
		return print(r, r->options->out);
	memory = open_memstream(&text, &size);
	status = memory ? print(r, memory) : PK_NOMEM;
	if (memory && fclose(memory))
		status = PK_NOMEM;
	if (status == PK_OK)
		print_bytes(r->options->out, text, size, r->options->max_bytes);
	free(text);
	return status;
}

/* ---- Live ---- */

/* Prints the line above a table: its time, and how many samples it has. */
static enum pk_status print_heading(struct reporter *r, FILE *out)
{
	const bool json = r->options->format == FORMAT_JSON;
	const char *time = r->live.heading;
	struct buffer line = {0};
	struct json members = {.out = &line};

	if (json) {
		json_open(&members, NULL, '{');
		pk_intervals_json(&r->live, &members);
		pk_live_head_json(&r->head, r->options->live, pk_reporter_lost(r), &members);
		json_end(&members);
	} else {
		buffer_text(&line, r->printed ? "\n" : "");
		buffer_text(&line, *time ? time : "#");
		buffer_text(&line, "  ");
		pk_live_head_text(&r->head, r->options->live, pk_reporter_lost(r), &line);
		buffer_char(&line, '\n');
	}
	fwrite(line.data, 1, line.size, out);
	free(line.data);
	return line.failed ? PK_NOMEM : PK_OK;
}

static enum pk_status print_block(struct reporter *r, FILE *out)
{
	PK_TRY(print_heading(r, out));
	return print(r, out);
}

/* Prints as many lines of the table as fit on the terminal. */
static enum pk_status print_screen(struct reporter *r, const struct winsize *screen)
{
	char *text = NULL, *end;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	enum pk_status status = memory ? PK_OK : PK_NOMEM;

	r->printed = false; /* no empty line is printed before the next block */
	status = status ?: print_block(r, memory);
	if (memory && fclose(memory))
		status = PK_NOMEM;
	end = text;
	for (unsigned int i = 1; status == PK_OK && i < screen->ws_row; i++) {
		char *newline = memchr(end, '\n', size - (size_t)(end - text));

		end = newline ? newline + 1 : text + size;
	}
	if (status == PK_OK)
		fprintf(r->options->out, "\033[H\033[2J%.*s", (int)(end - text), text);
	free(text);
	return status;
}

static bool is_screen(const struct reporter *r, struct winsize *screen)
{
	return r->options->format == FORMAT_TEXT &&
	       !ioctl(fileno(r->options->out), TIOCGWINSZ, screen) && screen->ws_row > 1;
}

/* Prints the table of the last interval. */
static enum pk_status print_live(struct reporter *r)
{
	const enum pk_status status = pk_reporter_refresh(r);
	struct winsize screen;

	if (status)
		return status;
	PK_TRY(is_screen(r, &screen) ? print_screen(r, &screen) : print_block(r, r->options->out));
	fflush(r->options->out);
	r->printed = true;
	r->live.heading[0] = '\0';
	pk_live_head_next(&r->head, pk_reporter_lost(r));
	return r->options->decay ? PK_OK : pk_reporter_zero(r);
}

static enum pk_status live_record(void *arg, const struct pk_record *record)
{
	struct reporter *r = arg;
	enum pk_status status = PK_OK;
	uint64_t time;

	if (record->type != PERF_RECORD_SAMPLE) {
		pk_intervals_record(&r->live, r->run->reader, record);
	} else if (pk_intervals_over(&r->live, record, &time)) {
		if (r->live.next)
			status = print_live(r);
		pk_intervals_start(&r->live, time);
	}
	return status ?: pk_reporter_record(r, record);
}

/* Prints the last table of a live report. */
static enum pk_status print_last_block(struct reporter *r)
{
	FILE *out = r->options->out;
	struct winsize screen;

	if (is_screen(r, &screen)) {
		fputs("\033[H\033[2J", out);
		r->printed = false;
	}
	if (r->forgotten)
		pk_warn("--decay: all samples were forgotten at times, because there were more "
			"than %u rows, or %zu nodes in trees",
			REPORTER_ROWS_MAX, REPORTER_NODES_MAX);
	return print_block(r, out);
}

/* Prints the table at the end of the input. Returns the exit status. */
static int print_last(struct reporter *r)
{
	enum pk_status status;
	int result;

	r->ended = true;
	if (r->options->pager && !r->options->live)
		pk_pager_start();
	if (pk_reporter_print_headers(r) != PK_OK ||
	    (!reporter_is_header_only(r) && pk_reporter_refresh(r) != PK_OK))
		return pk_no_memory();
	if (reporter_is_header_only(r))
		return PK_EXIT_OK;
	result = sides_drop_unmatched(r);
	sides_report(r);
	if (renames_report(&r->results) != PK_OK)
		return pk_no_memory();
	status = r->options->live ? print_last_block(r) : print_limited(r);
	if (status != PK_OK)
		return pk_no_memory();
	return result ? result : report_findings(r);
}

/* Returns the more important exit status. A finding is the least important one. */
static int worse(int a, int b)
{
	if (a == PK_EXIT_FINDING || b == PK_EXIT_FINDING)
		return a && a != PK_EXIT_FINDING ? a : b ? b : a;
	return a > b ? a : b;
}

int pk_summarize(struct pk_run *run, struct report_options *options)
{
	struct reporter r = {.run = run, .options = options};
	int result = PK_EXIT_FAILED;

	if (pk_reporter_start(&r) == PK_OK) {
		if (options->live)
			r.tail.record = live_record;
		result = sides_read_bases(&r);
		result = worse(result, pk_run(run));
		if (!reporter_is_header_only(&r) && !run->nothing)
			result = worse(result, pk_reporter_problems(&r));
		if (!run->nothing)
			result = worse(result, print_last(&r));
	} else {
		pk_no_memory();
	}
	return pk_reporter_end(&r, result);
}
