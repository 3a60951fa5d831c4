// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "number.h"
#include "options.h"
#include "presets.h"
#include "span_filter.h"
#include "vector.h"
#include "where.h"

/* Limits for open spans. The limit of memory holds for their callchains and texts. It is
 * MEMORY_OF_ONE bytes for each span that can be open, but at least MEMORY_LEAST. */
#define OPEN_DEFAULT  1000000
#define MEMORY_OF_ONE 640
#define MEMORY_LEAST  ((size_t)64 << 20)

#define FIELDS_MAX 100 /* maximum number of fields in the keys and of carried fields */

struct opts {
	struct pk_common common;
	struct span_options span;
	struct pk_presets presets;
	struct {
		char **items;
		size_t count, capacity;
	} files;
	bool has_preset;
	struct pk_open_pool pool;
	struct pk_user_halves halves;
	struct span_definition *definitions[SPAN_DEFINITIONS_MAX];
	uint64_t shortest;
	bool unfinished;
};

/* Returns the definition to which an option belongs. This is the last definition. Returns NULL if
 * memory is exhausted. */
static struct span_definition *current(struct opts *opts)
{
	const size_t count = opts->span.count;

	if (count)
		return opts->definitions[count - 1];
	opts->definitions[0] = calloc(1, sizeof(*opts->definitions[0]));
	if (!opts->definitions[0])
		return NULL;
	opts->definitions[0]->name = "span";
	opts->span.count = 1;
	return opts->definitions[0];
}

/* Parses --start, --end or --cancel. option->set is the role of the event. */
static int add_rule(const struct pk_option *option, void *at, const char *text)
{
	struct span_definition *definition = current(at);

	return definition && pk_pairing_add_rule(&definition->pairing,
						 (enum pk_span_role)option->set, text) == PK_OK
		       ? PK_CONTINUE
		       : pk_no_memory();
}

/* Parses a condition. It belongs to the last rule of its role. */
static int add_where(const struct pk_option *option, void *at, const char *text)
{
	struct span_definition *definition = current(at);
	struct pk_expression_error error;
	struct pk_span_rules *rules;
	struct pk_span_rule *rule;
	char name[32];

	if (!definition)
		return pk_no_memory();
	snprintf(name, sizeof(name), "--%s", option->name);
	rules = &definition->pairing.plans.rules[option->set];
	rule = rules->count ? &rules->items[rules->count - 1] : NULL;
	if (!rule)
		return pk_usage_error("%s must follow its %.*s", name,
				      (int)(strlen(name) - strlen("-where")), name);
	if (rule->where)
		return pk_usage_error("%s: %s has a condition already: join the two with &&", name,
				      rule->event);
	rule->where_text = text;
	rule->where = pk_expression_parse(text, &error);
	if (rule->where)
		return PK_CONTINUE;
	if (error.text == pk_expression_no_memory)
		return pk_no_memory();
	pk_expression_complain(name, text, error.at, error.text);
	return pk_usage_hint();
}

static bool is_field(const char *text, size_t size)
{
	return size && !strchr("=|", *text) && !strchr("=|", text[size - 1]);
}

/* Adds each field of the list to the keys. If option->set is 1, adds it to the carried fields
 * instead. */
static int add_fields(const struct pk_option *option, void *at, const char *list)
{
	struct span_definition *definition = current(at);
	const char *whole = list, *text;
	size_t size;

	while (definition && pk_next_word(&list, &text, &size)) {
		struct pk_pairing *pairing = &definition->pairing;

		if (!is_field(text, size))
			return pk_option_error(option, whole, "a field has no name");
		if (pairing->plans.columns.count == FIELDS_MAX)
			return pk_usage_error("--%s: more than %d fields", option->name,
					      FIELDS_MAX);
		if ((option->set ? pk_pairing_add_carried : pk_pairing_add_key)(pairing, text,
										size) != PK_OK)
			return pk_no_memory();
	}
	return definition ? PK_CONTINUE : pk_no_memory();
}

