/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HELD_RECORDS_H
#define PK_HELD_RECORDS_H

/* A queue of copies of records. */

#include "pkstream.h"

/* The queue is empty if all members are zero. */
struct held_records {
	uint8_t *bytes;
	size_t first, size, capacity; /* the records are the bytes from `first` to `size` */
};

void held_records_free(struct held_records *held);
/* Adds a record at the end of the queue. Its payload is not copied. */
PK_MUST_CHECK enum pk_status held_records_add(struct held_records *held,
					      const struct pk_record *record);
/* Sets *record to the first record. It is valid until the queue is changed by another function than
 * held_records_remove(). Returns false if the queue is empty. */
bool held_records_first(const struct held_records *held, struct pk_record *record);
/* Removes the first record. */
void held_records_remove(struct held_records *held);

/* Returns the bytes of all records in the queue. */
static inline size_t held_records_size(const struct held_records *held)
{
	return held->size - held->first;
}

#endif
