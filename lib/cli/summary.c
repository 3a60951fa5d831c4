// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* The text of a summary that is being built. */
struct text {
	char *at;
	size_t left; /* The free bytes. If it is 0, the text is full, and nothing more is added. */
	bool any;
};

static void add_words(struct text *text, const char *format, ...)
{
	va_list args;
	int n;

	if (text->any && text->left > 2) {
		memcpy(text->at, ", ", 3);
		text->at += 2;
		text->left -= 2;
	} else if (text->any) {
		text->left = 0;
	}
	text->any = true;
	va_start(args, format);
	n = vsnprintf(text->at, text->left, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= text->left) {
		text->left = 0;
		return;
	}
	text->at += n;
	text->left -= (size_t)n;
}

/* The words for a cause of losses. If `share` is true and the total is known, the loss is printed
 * as a part of the total. */
struct wording {
	const char *one, *many;
	bool share;
};

static void add_part(struct text *text, uint64_t count, uint64_t total,
		     const struct wording *wording)
{
	double percent = 100.0 * (double)count / (double)(total ? total : 1);
	char a[32], b[32];

	if (!count)
		return;
	if (!total || !wording->share)
		add_words(text, "%s %s", pk_number(a, count),
			  count == 1 ? wording->one : wording->many);
	else if (percent >= 0.05)
		add_words(text, "%.1f%% of %s", percent, wording->many);
	else
		add_words(text, "%s of %s %s", pk_number(a, count), pk_number(b, total),
			  wording->many);
}

/* The kernel can count the same lost sample in lost_records and in lost_samples. So the larger
 * number is used. lost_records also counts records that are not samples. */
static uint64_t lost_samples(const struct pk_losses *losses)
{
	uint64_t lost = losses->lost_records > losses->lost_samples ? losses->lost_records
								    : losses->lost_samples;

	return lost + losses->causes[PK_LOSS_RECORDS_LOST].count +
	       losses->causes[PK_LOSS_SAMPLES_LOST].count;
}

bool pk_losses_text(const struct pk_losses *losses, char *buffer, size_t size)
{
	static const struct wording wordings[PK_LOSS_CAUSE_MAX] = {
		[PK_LOSS_RECORDS_BAD] = {"malformed record skipped", "malformed records skipped",
					 false},
		[PK_LOSS_STACKS_TRUNCATED] = {"stack truncated", "stacks truncated", true},
		[PK_LOSS_FRAMES_UNRESOLVED] = {"frame unresolved", "frames unresolved", true},
		[PK_LOSS_RECORDS_LATE] = {"record out of order", "records out of order", false},
		[PK_LOSS_STACKS_UNMERGED] = {"stack without its user part",
					     "stacks without their user part", true},
		[PK_LOSS_RECORDS_UNSWAPPED] = {"unknown record of the other byte order",
					       "unknown records of the other byte order", false},
		[PK_LOSS_DEFINITIONS_BAD] = {"wrong definition", "wrong definitions", false},
		[PK_LOSS_SPANS_DROPPED] = {"open span dropped", "open spans dropped", false},
		[PK_LOSS_SPANS_UNENDED] = {"span never ended", "spans never ended", false},
		[PK_LOSS_STACKS_CUT] = {"stack ends in code without frame pointers",
					"stacks end in code without frame pointers", true},
		[PK_LOSS_STACKS_TORN] = {"stack lacks frames of an interpreter",
					 "stacks lack frames of an interpreter", true},
		[PK_LOSS_SPANS_OPEN] = {"span open at the end", "spans open at the end", false},
		[PK_LOSS_SPANS_UNSTARTED] = {"end without a start", "ends without a start", false},
		[PK_LOSS_SPANS_GAPS] = {"span with lost records in it",
					"spans with lost records in them", false},
		[PK_LOSS_TRACES_CUT] = {"buffer of a hardware trace cut",
					"buffers of a hardware trace cut", true},
	};
	struct text text = {buffer, size, false};
	uint64_t lost = lost_samples(losses);
	char a[32], b[32];

	if (size)
		*buffer = '\0';
	if (lost)
		add_words(&text, "%s of %s samples lost", pk_number(a, lost),
			  pk_number(b, losses->samples + lost));
	for (int cause = 0; cause < PK_LOSS_CAUSE_MAX; cause++)
		if (wordings[cause].one)
			add_part(&text, losses->causes[cause].count, losses->causes[cause].total,
				 &wordings[cause]);
	return text.any;
}

/* ---- Reasons for an empty result, or for missing callers ---- */

void pk_report_no_samples(const struct pk_run *run)
{
	if (!run->losses.samples && !run->input.damaged)
		pk_warn("the recording has no samples%s",
			run->losses.counts ? ", but counts: pk-stat prints them" : "");
}

