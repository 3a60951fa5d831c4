// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <stdlib.h>

#include "pkutil.h"
#include "running.h"
#include "tracepoint.h"
#include "vector.h"
#include "weigh.h"

struct weighing {
	const struct fold_options *options;
	char *first; /* name of the event that is folded by default; NULL: none seen yet */
	char *unit;  /* of the event whose samples came first */
	bool matched, switches, mixed;
	/* The session's: */
	const struct pk_events *events;
	struct pk_tracepoints *tracepoints;
	struct running running;
	struct event_rule {
		uint8_t rule;
		const struct pk_tracepoint *tracepoint;	 /* FIELD */
		const struct pk_tracepoint_field *field; /* NULL: the next */
		const struct pk_argument *argument;	 /* NULL: a part of the sample's weight */
		uint8_t shift, bits;
	} * rules;
	size_t rules_count;
};

struct weighing *weighing_new(const struct fold_options *options)
{
	struct weighing *weighing = calloc(1, sizeof(*weighing));

	if (weighing)
		weighing->options = options;
	return weighing;
}

bool weighing_forget(struct weighing *weighing, const struct pk_events *events)
{
	weighing->events = events;
	weighing->switches |= weighing->running.told;
	running_forget(&weighing->running);
	free(weighing->rules);
	weighing->rules = NULL;
	weighing->rules_count = 0;
	pk_tracepoints_free(weighing->tracepoints);
	weighing->tracepoints = pk_tracepoints_new();
	return weighing->tracepoints != NULL;
}

void weighing_free(struct weighing *weighing)
{
	if (!weighing)
		return;
	running_forget(&weighing->running);
	pk_tracepoints_free(weighing->tracepoints);
	free(weighing->rules);
	free(weighing->first);
	free(weighing->unit);
	free(weighing);
}

struct pk_tracepoints *weighing_tracepoints(struct weighing *weighing)
{
	free(weighing->rules);
	weighing->rules = NULL;
	weighing->rules_count = 0;
	return weighing->tracepoints;
}

const char *weighing_default(const struct weighing *weighing)
{
	return weighing->first;
}

bool weighing_matched(const struct weighing *weighing)
{
	return weighing->matched;
}

bool weighing_mixed(const struct weighing *weighing)
{
	return weighing->mixed;
}

bool weighing_switches(const struct weighing *weighing)
{
	return weighing->switches || weighing->running.told;
}

bool weighing_record(struct weighing *weighing, const struct pk_record *record)
{
	return running_record(&weighing->running, record);
}

/* ---- Rules ---- */

static bool is_asked_for(const struct fold_options *options, const char *name)
{
	for (int i = 0; i < options->events_count; i++)
		if (!strcmp(options->events[i], name) || !fnmatch(options->events[i], name, 0))
			return true;
	return false;
}

/* pk-record and perf know the event by its name, since a program of theirs makes the samples. */
static bool is_off_cpu(const struct pk_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       event->attr.config == PERF_COUNT_SW_BPF_OUTPUT &&
	       !strcmp(event->name, "offcpu-time");
}

/* Is each sample one time that something happened? So it is with tracepoints, and with probes,
 * which are events of period 1 of a PMU that has its number from the running kernel. */
static bool is_occurrence(const struct perf_attr *attr)
{
	if (attr->type == PERF_TYPE_TRACEPOINT)
		return true;
	return attr->type > PERF_TYPE_BREAKPOINT && !(attr->flags & PERF_ATTR_FREQ) &&
	       attr->sample_period == 1;
}

/* Is there an event that samples what runs? As many are looked at as a recording may have. */
static bool has_others(const struct pk_events *events)
{
	for (size_t i = 0; i < pk_events_count(events) && i < 64; i++) {
		const struct pk_event *event = pk_events_at(events, i);
		const struct perf_attr *attr = &event->attr;

		if (!is_occurrence(attr) && !is_off_cpu(event) &&
		    (attr->type != PERF_TYPE_SOFTWARE || attr->config != PERF_COUNT_SW_DUMMY))
			return true;
	}
	return false;
}

/* Periods of unlike events do not add up: without a choice the first one that is met is folded,
 * and all occurrences; off-CPU time, whose samples may well be the first, if there is no other.
 * RULE_UNKNOWN: out of memory. */
static enum rule choose(struct weighing *weighing, const struct pk_event *event)
{
	const struct fold_options *options = weighing->options;

	if (options->events_count) {
		if (!is_asked_for(options, event->name))
			return RULE_SKIP;
		weighing->matched = true;
	} else if (!is_occurrence(&event->attr) && !fold_is_by(options, KEY_EVENT)) {
		if (is_off_cpu(event) && has_others(weighing->events))
			return RULE_SKIP;
		if (!weighing->first)
			weighing->first = strdup(event->name);
		if (!weighing->first)
			return RULE_UNKNOWN;
		if (strcmp(event->name, weighing->first))
			return RULE_SKIP;
	}
	return RULE_PERIOD;
}

/* What processors give with samples of memory accesses. */
static enum rule find_weight(const struct pk_event *event, const char *name,
			     struct event_rule *rule)
{
	static const struct {
		const char *name;
		uint8_t shift, bits;
	} parts[] = {{"weight", 0, 32}, {"ins_lat", 32, 16}, {"retire_lat", 48, 16}};
	const uint64_t type = event->attr.sample_type;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strcmp(parts[i].name, name))
			continue;
		rule->shift = parts[i].shift;
		rule->bits = parts[i].bits;
		if (type & PERF_SAMPLE_WEIGHT_STRUCT)
			return RULE_FIELD;
		rule->bits = 64;
		return type & PERF_SAMPLE_WEIGHT && !i ? RULE_FIELD : RULE_LACKING;
	}
	return RULE_LACKING;
}

