/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MERGE_MODEL_H
#define MERGE_MODEL_H

/* A simple model of pk-merge-callchains (docs/deferred-callchains.md). It is not fast. */

#include "check_that.h"
#include "pkstream.h"

#define STEPS_MAX 1000
#define DELAY	  UINT64_C(1000000000) /* how long samples of a task wait after its end, in ns */

struct item { /* a sample; samples are written in the order in which they come */
	uint64_t key, cookie, serial, time;
	uint64_t half; /* number of the deferred user callchain; 0 if it has none */
	bool waiting;
};

struct party { /* a task that has waiting samples or a user callchain */
	uint64_t key, cookie, half, end, ended;
	uint32_t pid;
	bool has_half, exists;
};

struct model {
	struct item items[STEPS_MAX];
	struct party parties[STEPS_MAX];
	size_t items_count, parties_count, waiting, max;
	uint64_t ends, time_max;
	uint64_t execs[64]; /* time of an exec, by pid */
};

/* Adds a sample that does not wait. `half` is its user callchain. */
static inline void deliver(struct model *model, uint64_t serial, uint64_t half)
{
	model->items[model->items_count++] = (struct item){.serial = serial, .half = half};
}

static inline struct party *find_party(struct model *model, uint64_t key)
{
	for (size_t i = 0; i < model->parties_count; i++)
		if (model->parties[i].exists && model->parties[i].key == key)
			return &model->parties[i];
	return NULL;
}

static inline struct party *get_party(struct model *model, uint64_t key, uint32_t pid)
{
	struct party *party = find_party(model, key);

	if (party)
		return party;
	party = &model->parties[model->parties_count++];
	*party = (struct party){.key = key, .pid = pid, .exists = true};
	return party;
}

/* Returns the oldest waiting sample of the party. If party is NULL, returns the oldest of all. */
static inline struct item *oldest(struct model *model, const struct party *party)
{
	for (size_t i = 0; i < model->items_count; i++)
		if (model->items[i].waiting && (!party || model->items[i].key == party->key))
			return &model->items[i];
	return NULL;
}

static inline void leave(struct model *model, struct item *item, uint64_t half)
{
	struct party *party = find_party(model, item->key);

	item->waiting = false;
	item->half = half;
	model->waiting--;
	party->exists = party->has_half || oldest(model, party);
}

static inline void dissolve(struct model *model, struct party *party)
{
	struct item *item;

	while ((item = oldest(model, party)))
		leave(model, item, 0);
	party->exists = party->has_half = false;
}

/* Adds a sample. `stray` is the key of a sample whose task can be another task. For other samples,
 * `stray` is 0. */
static inline void model_sample(struct model *model, struct item item, uint32_t pid, uint64_t stray)
{
	struct party *party = find_party(model, item.key);

	if (party && party->has_half && party->cookie == item.cookie) {
		deliver(model, item.serial, party->half);
		return;
	}
	item.key = stray ? stray : item.key;
	get_party(model, item.key, pid);
	model->items[model->items_count] = item;
	model->items[model->items_count++].waiting = true;
	model->waiting++;
	while (model->waiting > model->max)
		leave(model, oldest(model, NULL), 0);
}

static inline void model_half(struct model *model, uint64_t key, uint32_t pid, uint64_t cookie,
			      uint64_t half, uint64_t stray)
{
	struct party *party = get_party(model, key, pid), *strays = find_party(model, stray);
	const uint64_t exec = key < 64 ? model->execs[key] : 0;
	struct item *item;
	bool used = false;

	if (key < 64)
		model->execs[key] = 0;
	if (party->has_half && party->cookie == cookie)
		return;
	while (key != stray && strays && (item = oldest(model, strays)))
		leave(model, item, item->time < exec ? 0 : half);
	party->has_half = false;
	while ((item = oldest(model, party)) && !(used && item->cookie != cookie)) {
		used |= item->cookie == cookie;
		leave(model, item, item->cookie == cookie ? half : 0);
	}
	party->cookie = cookie;
	party->exists = party->has_half = true;
	party->half = half;
}

static inline void model_exit(struct model *model, uint32_t tid, uint64_t time)
{
	struct party *party = find_party(model, tid);

	if (!party || party->ended)
		return;
	party->ended = ++model->ends;
	party->end = time;
}

static inline struct party *first_ended(struct model *model)
{
	struct party *first = NULL;

	for (size_t i = 0; i < model->parties_count; i++) {
		struct party *party = &model->parties[i];

		if (party->exists && party->ended && (!first || party->ended < first->ended))
			first = party;
	}
	return first;
}

static inline void model_time(struct model *model, uint64_t time)
{
	struct party *first;

	while ((first = first_ended(model)) && time > first->end + DELAY)
		dissolve(model, first);
	while (model->time_max && model->waiting &&
	       time > oldest(model, NULL)->time + model->time_max)
		leave(model, oldest(model, NULL), 0);
}

/* Handles an exec. The waiting samples of the first thread are released, and the other threads end.
 */
static inline void model_exec(struct model *model, uint32_t pid, uint64_t time)
{
	struct party *first = find_party(model, pid);

	model->execs[pid % 64] = time;
	if (first)
		dissolve(model, first);
	for (size_t i = model->parties_count; i > 0; i--) {
		struct party *party = &model->parties[i - 1];

		if (party->exists && party->pid == pid && party->key != pid &&
		    party->key < UINT32_MAX)
			model_exit(model, (uint32_t)party->key, time);
	}
}

static inline void model_finish(struct model *model)
{
	struct item *item;

	while ((item = oldest(model, NULL)))
		leave(model, item, 0);
	for (size_t i = 0; i < model->parties_count; i++)
		model->parties[i].exists = false;
}

#endif
