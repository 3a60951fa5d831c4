// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_reader.h"
#include "cs_traces.h"
#include "lookups.h"
#include "pkutil.h"
#include "pt_code.h"
#include "pt_instruction.h"
#include "pt_library.h"
#include "pt_queues.h"
#include "pt_stage.h"
#include "resolve.h"
#include "trace_tasks.h"
#include "traces.h"

/* The numbers of AUXTRACE_INFO. */
enum {
	INFO_PMU_TYPE,
	INFO_TIME_SHIFT,
	INFO_TIME_MULT,
	INFO_TIME_ZERO,
	INFO_HAS_TIME,
	INFO_MTC_BIT = 10,
	INFO_MTC_FREQUENCY_BITS,
	INFO_TSC_NUMERATOR,
	INFO_TSC_DENOMINATOR,
	INFO_CYC_BIT,
	INFO_NOMINAL_RATIO,
	INFO_COUNT,
};

struct pt_stage {
	struct pk_run *run;
	struct pk_session *session;
	struct resolver *resolver;
	struct code_reader *reader;
	struct pt_code *code;
	struct pt_queues *queues;
	struct pt_events events;
	uint32_t kind; /* PK_TRACE_INTEL_PT, PK_TRACE_CORESIGHT, or another number */
	struct pt_settings settings;
	struct pt_sections *sections; /* of Intel PT; NULL before the first step */
	struct cs_machine machine;    /* of CoreSight */
	struct cs_traces traces;
	struct trace_tasks tasks;
	struct pt_counts reported;
	bool decodes, crash_reported;
};

/* ---- Code ---- */

static struct pt_decoder *start_decoder(void *arg, uint32_t cpu, uint8_t *trace, size_t size,
					const struct pt_source *source)
{
	struct pt_stage *stage = arg;

	if (stage->kind == PK_TRACE_CORESIGHT)
		return cs_decoder_new(&cs_machine_cpu(&stage->machine, cpu)->unit, trace, size,
				      source);
	if (!stage->sections)
		stage->sections = pt_sections_new();
	return stage->sections
		       ? pt_decoder_new(&stage->settings, trace, size, source, stage->sections)
		       : NULL;
}

static struct perf_task find_task(void *arg, uint32_t cpu, uint32_t tid, uint32_t traced,
				  struct pt_space *space)
{
	struct pt_stage *stage = arg;
	const uint32_t running =
		traced == UINT32_MAX ? trace_tasks_running(&stage->tasks, cpu) : traced;
	struct perf_task task = {.tid = running == UINT32_MAX ? tid : running};

	task.pid = trace_tasks_pid(&stage->tasks, task.tid);
	*space = pt_code_space(stage->code, task.pid, task.tid);
	return task;
}

static size_t read_code(void *arg, const struct perf_task *task, uint64_t ip, uint8_t *to,
			size_t size)
{
	struct pt_stage *stage = arg;

	return pt_code_read(stage->code, task->pid, task->tid, ip, to, size);
}

static bool code_range(void *arg, const struct perf_task *task, uint64_t ip, uint64_t *start,
		       uint64_t *end)
{
	struct pt_stage *stage = arg;

	return pt_code_range(stage->code, task->pid, task->tid, ip, start, end);
}

/* ---- Sessions ---- */

struct pt_stage *pt_stage_new(struct pk_run *run, struct pk_symbols *symbols,
			      const struct pt_options *options)
{
	struct pt_stage *stage = calloc(1, sizeof(*stage));
	const struct pt_reader reader = {start_decoder,
					 find_task,
					 read_code,
					 code_range,
					 options->wanted[PT_EVENT_INSTRUCTIONS],
					 stage};

	if (!stage)
		return NULL;
	stage->run = run;
	cs_traces_init(&stage->traces);
	stage->events.every = options->every;
	memcpy(stage->events.wanted, options->wanted, sizeof(options->wanted));
	stage->queues = pt_queues_new(&reader);
	stage->resolver = pk_resolver_new(symbols, options->files, &run->messages);
	if (stage->resolver)
		stage->reader = pk_code_reader_new(stage->resolver, pk_exit_no_memory);
	if (stage->queues && stage->reader)
		return stage;
	pt_stage_free(stage);
	return NULL;
}

