// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "held_records.h"
#include "pkutil.h"
#include "vector.h"

void held_records_free(struct held_records *held)
{
	free(held->bytes);
	*held = (struct held_records){0};
}

/* Returns the bytes that a record of this size needs in the queue. */
static size_t bytes_of(uint16_t size)
{
	return sizeof(struct pk_record) + PK_ALIGN8((size_t)size);
}

enum pk_status held_records_add(struct held_records *held, const struct pk_record *record)
{
	const size_t bytes = bytes_of(record->size);

	PK_TRY(pk_reserve(&held->bytes, &held->capacity, held->size, bytes, 1));
	memcpy(held->bytes + held->size, record, sizeof(*record));
	memcpy(held->bytes + held->size + sizeof(*record), record->data, record->size);
	held->size += bytes;
	return PK_OK;
}

bool held_records_first(const struct held_records *held, struct pk_record *record)
{
	if (held->first == held->size)
		return false;
	memcpy(record, held->bytes + held->first, sizeof(*record));
	record->data = held->bytes + held->first + sizeof(*record);
	return true;
}

void held_records_remove(struct held_records *held)
{
	struct pk_record record;

	memcpy(&record, held->bytes + held->first, sizeof(record));
	held->first += bytes_of(record.size);
	if (held->first == held->size)
		held->first = held->size = 0;
}
