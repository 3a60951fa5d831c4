// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "pkutil.h"
#include "pt_instruction.h"
#include "pt_queues.h"
#include "trace_spool.h"
#include "trace_turns.h"
#include "vector.h"

/* Each queue has a file descriptor. */
#define QUEUES_MAX 512
#define ENDINGS	   1024

/* Bytes of a trace without a gap, as a range of the file. */
struct part {
	uint64_t start, end;
	uint64_t time; /* in ns; 0 if it is unknown */
	uint32_t cpu;
};

/* The last instruction of a block. */
struct ending {
	uint64_t ip, next; /* its address, and the address after it */
	enum pt_class class;
};

struct queue {
	struct trace_turn turn;
	const struct pt_queues *queues;
	uint32_t cpu;	  /* of the part */
	uint32_t traced;  /* the thread, if the trace has one, or UINT32_MAX */
	uint64_t changes; /* pt_queues.changes when the task was looked up; 0 before */
	struct perf_task task;
	struct pt_space space;
	struct ending endings[ENDINGS]; /* of the space; by a hash of ip */
	struct trace_spool spool;
	uint64_t expected; /* offset in the trace of the next AUXTRACE if there is no gap */
	struct part *parts;
	size_t count, capacity, at;
	uint8_t *mapped;	    /* the file; NULL before the first step */
	struct pt_decoder *decoder; /* of part `at`; NULL if it is not started */
	struct pt_flow flow;
	struct pt_step *step;
	bool ready; /* the step was decoded, and not returned yet */
	struct pt_branch branches[PT_FLOW_BRANCHES];
	unsigned int branches_count;
	uint64_t tsc; /* from which the time was set last */
	uint64_t instructions;
};

struct pt_queues {
	struct pt_reader reader;
	uint64_t changes;
	struct trace_turns turns;
	struct queue *current; /* its step was returned by the last call */
	bool started, crashed;
	struct pt_counts counts;
};

struct pt_queues *pt_queues_new(const struct pt_reader *reader)
{
	struct pt_queues *queues = calloc(1, sizeof(*queues));

	if (queues)
		*queues = (struct pt_queues){.reader = *reader, .changes = 1};
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

void pt_queues_change(struct pt_queues *queues)
{
	queues->changes++;
}

bool pt_queues_crashed(const struct pt_queues *queues)
{
	return queues->crashed;
}

/* ---- Adding traces ---- */

/* Returns the queue, and makes place for another part. Sets *queue to NULL if there are too many.
 */
static enum pk_status queue_of(struct pt_queues *queues,
			       const struct perf_record_auxtrace *auxtrace, struct queue **queue)
{
	struct trace_turn *turn;

	PK_TRY(trace_turns_of(&queues->turns, auxtrace, sizeof(**queue), QUEUES_MAX, &turn));
	*queue = (struct queue *)turn;
	if (!turn) {
		queues->counts.dropped++;
		return PK_OK;
	}
	if (!(*queue)->queues) {
		(*queue)->queues = queues;
		(*queue)->spool.fd = -1;
	}
	return pk_reserve(&(*queue)->parts, &(*queue)->capacity, (*queue)->count, 1,
			  sizeof(struct part));
}

enum pk_status pt_queues_add(struct pt_queues *queues, struct pk_reader *reader,
			     const struct pk_record *record)
{
	const struct perf_record_auxtrace *auxtrace = (const void *)record->data;
	const uint64_t offset = auxtrace->offset;
	struct queue *queue;
	uint64_t start, size;

	PK_TRY(queue_of(queues, auxtrace, &queue));
	if (!queue)
		return PK_OK;
	start = queue->spool.end;
	PK_TRY(trace_spool_append(&queue->spool, reader, &size));
	if (!size)
		return PK_OK;
	if (!queue->count || offset != queue->expected)
		queue->parts[queue->count++] =
			(struct part){.start = start, .cpu = queue->turn.cpu};
	queue->parts[queue->count - 1].end = queue->spool.end;
	queue->expected = offset + size;
	return PK_OK;
}

enum pk_status pt_queues_append(struct pt_queues *queues, const struct pt_bytes *bytes)
{
	const struct perf_record_auxtrace auxtrace = {
		.idx = bytes->queue, .cpu = bytes->cpu, .tid = bytes->tid};
	struct queue *queue;