static void clear(struct pt_stage *stage)
{
	/* After a crash, the state of the library is unknown. */
	if (!pt_queues_crashed(stage->queues))
		pt_sections_free(stage->sections);
	stage->sections = NULL;
	pt_queues_clear(stage->queues);
	cs_machine_clear(&stage->machine);
	cs_traces_clear(&stage->traces);
	trace_tasks_clear(&stage->tasks);
	pt_code_free(stage->code);
	pk_session_free(stage->session);
	stage->code = NULL;
	stage->session = NULL;
}

void pt_stage_free(struct pt_stage *stage)
{
	if (!stage)
		return;
	if (stage->queues)
		clear(stage);
	pt_queues_free(stage->queues);
	cs_traces_free(&stage->traces);
	pk_code_reader_free(stage->reader);
	pk_resolver_free(stage->resolver);
	free(stage);
}

enum pk_status pt_stage_start(struct pt_stage *stage)
{
	clear(stage);
	stage->settings = (struct pt_settings){0};
	stage->decodes = false;
	stage->kind = PK_TRACE_UNKNOWN;
	stage->session = pk_session_new();
	if (!stage->session)
		return PK_NOMEM;
	pk_resolver_start_session(stage->resolver, stage->session);
	stage->code = pt_code_new(stage->session, stage->reader);
	return stage->code ? PK_OK : PK_NOMEM;
}

const char *pt_stage_obstacle(uint32_t kind)
{
	if (kind == PK_TRACE_INTEL_PT && pt_library_load() != PK_OK)
		return "Intel PT is not decoded: libipt.so.2 is missing, or pk was built without "
		       "libipt";
	if (kind == PK_TRACE_CORESIGHT && cs_library_load() != PK_OK)
		return "CoreSight is not decoded: libopencsd_c_api.so.1 is missing, or pk was "
		       "built without libopencsd";
	return NULL;
}

static enum pk_status collect_coresight(struct pt_stage *stage, struct pk_reader *reader,
					const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_AUXTRACE_INFO: return cs_machine_info(&stage->machine, record);
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		cs_machine_id(&stage->machine, record,
			      trace_trailer_of(record, pk_reader_event_of(reader, record)).cpu);
		return PK_OK;
	case PERF_RECORD_AUX:
		return cs_traces_range(&stage->traces, record, pk_reader_event_of(reader, record));
	case PERF_RECORD_AUXTRACE: return cs_traces_add(&stage->traces, reader, record);
	default: return PK_OK;
	}
}

enum pk_status pt_stage_collect(struct pt_stage *stage, struct pk_reader *reader,
				const struct pk_record *record)
{
	const struct perf_record_auxtrace_info *info = (const void *)record->data;

	if (record->type == PERF_RECORD_AUXTRACE_INFO)
		stage->kind = info->type;
	if (stage->kind == PK_TRACE_CORESIGHT)
		return collect_coresight(stage, reader, record);
	return stage->kind == PK_TRACE_INTEL_PT && record->type == PERF_RECORD_AUXTRACE
		       ? pt_queues_add(stage->queues, reader, record)
		       : PK_OK;
}

enum pk_status pt_stage_collected(struct pt_stage *stage)
{
	return stage->kind == PK_TRACE_CORESIGHT
		       ? cs_traces_split(&stage->traces, &stage->machine, stage->queues)
		       : PK_OK;
}

/* ---- Records ---- */

/* Reads the settings of the trace from the config of the event: the frequency of MTC packets. */
static uint8_t mtc_frequency(const struct pk_events *events, const uint64_t *info)
{
	const uint64_t bits = info[INFO_MTC_FREQUENCY_BITS];

	for (size_t i = 0; i < pk_events_count(events) && bits; i++) {
		const struct perf_attr *attr = &pk_events_at(events, i)->attr;

		if (attr->type == (uint32_t)info[INFO_PMU_TYPE] &&
		    attr->config & info[INFO_MTC_BIT])
			return (uint8_t)((attr->config & bits) >> __builtin_ctzll(bits));
	}
	return 0;
}

