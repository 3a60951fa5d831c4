// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkprivate.h"
#include "reader.h"
#include "vector.h"

/* Limits for the bytes of queued records. ROUND_SIZE applies if the session has FINISHED_ROUND
 * records, and WINDOW_SIZE if it has none. A round can be long on a machine with many CPUs and
 * large ring buffers. */
#define WINDOW_SIZE ((size_t)64 << 20)
#define ROUND_SIZE  ((size_t)1 << 30)

/* Sorted records are not adjacent in memory, so records are prefetched. This is the number of
 * records between the current record and the prefetched one. */
#define AHEAD 12

/* A queued record. */
struct entry {
	uint64_t time;
	const uint8_t *data;
	struct pk_block *block;
	const struct pk_event *event;
	uint64_t offset;
};

/* An ordered reader: the queue of records. */
struct pk_order {
	struct pk_reader *reader;
	/* The queue has `count` entries. The first `ready` entries are sorted and can be returned.
	 * `next` is the index of the first entry that has not been returned. */
	struct entry *entries;
	size_t count, ready, next, capacity;
	size_t merged; /* number of entries at the start of the queue that are sorted already */
	struct entry *scratch; /* output array for merging */
	size_t scratch_capacity;
	uint32_t *runs; /* index of the first entry of each ascending run, while the queue is sorted
			 */
	size_t runs_capacity;
	size_t bytes;	 /* bytes of queued records */
	uint64_t newest; /* the latest time of any record so far, in ns */
	uint64_t limit;	 /* the next FINISHED_ROUND releases the records whose time is at most this
			  * time (SPEC 7.1) */
	uint64_t delivered; /* time of the last returned record, in ns */
	bool sorted;	    /* the session declares that its records are in order */
	bool through;	    /* returns records in the order of the input, without sorting */
	bool rounds;	  /* a FINISHED_ROUND was read since half of the queue was last released */
	bool pending_set; /* `pending` must be returned when the queue is empty */
	struct pk_record pending;
	struct pk_block *holding; /* block of the record that the caller has now */
	enum pk_status end;	  /* status to return when the queue is empty */
	pk_tee_fn tee;
	void *tee_arg;
	bool read_set; /* the tee was not yet called with `read` */
	struct pk_record read;
	struct pk_order_stats stats;
};

enum pk_status pk_order_new(struct pk_reader *reader, struct pk_order **order)
{
	*order = calloc(1, sizeof(**order));
	if (!*order)
		return PK_NOMEM;
	(*order)->reader = reader;
	return PK_OK;
}

void pk_order_free(struct pk_order *order)
{
	if (!order)
		return;
	if (order->holding)
		pk_block_release(order->holding);
	for (size_t i = order->next; i < order->count; i++)
		pk_block_release(order->entries[i].block);
	free(order->entries);
	free(order->scratch);
	free(order->runs);
	free(order);
}

void pk_order_through(struct pk_order *order, bool through)
{
	order->through = through;
}

bool pk_order_sorted(const struct pk_order *order)
{
	return order->sorted;
}

void pk_order_stats_sized(const struct pk_order *order, struct pk_order_stats *stats,
			  size_t stats_size)
{
	pk_copy_sized(stats, stats_size, &order->stats, sizeof(order->stats));
}

void pk_order_tee(struct pk_order *order, pk_tee_fn tee, void *arg)
{
	order->tee = tee;
	order->tee_arg = arg;
}

/* ---- Sorting: the records of each ring are in order, so the queue has long ascending runs, which
 * a stable merge joins ---- */

static enum pk_status note_run(struct pk_order *order, size_t run, size_t start)
{
	PK_TRY(pk_reserve(&order->runs, &order->runs_capacity, run, 1, sizeof(*order->runs)));
	order->runs[run] = (uint32_t)start;
	return PK_OK;
}

/* Finds the ascending runs after the first `merged` entries. Returns their number, which is at
 * least 1, or 0 if memory is exhausted. order->runs gets the start of each run, and after these the
 * end of the last run. */
