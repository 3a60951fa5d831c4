// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "merger.h"
#include "pkutil.h"
#include "room.h"

/* The kernel can write the user half of a task's last entry to the kernel after the task's EXIT:
 * the maximum delay, in ns. */
#define END_DELAY UINT64_C(1000000000)

/* Each record is prefetched for in steps: what one step reads, the step before it has prefetched.
 * A step comes EXPECT_STEP records after the previous one. */
#define EXPECTED    16
#define EXPECT_STEP 2

struct merger {
	struct merger_options options;
	struct pk_writer *writer;
	bool flags; /* samples can get a chain trailer */
	struct room room;
	struct merger_counts counts;
	/* The tasks of the next records, in their order, up to the one at expected_at. */
	struct expected {
		uint32_t tid; /* 0: none */
		bool is_half;
	} expected[EXPECTED];
	unsigned int expected_at;
};

_Static_assert(3 * EXPECT_STEP < MERGER_AHEAD, "the last step comes before the record");

struct merger *merger_new(const struct merger_options *options, struct pk_writer *writer)
{
	struct merger *merger = calloc(1, sizeof(*merger));

	if (!merger)
		return NULL;
	merger->options = *options;
	merger->writer = writer;
	return merger;
}

void merger_free(struct merger *merger)
{
	if (!merger)
		return;
	room_free(&merger->room);
	free(merger);
}

void merger_start_session(struct merger *merger, bool flags)
{
	merger->flags = flags;
}

const struct merger_counts *merger_counts(const struct merger *merger)
{
	return &merger->counts;
}

uint64_t merger_oldest(struct merger *merger)
{
	const struct room_sample *sample = room_oldest_sample(&merger->room);

	return sample ? sample->time : PK_NO_TIME;
}

/* ---- Writing; errors stick to the writer ---- */

static void write_alone(struct merger *merger, const struct half *half, struct chunk_reader *from,
			enum merger_reason reason)
{
	half_write_alone(merger->writer, half, from, merger->flags);
	merger->counts.alone[reason]++;
}

/* A user half without addresses is handled like a missing one. */
static void write_merged(struct merger *merger, const struct half *half, struct chunk_reader *from,
			 const struct user_half *user)
{
	bool shortened;

	if (pk_unlikely(!user->count)) {
		half_write_alone(merger->writer, half, from, merger->flags);
		merger->counts.empty++;
		return;
	}
	half_write_merged(merger->writer, half, from, user, &shortened);
	merger->counts.merged++;
	merger->counts.shortened += shortened;
}

/* Writes the task's first sample. user is its user half; NULL: it has none, for this reason. */
static void release_first(struct merger *merger, struct room_task *task,
			  const struct user_half *user, enum merger_reason reason)
{
	const struct room_sample *sample = task->first;
	struct chunk_reader from;

	room_record(sample, &from);
	if (user)
		write_merged(merger, &sample->half, &from, user);
	else
		write_alone(merger, &sample->half, &from, reason);
	room_remove_sample(&merger->room, task);
}

/* Releases all samples of a task. */
static void release_task(struct merger *merger, struct room_task *task, enum merger_reason reason)
{
	while (task->first)
		release_first(merger, task, NULL, reason);
	room_remove_half(&merger->room, task);
	room_remove_idle(&merger->room, task);
}

static void release_oldest(struct merger *merger, enum merger_reason reason)
{
	struct room_task *task = room_oldest_sample(&merger->room)->task;

	release_first(merger, task, NULL, reason);
	room_remove_idle(&merger->room, task);
}

static bool is_full(const struct merger *merger)
{
	return merger->room.chunks.used * CHUNK_SIZE > merger->options.bytes_max;
}

static bool are_too_many(const struct merger *merger)
{
	return merger->room.samples.count > merger->options.samples_max || is_full(merger);
}

