// SPDX-License-Identifier: BSD-2-Clause
/* The format of Callgrind, for KCachegrind and callgrind_annotate. These programs calculate the
 * inclusive cost of a function from the calls to it. If a function has several frames in a stack,
 * the cost of the stack must be counted once for it. So only the outermost frame of each function
 * adds a call. The outermost frame of a stack is called by an artificial function, which stands for
 * the labels of the samples. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "texts.h"
#include "vector.h"

/* ---- Costs ---- */

/* Sums of values. There is a sum for each line of a function, and for each call in a line. */

/* What a cost belongs to: a line of a function, or a call from this line. */
struct cost_key {
	uint32_t function, file, line;
	uint32_t callee; /* number of the called function; 0 for the cost of the line itself */
};

/* Costs by key. A struct in which only `values` is set has no costs. */
struct costs {
	unsigned int values; /* number of values of each cost */
	struct pk_texts keys;
	uint64_t *sums; /* the costs of the keys; each key has `values` sums */
	size_t capacity;
	uint32_t *order; /* numbers of the keys, sorted; set by costs_sort() */
};
static inline const struct cost_key *costs_key(const struct costs *costs, size_t index)
{
	return (const void *)pk_texts_get(&costs->keys, costs->order[index], NULL);
}
static inline const uint64_t *costs_sums(const struct costs *costs, size_t index)
{
	return costs->sums + (size_t)(costs->order[index] - 1) * costs->values;
}

static enum pk_status costs_add(struct costs *costs, const struct cost_key *key,
				const uint64_t *values)
{
	const uint32_t number = pk_texts_add(&costs->keys, (const char *)key, sizeof(*key));
	uint64_t *sums;

	if (!number)
		return PK_NOMEM;
	PK_TRY(pk_extend(&costs->sums, &costs->capacity,
			 (size_t)number * costs->values + costs->values));
	sums = costs->sums + (size_t)(number - 1) * costs->values;
	for (unsigned int i = 0; i < costs->values; i++)
		sums[i] = values[i] > INT64_MAX - sums[i] ? INT64_MAX : sums[i] + values[i];
	return PK_OK;
}

