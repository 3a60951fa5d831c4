// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pkutil.h"
#include "span_output.h"

enum pk_status span_output_start_session(struct span_output *output,
					 const struct pk_dictionary *dictionary)
{
	if (!output->joins)
		return PK_OK;
	if (!output->stacks.copy.to &&
	    !pk_span_stacks_init(&output->stacks, dictionary, output->run->writer))
		return PK_NOMEM;
	pk_span_stacks_clear(&output->stacks);
	return PK_OK;
}

void span_output_free(struct span_output *output)
{
	free(output->chain.data);
	free(output->copy.data);
	pk_span_stacks_free(&output->stacks);
}

/* Whether the samples refer to copies of the input's stacks. */
static bool copies(const struct span_output *output)
{
	return output->joins && pk_stage_input(output->run->stage)->trailers & PK_TRAILER_STACK;
}

/* ---- Records of the input ---- */

/* Makes the trailer of a sample refer to the copy of its stack. */
static enum pk_status with_copied_stack(struct span_output *output, struct pk_record *record)
{
	const uint32_t stack = pk_stack_trailer(record->data, record->size);
	bool failed = false;

	if (!stack)
		return PK_OK;
	output->copy.size = 0;
	buffer_add(&output->copy, (const char *)record->data, record->size);
	if (output->copy.failed)
		return PK_NOMEM;
	record->data = (const uint8_t *)output->copy.data;
	pk_trailer_put((uint8_t *)output->copy.data + record->size - PK_STACK_TRAILER_SIZE,
		       PK_STACK_TRAILER_TAG, pk_span_stacks_copy(&output->stacks, stack, &failed));
	return failed ? PK_NOMEM : PK_OK;
}

enum pk_status span_output_kernel(struct span_output *output, const struct pk_record *record)
{
	struct pk_run *run = output->run;
	struct pk_record copy = *record;
	enum pk_status status = PK_OK;

	if (record->type == PERF_RECORD_SAMPLE && copies(output))
		status = with_copied_stack(output, &copy);
	if (status)
		return status;
	if (!pk_identified_record(run->writer, &copy, pk_reader_events(run->reader)))
		pk_run_lose(run,
			    record->type == PERF_RECORD_SAMPLE ? PK_LOSS_SAMPLES_LOST
							       : PK_LOSS_RECORDS_LOST,
			    1, 0);
	return pk_writer_status(run->writer);
}

/* The definitions of the copies replace those of the dictionary of the input. */
static bool is_dictionary(const struct pk_record *record)
{
	const unsigned int kind = pk_definition_of(record);

	return (kind >= PK_STRING && kind <= PK_STACK) || kind == PK_RESET;
}

enum pk_status span_output_other(struct span_output *output, const struct pk_record *record)
{
	struct pk_run *run = output->run;
	const struct pk_events *events = pk_reader_events(run->reader);
	const size_t count = pk_events_count(events);

	if (record->type == PERF_RECORD_HEADER_ATTR && count) {
		pk_identified_attr(run->writer, record, pk_events_at(events, count - 1));
	} else if (record->type == PERF_RECORD_EVENT_UPDATE && !pk_definition_of(record)) {
		pk_identified_update(run->writer, record, events);
	} else if (is_dictionary(record) && copies(output)) {
		if (pk_definition_of(record) == PK_RESET)
			pk_span_stacks_forget(&output->stacks);
	} else {
		return pk_writer_copy(run->writer, run->reader, record);
	}
	return pk_writer_status(run->writer);
}

enum pk_status span_output_round(struct span_output *output)
{
	const uint64_t round = output->run->round;
	const enum pk_status status = pk_run_round(output->run);

	if (pk_unlikely(output->run->round != round) && copies(output))
		pk_span_stacks_limit(&output->stacks);
	return status;
}

/* ---- Spans ---- */

/* The end's callchain, then that of the start. */
static struct pk_u64s join_chains(struct span_output *output, const struct pk_span *span)
{
	const struct pk_u64s *start = &span->place->callchain, *end = &span->inner->callchain;
	struct buffer *chain = &output->chain;

	chain->size = 0;
	if (end->count)
		buffer_add(chain, (const char *)end->data, 8 * (size_t)end->count);
	if (start->count)
		buffer_add(chain, (const char *)start->data, 8 * (size_t)start->count);
	return (struct pk_u64s){.data = (const uint8_t *)chain->data, .count = chain->size / 8};
}

/* Adds the stack of the end to the sample of a span, which has that of the start. */
static void join_end(struct span_output *output, const struct pk_span *span,
		     struct pk_derived_sample *sample, bool *failed)
{
	sample->ip = span->inner->ip;
	sample->misc = span->inner->misc;
	sample->chain_flags |= span->inner->chain_flags;
	sample->callchain = join_chains(output, span);
	sample->stack = pk_span_stacks_join(&output->stacks, span->place->stack, span->inner->stack,
					    failed);
	*failed |= output->chain.failed;
}

enum pk_status span_output_span(struct span_output *output, const struct pk_derived_event *derived,
				const struct pk_span_format *format, const struct pk_span *span,
				bool *cut)
{
	const struct pk_span_place *place = span->place;
	struct pk_derived_sample sample = {
		.misc = place->misc,
		.pid = span->pid,
		.tid = span->tid,
		.cpu = place->cpu,
		.ip = place->ip,
		.time = span->end,
		.period = span->duration,
		.callchain = place->callchain,
		.raw_size = pk_span_format_size(format, span->values),
		.trailers = output->trailers,
		.stack = place->stack,
		.chain_flags = place->chain_flags,
	};
	bool failed = false;
	uint8_t *raw;

	if (format->address != SIZE_MAX)
		sample.addr = span->values[format->address].number;
	if (copies(output) && span->inner)
		join_end(output, span, &sample, &failed);
	else if (copies(output))
		sample.stack = pk_span_stacks_copy(&output->stacks, place->stack, &failed);
	if (failed)
		return PK_NOMEM;
	raw = pk_derived_sample_write(derived, &sample, output->run->writer, cut);
	if (raw)
		pk_span_format_put(format, span->tid, span->values, raw, sample.raw_size);
	return pk_writer_status(output->run->writer);
}
