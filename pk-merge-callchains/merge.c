// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "merge.h"
#include "pkprivate.h"
#include "pkutil.h"

/* ---- Flags ---- */

#define FLAGS_AT offsetof(struct perf_attr, flags)

bool flags_defer(const struct pk_record *record)
{
	const struct perf_record_header_attr *header = (const void *)record->data;

	return header->attr.flags & pk_attr_written_flags(PERF_ATTR_DEFER_CALLCHAIN);
}

static void clear(uint8_t *attr, bool keep_output)
{
	uint64_t flags =
		pk_load_u64(attr + FLAGS_AT) & ~pk_attr_written_flags(PERF_ATTR_DEFER_CALLCHAIN);

	if (!keep_output)
		flags &= ~pk_attr_written_flags(PERF_ATTR_DEFER_OUTPUT);
	pk_store_u64(attr + FLAGS_AT, flags);
}

static void clear_description(uint8_t *at, const uint8_t *end, bool keep_output)
{
	const struct perf_feature_event_desc *desc = (const void *)at;
	const struct perf_event_desc_ids *ids;
	uint64_t size;

	if ((size_t)(end - at) < sizeof(*desc) || desc->attr_size < PERF_ATTR_SIZE_VER0)
		return;
	at += sizeof(*desc);
	for (uint32_t i = 0; i < desc->count; i++) {
		if ((uint64_t)(end - at) < (uint64_t)desc->attr_size + sizeof(*ids))
			return;
		clear(at, keep_output);
		at += desc->attr_size;
		ids = (const void *)at;
		size = sizeof(*ids) + (uint64_t)ids->name_size + 8 * (uint64_t)ids->ids;
		if (size > (uint64_t)(end - at))
			return;
		at += size;
	}
}

void flags_clear(const struct pk_record *record, bool keep_output, uint8_t *data)
{
	if (record->type == PERF_RECORD_HEADER_ATTR)
		clear(data + offsetof(struct perf_record_header_attr, attr), keep_output);
	else if (pk_feature_id(record) == PERF_FEATURE_EVENT_DESC)
		clear_description(data + sizeof(struct perf_record_header_feature),
				  data + record->size, keep_output);
}

/* ---- Merging ---- */

/* The default time limit, in ns, for an input that is not a file. With such an input, other
 * programs may wait for the output. */
#define PIPE_TIME_MAX UINT64_C(5000000000)

struct stage {
	struct pk_run *run;
	const struct merge_options *options;
	struct merger *merger;
	/* The counts that were reported at the ends of earlier sessions. */
	struct merger_counts reported;
	bool merging; /* true if the callchains of at least one event of this session are deferred
		       */
	bool warned;
};

static enum pk_status start_session(struct stage *stage)
{
	if (!stage->merger)
		stage->merger = merger_new(&stage->options->wait, stage->run->writer);
	if (!stage->merger)
		return PK_NOMEM;
	stage->merging = false;
	pk_stage_change(stage->run->stage, PK_ORDER_NONE, 0);
	pk_order_through(stage->run->order, true);
	return PK_OK;
}

/* From here on, the records of the session are sorted. Sessions without events that defer
 * callchains need no sorting. */
static void start_merging(struct stage *stage)
{
	bool announced = pk_stage_change(stage->run->stage, PK_ORDER_PROCESSING, PK_TRAILER_CHAIN);

	stage->merging = true;
	merger_start_session(stage->merger, announced,
			     stage->options->has_time || !stage->run->input.piped
				     ? stage->options->wait.time_max
				     : PIPE_TIME_MAX);
	pk_order_through(stage->run->order, false);
}

/* Writes the record without the flags that defer callchains, because the output has no deferred
 * callchains. perf before 6.19 does not know these flags, and later versions of perf would wait for
 * user callchains. */
static enum pk_status write_cleared(struct stage *stage, const struct pk_record *record)
{
	uint8_t *out = merger_copy(stage->merger, record);

	if (!out)
		return merger_status(stage->merger);
	flags_clear(record, stage->options->wait.keep, out);
	return PK_OK;
}

/* Returns true if the input is symbolized. Its stack trailers were made without the user
 * callchains, so merging would not change its stacks. */
static bool is_symbolized(struct stage *stage)
{
	bool symbolized = pk_stage_input(stage->run->stage)->trailers & PK_TRAILER_STACK;

	if (pk_unlikely(symbolized && !stage->warned))
		pk_warn("%s: is symbolized already; passed on unchanged: run pk-merge-callchains "
			"before pk-symbolize",
			stage->run->input.name);
	stage->warned |= symbolized;
	return symbolized;
}

static enum pk_status pass(struct stage *stage, const struct pk_record *record)
{
	return merger_pass(stage->merger, record, stage->run->reader);
}

/* Prefetches the data of the tasks of the next records. With thousands of tasks, the data is not in
 * the processor's cache. */
static void look_ahead(struct stage *stage)
{
	const struct pk_event *event = NULL;
	const uint8_t *data = pk_order_ahead(stage->run->order, MERGER_AHEAD, &event);

	merger_expect(stage->merger, event, data);
}

/* Returns true if the sample is a span of pk-span. Such a sample can have the stack of another
 * task. */
static bool is_derived(const struct pk_event *event)
{
	return event->attr.type == PERF_TYPE_TRACEPOINT && !strncmp(event->name, "pk:", 3);
}

