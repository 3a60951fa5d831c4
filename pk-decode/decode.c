// SPDX-License-Identifier: BSD-2-Clause
/* The samples of a trace must be in the order of time among the records of the stream. But an
 * AUXTRACE comes long after the operations in it: the processor fills its buffer first. If the
 * input is a file, a second reader reads each session in advance, and collects its traces. If it is
 * a pipe, the samples are written where their AUXTRACE was. The next program then sorts them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "decode.h"
#include "lookups.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "pt_stage.h"
#include "spe_machine.h"
#include "spe_queues.h"
#include "trace_tasks.h"
#include "traces.h"

/* The bits of perf_record_aux.flags for bytes that are missing, and for operations that were not
 * sampled because the processor was still busy with the operation before. */
#define AUX_TRUNCATED 1u
#define AUX_PARTIAL   4u
#define AUX_COLLISION 8u

struct stage {
	struct pk_run *run;
	struct spe_events events;
	struct spe_queues *queues;
	struct spe_machine machine;
	struct pt_stage *pt;
	struct trace_clock clock;
	struct pk_reader *ahead; /* reads the input in advance; NULL if the input is a pipe */
	int ahead_fd;
	int input;	  /* the number of the input that `ahead` reads */
	bool rereads;	  /* the inputs can be read twice */
	bool collected;	  /* the traces of this session were collected by `ahead` */
	bool decodes;	  /* the session has a trace that is decoded */
	uint32_t kind;	  /* of this trace: one that is decoded */
	uint64_t newest;  /* time of the newest record, in ns */
	uint64_t skipped; /* operations since the last one that became samples */
	uint64_t collisions;
	struct spe_counts reported; /* the counts that were reported at the ends of sessions */
};

static enum pk_status fail_spool(enum pk_status status)
{
	if (status != PK_IO)
		return status;
	pk_error("temporary file for traces: %s (TMPDIR selects its folder)", strerror(errno));
	return PK_FAILED;
}

/* ---- Reading in advance ---- */

/* Returns the kind of the trace, or PK_TRACE_UNKNOWN if it is not decoded. */
static uint32_t kind_of(const struct pk_record *record)
{
	const struct perf_record_auxtrace_info *info = (const void *)record->data;

	return pk_trace_is_decodable(info->type) ? info->type : PK_TRACE_UNKNOWN;
}

/* Returns true if the trace has all branches, so that the code of the program is needed. */
static bool needs_code(uint32_t kind)
{
	return kind == PK_TRACE_INTEL_PT || kind == PK_TRACE_CORESIGHT;
}

/* Opens the input a second time. If there is no /proc, the input is treated like a pipe. */
static enum pk_status open_ahead(struct stage *stage)
{
	struct pk_reader_options options = {0};
	char path[64];

	if (!stage->rereads)
		return PK_OK;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", stage->run->input.fd);
	stage->ahead_fd = options.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (options.fd < 0 && errno == ENOENT)
		return PK_OK;
	if (options.fd < 0) {
		pk_error("%s: %s", stage->run->input.name, strerror(errno));
		return PK_FAILED;
	}
	return pk_reader_new(&options, &stage->ahead);
}

/* Reads the next record ahead. Returns PK_END also where the input is damaged: the main reader
 * finds the damage, too, and reports it. */
static enum pk_status next_ahead(struct stage *stage, struct pk_record *record)
{
	const enum pk_status status = pk_reader_next(stage->ahead, record);

	return status == PK_TRUNCATED || status == PK_CORRUPT || status == PK_UNSUPPORTED ? PK_END
											  : status;
}

static void close_ahead(struct stage *stage)
{
	pk_reader_free(stage->ahead);
	stage->ahead = NULL;
	if (stage->ahead_fd >= 0)
		close(stage->ahead_fd);
	stage->ahead_fd = -1;
}

/* Collects the traces of the session that starts. `ahead` has read the PK_RECORD_BEGIN of this
 * session. Stops at the PK_RECORD_BEGIN of the next session. The traces are used only if their
 * times can be converted, because they cannot be sorted otherwise. */
static enum pk_status collect(struct stage *stage)
{
	struct pk_record record;
	uint32_t kind = PK_TRACE_UNKNOWN;
	bool timed = false;
	enum pk_status status;