static int set_task(const struct pk_option *option, void *at, const char *text)
{
	struct span_definition *definition = current(at);
	const struct pk_pairing *pairing = &definition->pairing;

	for (size_t i = 0; definition && i < pairing->plans.columns.count; i++)
		if (pairing->plans.columns.items[i].hidden &&
		    !pairing->plans.columns.items[i].is_level)
			return pk_usage_error("--task: only one field");
	if (!is_field(text, strlen(text)))
		return pk_option_error(option, text, "a field has no name");
	return definition && pk_pairing_set_task(&definition->pairing, text, strlen(text)) == PK_OK
		       ? PK_CONTINUE
		       : pk_no_memory();
}

static int set_level(const struct pk_option *option, void *at, const char *text)
{
	struct span_definition *definition = current(at);

	if (definition && definition->pairing.fields.has_level)
		return pk_usage_error("--level: only one field");
	if (!is_field(text, strlen(text)))
		return pk_option_error(option, text, "a field has no name");
	return definition && pk_pairing_set_level(&definition->pairing, text, strlen(text)) == PK_OK
		       ? PK_CONTINUE
		       : pk_no_memory();
}

/* Returns the index of the text in a list of words, or -1 if the list does not have it. */
static int word_of(const char *const *words, const char *text)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(text, words[i]))
			return i;
	return PK_CONTINUE;
}

static int set_again(const struct pk_option *option, void *at, const char *text)
{
	static const char *const words[] = {"replace", "keep", "nest", NULL};
	struct span_definition *definition = current(at);
	const int again = word_of(words, text);

	if (again < 0)
		return pk_option_wrong(option, text);
	if (!definition)
		return pk_no_memory();
	definition->pairing.open.again = (enum pk_again)again;
	return PK_CONTINUE;
}

static int set_stack(const struct pk_option *option, void *at, const char *text)
{
	static const char *const words[] = {"start", "end", "both", NULL};
	struct span_definition *definition = current(at);
	const int stack = word_of(words, text);

	if (stack < 0)
		return pk_option_wrong(option, text);
	if (!definition)
		return pk_no_memory();
	definition->pairing.both = stack == PK_SPAN_SIDES;
	definition->pairing.place_of = stack == PK_SPAN_END ? PK_SPAN_END : PK_SPAN_START;
	return PK_CONTINUE;
}

static int set_task_end(const struct pk_option *option, void *at, const char *text)
{
	static const char *const words[] = {"drop", "end", NULL};
	struct span_definition *definition = current(at);
	const int end = word_of(words, text);

	if (end < 0)
		return pk_option_wrong(option, text);
	if (!definition)
		return pk_no_memory();
	definition->pairing.task_ends = end;
	return PK_CONTINUE;
}

static int set_address(const struct pk_option *option, void *at, const char *text)
{
	struct span_definition *definition = current(at);

	(void)option;
	if (!definition)
		return pk_no_memory();
	definition->address = text;
	return PK_CONTINUE;
}

static int check_definition(const struct span_definition *definition)
{
	const struct pk_pairing *pairing = &definition->pairing;
	bool has_key = false;

	for (size_t i = 0; i < pairing->plans.columns.count; i++)
		has_key |= pairing->plans.columns.items[i].is_key;
	if (!pairing->plans.rules[PK_SPAN_STARTS].count ||
	    !pairing->plans.rules[PK_SPAN_ENDS].count)
		return pk_usage_error("needs --start=EVENT and --end=EVENT");
	if (!has_key)
		return pk_usage_error("needs --key=FIELD: which start and end belong together");
	return PK_CONTINUE;
}

/* Parses --name. It starts a new definition if the last definition already has a name and a
 * --start. */