static enum rule find_field(struct weighing *weighing, const struct pk_event *event,
			    struct event_rule *rule)
{
	const char *name = weighing->options->field;

	if (event->attr.type == PERF_TYPE_TRACEPOINT)
		rule->tracepoint = pk_tracepoints_find(weighing->tracepoints, event->attr.config);
	if (rule->tracepoint)
		rule->field = pk_tracepoint_find_field(rule->tracepoint, name);
	if (rule->field)
		return rule->field->is_string || rule->field->is_array ? RULE_LACKING : RULE_FIELD;
	rule->argument = pk_argument_find(event, name);
	if (rule->argument)
		return RULE_FIELD;
	return find_weight(event, name, rule);
}

static void set_rule(struct weighing *weighing, const struct pk_event *event,
		     struct event_rule *rule)
{
	const bool occurrence = is_occurrence(&event->attr);

	rule->rule = (uint8_t)choose(weighing, event);
	if (rule->rule != RULE_PERIOD)
		return;
	switch (weighing->options->weight) {
	case FOLD_USUAL: rule->rule = occurrence ? RULE_ONE : RULE_PERIOD; break;
	case FOLD_PERIOD: break;
	case FOLD_SAMPLES: rule->rule = RULE_ONE; break;
	case FOLD_LATENCY: rule->rule = occurrence ? RULE_LACKING : RULE_LATENCY; break;
	case FOLD_FIELD: rule->rule = (uint8_t)find_field(weighing, event, rule); break;
	}
}

/* What is counted. */
static const char *unit_of(const struct weighing *weighing, const struct pk_event *event,
			   const struct event_rule *rule)
{
	const struct perf_attr *attr = &event->attr;
	const bool clock =
		attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						     attr->config == PERF_COUNT_SW_TASK_CLOCK);

	if (rule->rule == RULE_ONE)
		return "samples";
	if (rule->rule == RULE_FIELD)
		return weighing->options->field;
	if (clock || is_off_cpu(event))
		return "nanoseconds";
	return event->name;
}

/* False: out of memory. */
static bool tell_unit(struct weighing *weighing, const struct pk_event *event,
		      const struct event_rule *rule)
{
	const char *unit;

	if (rule->rule == RULE_SKIP || rule->rule == RULE_LACKING)
		return true;
	unit = unit_of(weighing, event, rule);
	pk_info("weights are %s of %s%s", unit == event->name ? "periods" : unit, event->name,
		rule->rule == RULE_LATENCY ? ", divided by the threads that ran" : "");
	if (!weighing->unit)
		weighing->unit = strdup(unit);
	else
		weighing->mixed |= strcmp(weighing->unit, unit) != 0;
	return weighing->unit;
}

/* False: out of memory. */
static bool make_rule(struct weighing *weighing, const struct pk_event *event,
		      struct event_rule *rule)
{
	set_rule(weighing, event, rule);
	return rule->rule != RULE_UNKNOWN && !pk_tracepoints_failed(weighing->tracepoints) &&
	       tell_unit(weighing, event, rule);
}

/* NULL: out of memory. */
static struct event_rule *rule_of(struct weighing *weighing, const struct pk_event *event)
{
	struct event_rule *rules;

	if (!pk_extend(&weighing->rules, &weighing->rules_count, event->index))
		return NULL;
	rules = &weighing->rules[event->index];
	if (pk_unlikely(rules->rule == RULE_UNKNOWN) && !make_rule(weighing, event, rules))
		return NULL;
	return rules;
}

/* ---- Weights ---- */

/* What is negative, an error perhaps, weighs nothing. */
static uint64_t argument_of(const struct pk_argument *argument, const struct pk_event *event,
			    const struct pk_sample *sample)
{
	uint64_t value;

	if (!pk_argument_get(event, argument, sample, &value))
		return 0;
	return argument->flags & PK_ARGUMENT_SIGNED && (int64_t)value < 0 ? 0 : value;
}

static uint64_t field_of(const struct event_rule *rule, const struct pk_record *record)
{
	struct pk_sample sample;
	uint64_t value;

	if (pk_sample_decode(record->event, record, &sample))
		return 0;
	if (rule->argument)
		return argument_of(rule->argument, record->event, &sample);
	if (!rule->field)
		return sample.weight >> rule->shift & UINT64_MAX >> (64 - rule->bits);
	if (!pk_tracepoint_number(rule->tracepoint, rule->field, &sample.raw, &value))
		return 0;
	return rule->field->is_signed && (int64_t)value < 0 ? 0 : value;
}

static uint64_t latency_of(const struct weighing *weighing, const struct pk_record *record,
			   uint64_t period)
{
	uint16_t at = record->event->layout.tid;
	uint32_t threads = 1;

	if (at && at + 4u <= record->size)
		threads = running_threads(&weighing->running, pk_load_u32(record->data + at));
	return (period + threads / 2) / threads;
}

enum rule weighing_weigh(struct weighing *weighing, const struct pk_event *event,
			 const struct pk_record *record, uint64_t period, uint64_t *weight)
{
	const struct event_rule *rule = rule_of(weighing, event);

	if (pk_unlikely(!rule))
		return RULE_UNKNOWN;
	switch (rule->rule) {
	case RULE_PERIOD: *weight = period ? period : 1; break;
	case RULE_LATENCY: *weight = latency_of(weighing, record, period); break;
	case RULE_FIELD: *weight = event == record->event ? field_of(rule, record) : 0; break;
	default: *weight = 1; break;
	}
	return rule->rule;
}
