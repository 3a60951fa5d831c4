/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples, user halves, and what happens to tasks, in whatever order, against a plain model of what
 * pk-merge-callchains says of itself: each sample is written once, in the place and with the
 * callchain that the model has.
 */
#include "merger.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define STEPS_MAX 1000
#define DELAY	  UINT64_C(1000000000) /* after its end a task's samples wait so long */

/* ---- Input ---- */

struct bytes {
	const uint8_t *at, *end;
};

static unsigned int take_byte(struct bytes *in, unsigned int limit)
{
	return in->at < in->end ? *in->at++ % limit : 0;
}

static const struct {
	uint32_t pid, tid;
} tasks[] = {{10, 10}, {10, 11}, {10, 12}, {20, 20}, {20, 21}, {0, 0}, {7, UINT32_MAX}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- The model ---- */

struct item { /* a sample */
	uint64_t key, cookie, serial, time;
	bool waiting;
};

struct party { /* a task: who has samples waiting or a half */
	uint64_t key, cookie, half, end, ended;
	uint32_t pid;
	bool has_half, exists;
};

struct written {
	uint64_t serial, half; /* 0: alone */
};

struct model {
	struct item items[STEPS_MAX];
	struct party parties[STEPS_MAX];
	struct written written[STEPS_MAX];
	size_t items_count, parties_count, written_count, waiting, max;
	uint64_t ends;
};

static void deliver(struct model *model, uint64_t serial, uint64_t half)
{
	model->written[model->written_count++] = (struct written){serial, half};
}

static struct party *find_party(struct model *model, uint64_t key)
{
	for (size_t i = 0; i < model->parties_count; i++)
		if (model->parties[i].exists && model->parties[i].key == key)
			return &model->parties[i];
	return NULL;
}

static struct party *get_party(struct model *model, uint64_t key, uint32_t pid)
{
	struct party *party = find_party(model, key);

	if (party)
		return party;
	party = &model->parties[model->parties_count++];
	*party = (struct party){.key = key, .pid = pid, .exists = true};
	return party;
}

/* The oldest sample that waits, of that party or of anybody. */
static struct item *oldest(struct model *model, const struct party *party)
{
	for (size_t i = 0; i < model->items_count; i++)
		if (model->items[i].waiting && (!party || model->items[i].key == party->key))
			return &model->items[i];
	return NULL;
}

static void leave(struct model *model, struct item *item, uint64_t half)
{
	struct party *party = find_party(model, item->key);

	item->waiting = false;
	model->waiting--;
	deliver(model, item->serial, half);
	party->exists = party->has_half || oldest(model, party);
}

static void dissolve(struct model *model, struct party *party)
{
	struct item *item;

	while ((item = oldest(model, party)))
		leave(model, item, 0);
	party->exists = party->has_half = false;
}

static void model_sample(struct model *model, const struct item *item, uint32_t pid)
{
	struct party *party = find_party(model, item->key);

	if (party && party->has_half && party->cookie == item->cookie) {
		deliver(model, item->serial, party->half);
		return;
	}
	party = get_party(model, item->key, pid);
	party->has_half = false;
	model->items[model->items_count] = *item;
	model->items[model->items_count++].waiting = true;
	model->waiting++;
	while (model->waiting > model->max)
		leave(model, oldest(model, NULL), 0);
}

static void model_half(struct model *model, uint64_t key, uint32_t pid, uint64_t cookie,
		       uint64_t half)
{
	struct party *party = get_party(model, key, pid);
	struct item *item;
	bool used = false;

	if (party->has_half && party->cookie == cookie)
		return;
	party->has_half = false;
	while ((item = oldest(model, party)) && !(used && item->cookie != cookie)) {
		used |= item->cookie == cookie;
		leave(model, item, item->cookie == cookie ? half : 0);
	}
	if (item)
		return;
	party->exists = party->has_half = true;
	party->cookie = cookie;
	party->half = half;
}

static void model_exit(struct model *model, uint32_t tid, uint64_t time)
{
	struct party *party = find_party(model, tid);

	if (!party || party->ended)
		return;
	party->ended = ++model->ends;
	party->end = time;
}

static void model_time(struct model *model, uint64_t time)
{
	struct party *first;

	do {
		first = NULL;
		for (size_t i = 0; i < model->parties_count; i++) {
			struct party *party = &model->parties[i];

			if (party->exists && party->ended &&
			    (!first || party->ended < first->ended))
				first = party;
		}
		if (!first || time <= first->end + DELAY)
			return;
		dissolve(model, first);
	} while (first);
}

static uint64_t newest_time(const struct model *model, const struct party *party)
{
	uint64_t time = 0;

	for (size_t i = 0; i < model->items_count; i++)
		if (model->items[i].waiting && model->items[i].key == party->key)
			time = model->items[i].time;
	return time;
}

/* Of the threads that may be the one that executes, the one that was seen last goes on as the
 * process. */
static void model_exec(struct model *model, uint32_t pid)
{
	struct party *first = find_party(model, pid), *best = NULL, *party;

	for (size_t i = 0; i < model->parties_count; i++) {
		party = &model->parties[i];
		if (party->exists && party->pid == pid && party->key != pid &&
		    party->key < UINT32_MAX && !party->ended && newest_time(model, party) &&
		    (!best || newest_time(model, party) > newest_time(model, best)))
			best = party;
	}
	if (first && !first->ended && oldest(model, first))
		best = NULL;
	if (best && first)
		dissolve(model, first);
	for (size_t i = 0; best && i < model->items_count; i++)
		if (model->items[i].waiting && model->items[i].key == best->key)
			model->items[i].key = pid;
	if (best)
		best->key = pid;
	for (size_t i = model->parties_count; i > 0; i--) {
		party = &model->parties[i - 1];
		if (party->exists && party->pid == pid && party->key != pid &&
		    party->key < UINT32_MAX)
			dissolve(model, party);
	}
}

static void model_finish(struct model *model)
{
	struct item *item;

	while ((item = oldest(model, NULL)))
		leave(model, item, 0);
	for (size_t i = 0; i < model->parties_count; i++)
		model->parties[i].exists = false;
}

/* ---- Records ---- */

#define KERNEL_IP(serial, i) (UINT64_C(0xffff800000000000) + 16 * (serial) + (i))
#define USER_IP(half, i)     (UINT64_C(0x400000) + 4096 * (half) + (i))

/* 0: the callchain is the last field; 1: RAW behind it, READ of a group in front of it; 2: the
 * halves' event */
static struct pk_event events[3];

static void make_events(void)
{
	const uint64_t usual = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;

	events[0].attr.sample_type = usual | PERF_SAMPLE_CALLCHAIN;
	events[1].attr.sample_type =
		usual | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW;
	events[1].attr.read_format = PERF_FORMAT_GROUP;
	events[2].attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	for (size_t i = 0; i < COUNT(events); i++) {
		events[i].usable = true;
		events[i].attr.flags = PERF_ATTR_SAMPLE_ID_ALL;
		pk_layout_init(&events[i].layout, &events[i].attr);
	}
}

struct build {
	uint64_t words[8192];
	size_t count;
	const struct pk_event *event;
	uint64_t time;
};

static void put(struct build *build, uint64_t word)
{
	build->words[build->count++] = word;
}

static struct pk_record finish_record(struct build *build, uint32_t type, uint16_t misc)
{
	build->words[0] = build->count * 8 << 48 | (uint64_t)misc << 32 | type;
	return (struct pk_record){
		.data = (const uint8_t *)build->words,
		.type = type,
		.misc = misc,
		.size = (uint16_t)(8 * build->count),
		.event = build->event,
		.time = build->time,
	};
}

/* How many addresses of the kernel a sample has, and how many a user half; some too many for a
 * record. */
static unsigned int depth_of(uint64_t serial)
{
	return serial % 13 == 0 ? 4000 : serial % 5;
}

static unsigned int length_of(uint64_t half)
{
	return half % 11 == 0 ? 5000 : half % 7;
}

static void put_front(struct build *build, uint64_t serial, size_t task, uint64_t time)
{
	*build = (struct build){.count = 1, .event = &events[serial % 2], .time = time};
	put(build, serial);
	put(build, (uint64_t)tasks[task].tid << 32 | tasks[task].pid);
	put(build, time);
	if (serial % 2) {
		put(build, 2);
		put(build, serial);
		put(build, serial + 1);
	}
}

static void put_tail(struct build *build, uint64_t serial)
{
	if (serial % 2)
		put(build, 4 | serial << 32); /* RAW of 4 bytes */
}

static void put_kernel(struct build *build, uint64_t serial)
{
	for (unsigned int i = 0; i < depth_of(serial); i++)
		put(build, KERNEL_IP(serial, i));
}

/* ---- Comparing ---- */

static void check_chain(const uint8_t *at, uint64_t serial, uint64_t half, uint64_t count)
{
	uint64_t depth = depth_of(serial), user = count - depth;

	check_that(count >= depth);
	for (uint64_t i = 0; i < depth; i++)
		check_that(pk_load_u64(at + 8 * i) == KERNEL_IP(serial, i));
	if (!half || !length_of(half)) {
		check_that(!user);
		return;
	}
	check_that(user >= 2 && pk_load_u64(at + 8 * depth) == PERF_CONTEXT_USER);
	check_that(user - 1 <= length_of(half));
	for (uint64_t i = 0; i + 1 < user; i++)
		check_that(pk_load_u64(at + 8 * (depth + 1 + i)) == USER_IP(half, i));
}

static void check_sample(const struct pk_record *record, const struct written *expected)
{
	uint64_t serial = expected->serial;
	const struct pk_event *event = &events[serial % 2];
	bool alone = !expected->half || !length_of(expected->half);
	struct pk_sample sample;
	uint64_t full;

	check_that(record->type == PERF_RECORD_SAMPLE && record->misc == (serial & 3));
	check_that(pk_sample_decode(event, record, &sample) == PK_OK);
	check_that(sample.ip == serial);
	check_that(sample.chain_flags == (alone ? PK_CHAIN_USER_MISSING : 0));
	check_that(record->size == sample.size + (alone ? PK_CHAIN_TRAILER_SIZE : 0));
	check_chain(sample.callchain.data, serial, expected->half, sample.callchain.count);
	full = depth_of(serial) + (alone ? 0 : 1 + length_of(expected->half));
	check_that(sample.callchain.count == full || record->size > PERF_RECORD_SIZE_MAX - 8);
	if (serial % 2)
		check_that(sample.raw.size == 4 && sample.read.count == 2 &&
			   pk_load_u32(sample.raw.data) == (uint32_t)serial);
}

static void compare(const struct model *model, const struct output *output)
{
	size_t at = 0;

	for (size_t i = 0; i < model->written_count; i++) {
		struct pk_record record = {.data = output->data + at};

		check_that(output->size - at >= 8);
		record.type = pk_load_u32(record.data);
		record.misc = pk_load_u16(record.data + 4);
		record.size = pk_load_u16(record.data + 6);
		check_that(record.size >= 8 && record.size <= output->size - at);
		check_sample(&record, &model->written[i]);
		at += record.size;
	}
	check_that(at == output->size);
}

/* ---- Steps ---- */

struct run {
	struct model model;
	struct merger *merger;
	struct build build;
	uint64_t serial, halves, time;
};

static uint64_t key_of(uint32_t tid, uint64_t cookie)
{
	return tid && tid != UINT32_MAX ? tid : cookie << 32;
}

static void step_sample(struct run *run, size_t task, uint64_t cookie)
{
	const struct item item = {key_of(tasks[task].tid, cookie), cookie, ++run->serial, run->time,
				  false};
	struct pk_record record;

	put_front(&run->build, item.serial, task, run->time);
	put(&run->build, depth_of(item.serial) + 2);
	put_kernel(&run->build, item.serial);
	put(&run->build, PERF_CONTEXT_USER_DEFERRED);
	put(&run->build, cookie);
	put_tail(&run->build, item.serial);
	record = finish_record(&run->build, PERF_RECORD_SAMPLE, item.serial & 3);
	check_that(merger_sample(run->merger, &record, false) == PK_OK);
	model_sample(&run->model, &item, tasks[task].pid);
}

/* Its chain is whole, or ends with the marker: written where it stands. */
static void step_whole(struct run *run, size_t task, bool marker)
{
	uint64_t serial = ++run->serial;
	struct pk_record record;

	if (!marker && !depth_of(serial))
		return;
	put_front(&run->build, serial, task, run->time);
	put(&run->build, depth_of(serial) + marker);
	put_kernel(&run->build, serial);
	if (marker)
		put(&run->build, PERF_CONTEXT_USER_DEFERRED);
	put_tail(&run->build, serial);
	if (!marker)
		put(&run->build, PK_CHAIN_TRAILER_TAG | (uint64_t)PK_CHAIN_USER_MISSING << 32);
	record = finish_record(&run->build, PERF_RECORD_SAMPLE, serial & 3);
	check_that(merger_sample(run->merger, &record, true) == PK_OK);
	deliver(&run->model, serial, 0);
}

static void step_half(struct run *run, size_t task, uint64_t cookie)
{
	uint64_t half = ++run->halves;
	struct pk_record record;

	run->build = (struct build){.count = 1, .event = &events[2], .time = run->time};
	put(&run->build, cookie);
	put(&run->build, length_of(half));
	for (unsigned int i = 0; i < length_of(half); i++)
		put(&run->build, USER_IP(half, i));
	put(&run->build, (uint64_t)tasks[task].tid << 32 | tasks[task].pid);
	put(&run->build, run->time);
	record = finish_record(&run->build, PERF_RECORD_CALLCHAIN_DEFERRED, 2);
	merger_expect(run->merger, &events[2], record.data, 1 + (int)(half % 3));
	check_that(merger_half(run->merger, &record) == PK_OK);
	model_half(&run->model, key_of(tasks[task].tid, cookie), tasks[task].pid, cookie, half);
}

static void step_task(struct run *run, size_t task, uint32_t type)
{
	const uint32_t pid = tasks[task].pid, tid = tasks[task].tid;
	struct party *party = find_party(&run->model, tid);
	struct pk_record record;

	run->build = (struct build){.count = 1, .event = &events[2], .time = run->time};
	put(&run->build, type == PERF_RECORD_COMM ? (uint64_t)pid << 32 | pid : pid);
	put(&run->build, tid);
	put(&run->build, 0);
	record = finish_record(&run->build, type,
			       type == PERF_RECORD_COMM ? PERF_RECORD_MISC_COMM_EXEC : 0);
	check_that(merger_task(run->merger, &record) == PK_OK);
	if (type == PERF_RECORD_COMM)
		model_exec(&run->model, pid);
	else if (type == PERF_RECORD_EXIT)
		model_exit(&run->model, tid, run->time);
	else if (party)
		dissolve(&run->model, party);
}

static void step(struct run *run, struct bytes *in)
{
	unsigned int kind = take_byte(in, 16);
	size_t task = take_byte(in, COUNT(tasks));
	uint64_t cookie = 1 + take_byte(in, 4);

	run->time += 1000;
	merger_time(run->merger, run->time);
	model_time(&run->model, run->time);
	switch (kind) {
	case 0: step_task(run, task, PERF_RECORD_EXIT); break;
	case 1: step_task(run, task, PERF_RECORD_FORK); break;
	case 2: step_task(run, task, PERF_RECORD_COMM); break;
	case 3: run->time += DELAY / 2; break;
	case 4: step_whole(run, task, false); break;
	case 5: step_whole(run, task, true); break;
	case 6:
	case 7:
	case 8:
	case 9: step_half(run, task, cookie); break;
	default: step_sample(run, task, cookie); break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct run run;
	struct bytes in = {data, data + size};
	struct merger_options options = {.bytes_max = UINT64_MAX};
	struct output output = {0};
	struct pk_writer *writer = open_output(&output);

	make_events();
	memset(&run, 0, sizeof(run));
	run.model.max = options.samples_max = take_byte(&in, 20);
	run.time = 1;
	run.merger = merger_new(&options, writer);
	check_that(run.merger != NULL);
	merger_begin(run.merger, true);
	for (int steps = 0; steps < STEPS_MAX && in.at < in.end; steps++)
		step(&run, &in);
	check_that(merger_finish(run.merger) == PK_OK);
	model_finish(&run.model);
	check_that(merger_oldest(run.merger) == PK_NO_TIME);
	check_that(pk_writer_flush(writer) == PK_OK);
	compare(&run.model, &output);
	merger_free(run.merger);
	pk_writer_free(writer);
	free(output.data);
	return 0;
}
