/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MERGE_H
#define PK_MERGE_H

#include "merger.h"
#include "pkstream.h"
#include "run.h"

/* ---- Merging ---- */

struct merge_options {
	const char *output; /* NULL: stdout */
	struct merger_options wait;
	bool has_time; /* wait.time_max is set; else the default depends on the input */
	int argc;
	char *const *argv;
};

/* Reads the inputs of run (its files and fail_on are set), and writes them with merged callchains.
 * Returns the exit status. */
int merge(struct pk_run *run, const struct merge_options *options);

/* ---- Flags ---- */

/* True if the event of a HEADER_ATTR record has PERF_ATTR_DEFER_CALLCHAIN. */
bool flags_defer(const struct pk_record *record);
/*
 * Clears in data, a copy of the record, the flags that defer callchains (HEADER_ATTR, EVENT_DESC),
 * and, unless keep_output, those that request CALLCHAIN_DEFERRED records.
 */
void flags_clear(const struct pk_record *record, bool keep_output, uint8_t *data);

#endif
