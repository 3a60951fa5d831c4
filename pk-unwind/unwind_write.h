/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_WRITE_H
#define UNWIND_WRITE_H

/* Records with what the unwinding has changed. */

#include "session.h"

/* HEADER_ATTR of an event whose callchains are not whole. keep: what they are made of stays. */
enum pk_status unwind_write_attr(struct pk_writer *writer, const struct pk_record *record,
				 const struct pk_event *event, bool keep);
/* HEADER_FEATURE EVENT_DESC, which has the attrs of all events once more. */
enum pk_status unwind_write_event_desc(struct pk_writer *writer, const struct pk_record *record,
				       const struct pk_events *events, bool keep);

struct unwind_output {
	const struct pk_event *event;
	const struct pk_record *record;
	const struct pk_sample *sample;
	const uint64_t *ips; /* the user part: leaf first, without a marker; NULL: as it was */
	size_t count;
	uint32_t flags; /* of the chain trailer, PK_CHAIN_* */
	bool keep;	/* registers and stack, or branches */
};

/* The sample with its callchain. What there is no room for is cut: bytes of a stack that is kept,
 * or callers; *cut says how many. PK_UNSUPPORTED: there is no room at all. */
enum pk_status unwind_write_sample(struct pk_writer *writer, const struct unwind_output *output,
				   size_t *cut);

#endif
