// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pkutil.h"
#include "span_plans.h"
#include "vector.h"

/* ---- Parsing ---- */

/* Returns whether the text begins with the prefix and is longer than the prefix. */
static bool has_prefix(const char *text, size_t size, const char *prefix)
{
	return size > strlen(prefix) && !memcmp(text, prefix, strlen(prefix));
}

/* Returns the part of a reference after the last point, which is the name of the field. Sets *size
 * to its size. */
static const char *last_part(const char *text, size_t *size)
{
	const char *dot = memrchr(text, '.', *size);

	if (!dot)
		return text;
	*size -= (size_t)(dot + 1 - text);
	return dot + 1;
}

static enum pk_status add_name(struct pk_span_names *names, const char *text, size_t size)
{
	const size_t i = names->count;

	if (i ==
	    PK_SPAN_NAMES_MAX) /* the names after the first PK_SPAN_NAMES_MAX names are ignored */
		return PK_OK;
	names->count++;
	PK_TRY(pk_reference_parse(&names->general[i], text, size));
	if (memchr(text, '.', size))
		return PK_OK;
	names->own[i].name = strndup(text, size);
	return names->own[i].name ? PK_OK : PK_NOMEM;
}

/* Returns the size of the first name in "NAME|NAME". */
static size_t first_name(const char *text, size_t size)
{
	const char *bar = memchr(text, '|', size);

	return bar ? (size_t)(bar - text) : size;
}

/* Adds each name of a text such as "NAME|NAME". */
static enum pk_status add_names(struct pk_span_names *names, const char *text, size_t size)
{
	size_t first;

	for (;; text += first + 1, size -= first + 1) {
		first = first_name(text, size);
		PK_TRY(add_name(names, text, first));
		if (first == size)
			return PK_OK;
	}
}

/* Returns the size of the text before the "*" of a factor. If there is no factor, returns `size`.
 */
static size_t before_factor(const char *text, size_t size)
{
	const char *star = memchr(text, '*', size);

	return star ? (size_t)(star - text) : size;
}

static enum pk_status parse(struct pk_span_column *column, enum pk_span_side side, const char *text,
			    size_t size)
{
	const size_t first = column->is_key ? size : before_factor(text, size);

	column->on[side] = true;
	PK_TRY(add_names(&column->names[side], text, first));
	return first == size
		       ? PK_OK
		       : add_names(&column->factors[side], text + first + 1, size - first - 1);
}

static bool start(struct pk_span_column *column, const char *text, size_t size)
{
	*column = (struct pk_span_column){.text = strndup(text, size)};
	return column->text;
}

static void set_name(struct pk_span_column *column, const char *text, size_t size)
{
	const char *name;
	bool as_text;

	size = first_name(text, size);
	as_text = has_prefix(text, size, "text.");
	name = last_part(text, &size);
	snprintf(column->name, sizeof(column->name), "%.*s%s", (int)(size < 256 ? size : 256), name,
		 as_text ? "_text" : "");
}

enum pk_status pk_span_column_key(struct pk_span_column *column, const char *text, size_t size)
{
	const char *equals = memchr(text, '=', size);
	const size_t first = equals ? (size_t)(equals - text) : size;
	const char *second = equals ? equals + 1 : text;

	if (!start(column, text, size))
		return PK_NOMEM;
	column->is_key = true;
	set_name(column, text, first);
	PK_TRY(parse(column, PK_SPAN_START, text, first));
	return parse(column, PK_SPAN_END, second, size - (size_t)(second - text));
}

enum pk_status pk_span_column_carried(struct pk_span_column *column, const char *text, size_t size)
{
	const bool of_start = has_prefix(text, size, "start."),
		   of_end = has_prefix(text, size, "end.");
	const size_t prefix = of_start ? strlen("start.") : of_end ? strlen("end.") : 0;