static size_t find_runs(struct pk_order *order)
{
	size_t runs = 1;

	if (note_run(order, 0, order->merged) != PK_OK)
		return 0;
	for (size_t i = order->merged + 1; i < order->count; i++) {
		if (pk_unlikely(order->entries[i].time < order->entries[i - 1].time)) {
			if (note_run(order, runs, i) != PK_OK)
				return 0;
			runs++;
		}
	}
	return note_run(order, runs, order->count) == PK_OK ? runs : 0;
}

/* Merges two runs. The loop has no branch that depends on the times: the times are random, so the
 * processor would often mispredict such a branch. */
static void merge(const struct entry *a, const struct entry *a_end, const struct entry *b,
		  const struct entry *b_end, struct entry *out)
{
	while (a < a_end && b < b_end) {
		const size_t second = b->time < a->time;

		*out++ = *(second ? b : a);
		a += 1 - second;
		b += second;
	}
	memcpy(out, a, (size_t)(a_end - a) * sizeof(*a));
	memcpy(out + (a_end - a), b, (size_t)(b_end - b) * sizeof(*b));
}

/* Merges the runs from first to end - 1. Returns true if the result is in the scratch array (at the
 * same index), and false if the result is in the queue. One half of the runs is merged completely
 * before the other half, so that most of the data stays in the processor's cache. */
static bool merge_runs(struct pk_order *order, size_t first, size_t end)
{
	const size_t middle = first + (end - first) / 2;
	const uint32_t *at = order->runs;
	struct entry *from = order->entries, *to = order->scratch;
	bool left, right;

	if (end - first == 1)
		return false;
	left = merge_runs(order, first, middle);
	right = merge_runs(order, middle, end);
	if (right) {
		from = order->scratch;
		to = order->entries;
	}
	if (left != right)
		memcpy(from + at[first], to + at[first], (at[middle] - at[first]) * sizeof(*from));
	merge(from + at[first], from + at[middle], from + at[middle], from + at[end],
	      to + at[first]);
	return !right;
}

/* Merges the first `merged` entries of the queue with the later entries, which are in the scratch
 * array. It starts at the end of the queue, so entries that are earlier than all entries of the
 * scratch array are not moved. */
static void merge_tail(struct pk_order *order)
{
	const struct entry *a = order->entries + order->merged;
	const struct entry *b = order->scratch + order->count;
	const struct entry *const b_start = order->scratch + order->merged;
	struct entry *out = order->entries + order->count;

	while (b > b_start) {
		const bool first = a > order->entries && b[-1].time < a[-1].time;

		*--out = first ? *--a : *--b;
	}
}

static void swap_arrays(struct pk_order *order)
{
	struct entry *const entries = order->entries;
	const size_t capacity = order->capacity;

	order->entries = order->scratch;
	order->capacity = order->scratch_capacity;
	order->scratch = entries;
	order->scratch_capacity = capacity;
}

static enum pk_status sort(struct pk_order *order)
{
	const size_t merged = order->merged, size = (order->count - merged) * sizeof(struct entry);
	size_t runs;
	bool in_scratch;

	if (merged == order->count)
		return PK_OK;
	runs = find_runs(order);
	if (!runs)
		return PK_NOMEM;
	if (runs == 1 &&
	    (!merged || order->entries[merged].time >= order->entries[merged - 1].time))
		goto done;
	PK_TRY(pk_reserve(&order->scratch, &order->scratch_capacity, 0, order->count,
			  sizeof(*order->scratch)));
	in_scratch = merge_runs(order, 0, runs);
	if (merged) {
		if (!in_scratch)
			memcpy(order->scratch + merged, order->entries + merged, size);
		merge_tail(order);
	} else if (in_scratch) {
		swap_arrays(order);
	}
done:
	order->merged = order->count;
	return PK_OK;
}

/* Releases the records whose time is at most limit, in ns. */
static enum pk_status release(struct pk_order *order, uint64_t limit)
{
	size_t low = 0, high = order->count;

