// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "merger.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "room.h"
#include "table.h"
#include "user_half.h"

/* When a task ends, the kernel can write the task's last CALLCHAIN_DEFERRED record after its EXIT.
 * This is the largest delay between the two records, in ns. */
#define END_DELAY UINT64_C(1000000000)

/* Data for each record is prefetched in several steps. Each step reads the data that the previous
 * step has prefetched, and prefetches more. Between two steps for a record, EXPECT_STEP other
 * records are added. */
#define EXPECTED    16
#define EXPECT_STEP 2

struct merger {
	struct merger_options options;
	struct pk_writer *writer;
	bool flags;	   /* samples without their user half get a chain trailer */
	uint64_t time_max; /* time limit of this session, in ns */
	struct line line;
	uint64_t payload; /* bytes of all payloads of records in the line */
	struct room room;
	struct pk_table execs; /* The key is a pid. The value is the time of the last exec plus 1.
				  The entry is removed at the next user half. */
	bool failed;	       /* memory was exhausted */
	struct merger_counts counts;
	/* The tasks of the next records, in the order of the records. It is a ring buffer, and
	 * expected_at counts the entries. */
	struct expected {
		uint32_t tid; /* 0 if the record has no task */
		bool is_half;
	} expected[EXPECTED];
	unsigned int expected_at;
};

/* An entry of the line: a record that has a payload. */
struct held_payload {
	struct held held;
	uint8_t *data;
	size_t size;
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
	struct held *held;

	if (!merger)
		return;
	while ((held = line_first(&merger->line))) {
		if (held->has_payload)
			free(((struct held_payload *)held)->data);
		line_remove_first(&merger->line);
	}
	line_free(&merger->line);
	pk_table_free(&merger->execs);
	room_free(&merger->room);
	free(merger);
}

void merger_start_session(struct merger *merger, bool flags, uint64_t time_max)
{
	merger->flags = flags;
	merger->time_max = time_max;
}

const struct merger_counts *merger_counts(const struct merger *merger)
{
	return &merger->counts;
}

enum pk_status merger_status(const struct merger *merger)
{
	return merger->failed ? PK_NOMEM : pk_writer_status(merger->writer);
}

static enum pk_status no_memory(struct merger *merger)
{
	merger->failed = true;
	return PK_NOMEM;
}

/* ---- Writing: after an error, the writer returns the error in all later calls ---- */

static void write_alone(struct merger *merger, const struct half *half, const uint8_t *record,
			enum merger_reason reason)
{
	half_write_alone(merger->writer, half, record, merger->flags);
	merger->counts.alone[reason]++;
}

/* Writes a sample with its user half. If the user half has no addresses, the sample is written as
 * if the user half were missing. */
static void write_merged(struct merger *merger, const struct half *half, const uint8_t *record,
			 const struct pk_u64s *user)
{
	bool shortened;

	if (pk_unlikely(!user->count)) {
		half_write_alone(merger->writer, half, record, merger->flags);
		merger->counts.empty++;
		return;
	}
	half_write_merged(merger->writer, half, record, user, &shortened);
	merger->counts.merged++;
	merger->counts.shortened += shortened;
}

static void write_payload(struct merger *merger, struct held_payload *payload)
{
	pk_writer_record(merger->writer, held_record(&payload->held), payload->held.size);
	pk_writer_bytes(merger->writer, payload->data, payload->size, 0, 0);
	merger->payload -= payload->size;
	free(payload->data);
}

static void write_held(struct merger *merger, struct held *held)
{
	const struct held_sample *sample = (const struct held_sample *)held;
	const uint8_t *record = held_record(held);
	struct pk_u64s user;

	switch ((enum held_state)held->state) {
	case HELD_PLAIN:
		if (pk_unlikely(held->has_payload))
			write_payload(merger, (struct held_payload *)held);
		else
			pk_writer_record(merger->writer, record, held->size);
		break;
	case HELD_MERGED:
		user = pk_user_half((const uint8_t *)sample->user + sample->user->record);
		write_merged(merger, &sample->half, record, &user);
		break;
	case HELD_ALONE:
		write_alone(merger, &sample->half, record, (enum merger_reason)sample->reason);
		break;
	case HELD_DROPPED:
	case HELD_WAITING: break;
	}
}

/* ---- Writing records that do not wait any more ---- */

#define CACHE_LINE 64

/* The entries of the line are adjacent in memory, but the user halves of samples are in other
 * places, which are not in the processor's cache any more. While an entry is written, the user half
 * of the entry that is FETCH_AHEAD entries later is prefetched. */
#define FETCH_AHEAD 6

