// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "sift_internal.h"
#include "tracepoint.h"
#include "vector.h"

/* ---- Setting up ---- */

static bool is_match(const struct where *node)
{
	return (node->op == WHERE_LIKE || node->op == WHERE_EQ || node->op == WHERE_NE) &&
	       node->left->op == WHERE_FIELD && node->right->op == WHERE_STRING;
}

static void number_node(void *arg, struct where *node)
{
	struct sifter *sifter = arg;

	if (node->op == WHERE_FIELD && node->field == WHERE_OWN)
		node->own = sifter->owns++;
	if (node->op == WHERE_FIELD && (node->field == WHERE_SYMBOL || node->field == WHERE_STACK))
		sifter->needs_stacks = true;
	if (is_match(node))
		node->memo = sifter->memos_count++;
	sifter_find_range(node);
}

bool sifter_needs_order(const struct where *where)
{
	return where_uses(where, WHERE_COMM) || where_uses(where, WHERE_DSO);
}

bool sifter_needs_formats(const struct sifter *sifter)
{
	return sifter && (sifter->owns || where_uses(sifter->where, WHERE_EVENT));
}

struct sifter *sifter_new(struct where *where, const char *what, const char *text)
{
	struct sifter *sifter = calloc(1, sizeof(*sifter));

	if (!sifter)
		return NULL;
	sifter->where = where;
	sifter->what = what;
	sifter->text = text;
	sifter->needs_tasks = sifter_needs_order(where);
	where_walk(where, number_node, sifter);
	sifter->memos = calloc(2u * sifter->memos_count + 1u, sizeof(*sifter->memos));
	sifter->bound = calloc(sifter->owns + 1u, 1);
	sifter->mismatch = calloc(sifter->owns + 1u, 1);
	if (sifter->memos && sifter->bound && sifter->mismatch)
		return sifter;
	sifter_free(sifter);
	return NULL;
}

static void forget_answers(struct sifter *sifter)
{
	for (unsigned int i = 0; i < 2 * sifter->memos_count; i++) {
		free(sifter->memos[i].answers);
		sifter->memos[i] = (struct sift_memo){0};
	}
}

static void forget_session(struct sifter *sifter)
{
	pk_session_free(sifter->session);
	pk_dictionary_free(sifter->dictionary);
	pk_tracepoints_free(sifter->tracepoints);
	free(sifter->bindings);
	free(sifter->events_bound);
	sifter->session = NULL;
	sifter->dictionary = NULL;
	sifter->tracepoints = NULL;
	sifter->bindings = NULL;
	sifter->events_bound = NULL;
	sifter->events_count = 0;
	sifter->symbolized = false;
}

void sifter_free(struct sifter *sifter)
{
	if (!sifter)
		return;
	if (sifter->memos)
		forget_answers(sifter);
	forget_session(sifter);
	free(sifter->memos);
	free(sifter->bound);
	free(sifter->mismatch);
	free(sifter->way);
	free(sifter);
}

bool sifter_begin(struct sifter *sifter)
{
	forget_session(sifter);
	forget_answers(sifter);
	sifter->session = pk_session_new();
	sifter->dictionary = pk_dictionary_new(NULL);
	sifter->tracepoints = pk_tracepoints_new();
	return sifter->session && sifter->dictionary && sifter->tracepoints;
}

/* ---- Records ---- */

static enum pk_status take_definition(struct sifter *sifter, struct pk_run *run,
				      const struct pk_record *record)
{
	enum pk_status status;

	switch (pk_definition_of(record)) {
	case PK_RESET: forget_answers(sifter); break;
	case PK_STRING:
	case PK_DSO:
	case PK_FRAME:
	case PK_STACK: break;
	default: return PK_OK;
	}
	status = pk_dictionary_read(sifter->dictionary, record);
	if (status != PK_CORRUPT)
		return status;
	pk_run_complain(run, record, "definition out of turn or of something undefined");
	return PK_OK;
}

enum pk_status sifter_record(struct sifter *sifter, struct pk_run *run,
			     const struct pk_record *record)
{
	enum pk_status status;

	switch (record->type) {
	case PERF_RECORD_EVENT_UPDATE:
		if (sifter->needs_stacks || sifter->needs_tasks)
			return take_definition(sifter, run, record);
		return PK_OK;
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_HEADER_FEATURE: break;
	default:
		if (!sifter->needs_tasks)
			return PK_OK;
	}
	status = pk_session_record(sifter->session, record);
	if (status == PK_CORRUPT)
		pk_run_complain(run, record, "malformed; passed on, but not used");
	return status == PK_NOMEM ? status : PK_OK;
}

