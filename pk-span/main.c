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

/* Limits for open spans. The limit of their memory is for callchains and texts: bytes for each of
 * the open spans, but not less than MEMORY_LEAST. */
#define OPEN_DEFAULT  1000000
#define MEMORY_OF_ONE 640
#define MEMORY_LEAST  ((size_t)64 << 20)

#define FIELDS_MAX 100 /* of keys and carried */
#define OPERAND	   1   /* a result of getopt_long(3) */

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

/* The definition that options belong to: the last one. NULL: out of memory. */
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

static void help(void)
{
	puts("Usage: pk-span [OPTION...] [FILE...]\n"
	     "       pk-span PRESET [OPTION...] [FILE...]\n"
	     "\n"
	     "Joins two samples, a start and an end, to a span: a sample of a new event with the "
	     "time\n"
	     "between them. Without FILE, or if FILE is -, reads stdin. Writes a stream.\n"
	     "PRESET is a name for options: pk-span list prints all.\n"
	     "\n"
	     "      --name=NAME       of the new event: pk:NAME (span); the next --name begins "
	     "another one\n"
	     "      --start=EVENT     its samples start spans; --start-where=EXPR: those that "
	     "match\n"
	     "      --end=EVENT       its samples end them; --end-where=EXPR: those that match\n"
	     "      --cancel=EVENT    its samples discard open spans; --cancel-where=EXPR\n"
	     "                        (repeat for more events; a condition belongs to the event "
	     "before it)\n"
	     "      --key=FIELD,...   fields that start and end have in common; "
	     "START_FIELD=END_FIELD,\n"
	     "                        A|B: the first that an event has\n"
	     "      --again=replace|keep|nest  a second start of a key: replaces the first one, is "
	     "not used,\n"
	     "                        or opens another span (replace); --nested: nest\n"
	     "      --carry=FIELD,... more fields for the span; start.FIELD, end.FIELD\n"
	     "      --level=FIELD|1   add the sum of a start's field over all open spans, or their "
	     "number\n"
	     "      --task=FIELD      tid of the span's task; start.FIELD, end.FIELD\n"
	     "      --task-end=drop|end  effect of a task's end on its open spans (drop)\n"
	     "      --addr=FIELD      field of the span that is an address of data: of a lock\n"
	     "      --stack=start|end|both  task, cpu and stack of the span (start); both: two "
	     "stacks\n"
	     "Options for all spans:\n"
	     "      --view=NAME       like PRESET\n"
	     "      --optional        events that the input does not have are no error\n"
	     "      --min=TIME        leave out shorter spans: 10us, 5ms, 1s\n"
	     "      --pass            keep the samples that were joined, too\n"
	     "      --open=N          at most N open spans, the oldest are dropped (1000000)\n"
	     "      --unfinished      write spans that are open at the end\n" PK_COMMON_HELP "\n"
	     "  pk-span syscalls calls.pk | pk-report --event syscall --by trace.call\n"
	     "  pk-span --start block_rq_issue --end block_rq_complete --key dev,sector <io.pk | "
	     "pk-report");
}

enum {
	OPT_START = 256,
	OPT_START_WHERE,
	OPT_END,
	OPT_END_WHERE,
	OPT_KEY,
	OPT_CARRY,
	OPT_NAME,
	OPT_NESTED,
	OPT_STACK,
	OPT_MIN,
	OPT_PASS,
	OPT_OPEN,
	OPT_UNFINISHED,
	OPT_CANCEL,
	OPT_CANCEL_WHERE,
	OPT_TASK,
	OPT_LEVEL,
	OPT_AGAIN,
	OPT_OPTIONAL,
	OPT_VIEW,
	OPT_ADDR,
	OPT_TASK_END,
};

static const struct option long_options[] = {
	{"start", required_argument, NULL, OPT_START},
	{"start-where", required_argument, NULL, OPT_START_WHERE},
	{"end", required_argument, NULL, OPT_END},
	{"end-where", required_argument, NULL, OPT_END_WHERE},
	{"key", required_argument, NULL, OPT_KEY},
	{"carry", required_argument, NULL, OPT_CARRY},
	{"name", required_argument, NULL, OPT_NAME},
	{"nested", no_argument, NULL, OPT_NESTED},
	{"stack", required_argument, NULL, OPT_STACK},
	{"min", required_argument, NULL, OPT_MIN},
	{"pass", no_argument, NULL, OPT_PASS},
	{"open", required_argument, NULL, OPT_OPEN},
	{"unfinished", no_argument, NULL, OPT_UNFINISHED},
	{"cancel", required_argument, NULL, OPT_CANCEL},
	{"cancel-where", required_argument, NULL, OPT_CANCEL_WHERE},
	{"task", required_argument, NULL, OPT_TASK},
	{"task-end", required_argument, NULL, OPT_TASK_END},
	{"level", required_argument, NULL, OPT_LEVEL},
	{"addr", required_argument, NULL, OPT_ADDR},
	{"again", required_argument, NULL, OPT_AGAIN},
	{"view", required_argument, NULL, OPT_VIEW},
	{"optional", no_argument, NULL, OPT_OPTIONAL},
	PK_COMMON_LONG,
};