/* The last entry whose user half was prefetched, and the number of entries from the entry that is
 * written to this one. */
struct fetched {
	const struct held *last;
	unsigned int ahead;
};

/* Prefetches the user half of a sample. Few user halves are longer than four lines. */
static inline void fetch_half(const struct held *held)
{
	const uint8_t *const half = (const uint8_t *)((const struct held_sample *)held)->user;

	for (unsigned int i = 0; i < 4; i++)
		__builtin_prefetch(half + i * CACHE_LINE);
}

/* Prefetches the user halves of the entries after `held`. */
static inline void fetch_after(const struct merger *merger, const struct held *held,
			       struct fetched *fetched)
{
	if (fetched->ahead)
		fetched->ahead--;
	else
		fetched->last = held;
	while (fetched->last && fetched->ahead < FETCH_AHEAD) {
		fetched->last = line_after(&merger->line, fetched->last);
		fetched->ahead++;
		if (fetched->last && fetched->last->state == HELD_MERGED)
			fetch_half(fetched->last);
	}
}

/* Writes all records that are before the oldest waiting sample. */
static enum pk_status write_ready(struct merger *merger)
{
	struct fetched fetched = {NULL, 0};
	struct held *held;

	while ((held = line_first(&merger->line)) && held->state != HELD_WAITING) {
		fetch_after(merger, held, &fetched);
		write_held(merger, held);
		line_remove_first(&merger->line);
	}
	return merger_status(merger);
}

/* ---- Waiting ---- */

static bool is_waiting(const struct merger *merger)
{
	return merger->room.waiting;
}

/* Ends the waiting of the task's first sample. `user` is the user half of the sample. If it is
 * NULL, the sample gets no user half, and `reason` tells why. */
static void release_first(struct merger *merger, struct room_task *task, const struct held *user,
			  enum merger_reason reason)
{
	struct held_sample *sample = room_remove_sample(&merger->room, task);

	sample->held.state = user ? HELD_MERGED : HELD_ALONE;
	if (user)
		sample->user = user;
	else
		sample->reason = reason;
}

/* Ends the waiting of all samples of a task. They get no user half. */
static void release_task(struct merger *merger, struct room_task *task, enum merger_reason reason)
{
	while (task->first)
		release_first(merger, task, NULL, reason);
	room_remove_half(task);
	room_remove_idle(&merger->room, task);
}

/* Returns the oldest waiting sample, or NULL. It is the first entry of the line, because all
 * entries before it were written. It is also the first waiting sample of its task. */
static struct held_sample *oldest_sample(struct merger *merger)
{
	return is_waiting(merger) ? (struct held_sample *)line_first(&merger->line) : NULL;
}

static void release_oldest(struct merger *merger, enum merger_reason reason)
{
	struct room_task *task = oldest_sample(merger)->task;

	release_first(merger, task, NULL, reason);
	room_remove_idle(&merger->room, task);
	write_ready(merger);
}

static uint64_t held_bytes(const struct merger *merger)
{
	return line_bytes(&merger->line) + merger->payload;
}

/* If too many samples or bytes wait, ends the waiting of the oldest samples. */
static enum pk_status keep_within_bounds(struct merger *merger)
{
	struct merger_counts *counts = &merger->counts;

	while (is_waiting(merger) && (merger->room.waiting > merger->options.samples_max ||
				      held_bytes(merger) > merger->options.bytes_max))
		release_oldest(merger, MERGER_FULL);
	if (merger->room.waiting > counts->samples_most)
		counts->samples_most = merger->room.waiting;
	if (held_bytes(merger) > counts->bytes_most)
		counts->bytes_most = held_bytes(merger);
	return merger_status(merger);
}

/* Removes the user halves that later samples cannot use any more. Each task is checked once for
 * each LINE_PAST bytes that are added. */
static void forget_halves(struct merger *merger)
{
	struct room_task *task;

	while ((task = room_oldest_half(&merger->room)) &&
	       !line_reaches(&merger->line, task->listed_at)) {
		if (task->has_half && line_reaches(&merger->line, task->half_at) &&
		    room_list_again(&merger->room, task) == PK_OK)
			continue;
		room_remove_half(task);
		room_unlist(&merger->room, task);
		room_remove_idle(&merger->room, task);
	}
}

/* Adds a copy of the record to the line. Returns NULL if memory is exhausted. */
static struct held *hold(struct merger *merger, const struct pk_record *record, size_t front,
			 enum held_state state)
{
	const uint64_t before = merger->line.added;
	struct held *held = line_add(&merger->line, front, record->size);