	PK_TRY(queue_of(queues, &auxtrace, &queue));
	if (!queue)
		return PK_OK;
	if (!queue->count || bytes->starts)
		queue->parts[queue->count++] = (struct part){
			.start = queue->spool.end, .time = bytes->time, .cpu = bytes->cpu};
	PK_TRY(trace_spool_write(&queue->spool, bytes->data, bytes->size));
	queue->parts[queue->count - 1].end = queue->spool.end;
	return PK_OK;
}

/* ---- Decoding ---- */

static size_t read_code(void *arg, uint64_t ip, uint8_t *to, size_t size)
{
	const struct queue *queue = arg;

	return queue->queues->reader.read(queue->queues->reader.arg, &queue->task, ip, to, size);
}

static bool code_range(void *arg, uint64_t ip, uint64_t *start, uint64_t *end)
{
	const struct queue *queue = arg;

	return queue->queues->reader.range(queue->queues->reader.arg, &queue->task, ip, start, end);
}

/* Looks up the task and the address space if they may have changed. */
static void enter_task(struct queue *queue)
{
	const struct pt_queues *queues = queue->queues;
	const struct pt_space before = queue->space;

	if (queue->changes == queues->changes)
		return;
	queue->changes = queues->changes;
	queue->task = queues->reader.task(queues->reader.arg, queue->cpu, queue->turn.tid,
					  queue->traced, &queue->space);
	if (!memcmp(&before, &queue->space, sizeof(before)))
		return;
	memset(queue->endings, 0, sizeof(queue->endings));
	if (queue->decoder)
		pt_decoder_enter(queue->decoder, &queue->space);
}

static void enter_thread(void *arg, uint32_t tid)
{
	struct queue *queue = arg;

	if (queue->traced == tid)
		return;
	queue->traced = tid;
	queue->changes = 0;
	enter_task(queue);
}

/* Sets the class of a step that is a block. Returns the address after the block, or 0 if it is
 * unknown or not needed. */
static uint64_t complete_block(struct queue *queue, struct pt_step *step)
{
	struct ending *ending = &queue->endings[step->last % ENDINGS];
	uint8_t bytes[PT_INSTRUCTION_SIZE_MAX];
	struct pt_instruction last;

	if (step->class == PT_OTHER || step->class == PT_JUMP || step->class == PT_RETURN ||
	    step->next)
		return step->next;
	if (ending->ip != step->last || !ending->next) {
		last = pt_instruction_of(bytes, read_code(queue, step->last, bytes, sizeof(bytes)),
					 step->isa);
		*ending = (struct ending){step->last, last.size ? step->last + last.size : 0,
					  last.class};
	}
	if (step->class == PT_UNKNOWN)
		step->class = ending->class;
	return ending->next;
}

/* Starts to decode the next part. Returns PK_END if there is none. */
static enum pk_status start_part(struct queue *queue)
{
	const struct pt_reader *reader = &queue->queues->reader;
	const struct pt_source source = {read_code, code_range, enter_thread, queue};
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
	queue->cpu = part->cpu;
	queue->traced = UINT32_MAX;
	queue->changes = 0;
	enter_task(queue);
	queue->decoder = reader->start(reader->arg, part->cpu, queue->mapped + part->start,
				       part->end - part->start, &source);
	if (!queue->decoder)
		return PK_NOMEM;
	pt_decoder_enter(queue->decoder, &queue->space);
	return PK_OK;
}

static void count_step(struct pt_queues *queues, const struct pt_step *step)
{
	queues->counts.steps += step->kind != PT_STEP_SYNC;
	queues->counts.overflows += step->kind == PT_STEP_OVERFLOW;
	queues->counts.errors += step->kind == PT_STEP_ERROR && !step->no_code;
	queues->counts.no_code += step->kind == PT_STEP_ERROR && step->no_code;
}

/* Decodes the next step of the queue. Returns PK_END after the last step, and after a crash. */
static enum pk_status decode_step(struct pt_queues *queues, struct queue *queue)
{
	struct pt_step *step;
	uint64_t next = 0;