/* Stored user halves are removed first: perhaps no sample will need them. */
static void make_room(struct merger *merger)
{
	struct room *room = &merger->room;
	struct room_task *task;

	while (is_full(merger) && (task = room_oldest_half(room))) {
		room_remove_half(room, task);
		room_remove_idle(room, task);
	}
	while (are_too_many(merger) && room->samples.count)
		release_oldest(merger, MERGER_FULL);
}

/* Keeps the limits. */
static void keep_within_bounds(struct merger *merger)
{
	struct merger_counts *counts = &merger->counts;
	const struct room *room = &merger->room;

	if (pk_unlikely(are_too_many(merger)))
		make_room(merger);
	if (room->samples.count > counts->samples_most)
		counts->samples_most = room->samples.count;
	if (room->chunks.used * CHUNK_SIZE > counts->bytes_most)
		counts->bytes_most = room->chunks.used * CHUNK_SIZE;
}

/* ---- Samples ---- */

/* The user half of this sample was read before the sample: the sample is written at once. */
static void merge_late(struct merger *merger, struct room_task *task, const struct half *half,
		       const struct pk_record *record)
{
	struct user_half user = {.count = task->count};
	struct chunk_reader from = chunk_reader_of_bytes(record->data, record->size);

	if (user.count)
		user.ips = chunk_reader_of(task->ips);
	write_merged(merger, half, &from, &user);
	merger->counts.late++;
	merger->counts.used += !task->half_used;
	task->half_used = true;
}

static bool wait_for_half(struct merger *merger, const struct half *half,
			  const struct pk_record *record, struct room_task *task, uint64_t key,
			  uint32_t pid)
{
	if (!task)
		task = room_add(&merger->room, key, pid);
	if (!task)
		return false;
	if (!room_put_sample(&merger->room, task, record, half)) {
		room_remove_idle(&merger->room, task);
		return false;
	}
	keep_within_bounds(merger);
	return true;
}

static enum pk_status add_half_sample(struct merger *merger, const struct pk_record *record,
				      const struct half *half)
{
	const uint16_t at = record->event->layout.tid;
	const struct perf_task of = at ? *pk_record_task(record, at) : (struct perf_task){0, 0};
	const uint64_t key = room_key(of.tid, half->cookie);
	struct room_task *task = room_find(&merger->room, key);

	if (task && task->has_half && task->cookie == half->cookie) {
		merge_late(merger, task, half, record);
		return pk_writer_status(merger->writer);
	}
	if (task)
		room_remove_half(&merger->room, task);
	if (!wait_for_half(merger, half, record, task, key, of.pid))
		return PK_NOMEM;
	return pk_writer_status(merger->writer);
}

enum pk_status merger_sample(struct merger *merger, const struct pk_record *record, bool trailers)
{
	struct chunk_reader from;
	struct half half;

	switch (half_of(record, trailers, &half)) {
	case HALF_NONE: break;
	case HALF_BAD: return PK_CORRUPT;
	case HALF_WITH_COOKIE:
		merger->counts.samples++;
		return add_half_sample(merger, record, &half);
	case HALF_WITHOUT:
		merger->counts.samples++;
		from = chunk_reader_of_bytes(record->data, record->size);
		write_alone(merger, &half, &from, MERGER_NO_COOKIE);
		return pk_writer_status(merger->writer);
	}
	return pk_writer_record(merger->writer, record->data, record->size);
}

/* ---- User halves ---- */

/* Samples before those with the cookie are of earlier entries to the kernel, whose halves are lost.
 * Those after them are of later entries: they were sorted before a half that came late, and keep
 * waiting. True: the half was used. */
static bool release_waiting(struct merger *merger, struct room_task *task, uint64_t cookie,
			    const struct user_half *user)
{
	bool used = false;

	while (task->first) {
		bool same = task->first->half.cookie == cookie;

		if (used && !same)
			break;
		used |= same;
		release_first(merger, task, same ? user : NULL, MERGER_PASSED);
	}
	return used;
}

/* Whether the half was added before, and is still stored, or later samples wait and this one would
 * release them. The kernel writes a half once for each event that defers callchains. */
