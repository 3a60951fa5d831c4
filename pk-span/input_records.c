// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "derived_event.h"
#include "input_records.h"
#include "pkutil.h"

enum pk_status input_record_copy(struct pk_run *run, const struct pk_record *record)
{
	const struct pk_events *events = pk_reader_events(run->reader);
	const size_t count = pk_events_count(events);

	if (record->type < PERF_RECORD_USER_START) {
		if (!pk_identified_record(run->writer, record, events))
			pk_run_lose(run,
				    record->type == PERF_RECORD_SAMPLE ? PK_LOSS_SAMPLES_LOST
								       : PK_LOSS_RECORDS_LOST,
				    1, 0);
	} else if (record->type == PERF_RECORD_HEADER_ATTR && count) {
		pk_identified_attr(run->writer, record, pk_events_at(events, count - 1));
	} else if (record->type == PERF_RECORD_EVENT_UPDATE && !pk_definition_of(record)) {
		pk_identified_update(run->writer, record, events);
	} else {
		return pk_writer_copy(run->writer, run->reader, record);
	}
	return pk_writer_status(run->writer);
}

enum pk_status input_formats_keep(struct pk_run *run, struct pk_context *context, bool too_late,
				  const struct pk_record *record, struct buffer *formats)
{
	enum pk_status status;
	uint8_t *data = NULL;
	size_t size = 0;

	if (too_late || formats->size) {
		pk_run_complain(run, record,
				"formats of tracepoints come too late: not used, dropped");
		return PK_OK;
	}
	status = pk_read_payload(run->reader, &data, &size);
	if (status == PK_UNSUPPORTED) {
		free(data);
		pk_run_complain(run, record,
				"formats of tracepoints with more than 64 MiB: not used, dropped");
		return PK_OK;
	}
	if (!status && size == record->payload_size)
		status = pk_context_read_formats(context, run->reader, record, data, size);
	free(formats->data);
	*formats = (struct buffer){.data = (char *)data, .size = size, .capacity = size};
	return status == PK_CORRUPT ? PK_OK : status;
}

enum pk_status input_formats_write(struct pk_run *run, const struct buffer *formats)
{
	struct perf_record_tracing_data *record = pk_writer_zeroed(
		run->writer, PERF_RECORD_HEADER_TRACING_DATA, 0, PK_ALIGN8(sizeof(*record)));

	if (!record)
		return pk_writer_status(run->writer);
	record->size = (uint32_t)formats->size;
	return pk_writer_bytes(run->writer, formats->data, formats->size, 0, 0);
}
