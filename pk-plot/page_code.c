// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object_debug.h"
#include "page_code.h"
#include "page_text.h"
#include "source_texts.h"
#include "texts.h"
#include "typing.h"
#include "vector.h"

/* Limits of the code in a page. */
enum {
	WHOLE_MOST = 4096, /* A function with more instructions is shown only near its samples. */
	NEAR = 32,	   /* the number of instructions that are shown before and after a sample */
	ROWS_MOST = 65536, /* rows of all functions; further functions are left out */
};

/* ---- Pairs of stack and place ---- */

/* Sets *stack to the index of a pair. */
static enum pk_status number_pair(struct page_code *code, uint32_t node, uint32_t place,
				  uint32_t *stack)
{
	const uint64_t key = (uint64_t)node << 32 | place;
	const uint64_t known = pk_table_get_u64(&code->numbers, key);

	if (!known) {
		PK_TRY(pk_vector_reserve(&code->stacks, 1));
		code->stacks.items[code->stacks.count++] = (struct page_stack){node, place};
		PK_TRY(pk_table_set_u64(&code->numbers, key, code->stacks.count));
	}
	*stack = (uint32_t)(known ? known : code->stacks.count) - 1;
	return PK_OK;
}

/* Keeps the source line of a place that has no line yet. */
static enum pk_status note_line(struct page_code *code, struct pk_view *view, uint32_t place)
{
	struct pk_stream_line line;
	uint32_t file;

	if (pk_extend(&code->lines, &code->lines_count, place) != PK_OK)
		return PK_NOMEM;
	if (code->lines[place].file || !pk_view_stream_line(view, &line))
		return PK_OK;
	file = pk_texts_add(&code->files, line.file, strlen(line.file));
	code->lines[place] = (struct page_line){file, line.line, line.first};
	return file ? PK_OK : PK_NOMEM;
}

enum pk_status page_code_sample(struct page_code *code, struct pk_view *view, uint32_t node,
				uint32_t place, uint32_t *stack)
{
	const size_t count = code->stacks.count;

	PK_TRY(number_pair(code, node, place, stack));
	return place && code->stacks.count > count ? note_line(code, view, place) : PK_OK;
}

void page_code_free(struct page_code *code)
{
	free(code->stacks.items);
	pk_table_free(&code->numbers);
	free(code->text.data);
	free(code->lines);
	pk_texts_free(&code->files);
}

/* ---- The hottest functions ---- */

/* A function that contains places of samples. */
struct hot {
	struct pk_place_function is;
	uint64_t last; /* the highest address of its places */
	double share;  /* the largest of the shares that it has of the weight of each event */
};

/* The state in which the hottest functions are found and read. */
struct finder {
	struct page_code *code;
	const struct pk_places *places;
	struct pk_code_objects *objects;
	struct pk_source_texts *texts;
	uint32_t count;		   /* number of places */
	uint32_t *function_of;	   /* for each place, the number of its function */
	uint32_t *row_of;	   /* for each place, the number of its row of code, or 0 */
	struct pk_texts functions; /* functions as struct function_key; each one gets a number */
	struct hot *hot;	   /* the index is the number of the function - 1 */
	uint32_t *order;	   /* numbers of functions, the hottest first */
};

/* The key of a function. */
struct function_key {
	uint64_t start;
	uint32_t object, name, kernel, unused;
};

static enum pk_status number_functions(struct finder *finder)
{
	for (uint32_t i = 1; i <= finder->count; i++) {
		const struct pk_place place = pk_places_at(finder->places, i);
		const struct function_key key = {.start = place.function.start,
						 .object = place.function.object,
						 .name = place.name,
						 .kernel = place.function.kernel};
		const uint32_t number =
			pk_texts_add(&finder->functions, (const char *)&key, sizeof(key));

		if (!number)
			return PK_NOMEM;
		finder->function_of[i] = number;
		finder->hot[number - 1].is = place.function;
		if (place.address > finder->hot[number - 1].last)
			finder->hot[number - 1].last = place.address;
	}
	return PK_OK;
}