/* Adds a sample. A sample that is shorter than its fields is dropped, because perf stops with an
 * error at such a sample (SPEC 12). */
static enum pk_status merge_sample(struct stage *stage, const struct pk_record *record)
{
	bool trailers = pk_stage_input(stage->run->stage)->trailers & PK_TRAILER_CHAIN;
	enum pk_status status =
		merger_sample(stage->merger, record, trailers, is_derived(record->event));

	if (pk_likely(status != PK_CORRUPT))
		return status;
	pk_run_complain(stage->run, record, "sample shorter than its fields, dropped");
	pk_run_lose(stage->run, PK_LOSS_RECORDS_BAD, 1, 0);
	return PK_OK;
}

static enum pk_status merge_ordered(struct stage *stage, const struct pk_record *record)
{
	const struct pk_event *event = record->event;
	enum pk_status status = PK_OK;

	look_ahead(stage);
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		if (!event || !(event->attr.flags & PERF_ATTR_DEFER_CALLCHAIN))
			return pass(stage, record);
		return merge_sample(stage, record);
	case PERF_RECORD_CALLCHAIN_DEFERRED: return merger_half(stage->merger, record);
	case PERF_RECORD_EXIT:
	case PERF_RECORD_FORK:
	case PERF_RECORD_COMM: status = merger_task(stage->merger, record); break;
	case PERF_RECORD_HEADER_ATTR:
	case PERF_RECORD_HEADER_FEATURE: return write_cleared(stage, record);
	default: break;
	}
	return status ?: pass(stage, record);
}

static enum pk_status merge_record(struct pk_run *run, const struct pk_record *record)
{
	struct stage *stage = run->arg;
	enum pk_status status;

	if (record->type == PK_RECORD_BEGIN)
		return start_session(stage);
	if (record->type == PERF_RECORD_HEADER_ATTR && !stage->merging && flags_defer(record))
		start_merging(stage);
	if (!stage->merging)
		return pk_run_pass(run, record);
	if (record->time != PK_NO_TIME) {
		PK_TRY(merger_time(stage->merger, record->time));
	}
	status = is_symbolized(stage) ? pass(stage, record) : merge_ordered(stage, record);
	return status ?: pk_run_round(run);
}

static uint64_t alone(const struct merger_counts *counts)
{
	uint64_t sum = counts->empty;

	for (int reason = 0; reason < MERGER_REASONS; reason++)
		sum += counts->alone[reason];
	return sum;
}

/* Ends a session. The merger's counts are sums over all sessions, so the counts of previous
 * sessions are subtracted for the LOSS records. */
static void end_session(struct pk_run *run)
{
	struct stage *stage = run->arg;
	const struct merger_counts *now, *reported = &stage->reported;
	uint64_t samples;

	if (!stage->merger)
		return;
	if (merger_finish(stage->merger) != PK_OK)
		return; /* if the writer has failed, this is reported elsewhere */
	now = merger_counts(stage->merger);
	samples = now->samples - reported->samples;
	pk_run_lose(run, PK_LOSS_STACKS_UNMERGED, alone(now) - alone(reported), samples);
	pk_run_lose(run, PK_LOSS_STACKS_TRUNCATED, now->shortened - reported->shortened, samples);
	stage->reported = *now;
}

static void report_count(uint64_t count, const char *what)
{
	char number[32];

	pk_info("%15s %s", pk_number(number, count), what);
}

/* Reports the counts. They are printed only with -v. */
static void report_counts(const struct merger_counts *counts)
{
	report_count(counts->samples, "samples with a deferred user half");
	report_count(counts->merged, "merged");
	report_count(counts->late, "of them after their user half");
	report_count(counts->shortened, "of them shortened to fit a record");
	report_count(counts->empty, "whose user half is empty");
	report_count(counts->alone[MERGER_ENDED], "released: their thread ended");
	report_count(counts->alone[MERGER_EXECUTED], "released: their process executed a program");
	report_count(counts->alone[MERGER_PASSED], "released: a later user half arrived");
	report_count(counts->alone[MERGER_FINISHED], "released: the recording ended");
	report_count(counts->alone[MERGER_FULL], "released: too many waited");
	report_count(counts->alone[MERGER_LATE], "released: waited too long");
	report_count(counts->alone[MERGER_NO_COOKIE], "released: without a cookie");
	report_count(counts->halves, "user halves");
	report_count(counts->used, "of them for one sample or more");
	report_count(counts->repeated, "of them repeated");
	report_count(counts->halves - counts->used - counts->repeated, "of them for no sample");
	report_count(counts->samples_most, "samples waited at most");
	report_count(counts->bytes_most, "bytes of them and of the records after them at most");
}

int merge(struct pk_run *run, const struct merge_options *options)
{
	struct pk_stage_options stage_options = {
		.program = pk_cli_program(),
		.argc = options->argc,
		.argv = options->argv,
	};
	struct stage stage = {.run = run, .options = options};
	int result;

	run->ordered = true;
	run->record = merge_record;
	run->session_end = end_session;
	run->arg = &stage;
	result = pk_run_stage(run, &stage_options, options->output, "pk-symbolize");
	if (stage.merger)
		report_counts(merger_counts(stage.merger));
	merger_free(stage.merger);
	return result;
}
