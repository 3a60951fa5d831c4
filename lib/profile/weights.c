// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "parallelism.h"
#include "pkutil.h"
#include "texts.h"
#include "vector.h"
#include "weights.h"

#define KINDS_LISTED 8 /* the highest number of names in the text of pk_weights_kinds() */

/* The rule and the unit of the weights of one event. */
struct event_rule {
	uint8_t rule;	     /* a value of enum pk_weight_rule */
	const char *counter; /* the name of the counter, in weights.counters */
};

/* The state of choosing and weighing samples. */
struct pk_weights {
	struct pk_context *context;
	const struct pk_weight_options *options;
	struct pk_messages *messages;
	const char *first; /* the name of the counter that is used by default; NULL if it is not
			      known yet */
	struct pk_texts counters; /* the names of counters */
	char *unit;		  /* the unit of the first weight */
	bool matched, mixed;
	struct pk_texts reported; /* the messages that were already reported */
	struct pk_column field;	  /* the weight field, if the weight is a field */
	bool any_spans;		  /* a session had spans, which are used by default */
	struct pk_texts kinds;	  /* the names of spans that were weighed by default */
	struct buffer kinds_text; /* the text of pk_weights_kinds() */
	/* The following members are valid while pk_context.epoch is equal to epoch. */
	uint64_t epoch;
	struct event_rule *rules; /* one rule for each event, by index of the event */
	size_t rules_count;
};

void pk_weight_parse(const char *text, struct pk_weight_options *options)
{
	static const struct {
		const char *name;
		enum pk_weight_kind kind;
	} kinds[] = {{"period", PK_WEIGHT_PERIOD},
		     {"samples", PK_WEIGHT_SAMPLES},
		     {"latency", PK_WEIGHT_LATENCY}};

	options->chosen = true;
	options->kind = PK_WEIGHT_FIELD;
	options->field = text;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(text, kinds[i].name)) {
			options->kind = kinds[i].kind;
			options->field = NULL;
		}
	}
}

struct pk_weights *pk_weights_new(struct pk_context *context,
				  const struct pk_weight_options *options,
				  struct pk_messages *messages)
{
	struct pk_weights *weights = calloc(1, sizeof(*weights));

	if (!weights)
		return NULL;
	weights->context = context;
	weights->options = options;
	weights->messages = messages;
	if (options->kind != PK_WEIGHT_FIELD ||
	    pk_reference_parse(&weights->field.reference, options->field, strlen(options->field)) ==
		    PK_OK)
		return weights;
	free(weights);
	return NULL;
}

void pk_weights_free(struct pk_weights *weights)
{
	if (!weights)
		return;
	pk_column_free(&weights->field);
	free(weights->rules);
	pk_texts_free(&weights->reported);
	pk_texts_free(&weights->kinds);
	free(weights->kinds_text.data);
	pk_texts_free(&weights->counters);
	free(weights->unit);
	free(weights);
}

const struct pk_reference *pk_weights_field(const struct pk_weights *weights)
{
	return weights->options->kind == PK_WEIGHT_FIELD ? &weights->field.reference : NULL;
}

const char *pk_weights_default(const struct pk_weights *weights)
{
	return weights->any_spans ? "spans" : weights->first;
}

const char *pk_weights_kinds(struct pk_weights *weights)
{
	struct buffer *text = &weights->kinds_text;

	if (weights->kinds.count < 2)
		return NULL;
	text->size = 0;
	for (uint32_t i = 1; i <= weights->kinds.count && i <= KINDS_LISTED; i++) {
		buffer_text(text, i > 1 ? ", " : "");
		buffer_text(text, pk_texts_get(&weights->kinds, i, NULL));
	}
	buffer_text(text, weights->kinds.count > KINDS_LISTED ? " ..." : "");
	buffer_char(text, '\0');
	return text->failed ? NULL : text->data;
}

bool pk_weights_matched(const struct pk_weights *weights)
{
	return weights->matched;
}

const char *pk_weights_unit(const struct pk_weights *weights)
{
	return weights->mixed ? NULL : weights->unit;
}

bool pk_weights_mixed(const struct pk_weights *weights)
{
	return weights->mixed;
}

