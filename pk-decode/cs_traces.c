// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cs_frames.h"
#include "cs_traces.h"
#include "trace_tasks.h"
#include "vector.h"

#define FLAG_OVERWRITE UINT64_C(2)
#define FORMAT_MASK    UINT64_C(0xff00)
#define FORMAT_RAW     UINT64_C(0x0100)
#define IDS	       128

struct cs_piece {
	uint64_t key, offset, size;
	uint64_t at; /* in the spool */
	uint32_t idx, cpu, tid;
	bool used;
};

struct cs_range {
	uint64_t offset, size, flags, time;
	uint32_t cpu, tid;
};

/* Pieces of one buffer have the same key: that of a CPU, or else of a thread. */
static uint64_t key_of(uint32_t cpu, uint32_t tid)
{
	return cpu == UINT32_MAX ? UINT64_C(1) << 32 | tid : cpu;
}

void cs_traces_init(struct cs_traces *traces)
{
	*traces = (struct cs_traces){.spool.fd = -1};
}

void cs_traces_clear(struct cs_traces *traces)
{
	traces->pieces_count = traces->ranges_count = 0;
	traces->unknown = 0;
	trace_spool_clear(&traces->spool);
}

void cs_traces_free(struct cs_traces *traces)
{
	trace_spool_free(&traces->spool);
	free(traces->pieces);
	free(traces->ranges);
}

enum pk_status cs_traces_add(struct cs_traces *traces, struct pk_reader *reader,
			     const struct pk_record *record)
{
	const struct perf_record_auxtrace *auxtrace = (const void *)record->data;
	struct cs_piece piece = {.key = key_of(auxtrace->cpu, auxtrace->tid),
				 .offset = auxtrace->offset,
				 .at = traces->spool.end,
				 .idx = auxtrace->idx,
				 .cpu = auxtrace->cpu,
				 .tid = auxtrace->tid};

	PK_TRY(pk_reserve(&traces->pieces, &traces->pieces_capacity, traces->pieces_count, 1,
			  sizeof(piece)));
	PK_TRY(trace_spool_append(&traces->spool, reader, &piece.size));
	traces->pieces[traces->pieces_count++] = piece;
	return PK_OK;
}

enum pk_status cs_traces_range(struct cs_traces *traces, const struct pk_record *record,
			       const struct pk_event *event)
{
	const struct perf_record_aux *aux = (const void *)record->data;
	const struct trace_trailer id = trace_trailer_of(record, event);

	PK_TRY(pk_reserve(&traces->ranges, &traces->ranges_capacity, traces->ranges_count, 1,
			  sizeof(*traces->ranges)));
	traces->ranges[traces->ranges_count++] = (struct cs_range){.offset = aux->aux_offset,
								   .size = aux->aux_size,
								   .flags = aux->flags,
								   .time = id.time,
								   .cpu = id.cpu,
								   .tid = id.tid};
	return PK_OK;
}

/* ---- Bytes of a trace unit ---- */

struct output {
	struct pt_bytes bytes; /* without data */
	size_t used;
	uint8_t data[4096];
};

/* Splits the bytes of a buffer. */
struct splitter {
	struct cs_traces *traces;
	const struct cs_machine *machine;
	struct pt_queues *queues;
	const struct cs_piece *piece;
	const struct cs_range *range;
	struct cs_frames frames;
	struct output *outputs[IDS]; /* by trace ID; NULL if it had no bytes yet */
	uint8_t frame[CS_FRAME_SIZE];
	size_t frame_size;
};

static enum pk_status flush(struct splitter *splitter, struct output *output)
{
	output->bytes.data = output->data;
	output->bytes.size = output->used;
	output->used = 0;
	if (output->bytes.size)
		PK_TRY(pt_queues_append(splitter->queues, &output->bytes));
	output->bytes.starts = false;
	return PK_OK;
}

/* The decoders of all traces start again. */
static enum pk_status start(struct splitter *splitter)
{
	for (unsigned int id = 0; id < IDS; id++) {
		struct output *output = splitter->outputs[id];

		if (!output)
			continue;
		PK_TRY(flush(splitter, output));
		output->bytes.starts = true;
	}
	return PK_OK;
}

/* Returns the output of a trace ID, or NULL if memory is exhausted. */
static struct output *output_of(struct splitter *splitter, uint8_t id, const struct cs_cpu *unit)
{
	struct output *output = splitter->outputs[id];

	if (output)
		return output;
	output = splitter->outputs[id] = calloc(1, sizeof(*output));
	if (!output)
		return NULL;
	output->bytes = (struct pt_bytes){.queue = splitter->piece->idx * IDS + id,
					  .cpu = unit->cpu,
					  .tid = splitter->piece->tid,
					  .time = splitter->range->time,
					  .starts = true};
	return output;
}

static enum pk_status add_byte(struct splitter *splitter, struct cs_byte byte)
{
	enum { FIRST_RESERVED = 0x70 };
	struct output *output = splitter->outputs[byte.id];

	if (!byte.id || byte.id >= FIRST_RESERVED)
		return PK_OK;
	if (!output) {
		const struct cs_cpu *unit =
			cs_machine_traced(splitter->machine, splitter->range->cpu, byte.id);

		if (!unit) {
			splitter->traces->unknown++;
			return PK_OK;
		}
		output = output_of(splitter, byte.id, unit);
		if (!output)
			return PK_NOMEM;
	}
	if (output->used == sizeof(output->data))
		PK_TRY(flush(splitter, output));
	output->data[output->used++] = byte.value;
	return PK_OK;
}

