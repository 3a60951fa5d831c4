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

#include "context.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "record_lists.h"
#include "split.h"
#include "split_name.h"
#include "stack_copy.h"
#include "table.h"
#include "texts.h"
#include "unfinished.h"
#include "vector.h"

/* ---- State ---- */

/* A thread. The first thread of a process also stands for the process. */
struct split_task {
	struct record_list records;
	uint32_t *parents; /* tids of the tasks whose records are needed if those of this task are
			    * needed */
	size_t parents_count, parents_capacity;
	uint64_t wanted; /* number of the last stream that needs the task */
};

/* A value of the field, and the stream that belongs to it. */
struct split_value {
	size_t id;
	struct split_value *next;   /* the next value that has samples of this session */
	struct record_list samples; /* samples of this session */
	struct pk_table tasks; /* the tasks of these samples; the keys are tids, and the values are
				* not used */
	struct pk_periods *sums; /* sums of the counters in these samples, or NULL */
	uint64_t last;	   /* pid and tid of the last sample; UINT64_MAX before the first sample */
	char *part, *path; /* name of the incomplete file and of the complete file; NULL if there is
			    * no file yet */
};

struct split {
	struct pk_run *run;
	struct split_options options;
	struct record_lists *lists;
	struct pk_texts names; /* texts of values; the id of a text is the index in `values` */
	struct split_value **values;
	size_t values_count;
	struct split_value *first, *last; /* list of the values that have samples of this session */
	uint64_t streams;		  /* number of streams written */
	uint64_t aux;			  /* number of records that belong to no sample */
	bool failed;
	int refused; /* the exit status if an output is also an input; otherwise 0 */
	/* These members are valid for one session: */
	struct pk_table tasks;			   /* struct split_task by tid */
	struct record_list common;		   /* records that all streams need */
	uint64_t number;			   /* number of records that were read so far */
	struct pk_dictionary *dictionary, *stacks; /* `dictionary` is that of the input; `stacks`
						    * has the stacks of all samples */
	struct pk_stack_copy copy;		   /* copies from dictionary to stacks */
	struct pk_losses losses; /* value of run->own at the end of the previous session */
};

/* ---- Writing ---- */

/* perf queues all records until the next FINISHED_ROUND. So a FINISHED_ROUND is written when this
 * number of bytes was written. */
#define ROUND_SIZE ((uint64_t)1 << 20)

/* Prints the first error, and returns PK_FAILED. */
static enum pk_status split_fail(struct split *split, const char *what, int error)
{
	if (!split->failed)
		pk_error("%s: %s", what, strerror(error));
	split->failed = true;
	return PK_FAILED;
}

/* ---- Writing one of the streams ---- */

struct output {
	struct split *split;
	bool symbolized, ordered, finished;
	int fd;
	struct pk_writer *writer;
	struct pk_stage *stage;
	struct pk_dictionary *dictionary;
	struct pk_stack_copy copy;
	uint64_t round;	 /* size of the stream at the last FINISHED_ROUND */
	uint32_t *tasks; /* the tasks whose records the stream needs */
	size_t tasks_count, tasks_capacity;
	struct record_cursor *cursors; /* a heap; the record with the smallest number is first */
	size_t cursors_count;
};

/* ---- Selecting tasks ---- */

static enum pk_status want(struct output *out, uint32_t key)
{
	struct split_task *task = pk_table_get(&out->split->tasks, key);

	if (!task || task->wanted == out->split->streams)
		return PK_OK;
	task->wanted = out->split->streams;
	PK_TRY(pk_reserve(&out->tasks, &out->tasks_capacity, out->tasks_count, 1,
			  sizeof(*out->tasks)));
	out->tasks[out->tasks_count++] = key;
	return PK_OK;
}

/* Finds the tasks of the samples and all ancestors of these tasks. */
static enum pk_status find_tasks(struct output *out, const struct split_value *value)
{
	const struct split_task *task;

	for (size_t i = 0; i < value->tasks.capacity; i++)
		if (value->tasks.slots[i].value)
			PK_TRY(want(out, (uint32_t)value->tasks.slots[i].key));
	for (size_t i = 0; i < out->tasks_count; i++) {
		task = pk_table_get(&out->split->tasks, out->tasks[i]);
		for (size_t j = 0; j < task->parents_count; j++)
			PK_TRY(want(out, task->parents[j]));
	}
	return PK_OK;
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

/* Adds a list to the heap. Empty lists are skipped. */
static enum pk_status open_list(struct output *out, struct record_list *list)
{
	struct record_cursor *cursor = &out->cursors[out->cursors_count];
	int more;

