/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_STAGE_H
#define UNWIND_STAGE_H

#include "run.h"
#include "second.h"
#include "symbols.h"

/* ---- The stage ---- */

struct unwind_options {
	const char *output; /* NULL: stdout */
	const struct pk_symbols_options *symbols;
	const struct pk_second_unwinder *other; /* NULL: none */
	bool keep; /* keep registers, stacks and branches in the samples */
	int argc;
	char *const *argv;
};

/* Reads the inputs of run (its files and fail_on are set), and writes them with callchains instead
 * of registers and stacks. Returns the exit status. */
int unwind_stream(struct pk_run *run, struct pk_symbols *symbols,
		  const struct unwind_options *options);

/* ---- Writing ---- */

/* Writes records with the changes from unwinding. */

/* Writes HEADER_ATTR of an event whose samples get callchains. Without keep, the fields from which
 * they are made (registers and stack, or branches) are removed. With keep, branches are no longer
 * marked as a call stack. For PK_CHAIN_LACKS_CALLER, keep is ignored: registers are removed only if
 * they are just the link register. */
enum pk_status unwind_write_attr(struct pk_writer *writer, const struct pk_record *record,
				 const struct pk_event *event, bool keep);

struct unwind_output {
	const struct pk_event *event;
	const struct pk_record *record;
	const struct pk_sample *sample;
	const uint64_t *ips; /* the user part: leaf first, without a marker; NULL: unchanged */
	size_t count;
	uint32_t flags; /* of the chain trailer, PK_CHAIN_* */
	bool keep;	/* keep registers and stack, or branches */
};

/* Writes the sample with its callchain. If the record would be too large, the end of a kept stack
 * dump is cut or, without one, callers at the end of the callchain. *cut is the number of cut
 * callers. Returns PK_UNSUPPORTED if the record is still too large, and is not written. */
enum pk_status unwind_write_sample(struct pk_writer *writer, const struct unwind_output *output,
				   size_t *cut);

#endif
