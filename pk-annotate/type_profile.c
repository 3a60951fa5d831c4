// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

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

static bool add_typed(struct type_profile *p, unsigned int column, const struct heat_count *count,
		      const struct flow_access *a, const struct typed *typed)
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

static bool add_row(struct type_profile *p, struct typing *typing, const struct function *f,
		    uint32_t r)
{
	const struct flow_access *a = typing_sampled(typing, r);
	struct typed typed;

	if (a)
		typing_describe(typing, a, true, &typed);
	for (unsigned int c = 0; c < f->columns; c++) {
		const struct heat_count *count = &f->counts[(size_t)r * f->columns + c];

		if (!count->samples)
			continue;
		if (!a)
			type_tally_no_access(p->tally, c, count);
		else if (!add_typed(p, c, count, a, &typed))
			return false;
	}
	return true;
}

/* What was counted for none of the function's rows. */
static bool add_rest(struct type_profile *p, const struct function *f)
{
	const char *reason =
		f->reason ? "no code of the function" : "outside of the function's code";

	for (unsigned int c = 0; c < f->columns; c++) {
		struct heat_count rest = f->totals[c];

		for (uint32_t r = 0; r < f->rows_count; r++) {
			const struct heat_count *count = &f->counts[(size_t)r * f->columns + c];

			rest.samples -= count->samples;
			rest.weight -= count->weight;
		}
		if (rest.samples && !type_tally_unknown(p->tally, c, &rest, reason))
			return false;
	}
	return true;
}

static bool add_function(struct type_profile *p, struct typing *typing, uint32_t number)
{
	struct report *report = p->report;
	struct function f;
	bool done = function_load(&f, report->objects, report->heat, number, p->events, p->columns);

	if (done && !f.reason)
		done = typing_begin(typing, &f);
	for (uint32_t r = 0; done && r < f.rows_count; r++)
		if (is_sampled(&f, r))
			done = add_row(p, typing, &f, r);
	if (done)
		done = add_rest(p, &f);
	function_release(&f);
	return done;
}

/* All functions that the options name, or all there are. */
static bool add_functions(struct type_profile *p)
{
	struct annotate_options options = *p->report->options;
	struct typing *typing = typing_new();
	struct ranking ranking;
	bool done;

	options.hottest = 0;
	options.min_percent = 0;
	done = typing && rank_functions(&ranking, p->report->heat, &options, p->events, p->columns,
					p->report->met);
	for (size_t i = 0; done && i < ranking.count; i++)
		done = add_function(p, typing, ranking.list[i].function);
	if (typing)
		free(ranking.list);
	typing_free(typing);
	return done;
}

static bool add_unplaced(struct type_profile *p)
{
	for (unsigned int c = 0; c < p->columns; c++) {
		const struct heat_count none = heat_event_unplaced(p->report->heat, p->events[c]);

		if (none.samples && !p->report->options->functions_count &&
		    !type_tally_unknown(p->tally, c, &none, "in no known function"))
			return false;
	}
	return true;
}

/* ---- What is shown of it ---- */

double type_profile_share(const struct type_profile *p, unsigned int column,
			  const struct heat_count *count)
{
	const struct heat_count all = heat_event_total(p->report->heat, p->events[column]);
	const uint64_t whole = weight_of(p->report->options, &all);

	return whole ? 100 * (double)weight_of(p->report->options, count) / (double)whole : 0;
}

bool type_profile_shows(const struct type_profile *p, size_t index, const struct type_share *type)
{
	const struct annotate_options *options = p->report->options;

	return (!options->hottest || index < options->hottest) &&
	       type_profile_share(p, 0, &type->counts[0].all) >= options->min_percent;
}

static void tell_untyped(const struct type_profile *p)
{
	for (unsigned int c = 0; c < p->columns; c++) {
		const struct heat_count typed = type_tally_typed(p->tally, c);
		const struct heat_count untyped = type_tally_untyped(p->tally, c);
		char number[32], of[32];

		if (untyped.samples)
			pk_warn("%s: the type is not known for %s of %s samples that "
				"access memory, or may",
				heat_event_name(p->report->heat, p->events[c]),
				pk_number(number, untyped.samples),
				pk_number(of, typed.samples + untyped.samples));
	}
}

bool report_types(struct report *report, const uint32_t *events, unsigned int columns)
{
	struct type_profile p = {.report = report, .events = events, .columns = columns};
	bool done;

	p.tally = type_tally_new(columns);
	done = p.tally && add_functions(&p);
	done = done && add_unplaced(&p) && type_tally_settle(p.tally, report->options->by_samples);
	if (done) {
		(report->options->json ? type_profile_json : type_profile_text)(&p);
		tell_untyped(&p);
	}
	type_tally_free(p.tally);
	return done;
}
