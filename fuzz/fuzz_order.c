/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/order.c */
/* seeds: streams */
/* Sorts a stream, and compares the result with a simple model of SPEC 7.3. No record may be lost or
 * added, and each record must come at the same position as in the model. */
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* This limit is needed because the model searches its list for every record that it delivers. */
#define RECORDS_MAX 2000

struct item {
	uint64_t time, offset, hash;
	const struct pk_event *event;
	bool delivered;
};

struct model {
	struct item items[RECORDS_MAX]; /* input order, without FINISHED_ROUND */
	size_t count;
	size_t order[RECORDS_MAX], delivered; /* `order` has indexes of items in the order in which
					       * they are delivered */
	uint64_t newest, limit,
		last; /* Times: `newest` is the latest time so far, `limit` is the limit for the
			 next round, and `last` is the time of the last delivered record. */
	uint64_t late, rounds;
	bool sorted;
};

static void deliver(struct model *model, size_t i)
{
	model->items[i].delivered = true;
	model->order[model->delivered++] = i;
}

static void deliver_sorted(struct model *model, size_t i)
{
	model->last = model->items[i].time;
	deliver(model, i);
}

/* Delivers those of the first `count` items that still wait and have a time of at most `limit`. */
static void release(struct model *model, uint64_t limit, size_t count)
{
	for (;;) {
		size_t best = count;

		for (size_t i = 0; i < count; i++) {
			const struct item *item = &model->items[i];

			if (!item->delivered && item->time <= limit &&
			    (best == count || item->time < model->items[best].time))
				best = i;
		}
		if (best == count)
			return;
		deliver_sorted(model, best);
	}
}

/* Returns the time of a record (SPEC 7.2), which the decoders read. */
static uint64_t time_of(const struct pk_event *event, const struct pk_record *record)
{
	uint64_t time = PK_NO_TIME;
	struct pk_sample_id id;

	if (!event)
		return PK_NO_TIME;
	if (record->type == PERF_RECORD_SAMPLE) {
		if (event->layout.time && record->size >= event->layout.fixed_size)
			time = pk_load_u64(record->data + event->layout.time);
	} else {
		pk_sample_id_decode(event, record, &id);
		time = id.time;
	}
	return time ? time : PK_NO_TIME;
}

static bool is_barrier(const struct pk_record *record)
{
	unsigned int kind = pk_definition_of(record);

	return record->type == PK_RECORD_BEGIN || kind == PK_FINISH || kind == PK_RESET ||
	       kind == PK_ORDER;
}

static void finish_round(struct model *model)
{
	model->rounds++;
	if (!model->sorted)
		release(model, model->limit, model->count);
	model->limit = model->newest;
}

static void take(struct model *model, struct pk_reader *reader, const struct pk_record *record)
{
	const struct pk_record_order *order = (const void *)record->data;
	bool kernel = record->type && record->type < PERF_RECORD_USER_START;
	size_t at = model->count++;
	struct item *item = &model->items[at];

	*item = (struct item){PK_NO_TIME, record->offset,
			      pk_hash(record->data, record->size, record->type),
			      kernel ? pk_reader_event_of(reader, record) : NULL, false};
	if (kernel)
		item->time = time_of(item->event, record);
	if (is_barrier(record))
		release(model, UINT64_MAX, at);
	if (record->type == PK_RECORD_BEGIN) {
		model->newest = model->limit = model->last = 0;
		model->sorted = false;
	}
	if (pk_definition_of(record) == PK_ORDER && record->size >= sizeof(*order) &&
	    order->kind <= PK_ORDER_PROCESSING)
		model->sorted = order->kind != PK_ORDER_NONE;
	if (item->time == PK_NO_TIME) {
		deliver(model, at);
		return;
	}
	if (item->time > model->newest)
		model->newest = item->time;
	if (model->sorted) {
		deliver(model, at);
		if (item->time > model->last)
			model->last = item->time;
	} else if (item->time < model->last) {
		model->late++;
		deliver(model, at);
	}
}

/* Calculates the expected order. Returns false if there are too many records for the model. */
static bool predict(struct model *model, struct pk_reader *reader, enum pk_status *status)
{
	struct pk_record record;

	while (!(*status = pk_reader_next(reader, &record))) {
		if (model->count == RECORDS_MAX)
			return false;
		if (record.type == PERF_RECORD_FINISHED_ROUND)
			finish_round(model);
		else if (record.type != PERF_RECORD_SAMPLE || pk_reader_event_of(reader, &record))
			take(model, reader, &record);
	}
	release(model, UINT64_MAX, model->count);
	check_that(model->delivered == model->count);
	return true;
}

static void compare(const struct model *model, struct pk_reader *reader, enum pk_status expected)
{
	struct pk_order_stats stats;
	struct pk_record record;
	struct pk_order *order;

	check_that(pk_order_new(reader, &order) == PK_OK);
	for (size_t i = 0; i < model->count; i++) {
		const struct item *item = &model->items[model->order[i]];

		check_that(pk_order_next(order, &record) == PK_OK);
		check_that(record.offset == item->offset && record.time == item->time);
		check_that(pk_hash(record.data, record.size, record.type) == item->hash);
		check_that(!record.event == !item->event);
	}
	check_that(pk_order_next(order, &record) == expected);
	check_that(pk_order_next(order, &record) == expected);
	pk_order_stats(order, &stats);
	check_that(stats.late == model->late && stats.rounds == model->rounds);
	check_that(stats.window_flushes == 0);
	pk_order_free(order);
}

/* Stops before all records are read. The queued records must be freed. */
static void abandon(struct pk_reader *reader, size_t records)
{
	struct pk_record record;
	struct pk_order *order;

	check_that(pk_order_new(reader, &order) == PK_OK);
	while (records-- && pk_order_next(order, &record) == PK_OK)
		;
	pk_order_free(order);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct model model;
	struct memory memory = {.data = data, .size = size, .piece = SIZE_MAX};
	struct pk_reader *reader = open_memory(&memory);
	enum pk_status status;
	bool predicted;

	memset(&model, 0, sizeof(model));
	predicted = predict(&model, reader, &status);
	pk_reader_free(reader);
	memory.at = 0;
	reader = open_memory(&memory);
	if (predicted)
		compare(&model, reader, status);
	else
		abandon(reader, size);
	pk_reader_free(reader);
	return 0;
}