	while (!(status = next_ahead(stage, &record)) && record.type != PK_RECORD_BEGIN) {
		if (record.type == PERF_RECORD_AUXTRACE_INFO)
			kind = kind_of(&record);
		/* For Intel PT, AUXTRACE_INFO has the conversion of times. The AUX records of
		 * CoreSight have times. */
		timed |= record.type == PERF_RECORD_TIME_CONV || needs_code(kind);
		if (needs_code(kind))
			PK_TRY(fail_spool(pt_stage_collect(stage->pt, stage->ahead, &record)));
		else if (record.type == PERF_RECORD_AUXTRACE && kind && timed)
			PK_TRY(fail_spool(spe_queues_add(stage->queues, stage->ahead, &record)));
	}
	if (needs_code(kind))
		PK_TRY(fail_spool(pt_stage_collected(stage->pt)));
	stage->collected = kind && timed;
	stage->kind = kind;
	return status == PK_END ? PK_OK : status;
}

/* Starts a session: collects its traces if the input can be read in advance. */
static enum pk_status look_ahead(struct stage *stage)
{
	struct pk_record record;
	enum pk_status status;

	stage->collected = false;
	if (stage->input != stage->run->input.number) {
		stage->input = stage->run->input.number;
		close_ahead(stage);
		PK_TRY(open_ahead(stage));
		status = stage->ahead ? next_ahead(stage, &record) : PK_OK;
		if (status == PK_END)
			close_ahead(stage);
		else
			PK_TRY(status);
	}
	return stage->ahead ? collect(stage) : PK_OK;
}

/* ---- Samples ---- */

static enum pk_status write_operation(struct stage *stage, const struct spe_operation *operation)
{
	const struct spe_cpu cpu = spe_machine_cpu(&stage->machine, operation->cpu);
	struct spe_sample sample = {
		.record = operation->record,
		.time = stage->clock.known ? operation->time : stage->newest,
		.cpu = operation->cpu,
		.data_source = spe_data_source(operation->record, cpu.midr, cpu.reported),
		.trailer = pk_stage_input(stage->run->stage)->trailers & PK_TRAILER_STACK,
	};

	PK_TRY(spe_machine_task(&stage->machine, operation, &sample.pid, &sample.tid));
	if (++stage->skipped < stage->events.every)
		return PK_OK;
	stage->skipped = 0;
	return spe_events_sample(&stage->events, &sample, stage->run->writer);
}

/* Writes the samples of the operations before this time. */
static enum pk_status write_before(struct stage *stage, uint64_t time)
{
	struct spe_operation operation;
	enum pk_status status;

	if (needs_code(stage->kind))
		return fail_spool(
			pt_stage_write_before(stage->pt, &stage->clock, stage->newest, time));
	for (;;) {
		status = spe_queues_next(stage->queues, &stage->clock, time, &operation);
		if (status)
			return status == PK_END ? PK_OK : fail_spool(status);
		PK_TRY(write_operation(stage, &operation));
		PK_TRY(pk_run_round(stage->run));
	}
}

/* ---- Records ---- */

/* Returns true if the ids of all records are at the same place. perf records traces in this way.
 * Otherwise, readers would not find the events of the samples. */
static bool has_identifiers(const struct pk_events *events)
{
	for (size_t i = 0; i < pk_events_count(events); i++)
		if (!(pk_events_at(events, i)->attr.sample_type & PERF_SAMPLE_IDENTIFIER))
			return false;
	return pk_events_count(events) > 0;
}

/* Returns why the trace cannot be decoded, or NULL. */
static const char *obstacle_of(const struct stage *stage)
{
	if (needs_code(stage->kind) && !stage->collected)
		return "traces of Intel PT and CoreSight are not decoded from a pipe: write the "
		       "recording to a file, and run pk-decode FILE";
	return pt_stage_obstacle(stage->kind);
}

static enum pk_status start_decoding(struct stage *stage, const struct pk_record *record)
{
	const struct pk_events *events = pk_reader_events(stage->run->reader);
	const char *obstacle;

	stage->kind = kind_of(record);
	obstacle = obstacle_of(stage);
	if (obstacle) {
		pk_error("%s: %s", stage->run->input.name, obstacle);
		stage->run->input.damaged = true;
		stage->collected = false;
		return pk_writer_copy(stage->run->writer, stage->run->reader, record);
	}