	if (!held) {
		no_memory(merger);
		return NULL;
	}
	held->state = (uint8_t)state;
	memcpy(held_record(held), record->data, record->size);
	if (pk_unlikely((before ^ merger->line.added) >> 20)) /* once for each MiB */
		forget_halves(merger);
	return held;
}

static bool is_empty(struct merger *merger)
{
	return !line_bytes(&merger->line);
}

/* ---- Records that are not changed ---- */

static enum pk_status read_payload(struct pk_reader *reader, uint8_t *out, size_t size)
{
	enum pk_status status = PK_OK;
	const uint8_t *data;
	size_t piece;

	for (size_t at = 0; !status && at < size; at += piece) {
		status = pk_reader_payload(reader, &data, &piece);
		if (!status)
			memcpy(out + at, data, piece);
	}
	return status;
}

static enum pk_status hold_payload(struct merger *merger, const struct pk_record *record,
				   struct pk_reader *reader)
{
	const size_t size = (size_t)record->payload_size;
	uint8_t *data = malloc(size);
	enum pk_status status = data ? read_payload(reader, data, size) : no_memory(merger);
	struct held_payload *held = NULL;

	if (!status)
		held = (struct held_payload *)hold(merger, record, sizeof(*held), HELD_PLAIN);
	if (!held) {
		free(data);
		return status ?: PK_NOMEM;
	}
	held->held.has_payload = true;
	held->data = data;
	held->size = size;
	merger->payload += size;
	return keep_within_bounds(merger);
}

/* Records with a payload of more than this number of bytes do not wait in the line. */
#define PAYLOAD_MAX ((uint64_t)16 << 20)

enum pk_status merger_pass(struct merger *merger, const struct pk_record *record,
			   struct pk_reader *reader)
{
	while (pk_unlikely(record->payload_size > PAYLOAD_MAX) && is_waiting(merger))
		release_oldest(merger, MERGER_FULL);
	if (is_empty(merger))
		return pk_writer_copy(merger->writer, reader, record);
	if (pk_unlikely(record->payload_size))
		return hold_payload(merger, record, reader);
	if (!hold(merger, record, sizeof(struct held), HELD_PLAIN))
		return PK_NOMEM;
	return keep_within_bounds(merger);
}

uint8_t *merger_copy(struct merger *merger, const struct pk_record *record)
{
	struct held *held;

	if (is_empty(merger))
		return pk_writer_extend(merger->writer, record, 0);
	held = hold(merger, record, sizeof(*held), HELD_PLAIN);
	return held ? held_record(held) : NULL;
}

/* ---- Samples ---- */

static struct held_sample *hold_sample(struct merger *merger, const struct pk_record *record,
				       const struct half *half, enum held_state state)
{
	struct held_sample *sample =
		(struct held_sample *)hold(merger, record, sizeof(*sample), state);

	if (!sample)
		return NULL;
	sample->half = *half;
	sample->time = record->time;
	return sample;
}

/* Adds a sample whose user half was read before the sample. */
static enum pk_status add_late(struct merger *merger, struct room_task *task,
			       const struct half *half, const struct pk_record *record)
{
	struct held *const late = task->half; /* saved here, because hold() can remove the task */
	const struct pk_u64s user = pk_user_half(held_record(late));
	struct held_sample *sample;

	merger->counts.late++;
	merger->counts.used += !task->half_used;
	task->half_used = true;
	if (is_empty(merger)) {
		write_merged(merger, half, record->data, &user);
		return merger_status(merger);
	}
	sample = hold_sample(merger, record, half, HELD_MERGED);
	if (!sample)
		return PK_NOMEM;
	sample->user = late;
	return keep_within_bounds(merger);
}

static enum pk_status add_waiting(struct merger *merger, const struct half *half,
				  const struct pk_record *record, uint64_t key, uint32_t pid)
{
	struct held_sample *sample = hold_sample(merger, record, half, HELD_WAITING);
	struct room_task *task = room_find(&merger->room, key);

	if (!sample)
		return PK_NOMEM;
	if (!task)
		task = room_add(&merger->room, key, pid);
	if (!task) {
		sample->held.state = HELD_ALONE;
		sample->reason = MERGER_FULL;
		return no_memory(merger);
	}
	room_put_sample(&merger->room, task, sample);
	return keep_within_bounds(merger);
}

/* Returns the user half that later samples with this cookie can use, or NULL. */
static struct held *half_for(const struct merger *merger, const struct room_task *task,
			     uint64_t cookie)
{
	return task && task->has_half && task->cookie == cookie &&
			       line_reaches(&merger->line, task->half_at)
		       ? task->half
		       : NULL;
}