	if (!start(column, text, size))
		return PK_NOMEM;
	text += prefix;
	size -= prefix;
	set_name(column, text, before_factor(text, size));
	if (!of_end && !strcmp(column->name, "call"))
		column->computed = pk_call_name;
	if (!of_end && !strcmp(column->name, "args"))
		column->computed = pk_call_arguments;
	column->compares_cpus = !of_start && !strcmp(column->name, "moved");
	if (!of_end)
		PK_TRY(parse(column, PK_SPAN_START, text, size));
	return of_start ? PK_OK : parse(column, PK_SPAN_END, text, size);
}

static void free_names(struct pk_span_names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		pk_reference_free(&names->own[i]);
		pk_reference_free(&names->general[i]);
	}
}

void pk_span_column_free(struct pk_span_column *column)
{
	free(column->text);
	for (int side = 0; side < PK_SPAN_SIDES; side++) {
		free_names(&column->names[side]);
		free_names(&column->factors[side]);
	}
}

unsigned int pk_span_column_needs(const struct pk_span_column *column)
{
	unsigned int needs = column->computed ? PK_NEED_TASKS : 0; /* needed to find the ABI */

	for (int side = 0; side < PK_SPAN_SIDES; side++) {
		for (size_t i = 0; i < column->names[side].count; i++)
			needs |= pk_reference_needs(&column->names[side].general[i]);
		for (size_t i = 0; i < column->factors[side].count; i++)
			needs |= pk_reference_needs(&column->factors[side].general[i]);
	}
	return needs;
}

/* ---- Values ---- */

static struct pk_binding bind(const struct pk_span_names *names, const struct pk_context *context,
			      const struct pk_event *event)
{
	struct pk_binding binding = {.kind = PK_VALUE_NONE};

	for (size_t i = 0; i < names->count && binding.kind == PK_VALUE_NONE; i++)
		if (names->own[i].name)
			binding = pk_bind(context, &names->own[i], event);
	for (size_t i = 0; i < names->count && binding.kind == PK_VALUE_NONE; i++)
		binding = pk_bind(context, &names->general[i], event);
	return binding;
}

/* If the value is a number at a known offset, sets source->place. */
static void find_place(struct pk_span_source *source)
{
	const struct pk_binding *binding = &source->binding;

	source->in_record = binding->at;
	if (binding->kind == PK_VALUE_NONE || binding->kind == PK_VALUE_TEXT)
		return;
	if (binding->at)
		source->place = (struct pk_raw_number){binding->at, binding->field->size,
						       binding->field->size == 4};
	else if (!binding->field && !binding->argument && binding->trace)
		source->place = binding->place;
}

static struct pk_span_source column_bind(const struct pk_span_column *column,
					 enum pk_span_side side, struct pk_context *context,
					 const struct pk_event *event)
{
	struct pk_span_source source = {.binding.kind = PK_VALUE_NONE,
					.factor.kind = PK_VALUE_NONE};
	const struct pk_tracepoint *tracepoint;

	if (!column->on[side])
		return source;
	source.binding = bind(&column->names[side], context, event);
	source.factor = bind(&column->factors[side], context, event);
	if (source.factor.kind == PK_VALUE_NONE)
		find_place(&source);
	source.moved = source.binding.kind == PK_VALUE_NONE && column->compares_cpus &&
		       side == PK_SPAN_END && event->layout.cpu;
	if (source.binding.kind != PK_VALUE_NONE || !column->computed || side != PK_SPAN_START ||
	    event->attr.type != PERF_TYPE_TRACEPOINT)
		return source;
	tracepoint = pk_tracepoints_find(pk_context_tracepoints(context), event->attr.config);
	if (tracepoint && pk_call_is_start(tracepoint))
		source.call = tracepoint;
	return source;
}

bool pk_span_source_is_task(const struct pk_span_source *source)
{
	static const char *const names[] = {"tid",	  "pid",	"prev_pid", "next_pid",
					    "common_pid", "parent_pid", "child_pid"};
	const struct pk_binding *binding = &source->binding;

	if (binding->field)
		return !strcmp(binding->field->name, "tid");
	for (size_t i = 0; binding->trace && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(binding->trace->name, names[i]))
			return true;
	return false;
}