	if (!has_identifiers(events)) {
		pk_run_complain(stage->run, record,
				"events without PERF_SAMPLE_IDENTIFIER: the trace is not decoded");
		return pk_writer_copy(stage->run->writer, stage->run->reader, record);
	}
	if (pk_stage_input(stage->run->stage)->trailers & PK_TRAILER_STACK)
		pk_warn("%s: is symbolized already, and the samples of the trace get no names: run "
			"pk-decode before pk-symbolize",
			stage->run->input.name);
	stage->decodes = true;
	if (needs_code(stage->kind))
		return pt_stage_info(stage->pt, record, &stage->clock);
	PK_TRY(spe_machine_info(&stage->machine, record));
	return spe_events_write(&stage->events, events, stage->machine.pmu_type,
				stage->run->writer);
}

/* Adds the trace of this record, and writes its samples, unless it was read in advance. */
static enum pk_status add_trace(struct stage *stage, const struct pk_record *record)
{
	if (stage->collected)
		return PK_OK;
	PK_TRY(fail_spool(spe_queues_add(stage->queues, stage->run->reader, record)));
	PK_TRY(write_before(stage, UINT64_MAX));
	return PK_OK;
}

static void note_aux(struct stage *stage, const struct pk_record *record)
{
	const struct perf_record_aux *aux = (const void *)record->data;

	pk_run_lose(stage->run, PK_LOSS_TRACES_CUT,
		    aux->flags & (AUX_TRUNCATED | AUX_PARTIAL) ? 1 : 0, 1);
	stage->collisions += aux->flags & AUX_COLLISION ? 1 : 0;
}

static enum pk_status pass(struct stage *stage, const struct pk_record *record)
{
	struct pk_run *run = stage->run;

	if (!stage->collected)
		return pk_run_pass(run, record);
	if (record->type == PERF_RECORD_SAMPLE && !pk_run_good_sample(run, record))
		return PK_OK;
	PK_TRY(pk_writer_copy(run->writer, run->reader, record));
	return pk_run_round(run);
}

/* Operations whose time is unknown get the time of the newest record. */
static void note_time(struct stage *stage, const struct pk_record *record,
		      const struct pk_event *event)
{
	const uint64_t time = trace_trailer_of(record, event).time;

	if (time > stage->newest)
		stage->newest = time;
}

static enum pk_status note_record(struct stage *stage, const struct pk_record *record,
				  const struct pk_event *event)
{
	return needs_code(stage->kind) ? pt_stage_record(stage->pt, record, event)
				       : spe_machine_record(&stage->machine, record, event);
}

/* Handles a record of a session whose trace is decoded. */
static enum pk_status decode_one(struct stage *stage, const struct pk_record *record)
{
	const struct pk_event *event = NULL;

	if (record->type < PERF_RECORD_USER_START && record->type != PERF_RECORD_SAMPLE)
		event = pk_reader_event_of(stage->run->reader, record);
	note_time(stage, record, event);
	PK_TRY(note_record(stage, record, event));
	switch (record->type) {
	case PERF_RECORD_AUXTRACE_INFO:
	case PERF_RECORD_ITRACE_START: return PK_OK;
	case PERF_RECORD_AUXTRACE: return add_trace(stage, record);
	case PERF_RECORD_AUX: note_aux(stage, record); return PK_OK;
	default: return pass(stage, record);
	}
}

static enum pk_status start_session(struct stage *stage)
{
	struct pk_run *run = stage->run;

	spe_queues_clear(stage->queues);
	spe_machine_clear(&stage->machine);
	stage->clock = (struct trace_clock){0};
	stage->decodes = false;
	stage->kind = PK_TRACE_UNKNOWN;
	PK_TRY(pt_stage_start(stage->pt));
	stage->newest = stage->skipped = 0;
	PK_TRY(look_ahead(stage));
	pk_stage_change(run->stage, stage->collected ? PK_ORDER_PROCESSING : PK_ORDER_NONE, 0);
	if (run->order)
		pk_order_through(run->order, !stage->collected);
	return PK_OK;
}

static enum pk_status decode_record(struct pk_run *run, const struct pk_record *record)
{
	struct stage *stage = run->arg;