void pk_report_missing_stages(const struct pk_partial_chains *partial, uint64_t unmerged)
{
	static const char *const wordings[PK_CHAIN_SOURCES] = {
		[PK_CHAIN_OF_DUMP] = "user callers are still in the registers and stack dumps",
		[PK_CHAIN_OF_BRANCHES] = "user callers are still in the branch stacks (LBR)",
		[PK_CHAIN_LACKS_CALLER] = "callers of functions without a frame are still in the "
					  "link register or the stack dump",
	};
	char number[32];

	for (int source = 0; source < PK_CHAIN_SOURCES; source++) {
		const uint64_t count = partial->samples[source];

		if (count && wordings[source])
			pk_warn("%s of %s sample%s; run pk-unwind before %s", wordings[source],
				pk_number(number, count), count == 1 ? "" : "s", pk_cli_program());
	}
	if (unmerged)
		pk_warn("user callchains are separate from %s sample%s; run pk-merge-callchains "
			"before %s",
			pk_number(number, unmerged), unmerged == 1 ? "" : "s", pk_cli_program());
}

void pk_report_traces(const struct pk_run *run)
{
	char number[32];

	for (uint32_t kind = 0; kind < PK_TRACE_KINDS; kind++) {
		const uint64_t bytes = run->traces.bytes[kind];

		if (!bytes)
			continue;
		pk_number(number, bytes);
		if (pk_trace_is_decodable(kind))
			pk_warn("%s bytes of %s trace are not decoded; run pk-decode before %s",
				number, pk_trace_kind_name(kind), pk_cli_program());
		else
			pk_warn("%s bytes of %s trace are not decoded; pk-decode does not know "
				"this kind of trace",
				number, pk_trace_kind_name(kind));
	}
	if (run->traces.sampled)
		pk_warn("samples contain parts of a hardware trace, which are not decoded");
}

/* ---- --fail-on ---- */

static const char *const fail_names[PK_FAIL_KINDS] = {
	[PK_FAIL_LOST] = "lost",
	[PK_FAIL_TRUNCATED] = "truncated",
	[PK_FAIL_UNRESOLVED] = "unresolved",
	[PK_FAIL_SPANS] = "spans",
	[PK_FAIL_REGRESSION] = "regression",
};

static int fail_kind(const char *name, size_t length)
{
	for (int kind = 0; kind < PK_FAIL_KINDS; kind++)
		if (strlen(fail_names[kind]) == length && !strncmp(fail_names[kind], name, length))
			return kind;
	return PK_FAIL_KINDS;
}

bool pk_parse_fail_on(const char *text, struct pk_fail_on *fail_on)
{
	do {
		size_t length = strcspn(text, ",=");
		int kind = fail_kind(text, length);
		char *end = (char *)text + length;
		double percent = 0;

		if (kind == PK_FAIL_KINDS || (kind == PK_FAIL_REGRESSION && !fail_on->compares))
			return false;
		if (*end == '=') {
			text = end + 1;
			percent = strtod(text, &end);
			if (end == text || !(percent >= 0 && percent <= 100))
				return false;
		}
		if (*end && *end != ',')
			return false;
		fail_on->set[kind] = true;
		fail_on->percent[kind] = percent;
		text = *end ? end + 1 : NULL;
	} while (text);
	return true;
}

static bool above(uint64_t count, uint64_t total, double percent)
{
	return count && (!total || 100.0 * (double)count / (double)total > percent);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* `truncated` counts truncated stacks. It also counts stacks without their user part, stacks that
 * end in code without frame pointers, and stacks that lack frames of an interpreter, because these
 * stacks also lack callers. `spans` counts
 * spans that were dropped, and spans that can be wrong because records were lost. */
bool pk_losses_exceed(const struct pk_losses *losses, const struct pk_fail_on *fail_on)
{
	uint64_t lost = lost_samples(losses);
	const uint64_t counts[PK_FAIL_KINDS][2] = {
		[PK_FAIL_LOST] = {lost, lost + losses->samples},
		[PK_FAIL_TRUNCATED] = {losses->causes[PK_LOSS_STACKS_TRUNCATED].count +
					       losses->causes[PK_LOSS_STACKS_UNMERGED].count +
					       losses->causes[PK_LOSS_STACKS_CUT].count +
					       losses->causes[PK_LOSS_STACKS_TORN].count,
				       larger(losses->causes[PK_LOSS_STACKS_TRUNCATED].total,
					      larger(losses->causes[PK_LOSS_STACKS_UNMERGED].total,
						     losses->causes[PK_LOSS_STACKS_TORN].total))},
		[PK_FAIL_UNRESOLVED] = {losses->causes[PK_LOSS_FRAMES_UNRESOLVED].count,
					losses->causes[PK_LOSS_FRAMES_UNRESOLVED].total},
		[PK_FAIL_SPANS] = {losses->causes[PK_LOSS_SPANS_DROPPED].count +
					   losses->causes[PK_LOSS_SPANS_GAPS].count,
				   larger(losses->causes[PK_LOSS_SPANS_DROPPED].total,
					  losses->causes[PK_LOSS_SPANS_GAPS].total)},
	};

	for (int kind = 0; kind < PK_FAIL_KINDS; kind++)
		if (fail_on->set[kind] &&
		    above(counts[kind][0], counts[kind][1], fail_on->percent[kind]))
			return true;
	return false;
}
