// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "number.h"
#include "span_options.h"
#include "where.h"

/* Limits for open spans. The limit of memory holds for their callchains and texts. It is
 * MEMORY_OF_ONE bytes for each span that can be open, but at least MEMORY_LEAST. */
#define OPEN_DEFAULT  1000000
#define MEMORY_OF_ONE 640
#define MEMORY_LEAST  ((size_t)64 << 20)

#define FIELDS_MAX 100 /* maximum number of fields in the keys and of carried fields */

void pk_span_options_init(struct pk_span_options *options)
{
	*options = (struct pk_span_options){.pool.count_max = OPEN_DEFAULT};
}

/* Returns the definition to which an option belongs. This is the last definition. Returns NULL if
 * memory is exhausted. */
static struct pk_span_definition *current(struct pk_span_options *options)
{
	const size_t count = options->count;

	if (count)
		return options->definitions[count - 1];
	options->definitions[0] = calloc(1, sizeof(*options->definitions[0]));
	if (!options->definitions[0])
		return NULL;
	options->definitions[0]->name = "span";
	options->count = 1;
	return options->definitions[0];
}

/* Parses --start, --end or --cancel. option->set is the role of the event. */
static int add_rule(const struct pk_option *option, void *at, const char *text)
{
	struct pk_span_definition *definition = current(at);

	return definition && pk_pairing_add_rule(&definition->pairing,
						 (enum pk_span_role)option->set, text) == PK_OK
		       ? PK_CONTINUE
		       : pk_no_memory();
}

/* Parses a condition. It belongs to the last rule of its role. */
static int add_where(const struct pk_option *option, void *at, const char *text)
{
	struct pk_span_definition *definition = current(at);
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
	struct pk_span_definition *definition = current(at);
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
	struct pk_span_definition *definition = current(at);
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
	struct pk_span_definition *definition = current(at);

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
	struct pk_span_definition *definition = current(at);
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
	struct pk_span_definition *definition = current(at);
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
	struct pk_span_definition *definition = current(at);
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
	struct pk_span_definition *definition = current(at);

	(void)option;
	if (!definition)
		return pk_no_memory();
	definition->address = text;
	return PK_CONTINUE;
}

static int check_definition(const struct pk_span_definition *definition)
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
	struct pk_span_options *options = at;
	struct pk_span_definition *definition = current(options);

	(void)option;
	if (!definition)
		return pk_no_memory();
	if (!pk_field_name_is_valid(text))
		return pk_usage_error("--name=%s: must be letters, digits and _", text);
	if (definition->is_named && definition->pairing.plans.rules[PK_SPAN_STARTS].count) {
		if (options->count == PK_SPAN_DEFINITIONS_MAX)
			return pk_usage_error("--name=%s: more than %d definitions", text,
					      PK_SPAN_DEFINITIONS_MAX);
		definition = calloc(1, sizeof(*definition));
		if (!definition)
			return pk_no_memory();
		options->definitions[options->count++] = definition;
	}
	definition->name = text;
	definition->is_named = true;
	return PK_CONTINUE;
}

#define AT(member)  PK_AT(struct pk_span_options, member)
#define RULE(role)  .parse = add_rule, .set = (role)
#define WHERE(role) .parse = add_where, .set = (role)

const struct pk_option pk_span_definition_rows[] = {
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
	PK_OPTIONS_END,
};

const struct pk_option pk_span_rows[] = {
	{0, "optional", NULL, PK_FLAG, "events that the input does not have are no error",
	 AT(optional)},
	{0, "min", "TIME", PK_TIME, "leave out shorter spans: 10us, 5ms, 1s", AT(shortest)},
	{0, "pass", NULL, PK_FLAG, "keep the samples that were joined, too", AT(pass)},
	{0, "open", "N", PK_NUMBER, "at most N open spans, the oldest are dropped (1000000)",
	 AT(pool.count_max), .least = 1, .most = (double)(SIZE_MAX / MEMORY_OF_ONE),
	 .wants = "a number of spans"},
	{0, "unfinished", NULL, PK_FLAG, "write spans that are open at the end", AT(unfinished)},
	PK_OPTIONS_END,
};

static size_t memory_for(size_t count)
{
	return count < MEMORY_LEAST / MEMORY_OF_ONE ? MEMORY_LEAST : count * MEMORY_OF_ONE;
}

int pk_span_options_check(struct pk_span_options *options)
{
	struct pk_span_definition *first = current(options);
	int result = first ? -1 : pk_no_memory();

	for (size_t i = 0; result < 0 && i < options->count; i++) {
		struct pk_pairing *pairing = &options->definitions[i]->pairing;

		result = check_definition(options->definitions[i]);
		for (size_t j = 0; j < i && result < 0; j++)
			if (!strcmp(options->definitions[j]->name, options->definitions[i]->name))
				result = pk_usage_error("--name=%s: two definitions have this name",
							options->definitions[i]->name);
		for (size_t j = 0; options->optional && j < pairing->plans.columns.count; j++)
			pairing->plans.columns.items[j].optional =
				!pairing->plans.columns.items[j].is_key;
		pairing->shortest = options->shortest;
		pairing->unfinished = options->unfinished;
	}
	options->pool.memory_max = memory_for(options->pool.count_max);
	options->halves.bytes_max = options->pool.memory_max;
	return result;
}

void pk_span_options_free(struct pk_span_options *options)
{
	for (size_t i = 0; i < options->count; i++) {
		pk_pairing_free(&options->definitions[i]->pairing);
		free(options->definitions[i]);
	}
	pk_open_pool_free(&options->pool);
	pk_user_halves_free(&options->halves);
}
