// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pkutil.h"
#include "spe_queues.h"
#include "trace_spool.h"
#include "trace_turns.h"
#include "vector.h"

#define WINDOW_SIZE ((size_t)16 << 10) /* bytes of each trace that are in memory */
#define QUEUES_MAX  8192

/* The trace of a CPU or of a thread. */
struct queue {
	struct trace_turn turn; /* its time is that of the record that the decoder has */
	struct spe_decoder decoder;
	struct trace_pieces pieces;
	struct trace_piece piece;
	uint64_t end; /* offset in the trace of the end of the bytes in `window` */
	uint8_t *window;
	size_t at, size;   /* the bytes in `window` that were not decoded are at..size */
	bool damaged;	   /* a part of the current record could not be decoded */
	bool waits;	   /* the decoder has a record that was not returned yet */
	uint64_t previous; /* the time of the record before it, in ns */
};

struct spe_queues {
	struct trace_spool spool;
	struct trace_turns turns; /* the queues that have a record */
	/* The queues that must be decoded further. */
	struct queue *current; /* its record was returned by the last call */
	bool stale;	       /* bytes were added since the heap was filled */
	struct spe_counts counts;
};

/* ---- Queues ---- */

struct spe_queues *spe_queues_new(void)
{
	struct spe_queues *queues = calloc(1, sizeof(*queues));

	if (queues)
		queues->spool.fd = -1;
	return queues;
}

void spe_queues_clear(struct spe_queues *queues)
{
	for (size_t i = 0; i < queues->turns.all_count; i++)
		free(((struct queue *)queues->turns.all[i])->window);
	trace_turns_clear(&queues->turns);
	queues->current = NULL;
	queues->stale = false;
	trace_spool_clear(&queues->spool);
}

void spe_queues_free(struct spe_queues *queues)
{
	if (!queues)
		return;
	spe_queues_clear(queues);
	trace_spool_free(&queues->spool);
	trace_turns_free(&queues->turns);
	free(queues);
}

const struct spe_counts *spe_queues_counts(const struct spe_queues *queues)
{
	return &queues->counts;
}

enum pk_status spe_queues_add(struct spe_queues *queues, struct pk_reader *reader,
			      const struct pk_record *record)
{
	const struct perf_record_auxtrace *auxtrace = (const void *)record->data;
	const uint64_t offset = auxtrace->offset;
	struct trace_turn *turn;

	PK_TRY(trace_turns_of(&queues->turns, auxtrace, sizeof(struct queue), QUEUES_MAX, &turn));
	if (!turn) {
		queues->counts.dropped++;
		return PK_OK;
	}
	queues->stale = true;
	return trace_spool_add(&queues->spool, &((struct queue *)turn)->pieces, reader, offset);
}

/* ---- Decoding ---- */

static void drop_record(struct spe_queues *queues, struct queue *queue)
{
	queues->counts.lost += spe_drop(&queue->decoder) || queue->damaged;
	queue->damaged = false;
}

/* Starts the next piece. If bytes of the trace are missing before this piece, the current record is
 * lost. */
static enum pk_status next_piece(struct spe_queues *queues, struct queue *queue)
{
	PK_TRY(trace_spool_next(&queues->spool, &queue->pieces, &queue->piece));
	if (queue->piece.offset != queue->end) {
		queue->damaged |= queue->at != queue->size;
		drop_record(queues, queue);
		queue->at = queue->size = 0;
		queue->decoder.offset = queue->end = queue->piece.offset;
	}
	return PK_OK;
}

/* Reads more bytes of the trace. Returns PK_END if there are none. */
static enum pk_status fill(struct spe_queues *queues, struct queue *queue)
{
	const size_t rest = queue->size - queue->at;
	size_t got;