static bool is_repeated(const struct room_task *task, uint64_t cookie)
{
	if (task->cookie != cookie)
		return false;
	return task->has_half ||
	       (task->half_gone && task->first && task->last->half.cookie != cookie);
}

static bool add_half(struct merger *merger, struct room_task *task, uint64_t cookie,
		     const struct user_half *user)
{
	struct room *room = &merger->room;
	bool used, kept = true;

	if (is_repeated(task, cookie)) {
		merger->counts.repeated++;
		return true;
	}
	room_remove_half(room, task);
	used = release_waiting(merger, task, cookie, user);
	merger->counts.used += used;
	task->half_gone = task->first != NULL;
	task->cookie = cookie;
	if (!task->first)
		kept = room_put_half(room, task, cookie, user, used);
	room_remove_idle(room, task);
	keep_within_bounds(merger);
	return kept;
}

/* In an early version of the kernel interface, the addresses started with PERF_CONTEXT_USER: it is
 * skipped. */
static struct user_half user_half_of(const struct pk_record *record)
{
	const struct perf_record_callchain_deferred *half = (const void *)record->data;
	const size_t one = sizeof(half->ips[0]);
	const uint8_t *ips = (const uint8_t *)half->ips;
	uint64_t count = half->nr, room = (record->size - sizeof(*half)) / one;

	if (count > room)
		count = 0;
	if (count && half->ips[0] == PERF_CONTEXT_USER) {
		count--;
		ips += one;
	}
	return (struct user_half){chunk_reader_of_bytes(ips, one * (size_t)count), count};
}

enum pk_status merger_half(struct merger *merger, const struct pk_record *record)
{
	const struct perf_record_callchain_deferred *half = (const void *)record->data;
	const uint64_t cookie = half->cookie;
	const struct pk_layout *layout = record->event ? &record->event->layout : NULL;
	struct perf_task id = {0};
	struct user_half user = user_half_of(record);
	uint64_t key;
	struct room_task *task;

	if (layout && layout->trailer.tid &&
	    record->size >= sizeof(struct perf_header) + layout->trailer.size)
		id = *pk_record_task(record, record->size - layout->trailer.tid);
	key = room_key(id.tid, cookie);
	merger->counts.halves++;
	task = room_find(&merger->room, key);
	if (!task)
		task = room_add(&merger->room, key, id.pid);
	if (!task || !add_half(merger, task, cookie, &user))
		return PK_NOMEM;
	return pk_writer_status(merger->writer);
}

/* ---- Prefetching ---- */

#define CACHE_LINE 64

/* gcc considers a function that only prefetches as one without effect: it removes calls that are
 * not inlined. */
#define INLINED static inline __attribute__((always_inline))

INLINED void fetch(const void *thing, size_t size)
{
	for (uintptr_t at = (uintptr_t)thing, end = at + size; at < end; at += CACHE_LINE)
		__builtin_prefetch((const void *)at);
}

INLINED void fetch_record(const struct room_sample *sample)
{
	const size_t here = CHUNK_SIZE - sizeof(*sample), size = sample->half.size;

	fetch(sample->bytes, size < here ? size : here);
	if (sample->more)
		fetch(sample->more, sizeof(sample->more->next) + size - here);
	if (sample->next)
		fetch(sample->next, CHUNK_SIZE);
}

/* Samples and user halves alternate at random: the expressions avoid branches. */
static struct expected expected_of(const struct pk_event *event, const uint8_t *data)
{
	const struct pk_layout *layout = &event->layout;
	const struct pk_record record = pk_record_at(data);
	const bool sample = record.type == PERF_RECORD_SAMPLE;
	const size_t size_min = sample ? layout->fixed_size : layout->trailer.size;
	const size_t place = sample ? layout->tid : layout->trailer.tid;

	if ((!sample && record.type != PERF_RECORD_CALLCHAIN_DEFERRED) || !place ||
	    record.size < size_min)
		return (struct expected){0};
	return (struct expected){pk_record_task(&record, sample ? place : record.size - place)->tid,
				 !sample};
}