/* ---- Fields of tracepoints ---- */

struct pk_tracepoints *sifter_tracepoints(struct sifter *sifter)
{
	forget_answers(sifter);
	free(sifter->bindings);
	free(sifter->events_bound);
	sifter->bindings = NULL;
	sifter->events_bound = NULL;
	sifter->events_count = 0;
	return sifter->tracepoints;
}

struct binder {
	struct sifter *sifter;
	const struct pk_event *event;
	const struct pk_tracepoint *tracepoint;
	struct binding *bindings;
};

static void bind_argument(const struct binder *binder, const struct where *node)
{
	const struct pk_argument *argument = pk_argument_find(binder->event, node->text);

	if (!argument)
		return;
	binder->sifter->bound[node->own] = true;
	if (node->wanted == WHERE_IS_STRING)
		binder->sifter->mismatch[node->own] = true;
	else
		binder->bindings[node->own].argument = argument;
}

static void bind_node(void *arg, struct where *node)
{
	struct binder *binder = arg;
	const struct pk_tracepoint_field *field;
	bool is_text;

	if (node->op != WHERE_FIELD || node->field != WHERE_OWN)
		return;
	field = binder->tracepoint ? pk_tracepoint_find_field(binder->tracepoint, node->text)
				   : NULL;
	if (!field) {
		bind_argument(binder, node);
		return;
	}
	is_text = field->is_string;
	binder->sifter->bound[node->own] = true;
	if ((node->wanted != WHERE_IS_UNKNOWN && is_text != (node->wanted == WHERE_IS_STRING)) ||
	    (field->is_array && !is_text))
		binder->sifter->mismatch[node->own] = true;
	else
		binder->bindings[node->own] =
			(struct binding){.tracepoint = binder->tracepoint, .field = field};
}

/* What the event's samples have for the expression's fields; NULL: nothing. */
static const struct binding *bindings_of(struct sifter *sifter, const struct pk_event *event)
{
	struct binder binder = {.sifter = sifter, .event = event};

	if (event->attr.type != PERF_TYPE_TRACEPOINT && !event->arguments)
		return NULL;
	if (!pk_extend(&sifter->bindings, &sifter->bindings_count,
		       ((size_t)event->index + 1) * sifter->owns) ||
	    !pk_extend(&sifter->events_bound, &sifter->events_count, event->index)) {
		sifter->failed = true;
		return NULL;
	}
	binder.bindings = sifter->bindings + (size_t)event->index * sifter->owns;
	if (!sifter->events_bound[event->index]) {
		sifter->events_bound[event->index] = true;
		if (event->attr.type == PERF_TYPE_TRACEPOINT)
			binder.tracepoint =
				pk_tracepoints_find(sifter->tracepoints, event->attr.config);
		sifter->failed |= pk_tracepoints_failed(sifter->tracepoints);
		where_walk(sifter->where, bind_node, &binder);
	}
	return binder.bindings;
}

void sifter_end(struct sifter *sifter, const struct pk_events *events)
{
	if (!sifter->owns || !sifter->tracepoints)
		return;
	for (size_t i = 0; i < pk_events_count(events); i++)
		(void)bindings_of(sifter, pk_events_at(events, i)); /* failed: told at the end */
}

/* ---- Samples ---- */

const struct pk_sample *sifter_sample(struct sifter *sifter)
{
	if (!sifter->decoded && pk_sample_decode(sifter->event, sifter->record, &sifter->sample))
		return NULL;
	sifter->decoded = true;
	return &sifter->sample;
}

static bool compare_strings(struct sifter *sifter, const struct where *node)
{
	struct pk_bytes left, right;
	bool equal;

	if (!sifter_text(sifter, node->left, &left) || !sifter_text(sifter, node->right, &right))
		return false;
	equal = left.size == right.size && !memcmp(left.data, right.data, left.size);
	return equal == (node->op == WHERE_EQ);
}

/* A comparison with what a sample has not is false. */
static bool is_true(struct sifter *sifter, const struct where *node)
{
	__int128 number;

	if (node->ranged)
		return sifter_in_range(sifter, node);
	switch (node->op) {
	case WHERE_OR: return is_true(sifter, node->left) || is_true(sifter, node->right);
	case WHERE_AND: return is_true(sifter, node->left) && is_true(sifter, node->right);
	case WHERE_NOT: return !is_true(sifter, node->left);
	case WHERE_FIELD:
	case WHERE_BITS:
	case WHERE_NUMBER: return sifter_number(sifter, node, &number) && number != 0;
	case WHERE_LIKE: return sifter_match(sifter, node);
	default: break;
	}
	if (node->left->type != WHERE_IS_STRING)
		return sifter_compare(sifter, node);
	if (is_match(node))
		return sifter_match(sifter, node) == (node->op == WHERE_EQ);
	return compare_strings(sifter, node);
}