/* Sets the shares of the functions. */
static enum pk_status weigh(struct finder *finder, const struct page_sums *sums,
			    const uint32_t *event_of)
{
	struct pk_table events = {0}, weights = {0}; /* values are doubles; the key of a weight is
						      * event << 32 | function */
	const struct pk_table_slot *slot;
	size_t cursor = 0;
	bool done = true;

	for (size_t i = 0; done && i < sums->count; i++) {
		const struct page_sum *sum = &sums->items[i];
		const uint32_t place = finder->code->stacks.items[sum->stack].place;
		const uint64_t event = event_of[sum->row];
		const uint64_t key = event << 32 | finder->function_of[place];
		double *all = pk_table_get_or_add(&events, event, sizeof(*all));
		double *weight = pk_table_get_or_add(&weights, key, sizeof(*weight));

		done = all && weight;
		if (!done)
			break;
		*all += (double)sum->weight;
		*weight += (double)sum->weight;
	}
	while (done && (slot = pk_table_next(&weights, &cursor))) {
		const double *all = pk_table_get(&events, slot->key >> 32);
		const double *weight = (const void *)(uintptr_t)slot->value;
		const uint32_t number = (uint32_t)slot->key;

		if (number && *all > 0 && *weight / *all > finder->hot[number - 1].share)
			finder->hot[number - 1].share = *weight / *all;
	}
	pk_table_free_all(&events);
	pk_table_free_all(&weights);
	return done ? PK_OK : PK_NOMEM;
}

static int hottest_first(const void *left, const void *right, void *arg)
{
	const struct hot *hot = arg;
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (hot[a - 1].share != hot[b - 1].share)
		return hot[a - 1].share > hot[b - 1].share ? -1 : 1;
	return (a > b) - (a < b);
}

/* ---- Rows of code ---- */

/* Kinds of rows, as in the script of the page. */
enum row_kind { ROW_INSTRUCTION, ROW_SOURCE, ROW_PLACE, ROW_GAP };

static void add_row(struct page_code *code, enum row_kind kind, const char *place,
		    const struct buffer *text)
{
	buffer_format(&code->text, "%s%d,\"%s\",",
		      code->text.data[code->text.size - 1] == '[' ? "" : ",\n", kind, place);
	page_text_add(&code->text, text->size ? text->data : "", text->size);
	code->text.failed |= text->failed;
	code->rows++;
}

/* The source line of the last row. The numbers are those of texts. */
struct at {
	struct pk_texts names;
	uint32_t file, function, line;
};

static uint32_t number_name(struct at *at, const char *name)
{
	return name ? pk_texts_add(&at->names, name, strlen(name)) : 0;
}

/* Adds the file of an instruction, and the inlined function to which it belongs. */
static void add_place(struct page_code *code, const struct pk_source *source)
{
	struct buffer text = {0};

	if (source->inlined && source->function) {
		buffer_text(&text, "inlined ");
		buffer_text(&text, source->function);
		buffer_text(&text, ", ");
	}
	buffer_text(&text, source->file);
	add_row(code, ROW_PLACE, "", &text);
	free(text.data);
}

/* Adds a source line. Its text has blanks instead of tabs. */
static void add_line(struct finder *finder, const char *file, uint32_t number)
{
	struct buffer plain = {0};
	char line[16];
	size_t size = 0;
	const char *text = pk_source_texts_line(finder->texts, file, number, &size);

	snprintf(line, sizeof(line), "%u", number);
	for (; text && size && *text == '\t'; text++, size--)
		buffer_text(&plain, "    ");
	for (; text && size; text++, size--)
		buffer_char(&plain, (char)(*text == '\t' ? ' ' : *text));
	add_row(finder->code, ROW_SOURCE, line, &plain);
	free(plain.data);
}

/* Adds the source line of an instruction if the line of the previous instruction was another one.
 */
static void add_source(struct finder *finder, const struct pk_function_code *f,
		       const struct pk_row *row, struct at *at)
{
	struct pk_object *symbols = f->object->symbols;
	const struct pk_source *sources = NULL;
	uint32_t file, function;

	if (!symbols || !pk_object_sources(symbols, f->address + row->at, &sources) ||
	    !sources[0].file || !sources[0].line)
		return;
	file = number_name(at, sources[0].file);
	function = number_name(at, sources[0].inlined ? sources[0].function : NULL);
	if (file == at->file && function == at->function && sources[0].line == at->line)
		return;
	if (file != at->file || function != at->function)
		add_place(finder->code, &sources[0]);
	*at = (struct at){at->names, file, function, sources[0].line};
	add_line(finder, sources[0].file, sources[0].line);
}

/* Returns the row of the function that contains a place, or PK_NO_ROW. */
static uint32_t row_at(const struct finder *finder, const struct pk_function_code *f,
		       uint32_t place, uint64_t start)
{
	const uint64_t address = pk_places_at(finder->places, place).address;

	return address < start ? PK_NO_ROW : pk_function_code_row(f, address - start);
}

/* Marks the rows that are shown, which are those near to samples. */
static void mark(const struct finder *finder, const struct pk_function_code *f, uint32_t number,
		 bool *shown)
{
	const uint64_t start = finder->hot[number - 1].is.start;

	memset(shown, f->rows_count <= WHOLE_MOST, f->rows_count);
	for (uint32_t place = 1; place <= finder->count; place++) {
		const uint32_t row = finder->function_of[place] == number
					     ? row_at(finder, f, place, start)
					     : PK_NO_ROW;
		const uint32_t last =
			row != PK_NO_ROW && row + NEAR < f->rows_count ? row + NEAR : f->rows_count;

		for (uint32_t r = row > NEAR ? row - NEAR : 0; row != PK_NO_ROW && r < last; r++)
			shown[r] = true;
	}
}