	if (!order->count)
		return PK_OK;
	PK_TRY(sort(order));
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (order->entries[middle].time <= limit)
			low = middle + 1;
		else
			high = middle;
	}
	order->ready = low;
	return PK_OK;
}

/* Releases half of the records, not the records of half of the time span. The times come from the
 * input, and an input with strange times must not cause many calls of this function. */
static enum pk_status release_half(struct pk_order *order)
{
	PK_TRY(sort(order));
	order->stats.window_flushes++;
	order->rounds = false;
	return release(order, order->entries[order->count / 2].time);
}

/* ---- Queue ---- */

static enum pk_status grow(struct pk_order *order)
{
	if (order->count >= UINT32_MAX)
		return PK_NOMEM;
	return pk_reserve(&order->entries, &order->capacity, order->count, 1,
			  sizeof(*order->entries));
}

static enum pk_status enqueue(struct pk_order *order, const struct pk_record *record)
{
	const size_t limit = order->rounds ? ROUND_SIZE : WINDOW_SIZE;

	if (pk_unlikely(order->count == order->capacity))
		PK_TRY(grow(order));
	order->entries[order->count++] =
		(struct entry){record->time, record->data, pk_reader_hold(order->reader),
			       record->event, record->offset};
	order->bytes += record->size;
	if (record->time > order->newest)
		order->newest = record->time;
	if (pk_likely(order->bytes <= limit && pk_reader_held(order->reader) <= 2 * limit))
		return PK_OK;
	return release_half(order);
}

static void dequeue(struct pk_order *order, struct pk_record *record)
{
	const struct entry *entry = &order->entries[order->next++];

	__builtin_prefetch(entry + 3 * AHEAD);
	if (pk_likely(order->next + AHEAD < order->ready))
		for (int line = 0; line < 4; line++)
			__builtin_prefetch(entry[AHEAD].data + 64 * line);
	*record = pk_record_at(entry->data);
	record->offset = entry->offset;
	record->event = entry->event;
	record->time = entry->time;
	order->holding = entry->block;
	order->bytes -= record->size;
	order->delivered = entry->time;
	if (order->next == order->ready) {
		memmove(order->entries, order->entries + order->ready,
			(order->count - order->ready) * sizeof(*order->entries));
		order->count -= order->ready;
		order->merged -= order->ready;
		order->next = order->ready = 0;
	}
}

/* ---- Records ---- */

/* Returns true if the record must stay after all records that were read before it. The queued
 * records must be released before such a record. */
static bool is_barrier(const struct pk_record *record)
{
	unsigned int kind;

	if (record->type == PK_RECORD_BEGIN)
		return true;
	kind = pk_definition_of(record);
	return kind == PK_FINISH || kind == PK_RESET || kind == PK_ORDER;
}

/* Returns true if an ORDER record declares that the records up to the next ORDER are sorted. A
 * record with an unknown value changes nothing (SPEC 9.3). */
static bool is_sorted(const struct pk_record *record, bool sorted)
{
	const struct pk_record_order *order = (const void *)record->data;

	if (record->size < sizeof(*order) || order->kind > PK_ORDER_PROCESSING)
		return sorted;
	return order->kind != PK_ORDER_NONE;
}

static enum pk_status hold_back(struct pk_order *order, const struct pk_record *record)
{
	order->pending = *record;
	order->pending_set = true;
	return release(order, UINT64_MAX);
}

static void start_session(struct pk_order *order)
{
	order->newest = order->limit = order->delivered = 0;
	order->sorted = order->rounds = false;
}

static enum pk_status finish_round(struct pk_order *order)
{
	uint64_t limit = order->limit;

	order->stats.rounds++;
	order->rounds = true;
	order->limit = order->newest;
	return order->sorted ? PK_OK : release(order, limit);
}

