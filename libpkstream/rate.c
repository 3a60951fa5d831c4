// SPDX-License-Identifier: BSD-2-Clause
/* RATE records. The recorder has changed the frequency of an event (SPEC 9.17). */
#include "pk_abi.h"
#include "pkprivate.h"
#include "records.h"

enum pk_status pk_rate_write(struct pk_writer *writer, uint64_t id, uint64_t frequency,
			     uint32_t cause)
{
	struct pk_record_rate *rate = pk_definition_append(writer, PK_RATE, sizeof(*rate));

	if (rate) {
		rate->event = id;
		rate->frequency = (uint32_t)frequency;
		rate->cause = cause;
	}
	return pk_writer_status(writer);
}