/* Adds the rows of a function. Sets rows[r] to the number of row r of the function in the page, or
 * to 0. */
static void add_rows(struct finder *finder, const struct pk_function_code *f, const bool *shown,
		     uint32_t *rows)
{
	struct page_code *code = finder->code;
	struct at at = {0};
	uint32_t gap = 0;

	for (uint32_t r = 0; r <= f->rows_count; r++) {
		struct buffer text = {0};
		char place[24];

		if (gap && (r == f->rows_count || shown[r])) {
			buffer_format(&text, "%u instructions without samples", gap);
			add_row(code, ROW_GAP, "", &text);
			text.size = gap = 0;
			at.line = 0;
		}
		if (r < f->rows_count && !shown[r]) {
			gap++;
		} else if (r < f->rows_count) {
			add_source(finder, f, &f->rows[r], &at);
			pk_function_code_line(f, r, &text);
			snprintf(place, sizeof(place), "%llx",
				 (unsigned long long)f->rows[r].shown);
			add_row(code, ROW_INSTRUCTION, place, &text);
			rows[r] = code->rows;
		}
		free(text.data);
	}
	pk_texts_free(&at.names);
}

/* Adds the rows of a function, and sets the rows of its places. */
static enum pk_status add_code(struct finder *finder, const struct pk_function_code *f,
			       uint32_t number)
{
	const uint64_t start = finder->hot[number - 1].is.start;
	bool *shown = malloc(f->rows_count + (size_t)1);
	uint32_t *rows = calloc(f->rows_count + (size_t)1, sizeof(*rows));

	if (shown && rows) {
		mark(finder, f, number, shown);
		add_rows(finder, f, shown, rows);
	}
	for (uint32_t place = 1; shown && rows && place <= finder->count; place++) {
		const uint32_t row = finder->function_of[place] == number
					     ? row_at(finder, f, place, start)
					     : PK_NO_ROW;

		if (row != PK_NO_ROW)
			finder->row_of[place] = rows[row];
	}
	free(shown);
	free(rows);
	return shown && rows ? PK_OK : PK_NOMEM;
}

/* Returns the source line of a place of a function, or NULL. */
static const struct page_line *line_of(const struct finder *finder, uint32_t number, uint32_t place)
{
	const struct page_code *code = finder->code;

	return finder->function_of[place] == number && place < code->lines_count &&
			       code->lines[place].file && code->lines[place].line
		       ? &code->lines[place]
		       : NULL;
}

/* Adds the source lines of a function that has no code, from its first line to the last line with
 * samples, if the stream has the lines of its places. Returns true if there are lines. */
static bool add_lines(struct finder *finder, uint32_t number)
{
	struct page_code *code = finder->code;
	struct page_line all = {0}; /* line: the last one */
	struct buffer name = {0};
	const char *file;
	uint32_t row;

	for (uint32_t place = 1; place <= finder->count; place++) {
		const struct page_line *line = line_of(finder, number, place);
		uint32_t first;

		if (!line || (all.file && line->file != all.file))
			continue;
		first = line->first && line->first < line->line ? line->first : line->line;
		all.first = all.file && all.first < first ? all.first : first;
		all.line = all.line > line->line ? all.line : line->line;
		all.file = line->file;
	}
	if (!all.file || all.line - all.first >= WHOLE_MOST)
		return false;
	file = pk_texts_get(&code->files, all.file, NULL);
	buffer_text(&name, file);
	add_row(code, ROW_PLACE, "", &name);
	row = code->rows + 1;
	for (uint32_t line = all.first; line <= all.line; line++)
		add_line(finder, file, line);
	for (uint32_t place = 1; place <= finder->count; place++) {
		const struct page_line *line = line_of(finder, number, place);

		if (line && line->file == all.file)
			finder->row_of[place] = row + line->line - all.first;
	}
	free(name.data);
	return true;
}

/* Adds the rows of the code of a function. Sets f->reason if there is no code. */
static enum pk_status load_code(struct finder *finder, struct pk_function_code *f, uint32_t number,
				const struct pk_code_file *file)
{
	const struct hot *hot = &finder->hot[number - 1];
	const struct pk_code_object *object =
		pk_code_objects_open(finder->objects, hot->is.object, file);

	if (!object)
		return PK_NOMEM;
	PK_TRY(pk_function_code_load(f, object, hot->is.start, hot->last));
	return f->reason || finder->code->text.failed ? PK_OK : add_code(finder, f, number);
}

