/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INJECT_RECORDS_H
#define PK_INJECT_RECORDS_H

/* Records of perf that pk-inject writes. */

#include "session.h"
#include "symbols.h"

/* Writes a HEADER_BUILD_ID record for an image, and passes it to the session. Returns the first
 * status that is not PK_OK. */
enum pk_status inject_build_id(struct pk_writer *writer, struct pk_session *session,
			       const struct pk_image *image, const struct pk_build_id *id);
/* Writes an MMAP2 of a jitdump's code (SPEC 9.12). time is in ns; 0: the record has no time. Its
 * trailer has the layout of event `first`. */
void inject_code_map(struct pk_writer *writer, const struct pk_event *first,
		     const struct pk_code_map *code, uint64_t time);

#endif