/* Numbers of different sizes are compared as in C. C converts the int -1 to the unsigned long
 * 0xffffffffffffffff, and to the unsigned int 0xffffffff. The lower bytes of the two results are
 * equal, so only these bytes are compared. */
void pk_span_column_add_source(struct pk_span_column *column, const struct pk_span_source *source,
			       const struct pk_span_source *first)
{
	const struct pk_tracepoint_field *one = first->binding.trace,
					 *other = source->binding.trace;
	uint32_t size;

	if (!one || !other || (one->size == other->size && one->is_signed == other->is_signed))
		return;
	size = one->size < other->size ? one->size : other->size;
	if (!column->common_size || size < column->common_size)
		column->common_size = size;
}

/* Returns the lower bytes of a number, extended with the sign that the field of the span has. */
static uint64_t reduce(const struct pk_span_column *column, uint64_t number)
{
	const unsigned int bits = 8 * column->common_size;

	if (bits >= 64)
		return number;
	number &= (UINT64_C(1) << bits) - 1;
	return pk_kind_is_signed(column->kind) && number >> (bits - 1) ? number | UINT64_MAX << bits
								       : number;
}

enum pk_value_kind pk_span_kind_of(const struct pk_span_source *source)
{
	if (source->call)
		return PK_VALUE_TEXT;
	return source->binding.kind == PK_VALUE_NONE ? PK_VALUE_NUMBER : source->binding.kind;
}

/* Returns the ABI of a system call. The events do not contain it, so it is the ABI of the program.
 * This is wrong for programs that call the kernel through another ABI, which is rare. */
static enum pk_abi abi_of(struct pk_view *view)
{
	const struct pk_thread *thread = pk_view_thread(view);

	return pk_abi_of(pk_context_machine(view->context), thread && thread->process->is_32bit);
}

/* Adds the text that column->computed() makes from the sample. */
static void add_computed(struct buffer *bytes, const struct pk_span_column *column,
			 struct pk_view *view, const struct pk_bytes *raw,
			 const struct pk_span_source *source, struct pk_span_calls *calls)
{
	static const char zeros[sizeof(uint64_t)];
	const struct pk_call_sample sample = {
		&calls->all, pk_context_tracepoints(view->context),    source->call,
		raw,	     calls->known ? calls->abi : abi_of(view), &calls->known};
	const size_t start = bytes->size + sizeof(uint64_t);
	size_t size;

	calls->abi = sample.abi;
	buffer_add(bytes, zeros, sizeof(zeros)); /* room for the size */
	column->computed(bytes, &sample);
	if (bytes->failed)
		return;
	size = bytes->size - start;
	if (size > PK_SPAN_TEXT_MAX)
		size = PK_SPAN_TEXT_MAX;
	bytes->size = start + size;
	buffer_add(bytes, zeros, PK_ALIGN8(size) - size);
	if (!bytes->failed)
		pk_store_u64(bytes->data + start - sizeof(uint64_t), size);
}

static void add_text(struct buffer *bytes, const struct pk_bytes *text)
{
	const uint64_t size = text->size < PK_SPAN_TEXT_MAX ? text->size : PK_SPAN_TEXT_MAX;
	const size_t padded = PK_ALIGN8(size);
	char *at = buffer_room(bytes, sizeof(size) + padded);

	if (!at)
		return;
	pk_store_u64(at, size);
	at += sizeof(size);
	if (size)
		memcpy(at, text->data, size);
	memset(at + size, 0, padded - size);
	buffer_end(bytes, at + padded);
}

static bool get_number(struct pk_view *view, const struct pk_bytes *raw,
		       const struct pk_binding *binding, uint64_t *number)
{
	if (binding->kind == PK_VALUE_TEXT)
		return false;
	if (pk_likely(binding->trace)) /* a fast path, which does not decode the whole sample */
		return pk_tracepoint_number(binding->tracepoint, binding->trace, raw, number);
	return pk_view_key(view, binding, number);
}

/* Multiplies the number by the factor. If the product is too large, the number becomes UINT64_MAX.
 */
