// SPDX-License-Identifier: BSD-2-Clause
/* Prints types and their members as text. If a type is larger than a cache line, its members are
 * grouped by cache line. The report assumes that the type starts at the start of a cache line. */
#include <inttypes.h>
#include <stdio.h>

#include "cli.h"
#include "type_profile.h"

static void put_share(const struct type_profile *p, unsigned int column,
		      const struct hit_count *count)
{
	buffer_format(&p->report->out, "%*.2f", SHARE_WIDTH, type_profile_share(p, column, count));
}

static void put_shares(const struct type_profile *p, const struct type_counts *counts)
{
	for (unsigned int c = 0; c < p->columns; c++)
		put_share(p, c, &counts[c].all);
	buffer_text(&p->report->out, " : ");
}

/* ---- Types ---- */

static uint64_t line_of(const struct type_profile *p, const struct type_member *m)
{
	return m->offset / p->report->options->cache_line;
}

/* Returns how many members from index `begin` on are in the same cache line as the first of them.
 */
static size_t count_line(const struct type_profile *p, const struct type_share *type, size_t begin)
{
	size_t end = begin;

	while (end < type->members_count &&
	       line_of(p, &type->members[end]) == line_of(p, &type->members[begin]))
		end++;
	return end - begin;
}

static void put_line(const struct type_profile *p, const struct type_member *members, size_t count)
{
	struct buffer *out = &p->report->out;
	const uint64_t line = line_of(p, members);

	for (unsigned int c = 0; c < p->columns; c++) {
		struct hit_count sum = {0};

		for (size_t i = 0; i < count; i++) {
			sum.samples += members[i].counts[c].all.samples;
			sum.weight += members[i].counts[c].all.weight;
		}
		put_share(p, c, &sum);
	}
	buffer_format(out, " :     line %" PRIu64 "  +0x%" PRIx64 "\n", line,
		      line * p->report->options->cache_line);
}

/* Appends "r-", "-w" or "rw". The letters tell whether samples read and write the member. */
static void put_kind(const struct type_profile *p, const struct type_member *m)
{
	uint64_t read = 0, written = 0;

	for (unsigned int c = 0; c < p->columns; c++) {
		read += m->counts[c].read;
		written += m->counts[c].written;
	}
	buffer_format(&p->report->out, "  %c%c", read ? 'r' : '-', written ? 'w' : '-');
}

static void put_member(const struct type_profile *p, const struct type_member *m)
{
	struct buffer *out = &p->report->out;
	char offset[24];

	put_shares(p, m->counts);
	snprintf(offset, sizeof(offset), "+0x%" PRIx64, m->offset);
	buffer_format(out, "      %8s %5" PRIu64, offset, m->size);
	put_kind(p, m);
	buffer_text(out, "  ");
	buffer_harmless(out, m->name, strlen(m->name));
	buffer_char(out, '\n');
}

/* Returns false for types without members, such as numbers and pointers. */
static bool has_members(const struct type_share *type)
{
	return type->members_count > 1 || *type->members[0].name;
}

static void put_type(const struct type_profile *p, const struct type_share *type)
{
	struct buffer *out = &p->report->out;
	size_t count;

	put_shares(p, type->counts);
	buffer_harmless(out, type->name, strlen(type->name));
	if (type->size)
		buffer_format(out, "  %" PRIu64 " bytes", type->size);
	if (!has_members(type) && type->size)
		put_kind(p, &type->members[0]);
	buffer_char(out, '\n');
	for (size_t i = 0; has_members(type) && i < type->members_count; i += count) {
		count = count_line(p, type, i);
		if (type->size > p->report->options->cache_line)
			put_line(p, &type->members[i], count);
		for (size_t k = i; k < i + count; k++)
			put_member(p, &type->members[k]);
	}
}

/* ---- Samples without a type ---- */

static void put_counts(const struct type_profile *p, const struct hit_count *counts,
		       const char *text)
{
	for (unsigned int c = 0; c < p->columns; c++)
		put_share(p, c, &counts[c]);
	buffer_format(&p->report->out, " : %s\n", text);
}

/* Writes the sum of the types that are not shown. */
static void put_others(const struct type_profile *p, const struct type_share *types, size_t count)
{
	struct hit_count sums[COLUMNS_MAX] = {0};
	char text[64], number[32];

	for (size_t i = 0; i < count; i++)
		for (unsigned int c = 0; c < p->columns; c++) {
			sums[c].samples += types[i].counts[c].all.samples;
			sums[c].weight += types[i].counts[c].all.weight;
		}
	snprintf(text, sizeof(text), "(other types: %s)", pk_number(number, count));
	put_counts(p, sums, text);
}

static void put_rest(const struct type_profile *p)
{
	struct hit_count without[COLUMNS_MAX], untyped[COLUMNS_MAX];
	const struct type_reason *reasons;
	size_t count;
	char text[128];

	for (unsigned int c = 0; c < p->columns; c++) {
		without[c] = type_tally_without(p->tally, c);
		untyped[c] = type_tally_untyped(p->tally, c);
	}
	put_counts(p, without, "(no memory access)");
	put_counts(p, untyped, "(unknown)");
	reasons = type_tally_reasons(p->tally, &count);
	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "    %s", reasons[i].text);
		put_counts(p, reasons[i].counts, text);
	}
	buffer_char(&p->report->out, '\n');
}

void type_profile_text(const struct type_profile *p)
{
	const struct type_share *types;
	size_t count, i;

	types = type_tally_types(p->tally, &count);
	report_head(p->report, p->events, p->columns, "data types");
	for (i = 0; i < count && type_profile_shows(p, i, &types[i]); i++)
		put_type(p, &types[i]);
	if (i < count)
		put_others(p, &types[i], count - i);
	put_rest(p);
}
