// SPDX-License-Identifier: BSD-2-Clause
#include "presets.h"
#include "span_summary.h"

/* If there are at least this many starts, and more than half of them have no end, the ends were
 * probably not recorded. */
#define STARTS_LEAST 20

/* Prints the numbers of a session. They are only shown with -v. */
static void report_counts(const struct pk_span_maker *maker, const struct pk_span_kind *kind)
{
	const struct pk_span_counts *counts = &kind->pairing->counts;
	const bool written = kind->pairing->unfinished;
	const struct {
		uint64_t count;
		const char *one, *many;
	} lines[] = {
		{counts->starts, "start", "starts"},
		{counts->spans, "span", "spans"},
		{counts->exited, "of them ended with their task", NULL},
		{counts->shorter, "of them shorter than --min", NULL},
		{counts->unended, "span that never ended", "spans that never ended"},
		{written ? counts->unended : 0, "of them written as unfinished", NULL},
		{counts->open, "span open at the end", "spans open at the end"},
		{written ? counts->open : 0, "of them written as unfinished", NULL},
		{counts->unused, "start during an open span", "starts during an open span"},
		{counts->cancelled, "span cancelled", "spans cancelled"},
		{counts->task_ended, "span whose task ended", "spans whose task ended"},
		{written ? counts->task_ended : 0, "of them written as unfinished", NULL},
		{counts->dropped, "open span dropped", "open spans dropped"},
		{counts->unstarted, "end without a start", "ends without a start"},
		{counts->gaps, "span with lost records in it", "spans with lost records in them"},
		{counts->keyless, "start or end that lacks a field of the key",
		 "starts and ends that lack a field of the key"},
	};
	char number[32];

	if (maker->count > 1)
		pk_info(PK_SPAN_SYSTEM ":%s", kind->definition->name);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].count || i < 2)
			pk_info("%15s %s", pk_number(number, lines[i].count),
				lines[i].count == 1 || !lines[i].many ? lines[i].one
								      : lines[i].many);
}

/* Adds the counts of a definition to *sum. */
static void add_counts(struct pk_span_counts *sum, const struct pk_pairing *pairing)
{
	const struct pk_span_counts *counts = &pairing->counts;

	sum->starts += counts->starts;
	sum->spans += counts->spans;
	if (!pairing->unfinished) {
		sum->unended += counts->unended;
		sum->open += counts->open;
	}
	sum->dropped += counts->dropped;
	sum->unstarted += counts->unstarted;
	sum->gaps += counts->gaps;
	sum->keyless += counts->keyless;
}

void pk_span_summary(struct pk_run *run, const struct pk_span_maker *maker)
{
	struct pk_span_counts sum = {0};
	char number[32];

	for (size_t i = 0; i < maker->count; i++) {
		struct pk_span_kind *kind = &maker->kinds[i];

		pk_run_lose(run, PK_LOSS_STACKS_TRUNCATED, kind->cut, kind->pairing->counts.spans);
		kind->cut = 0;
		add_counts(&sum, kind->pairing);
		report_counts(maker, kind);
	}
	pk_run_lose(run, PK_LOSS_SPANS_DROPPED, sum.dropped, sum.starts);
	pk_run_lose(run, PK_LOSS_SPANS_UNENDED, sum.unended, sum.starts);
	pk_run_lose(run, PK_LOSS_SPANS_OPEN, sum.open, sum.starts);
	if (sum.starts >= STARTS_LEAST && sum.unended + sum.open > sum.starts / 2)
		pk_preset_report_needs();
	if (!maker->optional) /* With an optional input, an end without a start is normal. An
				 example is a switch to a task that was preempted and not blocked.
			       */
		pk_run_lose(run, PK_LOSS_SPANS_UNSTARTED, sum.unstarted, 0);
	pk_run_lose(run, PK_LOSS_SPANS_GAPS, sum.gaps, sum.spans);
	if (sum.keyless)
		pk_warn("%s: a field of the key is missing in %s sample%s", run->input.name,
			pk_number(number, sum.keyless), sum.keyless == 1 ? "" : "s");
}