static void multiply(struct pk_view *view, const struct pk_bytes *raw,
		     const struct pk_binding *factor, uint64_t *number)
{
	uint64_t times;

	if (get_number(view, raw, factor, &times) && __builtin_mul_overflow(*number, times, number))
		*number = UINT64_MAX;
}

bool pk_span_value_add(struct buffer *bytes, const struct pk_span_column *column,
		       struct pk_view *view, const struct pk_bytes *raw,
		       const struct pk_span_source *source, struct pk_span_calls *calls)
{
	struct pk_bytes text = {0};
	uint64_t number = 0;
	bool has = true;

	if (pk_likely(column->kind != PK_VALUE_TEXT)) {
		has = source->moved ||
		      (!source->call && get_number(view, raw, &source->binding, &number));
		if (pk_unlikely(source->factor.kind != PK_VALUE_NONE))
			multiply(view, raw, &source->factor, &number);
		if (pk_unlikely(column->common_size))
			number = reduce(column, number);
		buffer_add(bytes, &number, sizeof(number));
		return has;
	}
	if (source->call) {
		add_computed(bytes, column, view, raw, source, calls);
		return true;
	}
	has = pk_view_text(view, &source->binding, &text);
	add_text(bytes, &text);
	return has;
}

/* ---- Rules ---- */

enum pk_status pk_span_rules_add(struct pk_span_rules *rules, const char *event)
{
	PK_TRY(pk_vector_reserve(rules, 1));
	rules->items[rules->count++] = (struct pk_span_rule){.event = event};
	return PK_OK;
}

unsigned int pk_span_rules_needs(const struct pk_span_rules *rules)
{
	unsigned int needs = 0;

	for (size_t i = 0; i < rules->count; i++)
		if (rules->items[i].where)
			needs |= pk_expression_needs(rules->items[i].where);
	return needs;
}

enum pk_status pk_span_rules_init(struct pk_span_rules *rules, struct pk_context *context)
{
	for (size_t i = 0; i < rules->count; i++) {
		struct pk_span_rule *rule = &rules->items[i];

		if (!rule->where)
			continue;
		rule->condition = pk_condition_new(context, rule->where);
		if (!rule->condition)
			return PK_NOMEM;
	}
	return PK_OK;
}

void pk_span_rules_end_session(struct pk_span_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		if (rules->items[i].condition)
			pk_condition_end_session(rules->items[i].condition);
}

void pk_span_rules_free(struct pk_span_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		pk_condition_free(rules->items[i].condition);
		pk_expression_free(rules->items[i].where);
	}
	free(rules->items);
}

static void span_selector_free(struct pk_span_selector *selector)
{
	free(selector->conditions);
	*selector = (struct pk_span_selector){0};
}

/* Sets the selector, which must be all zero before. If one rule of the event has no condition, the
 * conditions of the other rules do not matter. */
static enum pk_status span_rules_select(struct pk_span_rules *rules, const struct pk_event *event,
					struct pk_span_selector *selector)
{
	bool all = false;

	selector->conditions = calloc(rules->count + 1, sizeof(*selector->conditions));
	if (!selector->conditions)
		return PK_NOMEM;
	for (size_t i = 0; i < rules->count; i++) {
		struct pk_span_rule *rule = &rules->items[i];
		const struct pk_program *program;

		if (!pk_event_is_called(event, rule->event))
			continue;
		rule->found = true;
		if (!event->layout.time)
			continue;
		selector->active = rule->timed = true;
		all |= !rule->condition;
		if (!rule->condition)
			continue;
		program = pk_condition_program(rule->condition, event);
		if (!program)
			return PK_NOMEM;
		selector->conditions[selector->count++] = program;
	}
	if (all)
		selector->count = 0;
	return PK_OK;
}

/* ---- Plans ---- */

static void forget_role(struct pk_span_role_plan *plan)
{
	span_selector_free(&plan->selector);
	free(plan->sources);
	*plan = (struct pk_span_role_plan){0};
}