/* -1: continue. Else the exit status. */
static int add_rule(struct pk_pairing *pairing, enum pk_span_role role)
{
	return pk_pairing_add_rule(pairing, role, optarg) ? -1 : pk_no_memory();
}

/* The condition belongs to the last rule of its role. */
static int add_where(struct pk_pairing *pairing, enum pk_span_role role, const char *option,
		     const char *event)
{
	struct pk_span_rules *rules = &pairing->plans.rules[role];
	struct pk_span_rule *rule = rules->count ? &rules->items[rules->count - 1] : NULL;
	struct pk_expression_error error;

	if (!rule)
		return pk_usage_error("%s must follow its %s", option, event);
	if (rule->where)
		return pk_usage_error("%s: %s has a condition already: join the two with &&",
				      option, rule->event);
	rule->where_text = optarg;
	rule->where = pk_expression_parse(optarg, &error);
	if (rule->where)
		return -1;
	if (error.text == pk_expression_no_memory)
		return pk_no_memory();
	pk_expression_complain(option, optarg, error.at, error.text);
	return pk_usage_hint();
}

static bool is_field(const char *text, size_t size)
{
	return size && !strchr("=|", *text) && !strchr("=|", text[size - 1]);
}

/* Adds each field of the list in optarg. */
static int add_fields(struct pk_pairing *pairing, const char *option,
		      bool (*add)(struct pk_pairing *pairing, const char *text, size_t size))
{
	const char *list = optarg, *text;
	size_t size;

	while (pk_next_word(&list, &text, &size)) {
		if (!is_field(text, size))
			return pk_usage_error("%s=%s: a field has no name", option, optarg);
		if (pairing->plans.columns.count == FIELDS_MAX)
			return pk_usage_error("%s: more than %d fields", option, FIELDS_MAX);
		if (!add(pairing, text, size))
			return pk_no_memory();
	}
	return -1;
}

static int set_task(struct pk_pairing *pairing)
{
	for (size_t i = 0; i < pairing->plans.columns.count; i++)
		if (pairing->plans.columns.items[i].hidden &&
		    !pairing->plans.columns.items[i].is_level)
			return pk_usage_error("--task: only one field");
	if (!is_field(optarg, strlen(optarg)))
		return pk_usage_error("--task=%s: a field has no name", optarg);
	return pk_pairing_set_task(pairing, optarg, strlen(optarg)) ? -1 : pk_no_memory();
}

static int set_level(struct pk_pairing *pairing)
{
	if (pairing->fields.has_level)
		return pk_usage_error("--level: only one field");
	if (!is_field(optarg, strlen(optarg)))
		return pk_usage_error("--level=%s: a field has no name", optarg);
	return pk_pairing_set_level(pairing, optarg, strlen(optarg)) ? -1 : pk_no_memory();
}

/* Sets *value to the number of optarg in the words. */
static int set_word(int *value, const char *option, const char *const *words)
{
	for (int i = 0; words[i]; i++) {
		if (!strcmp(optarg, words[i])) {
			*value = i;
			return -1;
		}
	}
	return words[2] ? pk_usage_error("%s=%s: must be %s, %s or %s", option, optarg, words[0],
					 words[1], words[2])
			: pk_usage_error("%s=%s: must be %s or %s", option, optarg, words[0],
					 words[1]);
}

static int set_again(struct pk_pairing *pairing)
{
	static const char *const words[] = {"replace", "keep", "nest", NULL};
	int again = 0;
	const int result = set_word(&again, "--again", words);

	pairing->open.again = (enum pk_again)again;
	return result;
}

static int set_stack(struct pk_pairing *pairing)
{
	static const char *const words[] = {"start", "end", "both", NULL};
	int stack = 0;
	const int result = set_word(&stack, "--stack", words);

	pairing->both = stack == PK_SPAN_SIDES;
	pairing->place_of = stack == PK_SPAN_END ? PK_SPAN_END : PK_SPAN_START;
	return result;
}

static int set_task_end(struct pk_pairing *pairing)
{
	static const char *const words[] = {"drop", "end", NULL};
	int end = 0;
	const int result = set_word(&end, "--task-end", words);

	pairing->task_ends = end;
	return result;
}

static int set_open(struct opts *opts)
{
	uint64_t count;

	if (!pk_parse_u64(optarg, &count) || !count || count > SIZE_MAX / MEMORY_OF_ONE)
		return pk_usage_error("--open=%s: not a number of spans", optarg);
	opts->pool.count_max = count;
	return -1;
}

