// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pkutil.h"
#include "split_name.h"
#include "split_state.h"
#include "unfinished.h"
#include "vector.h"

/* perf queues all records until the next FINISHED_ROUND: one is written after this many bytes. */
#define ROUND_SIZE ((uint64_t)1 << 20)

enum pk_status split_fail(struct split *split, const char *what, int error)
{
	if (!split->failed)
		pk_error("%s: %s", what, strerror(error));
	split->failed = true;
	return PK_IO;
}

/* ---- One of the streams ---- */

struct output {
	struct split *split;
	bool symbolized, ordered, finished;
	int fd;
	struct pk_writer *writer;
	struct pk_stage *stage;
	struct pk_dictionary *dictionary;
	struct pk_stack_copy copy;
	uint64_t round;	 /* size at the last FINISHED_ROUND */
	uint32_t *tasks; /* the tasks whose records are needed */
	size_t tasks_count, tasks_capacity;
	struct record_cursor *cursors; /* a heap, the smallest number first */
	size_t cursors_count;
};

/* ---- Selecting tasks ---- */

static bool want(struct output *out, uint32_t key)
{
	struct split_task *task = pk_table_get(&out->split->tasks, key);

	if (!task || task->wanted == out->split->streams)
		return true;
	task->wanted = out->split->streams;
	if (!pk_reserve(&out->tasks, &out->tasks_capacity, out->tasks_count, 1,
			sizeof(*out->tasks)))
		return false;
	out->tasks[out->tasks_count++] = key;
	return true;
}

/* Finds the tasks of the samples, and their ancestors. */
static bool find_tasks(struct output *out, const struct split_value *value)
{
	const struct split_task *task;

	for (size_t i = 0; i < value->tasks.capacity; i++)
		if (value->tasks.slots[i].value && !want(out, (uint32_t)value->tasks.slots[i].key))
			return false;
	for (size_t i = 0; i < out->tasks_count; i++) {
		task = pk_table_get(&out->split->tasks, out->tasks[i]);
		for (size_t j = 0; j < task->parents_count; j++)
			if (!want(out, task->parents[j]))
				return false;
	}
	return true;
}

/* ---- The records of several lists, in the order of the input ---- */

static void heap_down(struct output *out, size_t at)
{
	struct record_cursor *heap = out->cursors, kept;
	const size_t count = out->cursors_count;

	for (size_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
		if (child + 1 < count && heap[child + 1].number < heap[child].number)
			child++;
		if (heap[at].number <= heap[child].number)
			return;
		kept = heap[at];
		heap[at] = heap[child];
		heap[child] = kept;
	}
}

/* Skips empty lists. */
static bool open_list(struct output *out, struct record_list *list)
{
	struct record_cursor *cursor = &out->cursors[out->cursors_count];
	int more;

	if (!record_cursor_start(cursor, out->split->lists, list))
		return false;
	more = record_cursor_next(cursor);
	if (more > 0)
		out->cursors_count++;
	else
		record_cursor_end(cursor);
	return more >= 0;
}

static bool open_lists(struct output *out, struct split_value *value)
{
	struct split_task *task;

	out->cursors = calloc(out->tasks_count + 2, sizeof(*out->cursors));
	if (!out->cursors || !open_list(out, &out->split->common) ||
	    !open_list(out, &value->samples))
		return false;
	for (size_t i = 0; i < out->tasks_count; i++) {
		task = pk_table_get(&out->split->tasks, out->tasks[i]);
		if (!open_list(out, &task->records))
			return false;
	}
	for (size_t i = out->cursors_count / 2; i-- > 0;)
		heap_down(out, i);
	return true;
}

/* Moves to the next record. */
static bool advance(struct output *out)
{
	int more = record_cursor_next(&out->cursors[0]);

	if (more < 0)
		return false;
	if (!more) {
		record_cursor_end(&out->cursors[0]);
		out->cursors[0] = out->cursors[--out->cursors_count];
	}
	heap_down(out, 0);
	return true;
}