/* Returns the type of the PMU. */
static uint32_t evaluate_pt(struct pt_stage *stage, const struct pk_record *record,
			    struct trace_clock *clock)
{
	const struct perf_record_auxtrace_info *info = (const void *)record->data;
	const struct pk_events *events = pk_reader_events(stage->run->reader);
	uint64_t numbers[INFO_COUNT] = {0};
	size_t count = (record->size - sizeof(*info)) / 8;

	for (size_t i = 0; i < count && i < INFO_COUNT; i++)
		numbers[i] = pk_load_u64((const uint8_t *)info->priv + 8 * i);
	stage->settings.tsc_numerator = (uint32_t)numbers[INFO_TSC_NUMERATOR];
	stage->settings.tsc_denominator = (uint32_t)numbers[INFO_TSC_DENOMINATOR];
	stage->settings.nominal_ratio = (uint8_t)numbers[INFO_NOMINAL_RATIO];
	stage->settings.mtc_frequency = mtc_frequency(events, numbers);
	if (!clock->known && numbers[INFO_HAS_TIME] && numbers[INFO_TIME_SHIFT] < 64)
		*clock = (struct trace_clock){.shift = numbers[INFO_TIME_SHIFT],
					      .mult = numbers[INFO_TIME_MULT],
					      .zero = numbers[INFO_TIME_ZERO],
					      .known = true};
	return (uint32_t)numbers[INFO_PMU_TYPE];
}

enum pk_status pt_stage_info(struct pt_stage *stage, const struct pk_record *record,
			     struct trace_clock *clock)
{
	uint32_t pmu_type = stage->machine.pmu_type;

	if (stage->kind == PK_TRACE_INTEL_PT)
		pmu_type = evaluate_pt(stage, record, clock);
	stage->decodes = true;
	return pt_events_write(&stage->events, pk_reader_events(stage->run->reader), pmu_type,
			       stage->run->writer);
}

/* The model of the processor, as perf writes it: "GenuineIntel,6,158,9". */
static void note_model(struct pt_stage *stage, const struct pk_record *record)
{
	char text[64];
	unsigned int family, model, stepping;

	if (pk_feature_id(record) != PERF_FEATURE_CPUID ||
	    !pk_feature_get_string(record, text, sizeof(text)) ||
	    sscanf(text, "GenuineIntel,%3u,%3u,%3u", &family, &model, &stepping) != 3)
		return;
	stage->settings.intel = true;
	stage->settings.family = (uint16_t)family;
	stage->settings.model = (uint8_t)model;
	stage->settings.stepping = (uint8_t)stepping;
}

enum pk_status pt_stage_record(struct pt_stage *stage, const struct pk_record *record,
			       const struct pk_event *event)
{
	enum pk_status status;

	if (record->type == PERF_RECORD_SAMPLE)
		return PK_OK;
	pt_queues_change(stage->queues);
	if (record->type == PERF_RECORD_HEADER_FEATURE)
		note_model(stage, record);
	PK_TRY(trace_tasks_record(&stage->tasks, record, event));
	PK_TRY(pk_resolver_record(stage->resolver, stage->session, record));
	status = pk_session_record(stage->session, record);
	return status == PK_CORRUPT ? PK_OK : status;
}

/* ---- Samples ---- */