	if (record->type == PK_RECORD_BEGIN)
		return start_session(stage);
	if (record->type == PERF_RECORD_TIME_CONV)
		trace_clock_set(&stage->clock, record);
	if (record->type == PERF_RECORD_AUXTRACE_INFO && !stage->decodes && kind_of(record))
		return start_decoding(stage, record);
	if (!stage->decodes) {
		PK_TRY(note_record(stage, record, NULL));
		return pass(stage, record);
	}
	if (stage->collected && record->time != PK_NO_TIME)
		PK_TRY(write_before(stage, record->time));
	return decode_one(stage, record);
}

/* ---- The end ---- */

static void end_session(struct pk_run *run)
{
	struct stage *stage = run->arg;
	const struct spe_counts *now = spe_queues_counts(stage->queues);
	struct spe_counts *before = &stage->reported;

	const enum pk_status status = stage->decodes ? write_before(stage, UINT64_MAX) : PK_OK;

	if (status == PK_NOMEM)
		pk_run_complain(run, &(struct pk_record){0}, pk_status_text(PK_NOMEM));
	run->input.damaged |= status == PK_FAILED;
	if (stage->decodes && needs_code(stage->kind))
		pt_stage_end(stage->pt);
	spe_queues_end(stage->queues);
	run->own.samples += now->operations - before->operations;
	pk_run_lose(run, PK_LOSS_SAMPLES_LOST, now->lost - before->lost, 0);
	pk_run_lose(run, PK_LOSS_TRACES_CUT, now->dropped - before->dropped, 0);
	*before = *now;
}

static void report_count(uint64_t count, const char *what)
{
	char number[32];

	if (count)
		pk_info("%15s %s", pk_number(number, count), what);
}

/* Reports the counts. They are printed only with -v. */
static void report_counts(const struct stage *stage)
{
	report_count(spe_queues_counts(stage->queues)->operations, "operations decoded");
	for (int i = 0; i < SPE_EVENTS; i++)
		report_count(stage->events.samples[i], spe_event_name((enum spe_event)i));
	pt_stage_report(stage->pt);
	report_count(stage->collisions,
		     "buffers with collisions: operations that were not sampled");
}

/* Reports that it is unknown whether an input can be read twice. A missing file is reported when it
 * is opened. */
static enum pk_status fail_input(const char *name)
{
	if (errno == ENOENT)
		return PK_OK;
	pk_error("%s: %s", name, strerror(errno));
	return PK_FAILED;
}

/* Finds out whether all inputs can be read twice. Returns PK_FAILED after a message. */
static enum pk_status check_inputs(struct stage *stage)
{
	const struct pk_run *run = stage->run;
	struct stat st;
	off_t at;

	if (!run->files_count) {
		if (fstat(STDIN_FILENO, &st))
			return fail_input("stdin");
		at = S_ISREG(st.st_mode) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 1;
		stage->rereads = !at;
		return at < 0 ? fail_input("stdin") : PK_OK;
	}
	for (int i = 0; i < run->files_count; i++) {
		if (!strcmp(run->files[i], "-"))
			return PK_OK;
		if (stat(run->files[i], &st))
			return fail_input(run->files[i]);
		if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
			return PK_OK;
	}
	stage->rereads = true;
	return PK_OK;
}

int decode(struct pk_run *run, struct pk_symbols *symbols, const struct decode_options *options)
{
	const struct pk_stage_options stage_options = {
		.program = pk_cli_program(),
		.argc = options->argc,
		.argv = options->argv,
	};
	struct stage stage = {
		.run = run, .ahead_fd = -1, .input = -1, .events.every = options->every};
	int result;

	memcpy(stage.events.wanted, options->wanted, sizeof(options->wanted));
	if (check_inputs(&stage) != PK_OK)
		return PK_EXIT_FAILED;
	stage.queues = spe_queues_new();
	stage.pt = pt_stage_new(run, symbols, &options->pt);
	if (!stage.queues || !stage.pt) {
		pt_stage_free(stage.pt);
		spe_queues_free(stage.queues);
		return pk_no_memory();
	}
	run->ordered = stage.rereads;
	run->record = decode_record;
	run->session_end = end_session;
	run->arg = &stage;
	result = pk_run_stage(run, &stage_options, options->output, "pk-symbolize");
	report_counts(&stage);
	close_ahead(&stage);
	spe_machine_free(&stage.machine);
	pt_stage_free(stage.pt);
	spe_queues_free(stage.queues);
	return result;
}
