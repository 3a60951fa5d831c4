/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/span/open_spans.c */
/* Tests random starts, ends and cancels of spans, and ends of tasks. There are two sets of open
 * spans, which share a pool. The results are compared with a model, which is a list that is
 * searched from its end. Each end must get the same start as in the model. The oldest spans must be
 * dropped in the same order as in the model, and the counts must be equal. */
#include <string.h>

#include "check_that.h"
#include "open_spans.h"
#include "status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define STARTS_MAX 4096
#define SETS	   2

/* The data that the caller stores in a span. */
struct content {
	uint32_t number, size;
};

struct model {
	struct item {
		uint32_t number, size;
		uint8_t set, key, task;
	} items[STARTS_MAX]; /* open spans, in the order of their starts */
	size_t count, max;
	uint32_t started; /* number of starts in both sets */
	uint64_t amounts[SETS];
	enum pk_again again[SETS];
	struct numbers {
		uint64_t starts, ended, replaced, unused, dropped, unmatched, cancelled, task_ended;
	} numbers[SETS];
};

static void remove_item(struct model *model, size_t i)
{
	model->count--;
	model->amounts[model->items[i].set] -= model->items[i].size;
	memmove(&model->items[i], &model->items[i + 1],
		(model->count - i) * sizeof(model->items[0]));
}

/* Returns the index of the newest open span with the key. Returns `count` if there is none. */
static size_t find_item(const struct model *model, unsigned int set, uint8_t key)
{
	for (size_t i = model->count; i > 0; i--)
		if (model->items[i - 1].set == set && model->items[i - 1].key == key)
			return i - 1;
	return model->count;
}

/* Makes a key. Keys have several sizes, but most of them are one number. */
static uint32_t make_key(uint8_t number, uint8_t key[24])
{
	memset(key, number, 24);
	return number % 4 ? 8 : 8u * (number % 3 + 1);
}

static void start_model(struct model *model, const struct item *item)
{
	struct numbers *numbers = &model->numbers[item->set];
	const size_t at = find_item(model, item->set, item->key);

	numbers->starts++;
	if (model->again[item->set] != PK_AGAIN_NEST && at < model->count) {
		if (model->again[item->set] == PK_AGAIN_KEEP) {
			numbers->unused++;
			return;
		}
		numbers->replaced++;
		remove_item(model, at);
	}
	while (model->count >= model->max) {
		model->numbers[model->items[0].set].dropped++;
		remove_item(model, 0);
	}
	model->items[model->count++] = *item;
	model->amounts[item->set] += item->size;
}

static void start(struct pk_open_spans *spans, struct model *model, const struct item *item)
{
	const struct content content = {item->number, item->size};
	const bool keeps = spans->again == PK_AGAIN_KEEP &&
			   find_item(model, item->set, item->key) < model->count;
	struct pk_open_span *span;
	uint8_t key[24];
	const uint32_t key_size = make_key(item->key, key);

	check_that(pk_open_spans_start(spans, key, key_size, item->task, item->size, &span) ==
		   PK_OK);
	check_that(!span == keeps);
	if (span) {
		check_that(span->size == item->size);
		memset(pk_open_span_data(span), item->key, item->size);
		memcpy(pk_open_span_data(span), &content, sizeof(content));
		pk_open_spans_weigh(spans, span, item->size);
	}
	start_model(model, item);
}

/* Compares a span that is no longer open with its item in the model, and removes both. */
static void finish(struct pk_open_spans *spans, struct model *model, struct pk_open_span *span,
		   size_t at)
{
	struct content content;

	check_that(span != NULL);
	memcpy(&content, pk_open_span_data(span), sizeof(content));
	check_that(content.number == model->items[at].number);
	check_that(content.size == model->items[at].size && span->size == content.size);
	for (uint32_t i = sizeof(content); i < content.size; i++)
		check_that(pk_open_span_data(span)[i] == model->items[at].key);
	pk_open_spans_release(spans, span);
	remove_item(model, at);
}

