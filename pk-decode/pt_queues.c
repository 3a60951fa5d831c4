// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "pkutil.h"
#include "pt_queues.h"
#include "trace_spool.h"
#include "trace_turns.h"
#include "vector.h"
#include "x86_code.h"

/* Each queue has a file descriptor. */
#define QUEUES_MAX	     512
#define INSTRUCTION_SIZE_MAX 15

/* Bytes of a trace without a gap, as a range of the file. */
struct part {
	uint64_t start, end;
};

struct queue {
	struct trace_turn turn;
	const struct pt_reader *reader;
	struct trace_spool spool;
	uint64_t expected; /* offset in the trace of the next AUXTRACE if there is no gap */
	struct part *parts;
	size_t count, capacity, at;
	uint8_t *mapped;	    /* the file; NULL before the first step */
	struct pt_decoder *decoder; /* of part `at`; NULL if it is not started */
	struct pt_flow flow;
	struct pt_step step;
	struct pt_branch branches[PT_FLOW_BRANCHES];
	unsigned int branches_count;
	uint64_t instructions;
};

struct pt_queues {
	struct pt_reader reader;
	struct trace_turns turns;
	struct queue *current; /* its step was returned by the last call */
	bool started, crashed;
	struct pt_counts counts;
};

struct pt_queues *pt_queues_new(const struct pt_reader *reader)
{
	struct pt_queues *queues = calloc(1, sizeof(*queues));

	if (queues)
		queues->reader = *reader;
	return queues;
}

void pt_queues_clear(struct pt_queues *queues)
{
	for (size_t i = 0; i < queues->turns.all_count; i++) {
		struct queue *queue = (struct queue *)queues->turns.all[i];

		/* After a crash, the state of the library is unknown. */
		if (!queues->crashed)
			pt_decoder_free(queue->decoder);
		if (queue->mapped)
			munmap(queue->mapped, queue->spool.end);
		trace_spool_free(&queue->spool);
		free(queue->parts);
	}
	trace_turns_clear(&queues->turns);
	queues->current = NULL;
	queues->started = false;
}

void pt_queues_free(struct pt_queues *queues)
{
	if (!queues)
		return;
	pt_queues_clear(queues);
	trace_turns_free(&queues->turns);
	free(queues);
}

const struct pt_counts *pt_queues_counts(const struct pt_queues *queues)
{
	return &queues->counts;
}

bool pt_queues_crashed(const struct pt_queues *queues)
{
	return queues->crashed;
}

/* ---- Adding traces ---- */

enum pk_status pt_queues_add(struct pt_queues *queues, struct pk_reader *reader,
			     const struct pk_record *record)
{
	const struct perf_record_auxtrace *auxtrace = (const void *)record->data;
	const uint64_t offset = auxtrace->offset;
	struct trace_turn *turn;
	struct queue *queue;
	uint64_t start, size;

	PK_TRY(trace_turns_of(&queues->turns, auxtrace, sizeof(*queue), QUEUES_MAX, &turn));
	if (!turn) {
		queues->counts.dropped++;
		return PK_OK;
	}
	queue = (struct queue *)turn;
	if (!queue->reader) {
		queue->reader = &queues->reader;
		queue->spool.fd = -1;
	}
	PK_TRY(pk_reserve(&queue->parts, &queue->capacity, queue->count, 1, sizeof(struct part)));
	start = queue->spool.end;
	PK_TRY(trace_spool_append(&queue->spool, reader, &size));
	if (!size)
		return PK_OK;
	if (!queue->count || offset != queue->expected)
		queue->parts[queue->count++] = (struct part){start, start};
	queue->parts[queue->count - 1].end = queue->spool.end;
	queue->expected = offset + size;
	return PK_OK;
}

/* ---- Decoding ---- */

static size_t read_code(void *arg, uint64_t ip, uint8_t *to, size_t size)
{
	const struct queue *queue = arg;

	return queue->reader->read(queue->reader->arg, queue->turn.cpu, queue->turn.tid, ip, to,
				   size);
}

unsigned int pt_instruction_size(const uint8_t *bytes, size_t size, bool is_64)
{
	struct x86_code code;

	if (!size)
		return 0;
	pk_x86_decode(bytes, size, is_64, &code);
	return code.valid ? code.size : 0;
}

/* Returns the address after a conditional branch or a call, or 0 if it is unknown. */
static uint64_t address_after(struct queue *queue, const struct pt_step *step)
{
	const bool needed = step->kind == PT_STEP_BLOCK &&
			    (step->class == PT_CONDITIONAL || step->class == PT_CALL ||
			     step->class == PT_SYSCALL);
	uint8_t bytes[INSTRUCTION_SIZE_MAX];
	unsigned int size;

	if (!needed)
		return 0;
	size = pt_instruction_size(bytes, read_code(queue, step->last, bytes, sizeof(bytes)),
				   step->is_64);
	return size ? step->last + size : 0;
}