	PK_TRY(record_cursor_start(cursor, out->split->lists, list));
	more = record_cursor_next(cursor);
	if (more > 0)
		out->cursors_count++;
	else
		record_cursor_end(cursor);
	return more >= 0 ? PK_OK : PK_FAILED;
}

static enum pk_status open_lists(struct output *out, struct split_value *value)
{
	struct split_task *task;

	out->cursors = calloc(out->tasks_count + 2, sizeof(*out->cursors));
	if (!out->cursors)
		return PK_NOMEM;
	PK_TRY(open_list(out, &out->split->common));
	PK_TRY(open_list(out, &value->samples));
	for (size_t i = 0; i < out->tasks_count; i++) {
		task = pk_table_get(&out->split->tasks, out->tasks[i]);
		PK_TRY(open_list(out, &task->records));
	}
	for (size_t i = out->cursors_count / 2; i-- > 0;)
		heap_down(out, i);
	return PK_OK;
}

/* Moves to the next record of all lists. */
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

/* Returns true if the record is a FINISHED_ROUND directly after another FINISHED_ROUND. It would
 * have no effect. */
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
	if (out->stage && pk_stage_record(out->stage, &record, out->split->run->input.swapped))
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

/* Adds the losses of the session to the stream. Each stream reports all of them. */
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
		pk_stage_end(out->stage, out->split->run->input.complete);
	}
	return true;
}

/* Returns true if the file is an incomplete file of an earlier run: a regular file of this user
 * that no other program has locked. Locks the file. */
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

/* Creates and locks the file. Returns -1 with errno on failure. */
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
	if (pk_unfinished_add(path) == PK_OK)
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

	if (pk_writer_new(&writer, &out->writer) != PK_OK ||
	    (!options->strip && pk_stage_new(out->writer, &stage, &out->stage) != PK_OK))
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

/* Builds the names of the incomplete and of the complete file. */
static enum pk_status name_file(struct split *split, struct split_value *value)
{
	const char *pattern = split->options.pattern, *text;
	size_t size = 0;

	text = pk_texts_get(&split->names, (uint32_t)value->id, &size);
	value->path = split_name_of(pattern, text, size, value->id, false);
	value->part = value->path ? split_name_of(pattern, text, size, value->id, true) : NULL;
	return value->part ? PK_OK : PK_NOMEM;
}

/* Forgets the names of a file that was not created, so that it will not be renamed or removed. */
static void forget_names(struct split_value *value)
{
	free(value->part);
	free(value->path);
	value->part = value->path = NULL;
}

static enum pk_status write_file(struct output *out, struct split_value *value)
{
	errno = ENOMEM;
	if (!open_writer(out) || find_tasks(out, value) != PK_OK ||
	    open_lists(out, value) != PK_OK || !write_records(out))
		return split_fail(out->split, value->part, errno);
	if (pk_writer_flush(out->writer) != PK_OK)
		return split_fail(out->split, value->part, pk_writer_errno(out->writer));
	return PK_OK;
}

/* Appends the samples of a value to the file of the value, together with all records that the
 * samples need. */
static enum pk_status split_write(struct split *split, struct split_value *value, bool symbolized,
				  bool ordered)
{
	struct output out = {.split = split, .symbolized = symbolized, .ordered = ordered};
	const bool begun = value->part;
	enum pk_status status;

	split->streams++;
	if (!begun && name_file(split, value) != PK_OK)
		return split_fail(split, "names", ENOMEM);
	if (!begun)
		split->refused = pk_refuse_input(value->path);
	if (split->refused) {
		forget_names(value);
		split->failed = true;
		return PK_FAILED;
	}
	out.fd = open_part(value->part, begun);
	if (out.fd < 0) {
		status = split_fail(split, value->part, errno);
		if (!begun) /* this program has not created the file, so it must not remove it */
			forget_names(value);
		return status;
	}
	status = write_file(&out, value);
	free_output(&out);
	if (close(out.fd) && !status)
		status = split_fail(split, value->part, errno);
	return status;
}

/* ---- Splitting ---- */

#define VALUES_MAX 65536

static enum pk_status fail_lists(struct split *split)
{
	return split_fail(split, "temporary data in $TMPDIR", errno);
}

