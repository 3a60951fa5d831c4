/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MERGE_H
#define PK_MERGE_H

#include "merger.h"
#include "pkstream.h"
#include "run.h"

/* ---- Merging ---- */

/* The options of pk-merge-callchains. */
struct merge_options {
	const char *output; /* path of the output; NULL selects stdout */
	struct merger_options wait;
	bool has_time; /* The user has given wait.time_max. If not, the default depends on the
			* input. */
	int argc;
	char *const *argv;
};

/* Reads the inputs of run, and writes them with merged callchains. The caller has set files and
 * fail_on of run. Returns the exit status. */
int merge(struct pk_run *run, const struct merge_options *options);

/* ---- Flags ---- */

/* Returns true if the event of a HEADER_ATTR record has PERF_ATTR_DEFER_CALLCHAIN. */
bool flags_defer(const struct pk_record *record);
/*
 * Clears flags of the attrs in a HEADER_ATTR record or in the feature EVENT_DESC. `data` is a copy
 * of the record, which is changed. Always clears PERF_ATTR_DEFER_CALLCHAIN. Unless keep_output is
 * true, also clears PERF_ATTR_DEFER_OUTPUT, which requests CALLCHAIN_DEFERRED records.
 */
void flags_clear(const struct pk_record *record, bool keep_output, uint8_t *data);

#endif