/* Updates the state from PK_RECORD_BEGIN and ORDER. Called if order->through is set. */
static void note(struct pk_order *order, struct pk_record *record)
{
	record->event = NULL;
	record->time = PK_NO_TIME;
	if (record->type == PK_RECORD_BEGIN)
		start_session(order);
	else if (pk_definition_of(record) == PK_ORDER)
		order->sorted = is_sorted(record, order->sorted);
}

/* Returns true if *record is not queued but must be returned at once. */
static bool enqueue_or_pass(struct pk_order *order, struct pk_record *record,
			    enum pk_status *status)
{
	if (order->through) {
		note(order, record);
		return true;
	}
	if (record->type == PERF_RECORD_FINISHED_ROUND) {
		*status = finish_round(order);
		return false;
	}
	record->event = NULL;
	record->time = PK_NO_TIME;
	if (pk_unlikely(record->type >= PERF_RECORD_USER_START ||
			record->type == PK_RECORD_BEGIN)) {
		if (!is_barrier(record))
			return true;
		if (pk_definition_of(record) == PK_ORDER)
			order->sorted = is_sorted(record, order->sorted);
		*status = hold_back(order, record);
		return false;
	}
	record->event = pk_reader_event_of(order->reader, record);
	if (pk_unlikely(record->type == PERF_RECORD_SAMPLE && !record->event)) {
		pk_reader_complain(order->reader, record, "sample of an unknown event, skipped");
		order->read_set = false;
		return false;
	}
	if (record->event)
		record->time = pk_event_time(record->event, record);
	if (record->time == PK_NO_TIME)
		return true;
	if (order->sorted) {
		/* The queue is empty, so the newest record is also the last returned record. */
		if (record->time > order->newest)
			order->newest = order->delivered = record->time;
		return true;
	}
	if (pk_unlikely(record->time < order->delivered)) {
		order->stats.late++;
		return true;
	}
	*status = enqueue(order, record);
	return false;
}

static enum pk_status deliver_pending(struct pk_order *order, struct pk_record *record)
{
	*record = order->pending;
	order->pending_set = false;
	if (record->type == PK_RECORD_BEGIN)
		start_session(order);
	return PK_OK;
}

/* Reads the next record. All records that the previous record released have been returned now. So
 * the tee is called with the previous record only now. */
static enum pk_status read_next(struct pk_order *order, struct pk_record *record)
{
	enum pk_status status;

	if (order->read_set)
		order->tee(order->tee_arg, &order->read);
	order->read_set = false;
	status = pk_reader_next(order->reader, record);
	record->event = NULL;
	record->time = PK_NO_TIME;
	if (order->tee && !status) {
		order->read = *record;
		order->read_set = true;
	}
	return status;
}

const uint8_t *pk_order_ahead(const struct pk_order *order, size_t n, const struct pk_event **event)
{
	if (n == 0 || n > order->ready - order->next)
		return NULL;
	*event = order->entries[order->next + n - 1].event;
	return order->entries[order->next + n - 1].data;
}

static enum pk_status next(struct pk_order *order, struct pk_record *record)
{
	enum pk_status status = PK_OK;

	if (order->holding) {
		pk_block_release(order->holding);
		order->holding = NULL;
	}
	for (;;) {
		if (order->next < order->ready) {
			dequeue(order, record);
			return PK_OK;
		}
		if (order->pending_set)
			return deliver_pending(order, record);
		if (order->end)
			return order->end;
		status = read_next(order, record);
		if (status) {
			order->end = status;
			status = release(order, UINT64_MAX);
		} else if (enqueue_or_pass(order, record, &status)) {
			return PK_OK;
		}
		if (status) {
			order->end = status;
			order->ready = order->next = 0;
		}
	}
}

enum pk_status pk_order_next_sized(struct pk_order *order, struct pk_record *record,
				   size_t record_size)
{
	struct pk_record own;
	enum pk_status status;

	if (pk_likely(record_size == sizeof(own)))
		return next(order, record);
	status = next(order, &own);
	if (!status)
		pk_copy_sized(record, record_size, &own, sizeof(own));
	return status;
}