struct split *split_new(struct pk_run *run, const struct split_options *options)
{
	struct split *split = calloc(1, sizeof(*split));

	if (split) {
		split->run = run;
		split->options = *options;
		split->lists = record_lists_new();
	}
	if (split && split->lists)
		return split;
	pk_error("a temporary file: %s", strerror(errno));
	split_free(split);
	return NULL;
}

static void forget_session(struct split *split)
{
	for (size_t i = 0; i < split->tasks.capacity; i++)
		if (split->tasks.slots[i].value)
			free(((struct split_task *)(uintptr_t)split->tasks.slots[i].value)
				     ->parents);
	pk_table_free_all(&split->tasks);
	split->tasks = (struct pk_table){0};
	pk_dictionary_free(split->dictionary);
	pk_dictionary_free(split->stacks);
	pk_stack_copy_free(&split->copy);
	split->dictionary = split->stacks = NULL;
	split->common = (struct record_list){0};
	split->number = 0;
}

static void forget_value(struct split_value *value)
{
	pk_table_free(&value->tasks);
	pk_periods_free(value->sums);
	*value = (struct split_value){
		.id = value->id, .part = value->part, .path = value->path, .last = UINT64_MAX};
}

void split_free(struct split *split)
{
	if (!split)
		return;
	record_lists_free(split->lists);
	forget_session(split);
	for (size_t i = 0; i < split->values_count; i++) {
		if (!split->values[i])
			continue;
		forget_value(split->values[i]);
		free(split->values[i]->part);
		free(split->values[i]->path);
		free(split->values[i]);
	}
	free(split->values);
	pk_texts_free(&split->names);
	free(split);
}

enum pk_status split_start_session(struct split *split)
{
	forget_session(split);
	split->dictionary = pk_dictionary_new(NULL);
	split->stacks = pk_dictionary_new(NULL);
	split->copy.from = split->dictionary;
	split->copy.to = split->stacks;
	if (split->dictionary && split->stacks)
		return PK_OK;
	return split_fail(split, "a new session", ENOMEM);
}

/* ---- Samples ---- */

/* Returns the id of a value. Returns 0 if text is NULL. Returns UINT32_MAX on failure, after an
 * error message. */
static size_t find_value(struct split *split, const struct pk_bytes *text)
{
	size_t id = 0;

	if (text) {
		id = pk_texts_add(&split->names, (const char *)text->data, (size_t)text->size);
		if (!id) {
			split_fail(split, "values", ENOMEM);
			return UINT32_MAX;
		}
	}
	if (id < split->values_count && split->values[id])
		return id;
	if (id > VALUES_MAX) {
		if (!split->failed)
			pk_error("more than %d values, and each needs a file", VALUES_MAX);
		split->failed = true;
		return UINT32_MAX;
	}
	if (pk_extend(&split->values, &split->values_count, id) == PK_OK)
		split->values[id] = calloc(1, sizeof(struct split_value));
	if (id >= split->values_count || !split->values[id]) {
		split_fail(split, "values", ENOMEM);
		return UINT32_MAX;
	}
	split->values[id]->id = id;
	split->values[id]->last = UINT64_MAX;
	return id;
}

static enum pk_status add_key(struct pk_table *tasks, uint32_t key)
{
	return pk_table_get(tasks, key) ? PK_OK : pk_table_set(tasks, key, tasks);
}

/* Adds the task of a sample to the tasks of the value. */
static enum pk_status note_task(struct split_value *value, const struct pk_record *record)
{
	const uint16_t at = record->event->layout.tid;
	const struct perf_task *task;
	uint64_t both;

	if (!at)
		return PK_OK;
	both = pk_load_u64(record->data + at);
	if (both == value->last)
		return PK_OK;
	value->last = both;
	task = pk_record_task(record, at);
	PK_TRY(add_key(&value->tasks, task->pid));
	return add_key(&value->tasks, task->tid);
}

static bool has_trailer(const struct pk_record *record)
{
	const uint8_t *at = record->data + record->size - PK_STACK_TRAILER_SIZE;

	return record->size >= sizeof(struct perf_header) + PK_STACK_TRAILER_SIZE &&
	       pk_trailer_at(at)->tag == PK_STACK_TRAILER_TAG;
}