void pk_span_plans_free(struct pk_span_plans *plans)
{
	for (size_t i = 0; i < plans->count; i++)
		for (int role = 0; role < PK_SPAN_RULES; role++)
			forget_role(&plans->items[i].roles[role]);
	free(plans->items);
	plans->items = NULL;
	plans->count = 0;
}

/* Finds the source that each column has in the samples of the event. */
static enum pk_status bind_columns(struct pk_span_plans *plans, struct pk_span_role_plan *plan,
				   enum pk_span_side side, const struct pk_event *event)
{
	const struct pk_span_columns *columns = &plans->columns;

	plan->sources = calloc(columns->count, sizeof(*plan->sources));
	if (!plan->sources)
		return PK_NOMEM;
	for (size_t i = 0; i < columns->count; i++) {
		const struct pk_span_column *column = &columns->items[i];
		struct pk_span_source *source = &plan->sources[i];

		*source = column_bind(column, side, plans->context, event);
		plan->on_cpu |= column->is_key && source->binding.field &&
				!strcmp(source->binding.field->name, "cpu");
	}
	return PK_OK;
}

static bool plan_role(struct pk_span_plans *plans, struct pk_span_role_plan *plan,
		      enum pk_span_role role, const struct pk_event *event)
{
	forget_role(plan); /* frees the plan of an earlier epoch */
	if (span_rules_select(&plans->rules[role], event, &plan->selector) == PK_OK &&
	    (!plan->selector.active ||
	     bind_columns(plans, plan, pk_span_side_of(role), event) == PK_OK))
		return true;
	forget_role(plan);
	return false;
}

static bool make_plan(struct pk_span_plans *plans, struct pk_span_plan *plan,
		      const struct pk_event *event)
{
	plan->is_used = false;
	for (int role = 0; role < PK_SPAN_RULES; role++) {
		if (!plan_role(plans, &plan->roles[role], (enum pk_span_role)role, event))
			return false;
		plan->is_used |= plan->roles[role].selector.active;
	}
	plan->epoch = plans->context->epoch;
	return true;
}

const struct pk_span_plan *pk_span_plans_make(struct pk_span_plans *plans,
					      const struct pk_event *event)
{
	if (pk_extend(&plans->items, &plans->count, event->index) == PK_OK &&
	    make_plan(plans, &plans->items[event->index], event))
		return &plans->items[event->index];
	plans->context->failed = true;
	return NULL;
}

bool pk_span_plans_have(const struct pk_span_plans *plans, enum pk_span_role role)
{
	for (size_t i = 0; i < plans->count; i++)
		if (plans->items[i].roles[role].selector.active)
			return true;
	return false;
}

/* ---- Places ---- */

/* Decodes the sample to read its callchain and raw bytes. This works for all samples, but it is
 * slow. Returns false if the sample is malformed. */
static bool read_decoded(struct pk_view *view, struct pk_span_place *place)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (!sample)
		return false;
	place->callchain = sample->callchain;
	place->raw = sample->raw;
	place->chain_flags = sample->chain_flags;
	return true;
}

static uint64_t load_u64(const struct pk_record *record, uint16_t at)
{
	return at ? pk_load_u64(record->data + at) : 0;
}

bool pk_span_place_read(struct pk_span_place *place, const struct pk_record *record,
			bool symbolized, struct pk_view *view)
{
	const struct pk_layout *layout = &record->event->layout;

	*place = (struct pk_span_place){
		.time = load_u64(record, layout->time),
		.ip = pk_sample_ip(record->event, record),
		.misc = record->misc & PERF_RECORD_MISC_CPUMODE_MASK,
	};
	if (layout->tid) {
		place->pid = pk_record_task(record, layout->tid)->pid;
		place->tid = pk_record_task(record, layout->tid)->tid;
	}
	if (layout->cpu)
		place->cpu = pk_load_u32(record->data + layout->cpu);
	if (symbolized)
		place->stack = pk_stack_trailer(record->data, record->size);
	return pk_sample_plain(record, &place->callchain, &place->raw) || read_decoded(view, place);
}