/* -1: the definition is complete. Else the exit status. */
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
	return -1;
}

/* --name begins the next definition if the last one has a name and a --start. */
static int set_name(struct opts *opts)
{
	struct span_definition *definition = current(opts);

	if (!definition)
		return pk_no_memory();
	if (!pk_field_name_is_valid(optarg))
		return pk_usage_error("--name=%s: must be letters, digits and _", optarg);
	if (definition->is_named && definition->pairing.plans.rules[PK_SPAN_STARTS].count) {
		if (opts->span.count == SPAN_DEFINITIONS_MAX)
			return pk_usage_error("--name=%s: more than %d definitions", optarg,
					      SPAN_DEFINITIONS_MAX);
		definition = calloc(1, sizeof(*definition));
		if (!definition)
			return pk_no_memory();
		opts->definitions[opts->span.count++] = definition;
	}
	definition->name = optarg;
	definition->is_named = true;
	return -1;
}

/* Options of one definition. -2: it is none of these; else like set_option(). */
static int set_definition(struct pk_pairing *pairing, int option)
{
	switch (option) {
	case OPT_START: return add_rule(pairing, PK_SPAN_STARTS);
	case OPT_START_WHERE: return add_where(pairing, PK_SPAN_STARTS, "--start-where", "--start");
	case OPT_END: return add_rule(pairing, PK_SPAN_ENDS);
	case OPT_END_WHERE: return add_where(pairing, PK_SPAN_ENDS, "--end-where", "--end");
	case OPT_CANCEL: return add_rule(pairing, PK_SPAN_CANCELS);
	case OPT_CANCEL_WHERE:
		return add_where(pairing, PK_SPAN_CANCELS, "--cancel-where", "--cancel");
	case OPT_KEY: return add_fields(pairing, "--key", pk_pairing_add_key);
	case OPT_CARRY: return add_fields(pairing, "--carry", pk_pairing_add_carried);
	case OPT_TASK: return set_task(pairing);
	case OPT_TASK_END: return set_task_end(pairing);
	case OPT_LEVEL: return set_level(pairing);
	case OPT_NESTED: pairing->open.again = PK_AGAIN_NEST; return -1;
	case OPT_AGAIN: return set_again(pairing);
	case OPT_STACK: return set_stack(pairing);
	default: return -2;
	}
}

/* -1: continue. Else the exit status. */
static int set_option(struct opts *opts, int option)
{
	struct span_definition *definition = current(opts);
	int result;

	if (!definition)
		return pk_no_memory();
	result = set_definition(&definition->pairing, option);
	if (result != -2)
		return result;
	switch (option) {
	case OPT_NAME: return set_name(opts);
	case OPT_ADDR: definition->address = optarg; break;
	case OPT_MIN:
		if (!pk_parse_time(optarg, &opts->shortest))
			return pk_usage_error("--min=%s: not a time such as 10us", optarg);
		break;
	case OPT_PASS: opts->span.pass = true; break;
	case OPT_OPTIONAL: opts->span.optional = true; break;
	case OPT_OPEN: return set_open(opts);
	case OPT_UNFINISHED: opts->unfinished = true; break;
	default: return pk_common_option(&opts->common, option);
	}
	return -1;
}

/* -1: continue. Else the exit status. */
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
	if (!pk_vector_reserve(&opts->files, 1))
		return pk_no_memory();
	opts->files.items[opts->files.count++] = file;
	return -1;
}

/* An operand: a preset if it is the first one and has the name of a view, else a file. -1:
 * continue. Else the exit status. */
static int add_operand(struct opts *opts, int *argc, char ***argv)
{
	bool is_preset = false;
	int result = -1;

	if (!opts->files.count && !opts->has_preset) {
		result = pk_preset_operand(&opts->presets, optarg, argc, argv, &is_preset);
		opts->has_preset = is_preset;
	}
	if (result >= 0 || is_preset)
		return result;
	return add_file(opts, optarg);
}

/* Reads the options. Operands are handled in their order: a preset stands for options. -1:
 * continue. Else the exit status. */
static int read_options(struct opts *opts, int *argc, char ***argv)
{
	int c, result = -1;

	while (result < 0 &&
	       (c = pk_getopt(*argc, *argv, "-" PK_COMMON_SHORT, long_options, NULL)) != -1) {
		if (c == OPERAND)
			result = add_operand(opts, argc, argv);
		else if (c == OPT_VIEW)
			result = pk_preset_option(&opts->presets, optarg, argc, argv);
		else
			result = set_option(opts, c);
	}
	while (result < 0 && optind < *argc)
		result = add_file(opts, (*argv)[optind++]);
	return result;
}

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
	opts->common.help = help;
	opts->span = (struct span_options){.argc = argc, .argv = argv};
	opts->pool.count_max = OPEN_DEFAULT;
	result = read_options(opts, &argc, &argv);
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