/* Returns the id in split->stacks of a sample's stack. Returns 0 if the stack is undefined. */
static uint32_t stack_of(struct split *split, const struct pk_record *record)
{
	bool failed = false;
	const uint32_t there = pk_stack_trailer(record->data, record->size);
	const uint32_t stack = pk_stack_copy(&split->copy, there, &failed);

	if (failed)
		split_fail(split, "stacks", ENOMEM);
	else if (there && !stack)
		pk_run_lose(split->run, PK_LOSS_DEFINITIONS_BAD, 1, 0);
	return stack;
}

static void note_value(struct split *split, struct split_value *value)
{
	if (split->last)
		split->last->next = value;
	else
		split->first = value;
	split->last = value;
}

struct pk_periods *split_sums(struct split *split, const struct pk_bytes *text)
{
	const size_t id = find_value(split, text);
	struct split_value *value;

	if (id == UINT32_MAX)
		return NULL;
	value = split->values[id];
	if (!value->sums)
		value->sums = pk_periods_new();
	if (!value->sums)
		split_fail(split, "counters", ENOMEM);
	return value->sums;
}

enum pk_status split_sample(struct split *split, const struct pk_record *record, bool symbolized,
			    const struct pk_bytes *text)
{
	const size_t id = find_value(split, text);
	size_t head = record->size;
	struct split_value *value;
	uint8_t tail[4];
	bool first;

	if (id == UINT32_MAX)
		return PK_FAILED;
	value = split->values[id];
	first = !value->samples.first && !value->samples.used;
	if (note_task(value, record) != PK_OK)
		return split_fail(split, "tasks", ENOMEM);
	if (symbolized && has_trailer(record)) {
		pk_store_u32(tail, stack_of(split, record));
		head -= sizeof(tail);
	}
	if (record_lists_add(split->lists, &value->samples, split->number++, record->data, head,
			     tail, record->size - head) != PK_OK)
		return fail_lists(split);
	if (first)
		note_value(split, value);
	return split->failed ? PK_FAILED : PK_OK;
}

/* ---- Other records ---- */

static struct split_task *task_of(struct split *split, uint32_t key)
{
	return pk_table_get_or_add(&split->tasks, key, sizeof(struct split_task));
}

static enum pk_status add_parent(struct split_task *task, uint32_t parent)
{
	const size_t count = task->parents_count;

	for (size_t i = count > 4 ? count - 4 : 0; i < count; i++)
		if (task->parents[i] == parent)
			return PK_OK;
	PK_TRY(pk_reserve(&task->parents, &task->parents_capacity, count, 1, sizeof(parent)));
	task->parents[task->parents_count++] = parent;
	return PK_OK;
}

/* Sets *key to the task in a record's trailer (sample_id_all). This is the pid if process is true,
 * and the tid otherwise. Returns false if the record has no task. */
static bool trailer_task(struct split *split, const struct pk_record *record, bool process,
			 uint32_t *key)
{
	const struct pk_event *event =
		record->event ? record->event : pk_reader_event_of(split->run->reader, record);
	struct pk_sample_id id;

	if (!event || !event->layout.trailer.tid)
		return false;
	pk_sample_id_decode(event, record, &id);
	*key = process ? id.pid : id.tid;
	return true;
}

/* Sets *key to the task to which the record belongs. Returns false if it does not belong to one
 * task. */
static bool key_of(struct split *split, const struct pk_record *record, uint32_t *key)
{
	const void *data = record->data;
	const struct perf_record_mmap *map = data;
	const struct perf_record_comm *comm = data; /* READ and others start with the same fields */
	const struct perf_record_task *task = data;

	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: *key = map->pid; return *key != UINT32_MAX; /* the kernel */
	case PERF_RECORD_COMM:
	case PERF_RECORD_READ:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_ITRACE_START: *key = comm->tid; return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: *key = task->tid; return true;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_CALLCHAIN_DEFERRED: return trailer_task(split, record, false, key);
	/* These records belong to the process, and not only to the thread. To find the number of
	 * running threads, a reader needs the records of all threads. */
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE: return trailer_task(split, record, true, key);
	default: return false;
	}
}

/* Stores the parents of a new task, because their records are needed, too: a task inherits the name
 * of its parent, and a process also inherits the maps. */
static enum pk_status note_fork(struct split_task *task, const struct pk_record *record)
{
	const struct perf_record_task *from = (const void *)record->data;

	PK_TRY(add_parent(task, from->pid));
	PK_TRY(add_parent(task, from->ppid));
	return add_parent(task, from->ptid);
}