/* ---- Writing ---- */

/* FINISHED_ROUND directly after another one has no effect. */
static bool is_needless(struct output *out, const struct pk_record *record)
{
	if (record->type != PERF_RECORD_FINISHED_ROUND)
		return false;
	if (pk_writer_size(out->writer) == out->round)
		return true;
	out->round = pk_writer_size(out->writer) + record->size;
	return false;
}

static void finish_round(struct output *out)
{
	if (!out->ordered || pk_writer_size(out->writer) - out->round < ROUND_SIZE)
		return;
	pk_writer_append(out->writer, PERF_RECORD_FINISHED_ROUND, 0, sizeof(struct perf_header));
	out->round = pk_writer_size(out->writer);
}

static bool write_sample(struct output *out, const struct pk_record *record)
{
	const size_t at = record->size - sizeof(struct pk_trailer);
	const struct pk_trailer *trailer = pk_trailer_at(record->data + at);
	uint32_t stack = 0;
	bool failed = false;
	uint8_t *data;

	if (!out->symbolized || trailer->tag != PK_STACK_TRAILER_TAG) {
		pk_writer_record(out->writer, record->data, record->size);
		return true;
	}
	stack = pk_stack_copy(&out->copy, trailer->value, &failed);
	data = pk_writer_extend(out->writer, record, 0);
	if (data)
		pk_trailer_put(data + at, PK_STACK_TRAILER_TAG, stack);
	return !failed;
}

static bool write_entry(struct output *out, const struct record_cursor *entry)
{
	struct pk_record record = pk_record_at(entry->data);
	bool good = true;

	record.time = PK_NO_TIME;
	record.payload_size = entry->data_size - record.size;
	if (out->stage && pk_stage_record(out->stage, &record, out->split->run->swapped))
		return true;
	if (is_needless(out, &record))
		return true;
	if (record.type == PERF_RECORD_SAMPLE) {
		good = write_sample(out, &record);
	} else {
		pk_writer_record(out->writer, record.data, record.size);
		if (record.payload_size)
			pk_writer_bytes(out->writer, record.data + record.size,
					(size_t)record.payload_size, 0, 0);
	}
	finish_round(out);
	return good;
}

/* Each stream reports the losses of its session. */
static void add_losses(const struct output *out)
{
	const struct pk_losses *now = &out->split->run->own, *then = &out->split->losses;

	for (int cause = 0; cause < PK_LOSS_CAUSE_MAX; cause++)
		pk_stage_lose(out->stage, (enum pk_loss_cause)cause,
			      now->causes[cause].count - then->causes[cause].count,
			      now->causes[cause].total - then->causes[cause].total);
}

static bool write_records(struct output *out)
{
	const struct pk_record begin = {.type = PK_RECORD_BEGIN};

	if (out->stage)
		pk_stage_record(out->stage, &begin, false);
	else
		pk_writer_header(out->writer);
	while (out->cursors_count)
		if (!write_entry(out, &out->cursors[0]) || !advance(out))
			return false;
	if (out->stage) {
		add_losses(out);
		if (out->split->run->enough)
			pk_stage_enough(out->stage);
		pk_stage_end(out->stage, out->split->run->complete);
	}
	return true;
}

/* Whether it is an incomplete file of an earlier run: not of another user, and no other program has
 * locked it. */
static bool is_old_part(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return false;
	if (S_ISREG(st.st_mode) && st.st_uid == geteuid())
		return !flock(fd, LOCK_EX | LOCK_NB);
	errno = EEXIST;
	return false;
}

static bool remove_old_part(const char *path, int flags)
{
	const int fd = open(path, flags);
	const bool removed = fd >= 0 && is_old_part(fd) && !unlink(path);
	const int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
	return removed;
}

