// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context.h"
#include "pkutil.h"
#include "split_state.h"
#include "unfinished.h"
#include "vector.h"

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

/* The id of a value; 0 if text is NULL; UINT32_MAX after a message. */
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
	if (pk_extend(&split->values, &split->values_count, id))
		split->values[id] = calloc(1, sizeof(struct split_value));
	if (id >= split->values_count || !split->values[id]) {
		split_fail(split, "values", ENOMEM);
		return UINT32_MAX;
	}
	split->values[id]->id = id;
	split->values[id]->last = UINT64_MAX;
	return id;
}

static bool add_key(struct pk_table *tasks, uint32_t key)
{
	return pk_table_get(tasks, key) || pk_table_set(tasks, key, tasks);
}

/* Records the task of a sample. */
static bool note_task(struct split_value *value, const struct pk_record *record)
{
	const uint16_t at = record->event->layout.tid;
	const struct perf_task *task;
	uint64_t both;

	if (!at)
		return true;
	both = pk_load_u64(record->data + at);
	if (both == value->last)
		return true;
	value->last = both;
	task = pk_record_task(record, at);
	return add_key(&value->tasks, task->pid) && add_key(&value->tasks, task->tid);
}

static bool has_trailer(const struct pk_record *record)
{
	const uint8_t *at = record->data + record->size - PK_STACK_TRAILER_SIZE;

	return record->size >= sizeof(struct perf_header) + PK_STACK_TRAILER_SIZE &&
	       pk_trailer_at(at)->tag == PK_STACK_TRAILER_TAG;
}

/* The id in `stacks` for the stack trailer of a sample; 0: undefined. */
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

enum pk_status split_sample(struct split *split, const struct pk_record *record, bool symbolized,
			    const struct pk_bytes *text)
{
	const size_t id = find_value(split, text);
	size_t head = record->size;
	struct split_value *value;
	uint8_t tail[4];
	bool first;

	if (id == UINT32_MAX)
		return PK_IO;
	value = split->values[id];
	first = !value->samples.first && !value->samples.used;
	if (!note_task(value, record))
		return split_fail(split, "tasks", ENOMEM);
	if (symbolized && has_trailer(record)) {
		pk_store_u32(tail, stack_of(split, record));
		head -= sizeof(tail);
	}
	if (!record_lists_add(split->lists, &value->samples, split->number++, record->data, head,
			      tail, record->size - head))
		return fail_lists(split);
	if (first)
		note_value(split, value);
	return split->failed ? PK_IO : PK_OK;
}

/* ---- Other records ---- */

static struct split_task *task_of(struct split *split, uint32_t key)
{
	return pk_table_get_or_add(&split->tasks, key, sizeof(struct split_task));
}

static bool add_parent(struct split_task *task, uint32_t parent)
{
	const size_t count = task->parents_count;

	for (size_t i = count > 4 ? count - 4 : 0; i < count; i++)
		if (task->parents[i] == parent)
			return true;
	if (!pk_reserve(&task->parents, &task->parents_capacity, count, 1, sizeof(parent)))
		return false;
	task->parents[task->parents_count++] = parent;
	return true;
}

/* The task in a record's trailer: its pid if process is true, else its tid. False: the record has
 * none. */
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

/* False: the record does not belong to one task. */
static bool key_of(struct split *split, const struct pk_record *record, uint32_t *key)
{
	const void *data = record->data;
	const struct perf_record_mmap *map = data;
	const struct perf_record_comm *comm = data; /* READ and others start in the same way */
	const struct perf_record_task *task = data;

	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: *key = map->pid; return *key != UINT32_MAX; /* the kernel's */
	case PERF_RECORD_COMM:
	case PERF_RECORD_READ:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_ITRACE_START: *key = comm->tid; return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: *key = task->tid; return true;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_CALLCHAIN_DEFERRED: return trailer_task(split, record, false, key);
	/* of all threads: each stream needs the number of running threads */
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE: return trailer_task(split, record, true, key);
	default: return false;
	}
}

/* A new task inherits its parent's name; a process also inherits the maps. */
static bool note_fork(struct split_task *task, const struct pk_record *record)
{
	const struct perf_record_task *from = (const void *)record->data;

	return add_parent(task, from->pid) && add_parent(task, from->ppid) &&
	       add_parent(task, from->ptid);
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
	status = pk_read_payload(split->run->reader, &data, &size);
	if (status)
		return status;
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
		if (!task || (record->type == PERF_RECORD_FORK && !note_fork(task, record)))
			return split_fail(split, "tasks", ENOMEM);
		list = &task->records;
	}
	if (record_lists_add(split->lists, list, split->number++, record->data, record->size,
			     payload ? payload->data : NULL, payload ? (size_t)payload->size : 0))
		return PK_OK;
	return fail_lists(split);
}

/* ---- End ---- */

enum pk_status split_end(struct split *split, bool symbolized, bool ordered)
{
	enum pk_status status = split->failed ? PK_IO : PK_OK;

	for (struct split_value *value = split->first; value && !status; value = value->next)
		status = split_write(split, value, symbolized, ordered);
	/* empty the lists before the values that contain them */
	if (!record_lists_reset(split->lists) && !status)
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

/* Renames a file to its final name. write_to_disk() has synced its content: a file with a final
 * name is complete. */
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