/* Starts to decode the next part. Returns PK_END if there is none. */
static enum pk_status start_part(struct queue *queue, const struct pt_settings *settings)
{
	const struct part *part = &queue->parts[queue->at];

	if (queue->at == queue->count)
		return PK_END;
	if (!queue->mapped) {
		void *mapped =
			mmap(NULL, queue->spool.end, PROT_READ, MAP_PRIVATE, queue->spool.fd, 0);

		if (mapped == MAP_FAILED)
			return PK_IO;
		queue->mapped = mapped;
	}
	queue->flow = (struct pt_flow){0};
	queue->decoder = pt_decoder_new(settings, queue->mapped + part->start,
					part->end - part->start, read_code, queue);
	return queue->decoder ? PK_OK : PK_NOMEM;
}

static void count_step(struct pt_queues *queues, const struct pt_step *step)
{
	queues->counts.steps++;
	queues->counts.overflows += step->kind == PT_STEP_OVERFLOW;
	queues->counts.errors += step->kind == PT_STEP_ERROR && !step->no_code;
	queues->counts.no_code += step->kind == PT_STEP_ERROR && step->no_code;
}

/* Decodes the next step of the queue, and sets its time. Returns PK_END after the last step, and
 * after a crash. */
static enum pk_status advance(struct pt_queues *queues, struct queue *queue,
			      const struct pt_settings *settings, const struct trace_clock *clock)
{
	struct pt_step *step = &queue->step;

	for (;;) {
		if (!queue->decoder)
			PK_TRY(start_part(queue, settings));
		pt_decoder_next(queue->decoder, step);
		if (step->kind == PT_STEP_NO_MEMORY)
			return PK_NOMEM;
		queues->crashed |= step->kind == PT_STEP_CRASH;
		if (queues->crashed)
			return PK_END;
		if (step->kind != PT_STEP_END)
			break;
		pt_decoder_free(queue->decoder);
		queue->decoder = NULL;
		queue->at++;
	}
	count_step(queues, step);
	queue->branches_count =
		pt_flow_step(&queue->flow, step, address_after(queue, step), queue->branches);
	/* The times of a queue never go back, so that its steps keep their order. */
	if (!step->has_tsc || !clock->known)
		queue->turn.time = queue->turn.time ? queue->turn.time : PT_NO_TIME;
	else if (queue->turn.time == PT_NO_TIME ||
		 trace_clock_time(clock, step->tsc) > queue->turn.time)
		queue->turn.time = trace_clock_time(clock, step->tsc);
	if (queue->turn.time > PT_NO_TIME)
		queue->turn.time = PT_NO_TIME;
	return PK_OK;
}

/* ---- The order of time ---- */

static enum pk_status start(struct pt_queues *queues, const struct pt_settings *settings,
			    const struct trace_clock *clock)
{
	for (size_t i = 0; i < queues->turns.all_count; i++) {
		struct queue *queue = (struct queue *)queues->turns.all[i];
		const enum pk_status status = advance(queues, queue, settings, clock);

		if (status == PK_OK)
			trace_turns_add(&queues->turns, &queue->turn);
		else if (status != PK_END)
			return status;
	}
	queues->started = true;
	return PK_OK;
}

static enum pk_status replace_first(struct pt_queues *queues, const struct pt_settings *settings,
				    const struct trace_clock *clock)
{
	const enum pk_status status = advance(queues, queues->current, settings, clock);

	queues->current = NULL;
	return trace_turns_move_first(&queues->turns, status);
}

enum pk_status pt_queues_next(struct pt_queues *queues, const struct pt_settings *settings,
			      const struct trace_clock *clock, uint64_t before,
			      struct pt_item *item)
{
	struct queue *queue; /* `turn` is its first member */

	if (queues->current)
		PK_TRY(replace_first(queues, settings, clock));
	if (!queues->started)
		PK_TRY(start(queues, settings, clock));
	queue = (struct queue *)trace_turns_first(&queues->turns);
	if (queues->crashed || !queue || queue->turn.time >= before)
		return PK_END;
	queues->current = queue;
	*item = (struct pt_item){.step = &queue->step,
				 .branches = queue->branches,
				 .count = queue->branches_count,
				 .time = queue->turn.time,
				 .cpu = queue->turn.cpu,
				 .tid = queue->turn.tid,
				 .instructions = &queue->instructions};
	return PK_OK;
}
