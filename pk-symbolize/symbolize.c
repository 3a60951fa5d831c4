// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include "pkutil.h"
#include "cut_stacks.h"
#include "held_records.h"
#include "nameless_jit.h"
#include "nameless_objects.h"
#include "resolve.h"
#include "symbolize.h"

struct symbolizer {
	struct pk_run *run;
	struct pk_dictionary *dictionary;
	struct pk_stacks *stacks;
	struct pk_session *session;
	struct resolver *resolver;
	struct pk_cut_stacks *cut;
	struct pk_nameless_objects *nameless;
	struct pk_nameless_jit jit;
	struct pk_stacks_count reported; /* counts of previous sessions */
	size_t dictionary_max;
	enum pk_frames_of frames;
	bool mark_truncated;
	uint64_t bad;	    /* number of malformed samples so far (pk_stacks_count.samples_bad) */
	uint64_t shortened; /* number of samples that were shortened to make room for the trailer */
	bool warned;
	struct waiting {
		size_t max;	      /* limit for the size of `held` in bytes */
		struct pk_table over; /* processes for which the program does not wait any more; the
				       * key is a pid */
		uint32_t pid; /* the process whose end this program waits for; 0 if there is none */
		struct held_records held;
	} waiting;
};

static enum pk_status start_session(struct symbolizer *s)
{
	if (!s->dictionary)
		s->dictionary = pk_dictionary_new(s->run->writer);
	if (s->dictionary && !s->stacks)
		s->stacks =
			pk_stacks_new(s->dictionary, s->frames, pk_resolver_resolve, s->resolver);
	if (s->stacks && !s->cut)
		s->cut = pk_cut_stacks_new(s->dictionary);
	if (s->cut && !s->nameless)
		s->nameless = pk_nameless_objects_new(s->dictionary);
	if (!s->nameless)
		return PK_NOMEM;
	pk_session_free(s->session);
	s->session = pk_session_new();
	pk_stacks_forget(s->stacks);
	pk_dictionary_clear(s->dictionary);
	pk_table_clear(&s->waiting.over);
	pk_resolver_start_session(s->resolver, s->session);
	return s->session ? PK_OK : PK_NOMEM;
}

/* Removes n bytes from the end of an array in a sample. size_at is the position of the array's
 * count. length is this count, and unit is the size of an element in bytes. */
static void cut_out(uint8_t *data, uint16_t *size, uint8_t *size_at, uint64_t length,
		    unsigned int unit, uint16_t n)
{
	uint8_t *end = size_at + 8 + length * unit;

	pk_store_u64(size_at, length - n / unit);
	memmove(end - n, end, (size_t)(data + *size - end));
	*size = (uint16_t)(*size - n);
}

/* Removes n bytes that are not needed because the sample has a stack: bytes at the end of the
 * callchain, where the outermost callers are, or, if the callchain is too short, bytes at the end
 * of the stack dump. Returns false if both are too short, or if the sample is malformed. */
static bool shorten(const struct pk_event *event, uint8_t *data, uint16_t *size, uint16_t n)
{
	struct pk_record record = {.data = data, .type = PERF_RECORD_SAMPLE, .size = *size};
	struct pk_sample sample;
	uint8_t *dump_size;

	if (pk_sample_decode(event, &record, &sample) != PK_OK)
		return false;
	if (sample.callchain.count > n / 8u) {
		cut_out(data, size, (uint8_t *)sample.callchain.data - 8, sample.callchain.count, 8,
			n);
		return true;
	}
	if (sample.user_stack.size <= n)
		return false;
	dump_size = (uint8_t *)sample.user_stack.data - 8;
	cut_out(data, size, dump_size, pk_load_u64(dump_size), 1, n);
	return true;
}

static enum pk_status write_with_stack(struct symbolizer *s, const struct pk_record *record,
				       uint32_t stack)
{
	uint8_t *out = pk_writer_extend(s->run->writer, record, PK_STACK_TRAILER_SIZE);

	if (pk_unlikely(!out))
		return pk_writer_status(s->run->writer);
	pk_trailer_put(out + record->size, PK_STACK_TRAILER_TAG, stack);
	return PK_OK;
}