static int set_name(const struct pk_option *option, void *at, const char *text)
{
	struct opts *opts = at;
	struct span_definition *definition = current(opts);

	(void)option;
	if (!definition)
		return pk_no_memory();
	if (!pk_field_name_is_valid(text))
		return pk_usage_error("--name=%s: must be letters, digits and _", text);
	if (definition->is_named && definition->pairing.plans.rules[PK_SPAN_STARTS].count) {
		if (opts->span.count == SPAN_DEFINITIONS_MAX)
			return pk_usage_error("--name=%s: more than %d definitions", text,
					      SPAN_DEFINITIONS_MAX);
		definition = calloc(1, sizeof(*definition));
		if (!definition)
			return pk_no_memory();
		opts->definitions[opts->span.count++] = definition;
	}
	definition->name = text;
	definition->is_named = true;
	return PK_CONTINUE;
}

#define AT(member)  PK_AT(struct opts, member)
#define RULE(role)  .parse = add_rule, .set = (role)
#define WHERE(role) .parse = add_where, .set = (role)

static const struct pk_option rows[] = {
	PK_TITLE("A definition of spans"),
	{0, "name", "NAME", PK_CALL,
	 "of the new event: pk:NAME (span); the next --name begins another definition",
	 .parse = set_name},
	{0, "start", "EVENT", PK_CALL, "its samples start spans", RULE(PK_SPAN_STARTS)},
	{0, "start-where", "EXPR", PK_CALL, "only those that match", WHERE(PK_SPAN_STARTS)},
	{0, "end", "EVENT", PK_CALL, "its samples end spans", RULE(PK_SPAN_ENDS)},
	{0, "end-where", "EXPR", PK_CALL, "only those that match", WHERE(PK_SPAN_ENDS)},
	{0, "cancel", "EVENT", PK_CALL, "its samples discard open spans", RULE(PK_SPAN_CANCELS)},
	{0, "cancel-where", "EXPR", PK_CALL,
	 "only those that match (repeat for more events; a condition belongs to the event before "
	 "it)",
	 WHERE(PK_SPAN_CANCELS)},
	{0, "key", "FIELD,...", PK_CALL,
	 "fields that start and end have in common; START_FIELD=END_FIELD, A|B: the first that an "
	 "event has",
	 .parse = add_fields},
	{0, "again", "replace|keep|nest", PK_CALL,
	 "a second start of a key replaces the first one, is not used, or opens another span "
	 "(replace)",
	 .parse = set_again, .wants = "replace, keep or nest"},
	{0, "nested", NULL, PK_CALL, "--again=nest", .parse = set_again, .without = "nest"},
	{0, "carry", "FIELD,...", PK_CALL, "more fields for the span; start.FIELD, end.FIELD",
	 .parse = add_fields, .set = 1},
	{0, "level", "FIELD|1", PK_CALL,
	 "add the sum of a start's field over all open spans, or their number", .parse = set_level},
	{0, "task", "FIELD", PK_CALL, "tid of the span's task; start.FIELD, end.FIELD",
	 .parse = set_task},
	{0, "task-end", "drop|end", PK_CALL, "effect of a task's end on its open spans (drop)",
	 .parse = set_task_end, .wants = "drop or end"},
	{0, "addr", "FIELD", PK_CALL, "field of the span that is an address of data: of a lock",
	 .parse = set_address},
	{0, "stack", "start|end|both", PK_CALL,
	 "task, cpu and stack of the span (start); both: two stacks", .parse = set_stack,
	 .wants = "start, end or both"},
	PK_TITLE("All spans"),
	{0, "view", "NAME", PK_PRESET, "like PRESET", AT(presets)},
	{0, "optional", NULL, PK_FLAG, "events that the input does not have are no error",
	 AT(span.optional)},
	{0, "min", "TIME", PK_TIME, "leave out shorter spans: 10us, 5ms, 1s", AT(shortest)},
	{0, "pass", NULL, PK_FLAG, "keep the samples that were joined, too", AT(span.pass)},
	{0, "open", "N", PK_NUMBER, "at most N open spans, the oldest are dropped (1000000)",
	 AT(pool.count_max), .least = 1, .most = (double)(SIZE_MAX / MEMORY_OF_ONE),
	 .wants = "a number of spans"},
	{0, "unfinished", NULL, PK_FLAG, "write spans that are open at the end", AT(unfinished)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static int check(struct opts *opts)
{
	struct span_definition *first = current(opts);
	int result = first ? -1 : pk_no_memory();

	for (size_t i = 0; result < 0 && i < opts->span.count; i++) {
		struct pk_pairing *pairing = &opts->definitions[i]->pairing;

		result = check_definition(opts->definitions[i]);
		for (size_t j = 0; j < i && result < 0; j++)
			if (!strcmp(opts->definitions[j]->name, opts->definitions[i]->name))
				result = pk_usage_error("--name=%s: two definitions have this name",
							opts->definitions[i]->name);
		for (size_t j = 0; opts->span.optional && j < pairing->plans.columns.count; j++)
			pairing->plans.columns.items[j].optional =
				!pairing->plans.columns.items[j].is_key;
		pairing->shortest = opts->shortest;
		pairing->unfinished = opts->unfinished;
	}
	return result;
}

static size_t memory_for(size_t count)
{
	return count < MEMORY_LEAST / MEMORY_OF_ONE ? MEMORY_LEAST : count * MEMORY_OF_ONE;
}

static int add_file(struct opts *opts, char *file)
{
	if (pk_vector_reserve(&opts->files, 1) != PK_OK)
		return pk_no_memory();
	opts->files.items[opts->files.count++] = file;
	return PK_CONTINUE;
}

/* Handles an operand. The first operand is a preset if it has the name of a view. All other
 * operands are files. Operands are handled in their order, because a preset stands for options. */
static int add_operand(void *arg, char *text, int *argc, char ***argv)
{
	struct opts *opts = arg;
	bool is_preset = false;
	int result = PK_CONTINUE;

	if (!opts->files.count && !opts->has_preset) {
		result = pk_preset_operand(&opts->presets, text, argc, argv, &is_preset);
		opts->has_preset = is_preset;
	}
	if (result >= 0 || is_preset)
		return result;
	return add_file(opts, text);
}

static const struct pk_command command = {
	.usage = "Usage: pk-span [OPTION...] [FILE...]\n"
		 "       pk-span PRESET [OPTION...] [FILE...]\n"
		 "\n"
		 "Joins two samples, a start and an end, to a span: a sample of a new event with "
		 "the\n"
		 "time between them. Without FILE, or if FILE is -, reads stdin. Writes a stream.\n"
		 "PRESET is a name for options: pk-span list prints all.\n",
	.options = rows,
	.examples = "  pk-span syscalls calls.pk | pk-report --event syscall --by trace.call\n"
		    "  pk-span --start block_rq_issue --end block_rq_complete --key dev,sector "
		    "<io.pk |\n"
		    "    pk-report\n",
	.operand = add_operand,
};

static void free_opts(struct opts *opts)
{
	pk_presets_free(&opts->presets);
	free(opts->files.items);
	for (size_t i = 0; i < opts->span.count; i++) {
		pk_pairing_free(&opts->definitions[i]->pairing);
		free(opts->definitions[i]);
	}
	pk_open_pool_free(&opts->pool);
	pk_user_halves_free(&opts->halves);
	free(opts);
}

int main(int argc, char **argv)
{
	struct opts *opts = calloc(1, sizeof(*opts));
	struct pk_run run = {0};
	int result;

	pk_cli_init("pk-span");
	if (!opts)
		return pk_no_memory();
	opts->span = (struct span_options){.argc = argc, .argv = argv};
	opts->pool.count_max = OPEN_DEFAULT;
	result = pk_parse_options(&command, opts, &argc, &argv);
	if (result < 0)
		result = check(opts);
	if (result < 0) {
		pk_common_apply(&opts->common, argc, argv, &run);
		run.files = opts->files.items;
		run.files_count = (int)opts->files.count;
		opts->span.definitions = opts->definitions;
		opts->span.pool = &opts->pool;
		opts->span.output = opts->common.output;
		opts->pool.memory_max = memory_for(opts->pool.count_max);
		opts->span.halves = &opts->halves;
		opts->halves.bytes_max = opts->pool.memory_max;
		result = span_filter(&run, &opts->span);
	}
	free_opts(opts);
	return result;
}
