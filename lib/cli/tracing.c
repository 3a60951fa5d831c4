// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "vector.h"

enum pk_status pk_run_payload(struct pk_run *run, uint8_t **all, size_t *all_size)
{
	const uint8_t *data;
	size_t size, capacity = 0;

	*all = NULL;
	*all_size = 0;
	while (!pk_reader_payload(run->reader, &data, &size) && size) {
		if (size > PK_RUN_PAYLOAD_MAX - *all_size)
			return PK_UNSUPPORTED;
		if (!pk_reserve(all, &capacity, *all_size, size, 1))
			return PK_NOMEM;
		memcpy(*all + *all_size, data, size);
		*all_size += size;
	}
	return PK_OK;
}

/* Old streams only number their tracepoints. */
static enum pk_status name_events(struct pk_run *run, struct pk_tracepoints *tracepoints)
{
	const struct pk_events *events = pk_reader_events(run->reader);
	enum pk_status status = PK_OK;

	for (size_t i = 0; i < pk_events_count(events) && !status; i++) {
		const struct pk_event *event = pk_events_at(events, i);
		const struct pk_tracepoint *tracepoint =
			event->attr.type == PERF_TYPE_TRACEPOINT
				? pk_tracepoints_find(tracepoints, event->attr.config)
				: NULL;

		if (tracepoint)
			status = pk_reader_name_event(run->reader, event,
						      pk_tracepoint_name(tracepoint));
	}
	return status;
}

static const char damaged[] = "the formats of tracepoints are damaged; what can be read is used";

enum pk_status pk_run_use_tracepoints(struct pk_run *run, struct pk_tracepoints *tracepoints,
				      const struct pk_record *record, const uint8_t *data,
				      size_t size)
{
	enum pk_status status = pk_tracepoints_load(tracepoints, data, size);

	if (status == PK_NOMEM)
		return status;
	if (status)
		pk_run_complain(run, record, damaged);
	status = name_events(run, tracepoints);
	return pk_tracepoints_failed(tracepoints) ? PK_NOMEM : status;
}

enum pk_status pk_run_load_tracepoints(struct pk_run *run, struct pk_tracepoints *tracepoints,
				       const struct pk_record *record)
{
	uint8_t *all = NULL;
	size_t size = 0;
	enum pk_status status = pk_run_payload(run, &all, &size);

	if (!status)
		status = pk_run_use_tracepoints(run, tracepoints, record, all, size);
	else if (status == PK_UNSUPPORTED)
		pk_run_complain(run, record, damaged);
	free(all);
	return status == PK_UNSUPPORTED ? PK_OK : status;
}
