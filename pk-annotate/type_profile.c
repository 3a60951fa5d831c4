// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "lookups.h"
#include "rank.h"
#include "type_profile.h"
#include "typing.h"

/* ---- Adding up ---- */

static bool is_sampled(const struct function *f, uint32_t r)
{
	for (unsigned int c = 0; c < f->columns; c++)
		if (f->counts[(size_t)r * f->columns + c].samples)
			return true;
	return false;
}

static enum pk_status add_typed(struct type_profile *p, unsigned int column,
				const struct hit_count *count, const struct flow_access *a,
				const struct pk_access_type *typed)
{
	const struct type_place place = {
		.type = typed->type,
		.type_size = typed->type_size,
		.member = typed->member,
		.offset = typed->start,
		.size = typed->size,
		.read = a->read,
		.written = a->written,
	};

	if (*typed->type)
		return type_tally_add(p->tally, column, count, &place);
	return type_tally_unknown(p->tally, column, count, typed->reason);
}

static enum pk_status add_row(struct type_profile *p, const struct pk_function_types *types,
			      const struct function *f, uint32_t r)
{
	const struct flow_access *a = pk_access_of_sample(types, r);
	struct pk_access_type typed;

	if (a)
		pk_access_describe(types, a, true, &typed);
	for (unsigned int c = 0; c < f->columns; c++) {
		const struct hit_count *count = &f->counts[(size_t)r * f->columns + c];

		if (!count->samples)
			continue;
		if (!a)
			type_tally_no_access(p->tally, c, count);
		else if (add_typed(p, c, count, a, &typed) != PK_OK)
			return PK_NOMEM;
	}
	return PK_OK;
}

/* Adds the samples of the function that belong to none of its rows, because their addresses are
 * outside of its code. */
static enum pk_status add_rest(struct type_profile *p, const struct function *f)
{
	const char *reason =
		f->code.reason ? "no code of the function" : "outside of the function's code";

	for (unsigned int c = 0; c < f->columns; c++) {
		struct hit_count rest = f->totals[c];

		for (uint32_t r = 0; r < f->code.rows_count; r++) {
			const struct hit_count *count = &f->counts[(size_t)r * f->columns + c];

			rest.samples -= count->samples;
			rest.weight -= count->weight;
		}
		if (rest.samples)
			PK_TRY(type_tally_unknown(p->tally, c, &rest, reason));
	}
	return PK_OK;
}

static enum pk_status add_function(struct type_profile *p, uint32_t number)
{
	struct report *report = p->report;
	struct pk_function_types types = {0};
	struct function f;
	enum pk_status status =
		function_load(&f, report->objects, report->hits, number, p->events, p->columns);

	pk_print_messages(report->messages);
	if (status == PK_OK && !f.code.reason)
		status = pk_function_types_read(&types, &report->typing, &f.code);
	for (uint32_t r = 0; status == PK_OK && r < f.code.rows_count; r++)
		if (is_sampled(&f, r))
			status = add_row(p, &types, &f, r);
	if (status == PK_OK)
		status = add_rest(p, &f);
	pk_function_types_free(&types);
	function_release(&f);
	return status;
}

/* Adds the functions that the options name, or else all functions. Here, --hottest and
 * --min-percent do not exclude functions, because they apply to types. */
static enum pk_status add_functions(struct type_profile *p)
{
	struct annotate_options options = *p->report->options;
	struct ranking ranking;
	enum pk_status status;

	options.hottest = 0;
	options.min_percent = 0;
	status = rank_functions(&ranking, p->report->hits, &options, p->events, p->columns,
				p->report->met);
	for (size_t i = 0; status == PK_OK && i < ranking.count; i++)
		status = add_function(p, ranking.list[i].function);
	free(ranking.list);
	return status;
}

static enum pk_status add_unplaced(struct type_profile *p)
{
	for (unsigned int c = 0; c < p->columns; c++) {
		const struct hit_count none = code_hits_unplaced(p->report->hits, p->events[c]);

		if (none.samples && !p->report->options->functions.count)
			PK_TRY(type_tally_unknown(p->tally, c, &none, "in no known function"));
	}
	return PK_OK;
}

/* ---- The profile ---- */

static void tell_untyped(const struct type_profile *p)
{
	for (unsigned int c = 0; c < p->columns; c++) {
		const struct hit_count typed = type_tally_typed(p->tally, c);
		const struct hit_count untyped = type_tally_untyped(p->tally, c);
		char number[32], of[32];

		if (untyped.samples)
			pk_warn("%s: the type is unknown for %s of %s samples that may access "
				"memory",
				code_hits_event_name(p->report->hits, p->events[c]),
				pk_number(number, untyped.samples),
				pk_number(of, typed.samples + untyped.samples));
	}
}

enum pk_status report_types(struct report *report, const uint32_t *events, unsigned int columns)
{
	struct type_profile p = {.report = report, .events = events, .columns = columns};
	enum pk_status status;

	p.tally = type_tally_new(columns);
	status = p.tally ? add_functions(&p) : PK_NOMEM;
	status = status ?: add_unplaced(&p);
	status = status ?: type_tally_settle(p.tally, report->options->by_samples);
	if (status == PK_OK) {
		(report->options->json ? type_profile_json : type_profile_text)(&p);
		tell_untyped(&p);
	}
	type_tally_free(p.tally);
	return status;
}
