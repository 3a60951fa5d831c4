// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "pkutil.h"
#include "task_names.h"

enum {
	RECORDED = 1 << 0, /* the name is from a record */
	ENDED = 1 << 1,
	FLAGS_BITS = 2
};

static enum pk_status set(struct task_names *names, uint64_t tid, const char *text, size_t size,
			  unsigned int flags)
{
	const uint64_t number = pk_texts_add(&names->texts, text, size);

	if (!number)
		return PK_NOMEM;
	return pk_table_set_u64(&names->numbers, tid, number << FLAGS_BITS | flags);
}

static enum pk_status fork_task(struct task_names *names, const struct perf_record_task *task)
{
	const uint64_t parent = pk_table_get_u64(&names->numbers, task->ptid) & ~(uint64_t)ENDED;

	if (task->tid == task->ptid)
		return PK_OK;
	if (parent)
		return pk_table_set_u64(&names->numbers, task->tid, parent | RECORDED);
	pk_table_remove(&names->numbers, task->tid);
	return PK_OK;
}

static enum pk_status end_task(struct task_names *names, const struct perf_record_task *task)
{
	const uint64_t known = pk_table_get_u64(&names->numbers, task->tid);

	return known ? pk_table_set_u64(&names->numbers, task->tid, known | ENDED) : PK_OK;
}

enum pk_status pk_task_names_record(struct task_names *names, const struct pk_record *record)
{
	const struct perf_record_comm *comm = (const void *)record->data;
	const char *text;

	switch (record->type) {
	case PERF_RECORD_COMM:
		text = pk_record_text(record, sizeof(*comm));
		return text ? set(names, comm->tid, text, strlen(text), RECORDED) : PK_OK;
	case PERF_RECORD_FORK: return fork_task(names, (const void *)record->data);
	case PERF_RECORD_EXIT: return end_task(names, (const void *)record->data);
	default: return PK_OK;
	}
}

enum pk_status pk_task_names_sample(struct task_names *names, struct pk_view *view)
{
	const uint16_t at = view->event->layout.tid;
	const struct pk_binding *binding;
	struct pk_bytes text;
	uint32_t tid;

	if (!at)
		return PK_OK;
	tid = pk_record_task(view->record, at)->tid;
	if (pk_table_get_u64(&names->numbers, tid) & RECORDED)
		return PK_OK;
	if (!names->comm.reference.field)
		PK_TRY(pk_reference_parse(&names->comm.reference, "comm", strlen("comm")));
	binding = pk_column_bind(&names->comm, view->context, view->event);
	if (!binding)
		return PK_NOMEM;
	return pk_view_text(view, binding, &text)
		       ? set(names, tid, (const char *)text.data, text.size, 0)
		       : PK_OK;
}

const char *pk_task_names_get(const struct task_names *names, uint64_t tid, size_t *size)
{
	const uint64_t number = pk_table_get_u64(&names->numbers, tid) >> FLAGS_BITS;

	return number ? pk_texts_get(&names->texts, (uint32_t)number, size) : NULL;
}

/* Adds the names of all threads that have not ended to `kept`. */
static enum pk_status copy_living(const struct task_names *names, struct task_names *kept)
{
	const struct pk_table_slot *slot;
	size_t cursor = 0, size;
	const char *text;

	while ((slot = pk_table_next(&names->numbers, &cursor))) {
		if (slot->value & ENDED)
			continue;
		text = pk_texts_get(&names->texts, (uint32_t)(slot->value >> FLAGS_BITS), &size);
		PK_TRY(set(kept, slot->key, text, size, slot->value & RECORDED));
	}
	return PK_OK;
}

enum pk_status pk_task_names_forget_ended(struct task_names *names)
{
	struct task_names kept = {0};
	const enum pk_status status = copy_living(names, &kept);

	if (status == PK_OK) {
		const struct task_names old = *names;

		names->numbers = kept.numbers;
		names->texts = kept.texts;
		kept.numbers = old.numbers;
		kept.texts = old.texts;
	}
	pk_table_free(&kept.numbers);
	pk_texts_free(&kept.texts);
	return status;
}

void pk_task_names_free(struct task_names *names)
{
	pk_table_free(&names->numbers);
	pk_texts_free(&names->texts);
	pk_column_free(&names->comm);
}