static bool is_dictionary(const struct pk_record *record)
{
	const unsigned int kind = pk_definition_of(record);

	return (kind >= PK_STRING && kind <= PK_STACK) || kind == PK_RESET;
}

static enum pk_status add_definition(struct split *split, const struct pk_record *record)
{
	enum pk_status status = pk_dictionary_read(split->dictionary, record);

	if (pk_definition_of(record) == PK_RESET)
		pk_stack_copy_forget(&split->copy);
	if (status == PK_CORRUPT) {
		pk_run_complain(split->run, record,
				"definition with an unexpected id or an undefined reference");
		pk_run_lose(split->run, PK_LOSS_DEFINITIONS_BAD, 1, 0);
	}
	return status == PK_NOMEM ? split_fail(split, "definitions", ENOMEM) : PK_OK;
}

static enum pk_status add_with_payload(struct split *split, const struct pk_record *record)
{
	struct pk_bytes payload;
	enum pk_status status;
	uint8_t *data;
	size_t size;

	if (record->type == PERF_RECORD_AUXTRACE) {
		split->aux++;
		return PK_OK;
	}
	if (record->payload_size > PK_PAYLOAD_MAX)
		return split_fail(split, "the formats of tracepoints", EFBIG);
	PK_TRY(pk_read_payload(split->run->reader, &data, &size));
	payload = (struct pk_bytes){data, size};
	status = size == record->payload_size ? split_record(split, record, &payload) : PK_OK;
	free(data);
	return status;
}

enum pk_status split_record(struct split *split, const struct pk_record *record,
			    const struct pk_bytes *payload)
{
	struct record_list *list = &split->common;
	struct split_task *task;
	uint32_t key;

	if (record->payload_size && !payload)
		return add_with_payload(split, record);
	if (is_dictionary(record))
		return add_definition(split, record);
	if (key_of(split, record, &key)) {
		task = task_of(split, key);
		if (!task || (record->type == PERF_RECORD_FORK && note_fork(task, record) != PK_OK))
			return split_fail(split, "tasks", ENOMEM);
		list = &task->records;
	}
	if (record_lists_add(split->lists, list, split->number++, record->data, record->size,
			     payload ? payload->data : NULL,
			     payload ? (size_t)payload->size : 0) == PK_OK)
		return PK_OK;
	return fail_lists(split);
}

/* ---- End ---- */

enum pk_status split_end(struct split *split, bool symbolized, bool ordered)
{
	enum pk_status status = split->failed ? PK_FAILED : PK_OK;

	for (struct split_value *value = split->first; value && !status; value = value->next)
		status = split_write(split, value, symbolized, ordered);
	/* The lists are emptied first, because they are members of the values. */
	if (record_lists_reset(split->lists) != PK_OK && !status)
		status = fail_lists(split);
	while (split->first) {
		struct split_value *next = split->first->next;

		forget_value(split->first);
		split->first = next;
	}
	split->last = NULL;
	split->losses = split->run->own;
	forget_session(split);
	return status;
}

/* Renames a file to its final name, or removes it after an error. write_to_disk() has written the
 * content to disk. So a file with its final name is always complete. */
static void give_name(struct split *split, const struct split_value *value)
{
	if (!split->failed && rename(value->part, value->path) < 0)
		split_fail(split, value->path, errno);
	if (split->failed)
		unlink(value->part);
}

static void write_to_disk(struct split *split)
{
	const char *slash = strrchr(split->options.pattern, '/');
	char *folder = slash ? strndup(split->options.pattern,
				       (size_t)(slash - split->options.pattern) + 1)
			     : strdup(".");
	const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0 && syncfs(fd))
		split_fail(split, folder, errno);
	if (fd >= 0)
		close(fd);
	free(folder);
}

int split_finish(struct split *split)
{
	char number[32];

	if (!split->failed)
		write_to_disk(split);
	for (size_t i = 0; i < split->values_count; i++)
		if (split->values[i] && split->values[i]->part)
			give_name(split, split->values[i]);
	pk_unfinished_forget();
	if (split->aux)
		pk_warn("%s records of the AUX area belong to no sample: they are in none of the "
			"streams",
			pk_number(number, split->aux));
	if (split->refused)
		return split->refused;
	return split->failed ? PK_EXIT_FAILED : PK_EXIT_OK;
}