static enum pk_status write_shortened(struct symbolizer *s, const struct pk_record *record,
				      uint32_t stack)
{
	struct pk_record shortened = *record;
	uint8_t copy[UINT16_MAX + 1];
	uint16_t size = record->size, room = PERF_RECORD_SIZE_MAX - PK_STACK_TRAILER_SIZE;

	memcpy(copy, record->data, size);
	if (!shorten(record->event, copy, &size, (uint16_t)PK_ALIGN8(size - room))) {
		pk_run_complain(s->run, record, "no room for the stack trailer; sample dropped");
		pk_run_lose(s->run, PK_LOSS_SAMPLES_LOST, 1, 0);
		return PK_OK;
	}
	s->shortened++;
	shortened.data = copy;
	shortened.size = size;
	return write_with_stack(s, &shortened, stack);
}

static enum pk_status write_sample(struct symbolizer *s, const struct pk_record *record,
				   uint32_t stack)
{
	if (pk_unlikely(record->size > PERF_RECORD_SIZE_MAX - PK_STACK_TRAILER_SIZE))
		return write_shortened(s, record, stack);
	return write_with_stack(s, record, stack);
}

/* Drops a sample that is shorter than its fields, because perf stops at such a sample (SPEC 12). */
static enum pk_status write_without_stack(struct symbolizer *s, const struct pk_record *record)
{
	struct pk_stacks_count count;
	uint64_t bad = s->bad;

	pk_stacks_counted(s->stacks, &count);
	s->bad = count.samples_bad;
	if (bad == count.samples_bad)
		return PK_NOMEM;
	pk_run_complain(s->run, record, "sample shorter than its fields, dropped");
	pk_run_lose(s->run, PK_LOSS_RECORDS_BAD, 1, 0);
	return PK_OK;
}

/* ---- Perf maps that programs write at their exit ---- */

/* The JVM can write its perf map when it ends. If the recording is read from a pipe, the samples
 * are read before the JVM ends. So samples with JIT code that has no names are held back until
 * their process has ended, together with all records after them. This is only done for recordings
 * that end with a program that they have started. */

#define WAITED_MAX 65536 /* limit for the number of entries in waiting.over */

/* Returns true if the recording has started a program. */
static bool has_started_program(const struct symbolizer *s)
{
	const struct pk_events *events = pk_reader_events(s->run->reader);
	const size_t count = pk_events_count(events);

	for (size_t i = 0; i < count; i++)
		if (pk_events_at(events, i)->attr.flags & PERF_ATTR_ENABLE_ON_EXEC)
			return true;
	return false;
}

/* Handles a sample with JIT code that has no names. `before` are the counts before its stack was
 * made. If this program can wait for the process of the sample, sets waiting.pid and takes back the
 * counts. It does so even if the process has ended, because the process can have written its perf
 * map after the lookup. Otherwise counts the sample in s->jit. */
static enum pk_status handle_nameless(struct symbolizer *s, const struct pk_record *record,
				      const struct pk_stacks_count *before)
{
	const uint16_t at = record->event->layout.tid;
	const uint32_t pid = at ? pk_record_task(record, at)->pid : 0;

	if (!s->waiting.max || !pid || pk_table_get_u64(&s->waiting.over, pid) ||
	    !has_started_program(s))
		return pk_nameless_jit_count(&s->jit, s->session, record);
	pk_stacks_restore(s->stacks, before);
	s->waiting.pid = pid;
	return PK_OK;
}

static enum pk_status symbolize_sample(struct symbolizer *s, const struct pk_record *record)
{
	const uint32_t trailers = pk_stage_input(s->run->stage)->trailers;
	struct pk_stacks_count before;
	uint32_t stack;

	pk_stacks_trailers(s->stacks, trailers & PK_TRAILER_CHAIN, s->mark_truncated);
	pk_stacks_counted(s->stacks, &before);
	stack = pk_stacks_of(s->stacks, s->session, record->event, record);
	if (pk_likely(stack) && pk_unlikely(pk_stacks_nameless_jit(s->stacks))) {
		PK_TRY(handle_nameless(s, record, &before));
		if (s->waiting.pid)
			return PK_OK;
	}
	if (pk_likely(stack))
		PK_TRY(pk_nameless_objects_count(s->nameless, stack));
	if (pk_likely(stack) && !pk_stacks_truncated(s->stacks))
		PK_TRY(pk_cut_stacks_count(s->cut, record->event, stack));
	return pk_likely(stack) ? write_sample(s, record, stack) : write_without_stack(s, record);
}