static void find_stack(struct sifter *sifter)
{
	const struct pk_id_range known = pk_dictionary_stacks(sifter->dictionary);
	const uint32_t stack = pk_stack_trailer(sifter->record->data, sifter->record->size);

	sifter->stack = stack - known.base - 1;
	if (sifter->stack < known.count)
		return;
	sifter->stack = UINT32_MAX;
	*(stack ? &sifter->undefined_stack : &sifter->without_stack) += 1;
}

static inline void look_at(struct sifter *sifter, const struct pk_record *record, bool symbolized)
{
	sifter->record = record;
	sifter->event = record->event;
	sifter->decoded = false;
	sifter->symbolized = symbolized;
	sifter->binding = sifter->owns ? bindings_of(sifter, record->event) : NULL;
	sifter->stackless |= sifter->needs_stacks && !symbolized;
	if (symbolized && (sifter->needs_stacks || sifter->needs_tasks))
		find_stack(sifter);
}

bool sifter_keeps(struct sifter *sifter, const struct pk_record *record, bool symbolized)
{
	if (sifter->where->ranged) {
		sifter->record = record;
		sifter->event = record->event;
		return sifter_in_range(sifter, sifter->where);
	}
	look_at(sifter, record, symbolized);
	return is_true(sifter, sifter->where);
}

/* ---- The value of a field ---- */

static bool is_text(const struct sifter *sifter, const struct where *node)
{
	const struct binding *binding;

	if (node->field != WHERE_OWN)
		return node->type == WHERE_IS_STRING;
	binding = sifter->binding ? &sifter->binding[node->own] : NULL;
	return binding && binding->field && binding->field->is_string;
}

bool sifter_value(struct sifter *sifter, const struct pk_record *record, bool symbolized,
		  struct pk_bytes *value)
{
	__int128 number;
	int size;

	look_at(sifter, record, symbolized);
	if (is_text(sifter, sifter->where))
		return sifter_text(sifter, sifter->where, value);
	if (!sifter_number(sifter, sifter->where, &number))
		return false;
	size = snprintf(sifter->digits, sizeof(sifter->digits), "%s%llu", number < 0 ? "-" : "",
			(unsigned long long)(number < 0 ? -number : number));
	*value = (struct pk_bytes){(const uint8_t *)sifter->digits, (uint64_t)size};
	return true;
}

/* ---- Messages ---- */

struct telling {
	const struct sifter *sifter;
	bool whole;
};

static void tell_node(void *arg, struct where *node)
{
	struct telling *telling = arg;
	const struct sifter *sifter = telling->sifter;
	char text[256];

	if (node->op != WHERE_FIELD || node->field != WHERE_OWN ||
	    (sifter->bound[node->own] && !sifter->mismatch[node->own]))
		return;
	telling->whole = false;
	if (!sifter->bound[node->own])
		snprintf(text, sizeof(text), "no event has a field called %s", node->text);
	else
		snprintf(text, sizeof(text), "%s is no %s", node->text,
			 node->wanted == WHERE_IS_STRING ? "string" : "number");
	sifter_complain(sifter->what, sifter->text, node->at, text);
}

bool sifter_tell(const struct sifter *sifter)
{
	struct telling telling = {.sifter = sifter, .whole = true};
	char number[32];

	where_walk(sifter->where, tell_node, &telling);
	if (sifter->without_stack)
		pk_warn("%s samples have no stack", pk_number(number, sifter->without_stack));
	if (sifter->undefined_stack) {
		pk_error("%s samples have no stack that is defined",
			 pk_number(number, sifter->undefined_stack));
		telling.whole = false;
	}
	if (sifter->failed) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		telling.whole = false;
	}
	if (sifter->stackless) {
		pk_error("symbols and stacks need names: put pk-symbolize before pk-filter");
		telling.whole = false;
	}
	return telling.whole;
}

void sifter_complain(const char *what, const char *text, size_t at, const char *error)
{
	pk_error("%s: %s", what, error);
	fprintf(stderr, "  %s\n  %*s^\n", text, (int)at, "");
}
