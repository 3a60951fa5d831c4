// SPDX-License-Identifier: BSD-2-Clause
/* Prints each type as one line of JSON, and then one line for the samples without a type.
 * docs/annotate-types.md describes the members. */
#include "json.h"
#include "type_profile.h"

/* Opens the JSON object of an event. The caller closes it. */
static void open_event(const struct type_profile *p, unsigned int column,
		       const struct hit_count *count, struct json *json)
{
	json_open(json, NULL, '{');
	json_text(json, "name", code_hits_event_name(p->report->hits, p->events[column]));
	json_number(json, "samples", count->samples);
	json_number(json, "period", count->weight);
	json_fixed(json, "percent", type_profile_share(p, column, count), 2);
}

static void put_counts(const struct type_profile *p, const struct type_counts *counts,
		       struct json *json)
{
	json_open(json, "events", '[');
	for (unsigned int c = 0; c < p->columns; c++) {
		open_event(p, c, &counts[c].all, json);
		json_number(json, "reads", counts[c].read);
		json_number(json, "writes", counts[c].written);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_member(const struct type_profile *p, const struct type_member *m, struct json *json)
{
	json_open(json, NULL, '{');
	json_text(json, "member", m->name);
	json_number(json, "offset", m->offset);
	json_number(json, "size", m->size);
	json_number(json, "line", m->offset / p->report->options->cache_line);
	put_counts(p, m->counts, json);
	json_close(json, '}');
}

static void put_type(const struct type_profile *p, const struct type_share *type)
{
	struct json json = {.out = &p->report->out};

	json_open(&json, NULL, '{');
	json_text(&json, "type", type->name);
	json_number(&json, "size", type->size);
	put_counts(p, type->counts, &json);
	json_open(&json, "members", '[');
	for (size_t i = 0; i < type->members_count; i++)
		put_member(p, &type->members[i], &json);
	json_close(&json, ']');
	json_end(&json);
}

static void put_list(const struct type_profile *p, const char *name,
		     struct hit_count (*count)(const struct type_tally *t, unsigned int column),
		     struct json *json)
{
	json_open(json, name, '[');
	for (unsigned int c = 0; c < p->columns; c++) {
		const struct hit_count n = count(p->tally, c);

		open_event(p, c, &n, json);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_reason(const struct type_profile *p, const struct type_reason *reason,
		       struct json *json)
{
	json_open(json, NULL, '{');
	json_text(json, "reason", reason->text);
	json_open(json, "events", '[');
	for (unsigned int c = 0; c < p->columns; c++) {
		open_event(p, c, &reason->counts[c], json);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void put_rest(const struct type_profile *p)
{
	struct json json = {.out = &p->report->out};
	const struct type_reason *reasons;
	size_t count;

	json_open(&json, NULL, '{');
	put_list(p, "typed", type_tally_typed, &json);
	put_list(p, "no_access", type_tally_without, &json);
	put_list(p, "unknown", type_tally_untyped, &json);
	json_open(&json, "reasons", '[');
	reasons = type_tally_reasons(p->tally, &count);
	for (size_t i = 0; i < count; i++)
		put_reason(p, &reasons[i], &json);
	json_close(&json, ']');
	json_end(&json);
}

void type_profile_json(const struct type_profile *p)
{
	const struct type_share *types;
	size_t count;

	types = type_tally_types(p->tally, &count);
	for (size_t i = 0; i < count && type_profile_shows(p, i, &types[i]); i++)
		put_type(p, &types[i]);
	put_rest(p);
}