/* Adds a function as a JSON object: its name, its object, and its rows, or the reason why there are
 * none. */
static enum pk_status add_function(struct finder *finder, uint32_t number)
{
	struct page_code *code = finder->code;
	const struct pk_place_function *is = &finder->hot[number - 1].is;
	const struct pk_code_file file = pk_places_object_at(finder->places, is->object);
	struct pk_function_code f = {0};
	enum pk_status status = PK_OK;

	buffer_text(&code->text, code->text.size ? ",\n{\"function\":" : "{\"function\":");
	page_text_add(&code->text, is->name, strlen(is->name));
	buffer_text(&code->text, ",\"object\":");
	page_text_add(&code->text, file.path, strlen(file.path));
	buffer_format(&code->text, ",\"first\":%u,\"rows\":[", code->rows);
	if (code->rows >= ROWS_MOST)
		f.reason = "the page has the code of hotter functions already";
	else if (file.kind != PK_DSO_ANON || !add_lines(finder, number))
		status = load_code(finder, &f, number, &file);
	buffer_text(&code->text, "],\"reason\":");
	page_text_add(&code->text, f.reason ? f.reason : "", f.reason ? strlen(f.reason) : 0);
	buffer_text(&code->text, "}");
	pk_function_code_release(&f);
	return status;
}

/* Adds the hottest functions. */
static enum pk_status add_hottest(struct finder *finder)
{
	const uint32_t count = (uint32_t)finder->functions.count;

	finder->order = malloc((count + (size_t)1) * sizeof(*finder->order));
	if (!finder->order)
		return PK_NOMEM;
	for (uint32_t i = 0; i < count; i++)
		finder->order[i] = i + 1;
	qsort_r(finder->order, count, sizeof(*finder->order), hottest_first, finder->hot);
	for (uint32_t i = 0; i < count && i < finder->code->most; i++)
		if (finder->hot[finder->order[i] - 1].share > 0)
			PK_TRY(add_function(finder, finder->order[i]));
	return PK_OK;
}

/* ---- All ---- */

/* Replaces the places of stacks by rows. */
static enum pk_status replace_places(struct finder *finder, struct page_sums *sums,
				     struct page_sums *base_sums)
{
	struct page_code *code = finder->code;
	struct page_code made = {0};
	uint32_t *made_of = calloc(code->stacks.count + 1, sizeof(*made_of));
	enum pk_status status = made_of ? PK_OK : PK_NOMEM;

	for (size_t i = 0; status == PK_OK && i < code->stacks.count; i++)
		status = number_pair(&made, code->stacks.items[i].node,
				     finder->row_of[code->stacks.items[i].place], &made_of[i]);
	for (size_t i = 0; status == PK_OK && i < sums->count; i++)
		sums->items[i].stack = made_of[sums->items[i].stack];
	for (size_t i = 0; status == PK_OK && i < base_sums->count; i++)
		base_sums->items[i].stack = made_of[base_sums->items[i].stack];
	free(made_of);
	free(code->stacks.items);
	pk_table_free(&code->numbers);
	code->stacks.items = made.stacks.items;
	code->stacks.count = made.stacks.count;
	code->stacks.capacity = made.stacks.capacity;
	code->numbers = made.numbers;
	return status;
}

enum pk_status page_code_finish(struct page_code *code, struct pk_tail *tail,
				struct page_sums *sums, struct page_sums *base_sums,
				const uint32_t *event_of)
{
	static const struct pk_text_list no_prefixes;
	const struct pk_context *context = &tail->profile.context;
	struct finder finder = {.code = code,
				.places = pk_context_places(context),
				.objects = pk_context_objects(context)};
	enum pk_status status = PK_NOMEM;

	finder.count = pk_places_count(finder.places);
	finder.function_of = calloc(finder.count + (size_t)1, sizeof(*finder.function_of));
	finder.row_of = calloc(finder.count + (size_t)1, sizeof(*finder.row_of));
	finder.hot = calloc(finder.count + (size_t)1, sizeof(*finder.hot));
	finder.texts = pk_source_texts_new(&no_prefixes, pk_code_objects_failures(finder.objects));
	if (finder.function_of && finder.row_of && finder.hot && finder.texts)
		status = number_functions(&finder);
	if (status == PK_OK)
		status = weigh(&finder, sums, event_of);
	if (status == PK_OK)
		status = add_hottest(&finder);
	if (status == PK_OK)
		status = replace_places(&finder, sums, base_sums);
	pk_source_texts_free(finder.texts);
	pk_texts_free(&finder.functions);
	free(finder.function_of);
	free(finder.row_of);
	free(finder.hot);
	free(finder.order);
	return status;
}