static enum pk_status add_half_sample(struct merger *merger, const struct pk_record *record,
				      const struct half *half, bool derived)
{
	const uint16_t at = record->event->layout.tid;
	const struct perf_task of = at ? *pk_record_task(record, at) : (struct perf_task){0, 0};
	uint64_t key = room_key(of.tid, half->cookie);
	struct room_task *task = room_find(&merger->room, key);

	if (half_for(merger, task, half->cookie))
		return add_late(merger, task, half, record);
	if (derived)
		key = room_key(ROOM_STRAY, half->cookie);
	return add_waiting(merger, half, record, key, of.pid);
}

static enum pk_status add_without_cookie(struct merger *merger, const struct pk_record *record,
					 const struct half *half)
{
	struct held_sample *sample;

	if (is_empty(merger)) {
		write_alone(merger, half, record->data, MERGER_NO_COOKIE);
		return merger_status(merger);
	}
	sample = hold_sample(merger, record, half, HELD_ALONE);
	if (!sample)
		return PK_NOMEM;
	sample->reason = MERGER_NO_COOKIE;
	return keep_within_bounds(merger);
}

enum pk_status merger_sample(struct merger *merger, const struct pk_record *record, bool trailers,
			     bool derived)
{
	struct half half;

	switch (half_of(record, trailers, &half)) {
	case HALF_NONE: break;
	case HALF_BAD: return PK_CORRUPT;
	case HALF_WITH_COOKIE:
		merger->counts.samples++;
		return add_half_sample(merger, record, &half, derived);
	case HALF_WITHOUT:
		merger->counts.samples++;
		return add_without_cookie(merger, record, &half);
	}
	return merger_pass(merger, record, NULL);
}

/* ---- User halves ---- */

/* Ends the waiting of the task's samples up to the last sample with the cookie. Samples before
 * those with the cookie belong to earlier entries to the kernel. Their user halves are lost.
 * Samples after those with the cookie belong to later entries to the kernel. These later samples
 * keep waiting, because this user half came late. Returns true if a sample has used the user half.
 */
static bool release_waiting(struct merger *merger, struct room_task *task, uint64_t cookie,
			    const struct held *half)
{
	bool used = false;

	while (task->first) {
		bool same = task->first->half.cookie == cookie;

		if (used && !same)
			break;
		used |= same;
		release_first(merger, task, same ? half : NULL, MERGER_PASSED);
	}
	return used;
}

/* Ends the waiting of samples whose key is made of the cookie. These samples can belong to another
 * task than the user half. exec is 0, or the time + 1 of an exec. Samples before this exec get no
 * user half. */
static bool release_strays(struct merger *merger, uint64_t cookie, const struct held *half,
			   uint64_t exec)
{
	struct room_task *task = room_find(&merger->room, room_key(ROOM_STRAY, cookie));
	bool used = false;

	if (!task)
		return false;
	while (task->first && task->first->time + 1 < exec)
		release_first(merger, task, NULL, MERGER_EXECUTED);
	if (task->first)
		used = release_waiting(merger, task, cookie, half);
	room_remove_idle(&merger->room, task);
	return used;
}

/* If this is the task's first user half after an exec, returns the time of the exec + 1. Otherwise,
 * returns 0. */
static uint64_t take_exec(struct merger *merger, uint32_t tid)
{
	const uint64_t exec = merger->execs.count ? pk_table_get_u64(&merger->execs, tid) : 0;

	if (pk_unlikely(exec))
		pk_table_remove(&merger->execs, tid);
	return exec;
}

static enum pk_status add_half(struct merger *merger, const struct pk_record *record,
			       const struct perf_task *id, uint64_t cookie)
{
	struct room *room = &merger->room;
	const uint64_t key = room_key(id->tid, cookie);
	struct room_task *task = room_find(room, key);
	const uint64_t exec = take_exec(merger, id->tid);
	struct held *half;
	bool used = false;

	if (half_for(merger, task, cookie)) { /* the kernel repeats a user half for each event that
					       * defers callchains */
		merger->counts.repeated++;
		return merger->options.keep ? merger_pass(merger, record, NULL) : PK_OK;
	}
	half = hold(merger, record, sizeof(*half),
		    merger->options.keep ? HELD_PLAIN : HELD_DROPPED);
	if (!half)
		return PK_NOMEM;
	task = room_find(room, key); /* looked up again: hold() can remove tasks */
	if (pk_unlikely(room->strays && key <= UINT32_MAX))
		used = release_strays(merger, cookie, half, exec);
	if (!task)
		task = room_add(room, key, id->pid);
	if (!task)
		return no_memory(merger);
	room_remove_half(task);
	used |= release_waiting(merger, task, cookie, half);
	merger->counts.used += used;
	task->cookie = cookie;
	if (room_put_half(room, task, half, used) != PK_OK) {
		room_remove_idle(room, task);
		return no_memory(merger);
	}
	return PK_OK;
}