static int compare(const void *left, const void *right, void *arg)
{
	const struct costs *costs = arg;
	const uint32_t *a = (const void *)pk_texts_get(&costs->keys, *(const uint32_t *)left, NULL);
	const uint32_t *b =
		(const void *)pk_texts_get(&costs->keys, *(const uint32_t *)right, NULL);

	for (size_t i = 0; i < sizeof(struct cost_key) / sizeof(*a); i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Sorts the keys by their members, in the order of the struct. */
static enum pk_status costs_sort(struct costs *costs)
{
	const size_t count = costs->keys.count;

	costs->order = malloc((count + 1) * sizeof(*costs->order));
	if (!costs->order)
		return PK_NOMEM;
	for (uint32_t i = 0; i < count; i++)
		costs->order[i] = i + 1;
	qsort_r(costs->order, count, sizeof(*costs->order), compare, costs);
	return PK_OK;
}

static void costs_free(struct costs *costs)
{
	pk_texts_free(&costs->keys);
	free(costs->sums);
	free(costs->order);
}

/* ---- The file ---- */

/* A function. Its name is in base.tables, as a struct profile_function. There, `object` is the
 * string of the object's path, and the name 0 means that the function is unknown. For a function
 * that stands for labels, `line` is the row of the labels. */
struct function {
	uint32_t file; /* id in the dictionary of the string with the path of the file */
	uint32_t pass; /* value of callgrind.pass for the last stack with this function */
};

struct callgrind {
	struct exporter base;
	struct costs costs;
	struct function *functions; /* the functions; the index is the number of the function */
	size_t functions_count;
	uint32_t row, labels; /* the last row of labels, and the number of its function */
	struct stack_frames frames;
	uint32_t pass;
	struct buffer text;
	struct pk_texts objects, files, names; /* texts that were already written; after the first
						  time, only their numbers are written */
	uint64_t totals[VALUES_MAX];
};

/* ---- Functions ---- */

/* Returns the number of a function, or 0 if memory is exhausted. */
static uint32_t number_function(struct callgrind *c, const struct profile_function *function)
{
	const uint32_t number = profile_function(&c->base.tables, function);

	return pk_extend(&c->functions, &c->functions_count, number) == PK_OK ? number : 0;
}

static uint32_t find_function(struct callgrind *c, const struct pk_frame *frame)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(c->base.tables.names, frame->dso);
	const uint32_t number =
		number_function(c, &(struct profile_function){.name = frame->function,
							      .object = dso ? dso->path : 0});

	if (number && !c->functions[number].file)
		c->functions[number].file = frame->file;
	return number;
}

/* Returns the number of a frame's function, or 0 if memory is exhausted. */
static uint32_t function_of(struct callgrind *c, uint32_t id)
{
	uint32_t *number = profile_of_frame(&c->base.tables, id);

	if (!number)
		return 0;
	if (!*number)
		*number = find_function(c, pk_dictionary_get_frame(c->base.tables.names, id));
	return *number;
}

/* Returns the number of the function that stands for the labels of a row. Returns 0 if memory is
 * exhausted. */
static uint32_t function_of_labels(struct callgrind *c, uint32_t row)
{
	if (row != c->row) {
		c->labels = number_function(c, &(struct profile_function){.line = row});
		c->row = row;
	}
	return c->labels;
}

/* ---- Stacks ---- */

/* Adds the values of a stack to the costs of its lines and calls. */
static enum pk_status add_stack(struct callgrind *c, const struct cell *cell,
				const uint64_t *values)
{
	struct cost_key key = {.function = function_of_labels(c, cell->row)};
	const struct pk_frame *frame;
	size_t left;

	stack_frames_read(&c->frames, c->base.samples.names, &c->base.samples.allowance,
			  cell->stack);
	left = c->frames.count;
	c->base.cut += c->frames.cut ? cell->samples : 0;
	c->pass++;
	while (left && key.function) {
		const uint32_t id = c->frames.ids[--left];

		key.callee = function_of(c, id);
		if (!key.callee)
			return PK_NOMEM;
		if (c->functions[key.callee].pass != c->pass)
			PK_TRY(costs_add(&c->costs, &key, values));
		c->functions[key.callee].pass = c->pass;
		frame = pk_dictionary_get_frame(c->base.samples.names, id);
		key = (struct cost_key){key.callee, frame->file, frame->line, 0};
	}
	if (!key.function)
		return PK_NOMEM;
	return costs_add(&c->costs, &key, values);
}

/* Adds all stacks. Cells that differ only in their series are added together, as one stack. */
static enum pk_status add_stacks(struct callgrind *c)
{
	const struct cell *cell = c->base.cells.items, *const end = cell + c->base.cells.count,
			  *first;
	uint64_t values[VALUES_MAX];

	while (cell < end) {
		first = cell;
		cell = value_types_sum(&c->base.types, first, end, values);
		if (values[0])
			PK_TRY(add_stack(c, first, values));
		for (unsigned int i = 0; i < c->base.types.count; i++)
			c->totals[i] += values[i];
	}
	return PK_OK;
}

/* ---- Output ---- */

/* The words with which Callgrind's format introduces the object, the file and the name of a
 * function. */
struct function_words {
	const char *object, *file, *name;
};

/* Writes "WORD=(NUMBER) NAME" the first time, and then only "WORD=(NUMBER)". */
static void put_name(struct callgrind *c, const char *word, struct pk_texts *written,
		     const char *name, size_t size)
{
	struct buffer *out = &c->base.out.text;
	const size_t before = written->count;
	uint32_t number;

	c->text.size = 0;
	buffer_valid(&c->text, name, size, SIZE_MAX);
	number = pk_texts_add(written, c->text.data ? c->text.data : "", c->text.size);
	out->failed |= !number || c->text.failed;
	buffer_text(out, word);
	buffer_text(out, "=(");
	buffer_decimal(out, number, 0);
	buffer_char(out, ')');
	if (number > before) {
		buffer_char(out, ' ');
		buffer_add(out, c->text.data, c->text.size);
	}
	buffer_char(out, '\n');
}

/* Writes the name that is a string of the dictionary. */
static void put_string(struct callgrind *c, const char *word, struct pk_texts *written, uint32_t id)
{
	size_t size = 0;
	const char *text = pk_dictionary_get_string(c->base.samples.names, id, &size);

	put_name(c, word, written, size ? text : "???", size ? size : 3);
}

static void put_function_name(struct callgrind *c, const char *word,
			      const struct profile_function *function)
{
	struct buffer text = {0};

	if (function->name) {
		put_string(c, word, &c->names, function->name);
		return;
	}
	if (function->line)
		samples_labels_text(&c->base.samples, function->line, &text);
	else
		names_object_text(c->base.tables.names, function->object, &text);
	if (!text.size)
		buffer_text(&text, "(all)");
	if (!text.failed)
		put_name(c, word, &c->names, text.data, text.size);
	c->base.out.text.failed |= text.failed;
	free(text.data);
}

static void put_function(struct callgrind *c, const struct function_words *words, uint32_t number)
{
	const struct profile_function *function = profile_function_at(&c->base.tables, number);

	put_string(c, words->object, &c->objects, function->object);
	put_string(c, words->file, &c->files, c->functions[number].file);
	put_function_name(c, words->name, function);
}

static void put_values(struct callgrind *c, uint32_t line, const uint64_t *values)
{
	buffer_decimal(&c->base.out.text, line, 0);
	for (unsigned int i = 0; i < c->base.types.count; i++) {
		buffer_char(&c->base.out.text, ' ');
		buffer_decimal(&c->base.out.text, values[i], 0);
	}
	buffer_char(&c->base.out.text, '\n');
}

/* Writes the cost of a line, or of a call in this line. */
static void put_cost(struct callgrind *c, const struct cost_key *key, const uint64_t *values)
{
	static const struct function_words words = {"cob", "cfi", "cfn"};

	if (key->callee) {
		put_function(c, &words, key->callee);
		buffer_text(&c->base.out.text, "calls=");
		buffer_decimal(&c->base.out.text, values[0], 0);
		buffer_text(&c->base.out.text, " 0\n");
	}
	put_values(c, key->line, values);
	output_part(&c->base.out);
}

static void put_costs(struct callgrind *c)
{
	static const struct function_words words = {"ob", "fl", "fn"};
	uint32_t function = 0, file = 0;

	for (size_t i = 0; i < c->costs.keys.count; i++) {
		const struct cost_key *key = costs_key(&c->costs, i);

		if (key->function != function) {
			function = key->function;
			file = c->functions[function].file;
			buffer_char(&c->base.out.text, '\n');
			put_function(c, &words, function);
		}
		if (key->file != file) {
			file = key->file;
			put_string(c, file == c->functions[function].file ? "fe" : "fi", &c->files,
				   file);
		}
		put_cost(c, key, costs_sums(&c->costs, i));
	}
}

/* Writes the name of an event. The format separates names at blanks, so blanks are replaced. */
static void put_event(struct buffer *out, const char *name)
{
	const size_t start = out->size;

	buffer_valid(out, name, strlen(name), SIZE_MAX);
	for (size_t i = start; i < out->size; i++)
		if (out->data[i] == ' ')
			out->data[i] = '_';
}

static void put_head(struct callgrind *c)
{
	struct buffer *out = &c->base.out.text;

	buffer_text(out, "# callgrind format\nversion: 1\ncreator: pk-export " PK_VERSION
			 "\npositions: line\nevents:");
	for (unsigned int i = 0; i < c->base.types.count; i++) {
		buffer_char(out, ' ');
		put_event(out, c->base.types.types[i].name);
	}
	buffer_text(out, "\nsummary:");
	for (unsigned int i = 0; i < c->base.types.count; i++) {
		buffer_char(out, ' ');
		buffer_decimal(out, c->totals[i], 0);
	}
	buffer_char(out, '\n');
}

/* ---- The format ---- */

static void write_profile(void *format)
{
	struct callgrind *c = format;

	value_types_init(&c->base.types, &c->base.samples);
	c->costs.values = c->base.types.count;
	cells_sort(&c->base.cells);
	c->base.failed = add_stacks(c) != PK_OK || costs_sort(&c->costs) != PK_OK;
	if (c->base.failed)
		return;
	put_head(c);
	put_costs(c);
}

static int end(void *format, int result)
{
	struct callgrind *c = format;

	costs_free(&c->costs);
	pk_texts_free(&c->objects);
	pk_texts_free(&c->files);
	pk_texts_free(&c->names);
	free(c->functions);
	free(c->text.data);
	return result;
}

#define AT(member) PK_AT(struct callgrind, member)

static const struct pk_option rows[] = {
	PK_TITLE("The call graph"),
	{0, "by", "FIELD,...", PK_CALL,
	 "fields whose values call the outermost functions (default: comm); none",
	 AT(base.options.tail), .parse = pk_set_by},
	{.kind = PK_ROWS, .rows = export_sample_rows},
	PK_OPTIONS_END,
};

const struct export_format export_callgrind = {
	.name = "callgrind",
	.description = "call graph for KCachegrind and callgrind_annotate",
	.by = "comm",
	.command = {.usage = "Usage: pk-export callgrind [OPTION...] [FILE...]\n\n"
			     "Writes a call graph in the format of Callgrind.\n",
		    .options = rows,
		    .examples = "  pk-record -g -- ./app | pk-symbolize --lines | pk-export "
				"callgrind -o callgrind.out.app\n"
				"  callgrind_annotate --inclusive=yes callgrind.out.app\n"},
	.size = sizeof(struct callgrind),
	.output = OUTPUT_TEXT,
	.sample = export_sum,
	.write = write_profile,
	.end = end,
};