static void end(struct pk_open_spans *spans, struct model *model, unsigned int set, uint8_t number,
		bool cancels)
{
	uint8_t key[24];
	const uint32_t key_size = make_key(number, key);
	struct pk_open_span *span = cancels ? pk_open_spans_cancel(spans, key, key_size)
					    : pk_open_spans_end(spans, key, key_size);
	const size_t at = find_item(model, set, number);
	struct numbers *numbers = &model->numbers[set];

	if (at == model->count) {
		check_that(!span);
		numbers->unmatched += !cancels;
		return;
	}
	numbers->cancelled += cancels;
	numbers->ended += !cancels;
	finish(spans, model, span, at);
}

/* Ends all open spans of the task in the set, starting with the newest. */
static void end_task(struct pk_open_spans *spans, struct model *model, unsigned int set,
		     uint8_t task)
{
	for (size_t i = model->count; i > 0; i--) {
		if (model->items[i - 1].set != set || model->items[i - 1].task != task)
			continue;
		finish(spans, model, pk_open_spans_end_task(spans, task), i - 1);
		model->numbers[set].task_ended++;
	}
	check_that(!pk_open_spans_end_task(spans, task));
}

static void compare(const struct pk_open_spans *spans, const struct model *model)
{
	const struct pk_open_pool *pool = spans->pool;
	struct pk_open_span *span = pool->oldest;
	struct content content;

	for (unsigned int i = 0; i < SETS; i++) {
		const struct numbers *numbers = &model->numbers[i];

		check_that(spans[i].starts == numbers->starts && spans[i].ended == numbers->ended);
		check_that(spans[i].replaced == numbers->replaced);
		check_that(spans[i].unused == numbers->unused);
		check_that(spans[i].dropped == numbers->dropped);
		check_that(spans[i].unmatched == numbers->unmatched);
		check_that(spans[i].cancelled == numbers->cancelled);
		check_that(spans[i].amount == model->amounts[i]);
		check_that(spans[i].task_ended == numbers->task_ended);
		check_that(spans[i].starts == spans[i].ended + spans[i].replaced + spans[i].unused +
						      spans[i].cancelled + spans[i].task_ended +
						      spans[i].dropped + spans[i].count);
	}
	check_that(pool->count == model->count && !pool->memory == !pool->count);
	for (size_t i = 0; i < model->count; i++, span = span->newer) {
		memcpy(&content, pk_open_span_data(span), sizeof(content));
		check_that(content.number == model->items[i].number);
	}
	check_that(!span);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct model model;
	struct pk_open_pool pool = {.memory_max = SIZE_MAX};
	struct pk_open_spans spans[SETS] = {{.pool = &pool}, {.pool = &pool}};

	if (size < 2)
		return 0;
	memset(&model, 0, sizeof(model));
	model.max = pool.count_max = 1u + data[1];
	for (unsigned int i = 0; i < SETS; i++)
		model.again[i] = spans[i].again = (enum pk_again)((data[0] >> 2 * i & 3) % 3);
	for (size_t i = 2; i + 2 < size && model.started < STARTS_MAX; i += 3) {
		const unsigned int set = data[i] >> 7;
		const uint8_t key = data[i + 1] % 48, task = data[i + 1] / 48;
		const struct item item = {.number = model.started,
					  .size = (uint32_t)sizeof(struct content) +
						  data[i + 2] * (data[i] >> 3 & 15),
					  .set = (uint8_t)set,
					  .key = key,
					  .task = task};

		if (data[i] & 1) {
			start(&spans[set], &model, &item);
			model.started++;
		} else if ((data[i] & 6) == 6 && task) {
			end_task(&spans[set], &model, set, task);
		} else {
			end(&spans[set], &model, set, key, data[i] & 4);
		}
	}
	compare(spans, &model);
	pk_open_spans_clear(&spans[0]);
	check_that(!spans[0].count && !spans[0].starts && pool.count == spans[1].count);
	pk_open_spans_free(&spans[0]);
	pk_open_spans_free(&spans[1]);
	check_that(!pool.count && !pool.memory);
	pk_open_pool_free(&pool);
	return 0;
}
