/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FLAGS_H
#define PK_FLAGS_H

#include "pkstream.h"

/* Whether the event of a HEADER_ATTR record defers callchains. */
bool flags_defer(const struct pk_record *record);
/*
 * Takes out of data, which is a copy of the record, that events defer callchains (HEADER_ATTR,
 * EVENT_DESC), and, unless keep_output, that they are told of the deferred ones.
 */
void flags_clear(const struct pk_record *record, bool keep_output, uint8_t *data);

#endif