enum pk_status merger_half(struct merger *merger, const struct pk_record *record)
{
	const struct perf_record_callchain_deferred *half = (const void *)record->data;
	const struct pk_layout *layout = record->event ? &record->event->layout : NULL;
	struct perf_task id = {0};
	enum pk_status status;

	if (layout && layout->trailer.tid &&
	    record->size >= sizeof(struct perf_header) + layout->trailer.size)
		id = *pk_record_task(record, record->size - layout->trailer.tid);
	merger->counts.halves++;
	status = add_half(merger, record, &id, half->cookie);
	if (!status)
		status = write_ready(merger);
	return status ?: keep_within_bounds(merger);
}

/* ---- Prefetching ---- */

/* gcc thinks that a function that only prefetches has no effect. So it removes calls of this
 * function unless they are inlined. */
#define INLINED static inline __attribute__((always_inline))

/* Prefetches the first and the last byte of the thing. */
INLINED void fetch(const void *thing, size_t size)
{
	__builtin_prefetch(thing);
	__builtin_prefetch((const uint8_t *)thing + size - 1);
}

/* Returns the task of a record. Whether the record is a sample or a user half is random, so the
 * expressions avoid branches, which would be mispredicted. */
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
	__builtin_prefetch(task);
	task = expected_task(merger, 2);
	if (task && task->first) {
		fetch(task->first, sizeof(*task->first));
		fetch(task->last, sizeof(*task->last));
	}
}

/* ---- Tasks ---- */

enum pk_status merger_time(struct merger *merger, uint64_t time)
{
	const struct held_sample *sample;
	struct room_task *task;
	bool released = false;

	while (merger->room.ends.count && (task = room_oldest_end(&merger->room)) &&
	       time > task->end && time - task->end > END_DELAY) {
		release_task(merger, task, MERGER_ENDED);
		released = true;
	}
	if (released)
		write_ready(merger);
	while (merger->time_max && (sample = oldest_sample(merger)) && time > sample->time &&
	       time - sample->time > merger->time_max)
		release_oldest(merger, MERGER_LATE);
	return merger_status(merger);
}

/* Handles an exec. The thread that called exec now has the process's id as its tid. Its next user
 * half belongs to the new program, so the addresses in it are not in the maps of earlier samples.
 * The other threads of the process have ended. */
static enum pk_status execute(struct merger *merger, uint32_t pid, uint64_t time)
{
	struct room_task *task = room_find(&merger->room, pid);

	if (time != PK_NO_TIME && pk_table_set_u64(&merger->execs, pid, time + 1) != PK_OK)
		return no_memory(merger);
	if (task)
		release_task(merger, task, task->has_ended ? MERGER_ENDED : MERGER_EXECUTED);
	while ((task = room_take_thread(&merger->room, pid)))
		if (room_end(&merger->room, task, time) != PK_OK)
			return no_memory(merger);
	return write_ready(merger);
}

enum pk_status merger_task(struct merger *merger, const struct pk_record *record)
{
	bool marked = record->misc & PERF_RECORD_MISC_COMM_EXEC; /* FORK_EXEC is the same bit */
	bool is_comm = record->type == PERF_RECORD_COMM;
	const struct perf_record_comm *comm = (const void *)record->data;
	const struct perf_record_task *other = (const void *)record->data;
	struct room_task *task;

	if (is_comm)
		return marked ? execute(merger, comm->pid, record->time) : PK_OK;
	task = room_find(&merger->room, other->tid);
	if (task && record->type == PERF_RECORD_EXIT)
		return room_end(&merger->room, task, record->time) == PK_OK ? PK_OK
									    : no_memory(merger);
	if (!task || marked)
		return PK_OK;
	release_task(merger, task, MERGER_ENDED); /* a new thread has the tid of the old thread */
	return write_ready(merger);
}

enum pk_status merger_finish(struct merger *merger)
{
	struct room *room = &merger->room;
	const struct held_sample *sample;
	struct room_task *task;

	while ((sample = oldest_sample(merger)))
		release_oldest(merger, sample->task->has_ended ? MERGER_ENDED : MERGER_FINISHED);
	while ((task = room_oldest_half(room))) {
		room_remove_half(task);
		room_remove_idle(room, task);
	}
	pk_table_clear(&merger->execs);
	return merger_status(merger);
}