/* ---- Rules ---- */

static bool is_asked_for(const struct pk_weight_options *options, const struct pk_event *event)
{
	for (int i = 0; i < options->events_count; i++)
		if (pk_event_is_called(event, options->events[i]))
			return true;
	return false;
}

/* Returns true for off-CPU samples. A BPF program of pk-record or perf writes them with an event of
 * this name. */
static bool is_off_cpu(const struct pk_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       event->attr.config == PERF_COUNT_SW_BPF_OUTPUT &&
	       !strcmp(event->name, "offcpu-time");
}

/* Returns true for allocations or releases of pk-record --heap. The periods of allocations are
 * bytes. */
static bool is_heap(const struct pk_event *event, const char *name)
{
	return event->attr.type == PERF_TYPE_TRACEPOINT && !strcmp(event->name, name);
}

/* Returns true for spans, and for the open spans of pk-span --every. */
static bool is_derived(const struct pk_event *event)
{
	return pk_event_is_span(event) || (event->attr.type == PERF_TYPE_TRACEPOINT &&
					   !strncmp(event->name, "open:", strlen("open:")));
}

bool pk_event_is_span(const struct pk_event *event)
{
	return event->attr.type == PERF_TYPE_TRACEPOINT &&
	       !strncmp(event->name, "pk:", strlen("pk:"));
}

/* Examines only the last 64 events, because programs add their events after the events of their
 * input. */
static bool has_spans(const struct pk_events *events)
{
	const size_t count = pk_events_count(events);

	for (size_t i = count < 64 ? 0 : count - 64; i < count; i++)
		if (is_derived(pk_events_at(events, i)))
			return true;
	return false;
}

/* A probe is an event with a period of 1, of a PMU whose type is dynamic. */
bool pk_event_is_occurrence(const struct pk_event *event)
{
	const struct perf_attr *attr = &event->attr;

	if (attr->type == PERF_TYPE_TRACEPOINT)
		return !is_heap(event, "heap:alloc");
	return attr->type > PERF_TYPE_BREAKPOINT && !(attr->flags & PERF_ATTR_FREQ) &&
	       attr->sample_period == 1;
}

/* Returns the first event, in the order of -e, that samples execution. Returns NULL if none of the
 * first 64 events samples execution. */
static const struct pk_event *first_sampled(const struct pk_events *events)
{
	for (size_t i = 0; i < pk_events_count(events) && i < 64; i++) {
		const struct pk_event *event = pk_events_at(events, i);
		const struct perf_attr *attr = &event->attr;

		if (!pk_event_is_occurrence(event) && !is_off_cpu(event) &&
		    (attr->type != PERF_TYPE_SOFTWARE || attr->config != PERF_COUNT_SW_DUMMY))
			return event;
	}
	return NULL;
}

/* Returns the name of the counter of the event, or NULL if memory is exhausted. */
static const char *counter_of(struct pk_weights *weights, const struct pk_event *event)
{
	struct buffer name = {0};
	uint32_t number = 0;

	pk_counter_name_add(&name, pk_reader_events(pk_context_reader(weights->context)), event);
	if (!name.failed)
		number = pk_texts_add(&weights->counters, name.data, name.size);
	free(name.data);
	return pk_texts_get(&weights->counters, number, NULL);
}

/* Decides whether the samples of an event are used. Periods of different events cannot be added. So
 * by default, only samples of the first event (on all its PMUs) and samples of all tracepoints and
 * probes are used. Off-CPU time is only used if no other event has periods. If there are spans,
 * only spans are used. Returns PK_RULE_UNKNOWN if memory is exhausted. */