/* Returns true if the input is already symbolized. Then all records are written unchanged. */
static bool is_symbolized(struct symbolizer *s)
{
	bool symbolized = pk_stage_input(s->run->stage)->trailers & PK_TRAILER_STACK;

	if (symbolized && !s->warned)
		pk_warn("%s: is symbolized already; passed on unchanged", s->run->input.name);
	s->warned |= symbolized;
	return symbolized;
}

/* Ends a round. The memory limit is checked once for each round. */
static enum pk_status finish_round(struct symbolizer *s)
{
	const uint64_t round = s->run->input.round;
	enum pk_status status = pk_run_round(s->run);

	if (pk_likely(s->run->input.round == round))
		return status;
	if (pk_dictionary_memory(s->dictionary) > s->dictionary_max) {
		pk_cut_stacks_forget(s->cut, s->resolver);
		pk_nameless_objects_forget(s->nameless);
		pk_dictionary_reset(s->dictionary);
		pk_stacks_forget(s->stacks);
	}
	return status;
}

static enum pk_status pass(struct symbolizer *s, const struct pk_record *record)
{
	enum pk_status status = pk_writer_copy(s->run->writer, s->run->reader, record);

	return status ?: finish_round(s);
}

/* Returns true for a definition of the input's dictionary. Such records are dropped, because this
 * program writes its own dictionary (SPEC 9.8). */
static bool is_dictionary(const struct pk_record *record)
{
	unsigned int kind = pk_definition_of(record);

	return (kind >= PK_STRING && kind <= PK_STACK) || kind == PK_RESET;
}

static enum pk_status process(struct symbolizer *s, const struct pk_record *record)
{
	enum pk_status status = pk_resolver_record(s->resolver, s->session, record);

	if (pk_unlikely(status))
		return status;
	if (pk_likely(record->type == PERF_RECORD_SAMPLE)) {
		status = symbolize_sample(s, record);
		return status ?: finish_round(s);
	}
	if (is_dictionary(record))
		return PK_OK;
	status = pk_session_record(s->session, record);
	if (status == PK_CORRUPT)
		pk_run_complain(s->run, record, "malformed; passed on, but not used");
	else if (status)
		return status;
	return pass(s, record);
}

/* Stops waiting for the process waiting.pid. Processes the records that wait, up to the first
 * record with JIT code without names of another process. */
static enum pk_status stop_waiting(struct symbolizer *s)
{
	struct waiting *waiting = &s->waiting;
	struct pk_record record;

	if (!waiting->pid)
		return PK_OK;
	if (waiting->over.count > WAITED_MAX)
		pk_table_clear(&waiting->over);
	PK_TRY(pk_table_set_u64(&waiting->over, waiting->pid, 1));
	pk_resolver_perf_map_is_final(s->resolver, waiting->pid);
	waiting->pid = 0;
	while (held_records_first(&waiting->held, &record)) {
		PK_TRY(process(s, &record));
		if (waiting->pid)
			return PK_OK;
		held_records_remove(&waiting->held);
	}
	return PK_OK;
}

/* Stops waiting for all processes. */
static enum pk_status stop_all_waiting(struct symbolizer *s)
{
	while (s->waiting.pid)
		PK_TRY(stop_waiting(s));
	return PK_OK;
}

/* Stops waiting for processes that have ended, or that write no perf map when they end. */
static enum pk_status check_waiting(struct symbolizer *s)
{
	while (s->waiting.pid && !pk_resolver_awaits_perf_map(s->resolver, s->waiting.pid))
		PK_TRY(stop_waiting(s));
	return PK_OK;
}

static enum pk_status wait_with(struct symbolizer *s, const struct pk_record *record)
{
	PK_TRY(held_records_add(&s->waiting.held, record));
	while (held_records_size(&s->waiting.held) > s->waiting.max)
		PK_TRY(stop_waiting(s));
	return PK_OK;
}

static enum pk_status symbolize_record(struct pk_run *run, const struct pk_record *record)
{
	struct symbolizer *s = run->arg;