/* Creates and locks the file. -1 with errno. */
static int create_part(const char *path, int flags)
{
	int fd = open(path, flags | O_CREAT | O_EXCL, 0600), error;

	if (fd < 0 && errno == EEXIST && remove_old_part(path, flags))
		fd = open(path, flags | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	error = errno;
	unlink(path);
	close(fd);
	errno = error;
	return -1;
}

static int open_part(const char *path, bool begun)
{
	const int flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd;

	if (begun) {
		fd = open(path, flags | O_APPEND);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
			close(fd);
			return -1;
		}
		return fd;
	}
	pk_unfinished_block();
	fd = create_part(path, flags);
	if (fd < 0) {
		pk_unfinished_cancel();
		return -1;
	}
	if (pk_unfinished_add(path))
		return fd;
	unlink(path);
	close(fd);
	errno = ENOMEM;
	return -1;
}

static bool open_writer(struct output *out)
{
	const struct split_options *options = &out->split->options;
	const struct pk_writer_options writer = {.fd = out->fd};
	const struct pk_stage_options stage = {
		.program = pk_cli_program(),
		.argc = options->argc,
		.argv = options->argv,
		.order = out->ordered ? PK_ORDER_PROCESSING : PK_ORDER_NONE,
		.anonymous = options->anonymous,
	};

	if (pk_writer_new(&writer, &out->writer) ||
	    (!options->strip && pk_stage_new(out->writer, &stage, &out->stage)))
		return false;
	out->dictionary = pk_dictionary_new(out->writer);
	out->copy.from = out->split->stacks;
	out->copy.to = out->dictionary;
	return out->dictionary;
}

static void free_output(struct output *out)
{
	for (size_t i = 0; i < out->cursors_count; i++)
		record_cursor_end(&out->cursors[i]);
	free(out->cursors);
	free(out->tasks);
	pk_stack_copy_free(&out->copy);
	pk_dictionary_free(out->dictionary);
	pk_stage_free(out->stage);
	pk_writer_free(out->writer);
}

/* Builds the names of the file. False: out of memory. */
static bool name_file(struct split *split, struct split_value *value)
{
	const char *pattern = split->options.pattern, *text;
	size_t size = 0;

	text = pk_texts_get(&split->names, (uint32_t)value->id, &size);
	value->path = split_name_of(pattern, text, size, value->id, false);
	value->part = value->path ? split_name_of(pattern, text, size, value->id, true) : NULL;
	return value->part;
}

/* The file was not created: nothing to rename or remove. */
static void forget_names(struct split_value *value)
{
	free(value->part);
	free(value->path);
	value->part = value->path = NULL;
}

static enum pk_status write_file(struct output *out, struct split_value *value)
{
	errno = ENOMEM;
	if (!open_writer(out) || !find_tasks(out, value) || !open_lists(out, value) ||
	    !write_records(out))
		return split_fail(out->split, value->part, errno);
	if (pk_writer_flush(out->writer))
		return split_fail(out->split, value->part, pk_writer_errno(out->writer));
	return PK_OK;
}

enum pk_status split_write(struct split *split, struct split_value *value, bool symbolized,
			   bool ordered)
{
	struct output out = {.split = split, .symbolized = symbolized, .ordered = ordered};
	const bool begun = value->part;
	enum pk_status status;

	split->streams++;
	if (!begun && !name_file(split, value))
		return split_fail(split, "names", ENOMEM);
	if (!begun)
		split->refused = pk_refuse_input(value->path);
	if (split->refused) {
		forget_names(value);
		split->failed = true;
		return PK_IO;
	}
	out.fd = open_part(value->part, begun);
	if (out.fd < 0) {
		status = split_fail(split, value->part, errno);
		if (!begun) /* it belongs to another program */
			forget_names(value);
		return status;
	}
	status = write_file(&out, value);
	free_output(&out);
	if (close(out.fd) && !status)
		status = split_fail(split, value->part, errno);
	return status;
}