static enum pk_status add_frame(struct splitter *splitter)
{
	struct cs_byte bytes[CS_FRAME_DATA];
	const unsigned int count = cs_frames_decode(&splitter->frames, splitter->frame, bytes);

	splitter->frame_size = 0;
	if (count > CS_FRAME_DATA)
		return start(splitter);
	for (unsigned int i = 0; i < count; i++)
		PK_TRY(add_byte(splitter, bytes[i]));
	return PK_OK;
}

static enum pk_status add_frames(struct splitter *splitter, const uint8_t *data, size_t size)
{
	while (size) {
		size_t part = CS_FRAME_SIZE - splitter->frame_size;

		if (part > size)
			part = size;
		memcpy(splitter->frame + splitter->frame_size, data, part);
		splitter->frame_size += part;
		data += part;
		size -= part;
		if (splitter->frame_size == CS_FRAME_SIZE)
			PK_TRY(add_frame(splitter));
	}
	return PK_OK;
}

/* ---- Ranges of buffers ---- */

/* Adds bytes of a trace unit that writes no frames. */
static enum pk_status add_raw(struct splitter *splitter, const uint8_t *data, size_t size)
{
	const struct cs_cpu *unit = cs_machine_cpu(splitter->machine, splitter->range->cpu);
	struct output *output;

	if (!unit && splitter->machine->count)
		unit = splitter->machine->cpus;
	if (!unit) {
		splitter->traces->unknown += size;
		return PK_OK;
	}
	output = output_of(splitter, 0, unit);
	if (!output)
		return PK_NOMEM;
	PK_TRY(flush(splitter, output));
	while (size) {
		output->used = size < sizeof(output->data) ? size : sizeof(output->data);
		memcpy(output->data, data, output->used);
		data += output->used;
		size -= output->used;
		PK_TRY(flush(splitter, output));
	}
	return PK_OK;
}

/* Adds bytes of a piece. */
static enum pk_status add_bytes(struct splitter *splitter, uint64_t offset, uint64_t size)
{
	struct trace_piece rest = {.at = splitter->piece->at + offset, .left = size};
	uint8_t data[16384];
	size_t got;

	while (rest.left) {
		PK_TRY(trace_spool_read(&splitter->traces->spool, &rest, data, sizeof(data), &got));
		if ((splitter->range->flags & FORMAT_MASK) == FORMAT_RAW)
			PK_TRY(add_raw(splitter, data, got));
		else
			PK_TRY(add_frames(splitter, data, got));
	}
	return PK_OK;
}

static int compare(const void *a, const void *b)
{
	const struct cs_piece *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Returns the number of the last piece of the buffer that starts at or before the offset, or
 * SIZE_MAX. */
static size_t find_piece(const struct cs_traces *traces, uint64_t key, uint64_t offset)
{
	size_t low = 0, high = traces->pieces_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct cs_piece *piece = &traces->pieces[middle];

		if (piece->key < key || (piece->key == key && piece->offset <= offset))
			low = middle + 1;
		else
			high = middle;
	}
	return low && traces->pieces[low - 1].key == key ? low - 1 : SIZE_MAX;
}

/* Adds the bytes of a range, as far as they were recorded. */
static enum pk_status add_range(struct splitter *splitter, size_t found, uint64_t offset,
				uint64_t size)
{
	struct cs_traces *traces = splitter->traces;
	const uint64_t key = traces->pieces[found].key;

	for (; found < traces->pieces_count && size; found++) {
		struct cs_piece *piece = &traces->pieces[found];
		const uint64_t skipped = offset - piece->offset;
		uint64_t part;

		if (piece->key != key || offset < piece->offset || skipped >= piece->size)
			break;
		part = piece->size - skipped < size ? piece->size - skipped : size;
		piece->used = true;
		splitter->piece = piece;
		PK_TRY(add_bytes(splitter, skipped, part));
		offset += part;
		size -= part;
	}
	return PK_OK;
}

static enum pk_status split_range(struct splitter *splitter)
{
	const struct cs_range *range = splitter->range;
	struct cs_traces *traces = splitter->traces;
	uint64_t offset = range->offset, size = range->size;
	size_t found = find_piece(traces, key_of(range->cpu, 0), offset);
	enum pk_status status;

	if (found == SIZE_MAX)
		found = find_piece(traces, key_of(UINT32_MAX, range->tid), offset);
	if (found == SIZE_MAX)
		return PK_OK;
	/* In snapshots, the offset is that of the end. */
	if (range->flags & FLAG_OVERWRITE) {
		if (size > traces->pieces[found].size)
			size = traces->pieces[found].size;
		offset -= size < offset ? size : offset;
		found = find_piece(traces, traces->pieces[found].key, offset);
	}
	status = found == SIZE_MAX ? PK_OK : add_range(splitter, found, offset, size);
	if (status == PK_OK)
		status = start(splitter);
	for (unsigned int id = 0; id < IDS; id++)
		free(splitter->outputs[id]);
	return status;
}

enum pk_status cs_traces_split(struct cs_traces *traces, const struct cs_machine *machine,
			       struct pt_queues *queues)
{
	qsort(traces->pieces, traces->pieces_count, sizeof(*traces->pieces), compare);
	for (size_t i = 0; i < traces->ranges_count; i++) {
		struct splitter splitter = {.traces = traces,
					    .machine = machine,
					    .queues = queues,
					    .range = &traces->ranges[i]};

		PK_TRY(split_range(&splitter));
	}
	for (size_t i = 0; i < traces->pieces_count; i++)
		traces->unknown += traces->pieces[i].used ? 0 : traces->pieces[i].size;
	return PK_OK;
}