static enum pk_weight_rule choose(struct pk_weights *weights, const struct pk_event *event,
				  const struct event_rule *rule)
{
	const struct pk_weight_options *options = weights->options;
	const struct pk_event *first;

	if (options->events_count) {
		if (!is_asked_for(options, event))
			return PK_RULE_SKIP;
		weights->matched = true;
	} else if (!options->each_event &&
		   has_spans(pk_reader_events(pk_context_reader(weights->context)))) {
		weights->any_spans = true;
		if (!is_derived(event))
			return PK_RULE_SKIP;
		return pk_texts_add(&weights->kinds, event->name, strlen(event->name))
			       ? PK_RULE_PERIOD
			       : PK_RULE_UNKNOWN;
	} else if (is_heap(event, "heap:free") && !options->each_event) {
		return PK_RULE_SKIP; /* releases have no stacks */
	} else if (!pk_event_is_occurrence(event) && !options->each_event) {
		first = first_sampled(pk_reader_events(pk_context_reader(weights->context)));
		if (!weights->first)
			weights->first = counter_of(weights, first ? first : event);
		if (!weights->first)
			return PK_RULE_UNKNOWN;
		if (strcmp(rule->counter, weights->first) != 0)
			return PK_RULE_SKIP;
	}
	return PK_RULE_PERIOD;
}

/* Returns PK_RULE_FIELD if the samples of the event have the field and it is a number, otherwise
 * PK_RULE_LACKING. Returns PK_RULE_UNKNOWN if memory is exhausted. */
static enum pk_weight_rule find_field(struct pk_weights *weights, const struct pk_event *event)
{
	const struct pk_binding *binding = pk_column_bind(&weights->field, weights->context, event);

	if (!binding)
		return PK_RULE_UNKNOWN;
	return binding->kind == PK_VALUE_NONE || binding->kind == PK_VALUE_TEXT ? PK_RULE_LACKING
										: PK_RULE_FIELD;
}

static void set_rule(struct pk_weights *weights, const struct pk_event *event,
		     struct event_rule *rule)
{
	const bool occurrence = pk_event_is_occurrence(event) && !is_derived(event);

	rule->rule = (uint8_t)choose(weights, event, rule);
	if (rule->rule != PK_RULE_PERIOD)
		return;
	switch (weights->options->kind) {
	case PK_WEIGHT_USUAL: rule->rule = occurrence ? PK_RULE_ONE : PK_RULE_PERIOD; break;
	case PK_WEIGHT_PERIOD: break;
	case PK_WEIGHT_SAMPLES: rule->rule = PK_RULE_ONE; break;
	case PK_WEIGHT_LATENCY: rule->rule = occurrence ? PK_RULE_LACKING : PK_RULE_LATENCY; break;
	case PK_WEIGHT_FIELD: rule->rule = (uint8_t)find_field(weights, event); break;
	}
}

/* Returns the unit of the weight. If the weight is the period, it is the name of the counter. */
static const char *unit_of(const struct pk_weights *weights, const struct pk_event *event,
			   const struct event_rule *rule)
{
	const struct perf_attr *attr = &event->attr;
	const bool clock =
		attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						     attr->config == PERF_COUNT_SW_TASK_CLOCK);

	if (rule->rule == PK_RULE_ONE)
		return "samples";
	if (rule->rule == PK_RULE_FIELD)
		return weights->options->field;
	if (clock || is_off_cpu(event) || pk_event_is_span(event))
		return "nanoseconds";
	if (is_heap(event, "heap:alloc") || is_heap(event, "open:memory"))
		return "bytes";
	return rule->counter;
}

/* Reports the unit, but only once for each event. Programs with live output make the same rules
 * repeatedly. */
static enum pk_status report_unit(struct pk_weights *weights, const struct pk_event *event,
				  const struct event_rule *rule, const char *unit)
{
	const size_t before = weights->reported.count;
	struct buffer text = {0};
	uint32_t number = 0;

	buffer_format(&text, "weights are %s of %s%s", unit == rule->counter ? "periods" : unit,
		      event->name,
		      rule->rule == PK_RULE_LATENCY ? ", divided by the number of running threads"
						    : "");
	if (!text.failed)
		number = pk_texts_add(&weights->reported, text.data, text.size);
	if (number > before)
		pk_messages_info(weights->messages, "%s",
				 pk_texts_get(&weights->reported, number, NULL));
	free(text.data);
	return number ? PK_OK : PK_NOMEM;
}