/* Writes the samples of the instructions of a block: one after each period. */
static enum pk_status write_instructions(struct pt_stage *stage, const struct pt_item *item,
					 const struct pt_place *place)
{
	const struct pt_step *step = item->step;
	const struct perf_task task = {item->pid, item->tid};
	uint64_t left = stage->events.every - *item->instructions, ip = step->from;
	uint8_t bytes[PT_INSTRUCTION_SIZE_MAX];

	*item->instructions += step->count;
	if (!stage->events.wanted[PT_EVENT_INSTRUCTIONS] ||
	    *item->instructions < stage->events.every) {
		*item->instructions %= stage->events.every;
		return PK_OK;
	}
	for (uint32_t i = 0; i < step->count; i++) {
		unsigned int size;

		if (!--left) {
			PK_TRY(pt_events_instruction(&stage->events, place, ip,
						     stage->run->writer));
			left = stage->events.every;
		}
		size = pt_instruction_of(bytes, read_code(stage, &task, ip, bytes, sizeof(bytes)),
					 step->isa)
			       .size;
		ip = size && ip < step->last ? ip + size : step->last;
	}
	*item->instructions %= stage->events.every;
	return PK_OK;
}

static enum pk_status write_item(struct pt_stage *stage, const struct pt_item *item,
				 uint64_t newest)
{
	const struct pt_place place = {
		.time = item->time == PT_NO_TIME ? newest : item->time,
		.pid = item->pid,
		.tid = item->tid,
		.cpu = item->cpu,
		.trailer = pk_stage_input(stage->run->stage)->trailers & PK_TRAILER_STACK,
	};

	for (unsigned int i = 0; i < item->count; i++)
		PK_TRY(pt_events_branch(&stage->events, &place, &item->branches[i],
					stage->run->writer));
	return item->step->kind == PT_STEP_BLOCK ? write_instructions(stage, item, &place) : PK_OK;
}

enum pk_status pt_stage_write_before(struct pt_stage *stage, const struct trace_clock *clock,
				     uint64_t newest, uint64_t time)
{
	struct pt_item item;
	enum pk_status status;

	if (!stage->decodes)
		return PK_OK;
	for (;;) {
		status = pt_queues_next(stage->queues, clock, time, &item);
		/* Otherwise, code that could not be read would count as missing. */
		if (pk_code_reader_failed(stage->reader))
			return PK_NOMEM;
		if (status)
			return status == PK_END ? PK_OK : status;
		PK_TRY(write_item(stage, &item, newest));
		PK_TRY(pk_run_round(stage->run));
	}
}

/* ---- The end ---- */

static void warn_of(const struct pt_stage *stage, uint64_t count, const char *what)
{
	char number[32];

	if (count)
		pk_warn("%s: %s %s", stage->run->input.name, pk_number(number, count), what);
}

void pt_stage_end(struct pt_stage *stage)
{
	const struct pt_counts *now = pt_queues_counts(stage->queues);
	struct pt_counts *before = &stage->reported;

	warn_of(stage, now->no_code - before->no_code,
		"parts of the trace were not decoded, because their code is missing: use --symfs, "
		"--vmlinux or --buildid-dir");
	warn_of(stage, now->errors - before->errors,
		"parts of the trace were not decoded, because they are damaged, or "
		"because their code has changed");
	warn_of(stage, stage->traces.unknown,
		"bytes of the trace were not decoded, because the recording does not tell their "
		"trace unit");
	stage->run->own.samples += now->steps - before->steps;
	pk_run_lose(stage->run, PK_LOSS_SAMPLES_LOST,
		    now->overflows + now->errors + now->no_code - before->overflows -
			    before->errors - before->no_code,
		    0);
	pk_run_lose(stage->run, PK_LOSS_TRACES_CUT, now->dropped - before->dropped, 0);
	*before = *now;
	if (pt_queues_crashed(stage->queues) && !stage->crash_reported) {
		pk_error("%s: the library %s has crashed or does not end: the rest of the "
			 "trace was not decoded",
			 stage->run->input.name,
			 stage->kind == PK_TRACE_CORESIGHT ? "libopencsd" : "libipt");
		stage->run->input.damaged = stage->crash_reported = true;
	}
}

void pt_stage_report(const struct pt_stage *stage)
{
	char number[32];

	for (int i = 0; i < PT_EVENTS; i++)
		if (stage->events.samples[i])
			pk_info("%15s %s", pk_number(number, stage->events.samples[i]),
				pt_event_name((enum pt_event_number)i));
}
