// SPDX-License-Identifier: BSD-2-Clause
/* Each type as a line of JSON, then a line for the samples without a type: docs/annotate-types.md
 * describes the members. */
#include <inttypes.h>

#include "type_profile.h"

static void put_text(struct buffer *out, const char *name, const char *text)
{
	buffer_format(out, "\"%s\":", name);
	buffer_quoted(out, text, strlen(text));
}

static void put_event(const struct type_profile *p, unsigned int column,
		      const struct hit_count *count)
{
	struct buffer *out = &p->report->out;

	buffer_text(out, column ? ",{" : "{");
	put_text(out, "name", code_hits_event_name(p->report->hits, p->events[column]));
	buffer_format(out, ",\"samples\":%" PRIu64 ",\"period\":%" PRIu64 ",\"percent\":%.2f",
		      count->samples, count->weight, type_profile_share(p, column, count));
}

static void put_counts(const struct type_profile *p, const struct type_counts *counts)
{
	struct buffer *out = &p->report->out;

	buffer_text(out, ",\"events\":[");
	for (unsigned int c = 0; c < p->columns; c++) {
		put_event(p, c, &counts[c].all);
		buffer_format(out, ",\"reads\":%" PRIu64 ",\"writes\":%" PRIu64 "}", counts[c].read,
			      counts[c].written);
	}
	buffer_char(out, ']');
}

static void put_member(const struct type_profile *p, const struct type_member *m)
{
	struct buffer *out = &p->report->out;

	buffer_char(out, '{');
	put_text(out, "member", m->name);
	buffer_format(out, ",\"offset\":%" PRIu64 ",\"size\":%" PRIu64 ",\"line\":%" PRIu64,
		      m->offset, m->size, m->offset / p->report->options->cache_line);
	put_counts(p, m->counts);
	buffer_char(out, '}');
}

static void put_type(const struct type_profile *p, const struct type_share *type)
{
	struct buffer *out = &p->report->out;

	buffer_char(out, '{');
	put_text(out, "type", type->name);
	buffer_format(out, ",\"size\":%" PRIu64, type->size);
	put_counts(p, type->counts);
	buffer_text(out, ",\"members\":[");
	for (size_t i = 0; i < type->members_count; i++) {
		buffer_text(out, i ? "," : "");
		put_member(p, &type->members[i]);
	}
	buffer_text(out, "]}\n");
}

static void put_list(const struct type_profile *p, const char *name,
		     struct hit_count (*count)(const struct type_tally *t, unsigned int column))
{
	struct buffer *out = &p->report->out;

	buffer_format(out, "\"%s\":[", name);
	for (unsigned int c = 0; c < p->columns; c++) {
		const struct hit_count n = count(p->tally, c);

		put_event(p, c, &n);
		buffer_char(out, '}');
	}
	buffer_char(out, ']');
}

static void put_reason(const struct type_profile *p, const struct type_reason *reason)
{
	struct buffer *out = &p->report->out;

	buffer_char(out, '{');
	put_text(out, "reason", reason->text);
	buffer_text(out, ",\"events\":[");
	for (unsigned int c = 0; c < p->columns; c++) {
		put_event(p, c, &reason->counts[c]);
		buffer_char(out, '}');
	}
	buffer_text(out, "]}");
}

static void put_rest(const struct type_profile *p)
{
	struct buffer *out = &p->report->out;
	const struct type_reason *reasons;
	size_t count;

	buffer_char(out, '{');
	put_list(p, "typed", type_tally_typed);
	buffer_char(out, ',');
	put_list(p, "no_access", type_tally_without);
	buffer_char(out, ',');
	put_list(p, "unknown", type_tally_untyped);
	buffer_text(out, ",\"reasons\":[");
	reasons = type_tally_reasons(p->tally, &count);
	for (size_t i = 0; i < count; i++) {
		buffer_text(out, i ? "," : "");
		put_reason(p, &reasons[i]);
	}
	buffer_text(out, "]}\n");
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