static enum pk_status use_unit(struct pk_weights *weights, const struct pk_event *event,
			       const struct event_rule *rule)
{
	const char *unit;

	if (rule->rule == PK_RULE_SKIP || rule->rule == PK_RULE_LACKING)
		return PK_OK;
	unit = unit_of(weights, event, rule);
	PK_TRY(report_unit(weights, event, rule, unit));
	if (!weights->unit)
		weights->unit = strdup(unit);
	else
		weights->mixed |= strcmp(weights->unit, unit) != 0;
	return weights->unit ? PK_OK : PK_NOMEM;
}

static enum pk_status make_rule(struct pk_weights *weights, const struct pk_event *event,
				struct event_rule *rule)
{
	rule->counter = counter_of(weights, event);
	if (!rule->counter)
		return PK_NOMEM;
	set_rule(weights, event, rule);
	if (rule->rule == PK_RULE_UNKNOWN)
		return PK_NOMEM;
	if (pk_tracepoints_failed(pk_context_tracepoints(weights->context)))
		return PK_NOMEM;
	return use_unit(weights, event, rule);
}

/* Returns the rule of an event, or NULL if memory is exhausted. */
static struct event_rule *rule_of(struct pk_weights *weights, const struct pk_event *event)
{
	struct event_rule *rules;

	if (pk_unlikely(weights->epoch != weights->context->epoch)) {
		free(weights->rules);
		weights->rules = NULL;
		weights->rules_count = 0;
		weights->epoch = weights->context->epoch;
	}
	if (pk_extend(&weights->rules, &weights->rules_count, event->index) != PK_OK)
		return NULL;
	rules = &weights->rules[event->index];
	if (pk_unlikely(rules->rule == PK_RULE_UNKNOWN) &&
	    make_rule(weights, event, rules) != PK_OK)
		return NULL;
	return rules;
}

const char *pk_weights_unit_of(struct pk_weights *weights, const struct pk_event *event)
{
	const struct event_rule *rule = rule_of(weights, event);

	return rule && rule->rule != PK_RULE_SKIP && rule->rule != PK_RULE_LACKING
		       ? unit_of(weights, event, rule)
		       : NULL;
}

/* ---- Weights ---- */

/* Sets *weight to the value of the field. The weight of a negative value, which may be an error
 * code, is 0. Returns false if the sample does not have the value, although samples of its event
 * have the field. */
static bool field_of(struct pk_weights *weights, struct pk_view *view, uint64_t *weight)
{
	const struct pk_binding *binding =
		pk_column_bind(&weights->field, weights->context, view->event);
	struct pk_wide number;

	if (!binding || !pk_view_number(view, binding, &number))
		return false;
	*weight = number.high < 0 ? 0 : number.low;
	return true;
}

static uint32_t threads_of(const struct pk_view *view)
{
	const uint16_t at = view->event->layout.tid;

	if (!at || at + 4u > view->record->size)
		return 1;
	return pk_parallelism_of(pk_context_parallelism(view->context),
				 pk_load_u32(view->record->data + at));
}

uint64_t pk_view_latency(const struct pk_view *view)
{
	const uint64_t part = UINT64_MAX / PK_LATENCY_UNIT;

	return (view->period < part ? view->period : part) * PK_LATENCY_UNIT / threads_of(view);
}

/* Returns the latency, rounded to a whole number. */
static uint64_t rounded_latency(const struct pk_view *view)
{
	const uint32_t threads = threads_of(view);

	return view->period / threads + (view->period % threads >= threads - threads / 2);
}

enum pk_weight_rule pk_weights_weigh(struct pk_weights *weights, struct pk_view *view,
				     uint64_t *weight)
{
	const struct event_rule *rule = rule_of(weights, view->counted);

	if (pk_unlikely(!rule))
		return PK_RULE_UNKNOWN;
	switch (rule->rule) {
	case PK_RULE_PERIOD: *weight = view->period ? view->period : 1; break;
	case PK_RULE_LATENCY: *weight = rounded_latency(view); break;
	case PK_RULE_FIELD:
		*weight = 0;
		if (view->counted == view->event && !field_of(weights, view, weight))
			return PK_RULE_LACKING;
		break;
	default: *weight = 1; break;
	}
	return rule->rule;
}
