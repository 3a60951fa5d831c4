/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FLAGS_H
#define PK_FLAGS_H

#include "pkstream.h"

/* True if the event of a HEADER_ATTR record has PERF_ATTR_DEFER_CALLCHAIN. */
bool flags_defer(const struct pk_record *record);
/*
 * Clears in data, a copy of the record, the flags that defer callchains (HEADER_ATTR, EVENT_DESC),
 * and, unless keep_output, those that request CALLCHAIN_DEFERRED records.
 */
void flags_clear(const struct pk_record *record, bool keep_output, uint8_t *data);

#endif
