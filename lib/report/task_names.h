/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_TASK_NAMES_H
#define PK_REPORT_TASK_NAMES_H

/*
 * The last name of each thread, even if the thread was renamed after its last sample. A COMM record
 * sets the name of a thread. A FORK record copies the name of the parent thread. A thread without
 * such records has the name of its last sample. A struct of all zero bytes is empty and valid.
 */

#include "field.h"
#include "texts.h"

/* The last name of each thread, as the comment above describes it. */
struct task_names {
	/* By tid: the number of the name in `texts`, times 4, plus two flags. */
	struct pk_table numbers;
	struct pk_texts texts;
	struct pk_column comm;
};

/* Evaluates COMM, FORK and EXIT records, and ignores other records. */
PK_MUST_CHECK enum pk_status pk_task_names_record(struct task_names *names,
						  const struct pk_record *record);
PK_MUST_CHECK enum pk_status pk_task_names_sample(struct task_names *names, struct pk_view *view);
/* Returns the name of a thread, or NULL if the name is unknown. */
const char *pk_task_names_get(const struct task_names *names, uint64_t tid, size_t *size);
/* Forgets the names of threads that have ended. Call it when no row of these threads is left. If
 * memory is exhausted, returns an error and forgets nothing. */
PK_MUST_CHECK enum pk_status pk_task_names_forget_ended(struct task_names *names);
void pk_task_names_free(struct task_names *names);

#endif