	for (;;) {
		if (pk_unlikely(!queue->decoder))
			PK_TRY(start_part(queue));
		queue->step = step = pt_decoder_next(queue->decoder);
		if (pk_likely(step->kind < PT_STEP_END))
			break;
		if (step->kind == PT_STEP_NO_MEMORY)
			return PK_NOMEM;
		queues->crashed |= step->kind == PT_STEP_CRASH;
		if (queues->crashed)
			return PK_END;
		pt_decoder_free(queue->decoder);
		queue->decoder = NULL;
		queue->at++;
	}
	count_step(queues, step);
	if (step->kind == PT_STEP_BLOCK)
		next = complete_block(queue, step);
	queue->branches_count = pt_flow_step(&queue->flow, step, next, queue->branches);
	return PK_OK;
}

/* The times of a queue never go back, so that its steps keep their order. */
static void set_time(struct queue *queue, const struct trace_clock *clock, bool has_tsc,
		     uint64_t tsc)
{
	uint64_t *time = &queue->turn.time, now = queue->parts[queue->at].time;

	if ((!has_tsc || !clock->known) && !now) {
		*time = *time ? *time : PT_NO_TIME;
		return;
	}
	if (has_tsc && clock->known) {
		if (queue->tsc == tsc && *time && *time != PT_NO_TIME)
			return;
		queue->tsc = tsc;
		now = trace_clock_time(clock, tsc);
	}
	if (*time == PT_NO_TIME || now > *time)
		*time = now < PT_NO_TIME ? now : PT_NO_TIME;
}

/* Returns true if the next step can be at the same time as this one. */
static bool has_same_time(const struct queue *queue)
{
	uint64_t tsc;

	return (pt_decoder_time(queue->decoder, &tsc) ? tsc : queue->tsc) == queue->step->tsc;
}

/* Decodes up to the next step that the caller needs, and sets its time. Blocks without branches are
 * not needed, unless instructions are counted. Returns PK_END after the last step, and after a
 * crash. */
static enum pk_status advance(struct pt_queues *queues, struct queue *queue,
			      const struct trace_clock *clock)
{
	enter_task(queue);
	do {
		PK_TRY(decode_step(queues, queue));
	} while (queue->step->kind == PT_STEP_BLOCK && !queue->branches_count &&
		 !queues->reader.all_blocks && has_same_time(queue));
	set_time(queue, clock, queue->step->has_tsc, queue->step->tsc);
	queue->ready = true;
	return PK_OK;
}

/* ---- The order of time ---- */

static enum pk_status start(struct pt_queues *queues, const struct trace_clock *clock)
{
	for (size_t i = 0; i < queues->turns.all_count; i++) {
		struct queue *queue = (struct queue *)queues->turns.all[i];
		const enum pk_status status = advance(queues, queue, clock);

		if (status == PK_OK)
			trace_turns_add(&queues->turns, &queue->turn);
		else if (status != PK_END)
			return status;
	}
	queues->started = true;
	return PK_OK;
}

/* The next step of a queue is decoded only when its time has come, because its code can depend on
 * records until then. */
static enum pk_status release_current(struct pt_queues *queues, const struct trace_clock *clock)
{
	struct queue *queue = queues->current;
	uint64_t tsc;

	queues->current = NULL;
	queue->ready = false;
	if (queue->decoder && pt_decoder_time(queue->decoder, &tsc))
		set_time(queue, clock, true, tsc);
	return trace_turns_move_first(&queues->turns, PK_OK);
}

enum pk_status pt_queues_next(struct pt_queues *queues, const struct trace_clock *clock,
			      uint64_t before, struct pt_item *item)
{
	struct queue *queue; /* `turn` is its first member */
	struct perf_task task;
	struct pt_space space;

	if (queues->current)
		PK_TRY(release_current(queues, clock));
	if (!queues->started)
		PK_TRY(start(queues, clock));
	for (;;) {
		queue = (struct queue *)trace_turns_first(&queues->turns);
		if (queues->crashed || !queue || queue->turn.time >= before)
			return PK_END;
		if (queue->ready)
			break;
		PK_TRY(trace_turns_move_first(&queues->turns, advance(queues, queue, clock)));
	}
	queues->current = queue;
	enter_task(queue);
	task = queue->task;
	/* The library has decoded more of the trace, which can have other threads. */
	if (queue->step->tid != UINT32_MAX && queue->step->tid != task.tid)
		task = queues->reader.task(queues->reader.arg, queue->cpu, queue->turn.tid,
					   queue->step->tid, &space);
	*item = (struct pt_item){.step = queue->step,
				 .branches = queue->branches,
				 .count = queue->branches_count,
				 .time = queue->turn.time,
				 .cpu = queue->cpu,
				 .pid = task.pid,
				 .tid = task.tid,
				 .instructions = &queue->instructions};
	return PK_OK;
}