	if (record->type == PK_RECORD_BEGIN)
		return start_session(s);
	if (is_symbolized(s))
		return pass(s, record);
	if (pk_unlikely(record->payload_size))
		PK_TRY(stop_all_waiting(s));
	if (pk_unlikely(s->waiting.pid))
		return wait_with(s, record);
	PK_TRY(process(s, record));
	if (pk_likely(!s->waiting.pid))
		return PK_OK;
	PK_TRY(wait_with(s, record));
	return check_waiting(s);
}

/* For callbacks that return nothing. The writer returns its errors again later. */
static void note_failure(struct symbolizer *s, enum pk_status status)
{
	s->run->messages.no_memory |= status == PK_NOMEM;
}

/* Called before the program waits for input. */
static void idle(struct pk_run *run)
{
	struct symbolizer *s = run->arg;

	note_failure(s, check_waiting(s));
	pk_writer_flush(run->writer);
}

/* Ends a session. The counts are sums over all sessions. The LOSS records of a session have only
 * the losses of this session. */
static void end_session(struct pk_run *run)
{
	struct symbolizer *s = run->arg;
	struct pk_stacks_count now, *reported = &s->reported;
	struct pk_cut_sums cut;

	if (!s->cut)
		return;
	note_failure(s, stop_all_waiting(s));
	pk_stacks_counted(s->stacks, &now);
	pk_nameless_jit_report(&s->jit, now.samples - reported->samples, &run->messages);
	pk_nameless_objects_report(s->nameless, s->resolver, &run->messages);
	cut = pk_cut_stacks_sums(s->cut, s->resolver, &run->messages);
	pk_run_lose(run, PK_LOSS_FRAMES_UNRESOLVED,
		    now.frames_unresolved - reported->frames_unresolved - cut.frames,
		    now.frames - reported->frames);
	pk_run_lose(run, PK_LOSS_STACKS_CUT, cut.cut, now.samples - reported->samples);
	pk_run_lose(run, PK_LOSS_STACKS_TRUNCATED,
		    now.stacks_truncated - reported->stacks_truncated + s->shortened,
		    now.samples - reported->samples);
	pk_run_lose(run, PK_LOSS_STACKS_UNMERGED, now.stacks_unmerged - reported->stacks_unmerged,
		    now.samples - reported->samples);
	pk_run_lose(run, PK_LOSS_STACKS_TORN, now.stacks_torn - reported->stacks_torn,
		    now.samples - reported->samples);
	s->reported = now;
	s->shortened = 0;
}

static void report(struct pk_run *run)
{
	const struct symbolizer *s = run->arg;

	pk_report_missing_stages(&s->reported.partial, s->reported.stacks_unmerged);
}

static bool has_options(const struct symbolize_options *opts)
{
	for (int i = 1; i < opts->argc; i++)
		if (opts->argv[i][0] == '-' && opts->argv[i][1])
			return true;
	return false;
}

int symbolize(struct pk_run *run, struct pk_symbols *symbols, const struct symbolize_options *opts)
{
	struct pk_stage_options options = {
		.program = pk_cli_program(),
		.argc = opts->argc,
		.argv = opts->argv,
		.order = PK_ORDER_PROCESSING,
		.trailers = PK_TRAILER_STACK,
	};
	struct symbolizer s = {.run = run,
			       .dictionary_max = opts->dictionary_max,
			       .frames = opts->frames,
			       .mark_truncated = opts->mark_truncated,
			       .warned = !has_options(opts),
			       .waiting.max = opts->wait_max};
	int result = PK_EXIT_FAILED;

	run->ordered = true;
	run->record = symbolize_record;
	run->session_end = end_session;
	run->idle = idle;
	run->report = report;
	run->arg = &s;
	s.resolver = pk_resolver_new(symbols, opts->symbols, &run->messages);
	if (s.resolver)
		result = pk_run_stage(run, &options, opts->output, "pk-fold");
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	pk_cut_stacks_free(s.cut);
	pk_nameless_objects_free(s.nameless);
	pk_stacks_free(s.stacks);
	pk_dictionary_free(s.dictionary);
	pk_resolver_free(s.resolver);
	pk_nameless_jit_free(&s.jit);
	pk_table_free(&s.waiting.over);
	held_records_free(&s.waiting.held);
	pk_session_free(s.session);
	return result;
}