static const struct room_task *expected_task(const struct merger *merger, unsigned int step)
{
	const struct expected *expected =
		&merger->expected[(merger->expected_at - step * EXPECT_STEP) % EXPECTED];

	return room_find(&merger->room, expected->tid);
}

void merger_expect(struct merger *merger, const struct pk_event *event, const uint8_t *data)
{
	const unsigned int at = ++merger->expected_at % EXPECTED;
	const struct room_task *task;

	merger->expected[at] = data && event ? expected_of(event, data) : (struct expected){0};
	room_prefetch(&merger->room, merger->expected[at].tid);
	task = expected_task(merger, 1);
	fetch(task, CACHE_LINE);
	task = expected_task(merger, 2);
	if (task && task->first) {
		fetch(task->first, CACHE_LINE);
		fetch(task->last, CACHE_LINE);
	} else if (task && task->has_half) {
		fetch(task->ips, CACHE_LINE);
	}
	task = expected_task(merger, 3);
	if (task && task->first && merger->expected[(at - 3 * EXPECT_STEP) % EXPECTED].is_half)
		fetch_record(task->first);
}

/* ---- Tasks ---- */

void merger_time(struct merger *merger, uint64_t time)
{
	struct room_task *task;

	if (pk_likely(!merger->room.ends.count))
		return;
	while (pk_unlikely((task = room_oldest_end(&merger->room)) && time > task->end &&
			   time - task->end > END_DELAY))
		release_task(merger, task, MERGER_ENDED);
}

/* A thread that calls exec continues with the process's id after all other threads have ended, and
 * its user half has that id. It is assumed to be the thread with the newest waiting sample; or the
 * process's first thread, if that has waiting samples and has not ended. */
static bool execute(struct merger *merger, uint32_t pid)
{
	struct room_task *first = room_find(&merger->room, pid), *thread, *youngest = NULL;
	bool is_first = first && first->first && !first->has_ended;

	for (thread = room_thread_of(&merger->room, pid); thread && !is_first;
	     thread = thread->next)
		if (thread->first && !thread->has_ended &&
		    (!youngest || thread->last->time > youngest->last->time))
			youngest = thread;
	if (youngest) {
		if (first)
			release_task(merger, first, MERGER_ENDED);
		if (!room_make_first(&merger->room, youngest))
			return false;
	}
	while ((thread = room_thread_of(&merger->room, pid)))
		release_task(merger, thread, MERGER_ENDED);
	return true;
}

enum pk_status merger_task(struct merger *merger, const struct pk_record *record)
{
	bool marked = record->misc & PERF_RECORD_MISC_COMM_EXEC; /* the same bit as FORK_EXEC */
	bool is_comm = record->type == PERF_RECORD_COMM;
	const struct perf_record_comm *comm = (const void *)record->data;
	const struct perf_record_task *other = (const void *)record->data;
	uint32_t tid = is_comm ? comm->tid : other->tid;
	struct room_task *task = room_find(&merger->room, tid);

	if (is_comm && marked && !execute(merger, comm->pid))
		return PK_NOMEM;
	if (is_comm)
		return pk_writer_status(merger->writer);
	if (task && record->type == PERF_RECORD_EXIT)
		return room_end(&merger->room, task, record->time) ? PK_OK : PK_NOMEM;
	else if (task && record->type == PERF_RECORD_FORK && !marked)
		release_task(merger, task, MERGER_ENDED); /* another thread has its id now */
	return pk_writer_status(merger->writer);
}

enum pk_status merger_finish(struct merger *merger)
{
	struct room *room = &merger->room;
	const struct room_sample *sample;
	struct room_task *task;

	while ((sample = room_oldest_sample(room)))
		release_oldest(merger, sample->task->has_ended ? MERGER_ENDED : MERGER_FINISHED);
	while ((task = room_oldest_half(room)))
		release_task(merger, task, MERGER_FINISHED);
	return pk_writer_status(merger->writer);
}
