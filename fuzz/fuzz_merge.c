/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-merge-callchains/merger.c pk-merge-callchains/room.c */
/* Tests samples, deferred user callchains, and events of tasks in any order. The output is compared
 * with a simple model of pk-merge-callchains. Each sample must be written once, in its place, and
 * with the callchain of the model. */
#include "merge_model.h"
#include "merger.h"
#include "pkprivate.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

/* ---- Records ---- */

#define KERNEL_IP(serial, i) (UINT64_C(0xffff800000000000) + 16 * (serial) + (i))
#define USER_IP(half, i)     (UINT64_C(0x400000) + 4096 * (half) + (i))

/* In samples of event 0, the callchain is the last field. In samples of event 1, RAW follows the
 * callchain, and READ of a group comes before it. Event 2 is the event of deferred user callchains.
 */
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

/* Puts two u32 in this order, also on a big-endian machine. */
static void put_pair(struct build *build, uint32_t first, uint32_t second)
{
	const uint32_t pair[] = {first, second};

	memcpy(&build->words[build->count++], pair, sizeof(pair));
}

static struct pk_record finish_record(struct build *build, uint32_t type, uint16_t misc)
{
	const struct perf_header header = {type, misc, (uint16_t)(8 * build->count)};

	memcpy(build->words, &header, sizeof(header));
	return (struct pk_record){
		.data = (const uint8_t *)build->words,
		.type = type,
		.misc = misc,
		.size = (uint16_t)(8 * build->count),
		.event = build->event,
		.time = build->time,
	};
}

/* depth_of() returns the number of kernel addresses of a sample, and length_of() the number of
 * addresses of a user callchain. Some of these numbers are too large for a record. */
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
	put_pair(build, tasks[task].pid, tasks[task].tid);
	put(build, time);
	if (serial % 2) {
		put(build, 2);
		put(build, serial);
		put(build, serial + 1);
	}
}

static void put_kernel(struct build *build, uint64_t serial, unsigned int more)
{
	put(build, depth_of(serial) + more);
	for (unsigned int i = 0; i < depth_of(serial); i++)
		put(build, KERNEL_IP(serial, i));
}

static void put_tail(struct build *build, uint64_t serial)
{
	if (serial % 2)
		put_pair(build, 4, (uint32_t)serial); /* RAW with 4 bytes */
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

static void check_sample(const struct pk_record *record, const struct item *expected)
{
	uint64_t serial = expected->serial;
	const struct pk_event *event = &events[serial % 2];
	bool alone = !expected->half || !length_of(expected->half);
	struct pk_sample sample;
	uint64_t full;

	check_that(record->type == PERF_RECORD_SAMPLE && record->misc == (serial & 3));
	check_that(pk_sample_decode(event, record, &sample) == PK_OK && sample.ip == serial);
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

	for (size_t i = 0; i < model->items_count; i++) {
		struct pk_record record;

		check_that(output->size - at >= sizeof(struct perf_header));
		record = pk_record_at(output->data + at);
		check_that(record.size >= sizeof(struct perf_header) &&
			   record.size <= output->size - at);
		check_sample(&record, &model->items[i]);
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
	const struct item item = {.key = key_of(tasks[task].tid, cookie),
				  .cookie = cookie,
				  .serial = ++run->serial,
				  .time = run->time};
	const bool derived = item.serial % 7 == 6;
	struct pk_record record;

	put_front(&run->build, item.serial, task, run->time);
	put_kernel(&run->build, item.serial, 2);
	put(&run->build, PERF_CONTEXT_USER_DEFERRED);
	put(&run->build, cookie);
	put_tail(&run->build, item.serial);
	record = finish_record(&run->build, PERF_RECORD_SAMPLE, item.serial & 3);
	check_that(merger_sample(run->merger, &record, false, derived) == PK_OK);
	model_sample(&run->model, item, tasks[task].pid, derived ? key_of(0, cookie) : 0);
}

/* Adds a sample that does not wait. Its callchain is complete, or ends with a marker. So it is
 * written at once. */
static void step_whole(struct run *run, size_t task, bool marker)
{
	uint64_t serial = ++run->serial;
	struct pk_record record;

	if (!marker && !depth_of(serial))
		return;
	put_front(&run->build, serial, task, run->time);
	put_kernel(&run->build, serial, marker);
	if (marker)
		put(&run->build, PERF_CONTEXT_USER_DEFERRED);
	put_tail(&run->build, serial);
	if (!marker)
		put_pair(&run->build, PK_CHAIN_TRAILER_TAG, PK_CHAIN_USER_MISSING);
	record = finish_record(&run->build, PERF_RECORD_SAMPLE, serial & 3);
	check_that(merger_sample(run->merger, &record, true, false) == PK_OK);
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
	put_pair(&run->build, tasks[task].pid, tasks[task].tid);
	put(&run->build, run->time);
	record = finish_record(&run->build, PERF_RECORD_CALLCHAIN_DEFERRED, 2);
	merger_expect(run->merger, &events[2], record.data);
	check_that(merger_half(run->merger, &record) == PK_OK);
	model_half(&run->model, key_of(tasks[task].tid, cookie), tasks[task].pid, cookie, half,
		   key_of(0, cookie));
}

static void step_task(struct run *run, size_t task, uint32_t type)
{
	const uint32_t pid = tasks[task].pid, tid = tasks[task].tid;
	struct party *party = find_party(&run->model, tid);
	bool comm = type == PERF_RECORD_COMM;
	struct pk_record record;

	run->build = (struct build){.count = 1, .event = &events[2], .time = run->time};
	put_pair(&run->build, pid, comm ? pid : 0);
	put_pair(&run->build, tid, 0);
	put(&run->build, 0);
	record = finish_record(&run->build, type, comm ? PERF_RECORD_MISC_COMM_EXEC : 0);
	check_that(merger_task(run->merger, &record) == PK_OK);
	if (comm)
		model_exec(&run->model, pid, run->time);
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
	check_that(merger_time(run->merger, run->time) == PK_OK);
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
	run.model.time_max = options.samples_max % 3 ? 0 : DELAY;
	run.time = 1;
	run.merger = merger_new(&options, writer);
	check_that(run.merger != NULL);
	merger_start_session(run.merger, true, run.model.time_max);
	for (int steps = 0; steps < STEPS_MAX && in.at < in.end; steps++)
		step(&run, &in);
	check_that(merger_finish(run.merger) == PK_OK);
	model_finish(&run.model);
	check_that(pk_writer_flush(writer) == PK_OK);
	compare(&run.model, &output);
	merger_free(run.merger);
	pk_writer_free(writer);
	free(output.data);
	return 0;
}