	if (!queue->window)
		queue->window = malloc(WINDOW_SIZE);
	if (!queue->window)
		return PK_NOMEM;
	if (rest)
		memmove(queue->window, queue->window + queue->at, rest);
	queue->at = 0;
	queue->size = rest;
	while (!queue->piece.left)
		PK_TRY(next_piece(queues, queue));
	PK_TRY(trace_spool_read(&queues->spool, &queue->piece, queue->window + queue->size,
				WINDOW_SIZE - queue->size, &got));
	queue->size += got;
	queue->end += got;
	return PK_OK;
}

/* Decodes up to the end of a record. Returns false for a record that is damaged. */
static bool is_good_record(struct spe_queues *queues, struct queue *queue)
{
	const bool damaged = queue->damaged;

	queues->counts.lost += damaged;
	queues->counts.operations += !damaged;
	queue->damaged = false;
	return !damaged;
}

/* Decodes the next record of the trace. Returns PK_END if the trace has no further record. */
static enum pk_status decode(struct spe_queues *queues, struct queue *queue)
{
	size_t used;

	for (;;) {
		/* There is no window before the first bytes are read. */
		const uint8_t *at = queue->window ? queue->window + queue->at : NULL;
		const enum spe_step step =
			spe_decode(&queue->decoder, at, queue->size - queue->at, &used);

		queue->at += used;
		switch (step) {
		case SPE_STEP_MORE: break;
		case SPE_STEP_BAD: queue->damaged = true; break;
		case SPE_STEP_SHORT: PK_TRY(fill(queues, queue)); break;
		case SPE_STEP_RECORD:
			if (is_good_record(queues, queue))
				return PK_OK;
		}
	}
}

/* ---- The order of time ---- */

/* Decodes the next record of the queue, and sets its time. A record without a time has the time of
 * the record before it. */
static enum pk_status advance(struct spe_queues *queues, struct queue *queue,
			      const struct trace_clock *clock)
{
	const struct spe_record *record = &queue->decoder.record;

	PK_TRY(decode(queues, queue));
	queue->turn.time = queue->previous;
	if (clock->known && record->has_time)
		queue->turn.time = trace_clock_time(clock, record->time);
	queue->previous = queue->turn.time;
	queue->waits = true;
	return PK_OK;
}

/* Adds the queues to the heap that were not in it. */
static enum pk_status fill_heap(struct spe_queues *queues, const struct trace_clock *clock)
{
	for (size_t i = 0; i < queues->turns.all_count; i++) {
		struct queue *queue = (struct queue *)queues->turns.all[i];
		enum pk_status status;

		if (queue->waits || queue == queues->current)
			continue;
		status = advance(queues, queue, clock);
		if (status == PK_END)
			continue;
		PK_TRY(status);
		trace_turns_add(&queues->turns, &queue->turn);
	}
	queues->stale = false;
	return PK_OK;
}

/* Replaces the record that the last call has returned, whose queue is at the top of the heap. */
static enum pk_status replace_top(struct spe_queues *queues, const struct trace_clock *clock)
{
	const enum pk_status status = advance(queues, queues->current, clock);

	queues->current = NULL;
	return trace_turns_move_first(&queues->turns, status);
}

enum pk_status spe_queues_next(struct spe_queues *queues, const struct trace_clock *clock,
			       uint64_t before, struct spe_operation *operation)
{
	struct queue *queue; /* `turn` is its first member */

	if (queues->current)
		PK_TRY(replace_top(queues, clock));
	if (queues->stale)
		PK_TRY(fill_heap(queues, clock));
	queue = (struct queue *)trace_turns_first(&queues->turns);
	if (!queue || queue->turn.time >= before)
		return PK_END;
	queue->waits = false;
	queues->current = queue;
	*operation = (struct spe_operation){.record = &queue->decoder.record,
					    .time = queue->turn.time,
					    .cpu = queue->turn.cpu,
					    .tid = queue->turn.tid};
	return PK_OK;
}

void spe_queues_end(struct spe_queues *queues)
{
	for (size_t i = 0; i < queues->turns.all_count; i++) {
		struct queue *queue = (struct queue *)queues->turns.all[i];

		queue->damaged |= queue->at != queue->size;
		drop_record(queues, queue);
	}
}
