/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_STAGE_H
#define UNWIND_STAGE_H

#include "run.h"
#include "second.h"
#include "symbols.h"

/* ---- The stage ---- */

/* The options of pk-unwind. */
struct unwind_options {
	const char *output; /* path of the output; NULL selects stdout */
	const struct pk_symbols_options *symbols;
	/* The library that unwinds stacks in place of the functions of pk; NULL selects the
	 * functions of pk. */
	const struct pk_second_unwinder *other;
	bool keep; /* keep registers, stacks and branches in the samples */
	int argc;
	char *const *argv;
};

/* Reads the inputs of run, and writes them with callchains instead of registers and stacks. The
 * caller has set files and fail_on of run. Returns the exit status. */
int unwind_stream(struct pk_run *run, struct pk_symbols *symbols,
		  const struct unwind_options *options);

/* ---- Writing ---- */

/* These functions write records with callchains, and without the fields from which the callchains
 * were made. */

/* Writes the HEADER_ATTR of an event whose samples get callchains. The source of the callchains is
 * either registers and stack, or branches. If keep is false, these fields are removed. If keep is
 * true, branches are no longer marked as a call stack. If the event is PK_CHAIN_LACKS_CALLER, keep
 * is ignored: its registers or stack dump are removed if they were recorded only to find the
 * caller. */
enum pk_status unwind_write_attr(struct pk_writer *writer, const struct pk_record *record,
				 const struct pk_event *event, bool keep);

/* A sample, and the callchain with which it is written. */
struct unwind_output {
	const struct pk_event *event;
	const struct pk_record *record;
	const struct pk_sample *sample;
	/* The user part of the callchain without a marker, the innermost function first. NULL if
	 * the callchain of the sample is not changed. */
	const uint64_t *ips;
	size_t count;
	uint32_t flags; /* flags that are written to the chain trailer, PK_CHAIN_* */
	bool keep;	/* keep registers and stack, or branches, in the sample */
};

/* Writes the sample with its callchain. If the record would be too large and keeps its stack dump,
 * the end of the dump is cut. Without such a dump, the outermost callers are cut, and *cut is set
 * to their number. If the record is still too large, it is not written, and PK_UNSUPPORTED is
 * returned. */
enum pk_status unwind_write_sample(struct pk_writer *writer, const struct unwind_output *output,
				   size_t *cut);

#endif
