/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef STREAM_INTERNAL_H
#define STREAM_INTERNAL_H

/* What libpkstream's files share with each other and with nobody else. */

#include "pkstream.h"
#include "pkutil.h"
#include "table.h"

#define PK_HOST_IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* ---- input.c: bytes ---- */

/* A piece of the input. Records are handed out of it in place, and whoever keeps one holds its
 * block. */
struct pk_block {
	struct pk_block *next; /* in the pool of free ones */
	struct pk_pool *pool;
	unsigned int refs;
	uint8_t data[];
};

#define PK_BLOCK_SIZE	  ((size_t)512 << 10)
#define PK_BLOCK_SIZE_MIN ((size_t)128 << 10) /* twice what has to be contiguous */

/* Blocks of one size, for inputs that end no later than it does. */
struct pk_pool {
	size_t block_size;
	struct pk_block *free;
	unsigned int count; /* of the free ones */
	size_t used;	    /* bytes of the others */
};

struct pk_zstd;

struct pk_input {
	struct pk_reader_options options;
	void (*expire)(void *arg); /* as in struct pk_reader_options, and its arg */
	void *expire_arg;
	/* Where bytes come from; NULL: the descriptor in options. */
	ssize_t (*read)(void *arg, void *buf, size_t size);
	void *read_arg;
	struct pk_pool *pool;
	struct pk_block *block; /* begin to end is what has been read and not consumed */
	size_t begin, end;
	uint64_t offset;      /* of begin in the input, after decompression */
	struct pk_zstd *zstd; /* while inside a zstd frame, else NULL */
	uint8_t *raw;	      /* bytes read but not decompressed, raw_begin to raw_end */
	size_t raw_begin, raw_end;
	int error; /* errno of the failed read */
	bool is_pipe;
};

enum pk_status pk_input_init(struct pk_input *input, const struct pk_reader_options *options,
			     struct pk_pool *pool);
void pk_input_close(struct pk_input *input);
void pk_pool_clear(struct pk_pool *pool);
/* At least n contiguous bytes at input->block->data + input->begin, n <= 64 KiB. PK_END: nothing is
 * left; PK_TRUNCATED: less than n; both leave what there is in place. */
enum pk_status pk_input_fill(struct pk_input *input, size_t n);
/* To be called where a stream may begin, with 4 bytes in view: enters a zstd frame. */
enum pk_status pk_input_detect_zstd(struct pk_input *input, bool *entered);

/* spool.c: all that is left of the input into a temporary file, which the caller closes. */
enum pk_status pk_input_spool(struct pk_input *input, int *fd);
/* Whether the input is a file as it stands, and where in it the next byte is. */
bool pk_input_can_seek(const struct pk_input *input, uint64_t *position);
/* Goes on with bytes from elsewhere, at offset 0; what was read and not consumed is dropped. */
void pk_input_switch(struct pk_input *input, ssize_t (*read)(void *arg, void *buf, size_t size),
		     void *arg);

static inline enum pk_status pk_input_want(struct pk_input *input, size_t n)
{
	return pk_likely(input->end - input->begin >= n) ? PK_OK : pk_input_fill(input, n);
}

static inline const uint8_t *pk_input_at(const struct pk_input *input)
{
	return input->block->data + input->begin;
}

static inline void pk_input_consume(struct pk_input *input, size_t n)
{
	input->begin += n;
	input->offset += n;
}

void pk_block_release(struct pk_block *block);

/* ---- compress.c: the only user of libzstd ---- */

struct pk_zstd *pk_zstd_new(void);
void pk_zstd_free(struct pk_zstd *zstd);
/* Moves *in_used and *out_used on. *frame_end: a frame is complete. */
enum pk_status pk_zstd_step(struct pk_zstd *zstd, const uint8_t *in, size_t in_size,
			    size_t *in_used, uint8_t *out, size_t out_size, size_t *out_used,
			    bool *frame_end);

/* ---- attr.c, event_name.c: events ---- */

struct pk_event_state {
	struct pk_event event;
	char *name;			/* owned; NULL while derived */
	bool named;			/* by EVENT_UPDATE NAME */
	struct pk_arguments *arguments; /* owned */
	char derived[48];
};

struct pk_events {
	struct pk_event_state **list;
	size_t count, capacity;
	struct pk_table ids; /* struct pk_event */
	/* where events have the id: a bit for each offset / 8, bit 0 for those without */
	uint8_t sample_places, trailer_places;
	uint64_t last_id;
	const struct pk_event *last_event;
	uint32_t cpus_available; /* from NRCPUS: another feature cannot be swapped without it */
};

void pk_events_clear(struct pk_events *events);
/* A HEADER_ATTR record in host order. *problem says what was wrong with PK_CORRUPT, and may be set
 * with PK_OK for something that can be lived with. */
enum pk_status pk_events_add(struct pk_events *events, const struct pk_record *record,
			     const char **problem);
/* Of an event of this list that neither EVENT_UPDATE nor EVENT_DESC has named. */
enum pk_status pk_events_name(struct pk_events *events, const struct pk_event *event,
			      const char *name);
enum pk_status pk_events_update(struct pk_events *events, const struct pk_record *record);
/* ARGUMENTS of one of them, of which the first holds. arguments.c */
enum pk_status pk_events_arguments(struct pk_events *events, const struct pk_record *record);
/* What EVENT_DESC holds. */
enum pk_status pk_events_describe(struct pk_events *events, const uint8_t *content, size_t size);
/* swapped: the record's words are still in the other byte order. */
const struct pk_event *pk_events_of(struct pk_events *events, const uint8_t *data, uint32_t type,
				    uint16_t size, bool swapped);
/* The time of a kernel record of the event, in host order (SPEC 7.2). */
static inline uint64_t pk_event_time(const struct pk_event *event, const struct pk_record *record)
{
	const struct pk_layout *layout = &event->layout;
	uint64_t time = 0;

	if (record->type == PERF_RECORD_SAMPLE) {
		if (layout->time && record->size >= layout->fixed_size)
			time = pk_load_u64(record->data + layout->time);
	} else if (layout->trailer.time &&
		   record->size >= sizeof(struct perf_header) + layout->trailer.size) {
		time = pk_load_u64(record->data + record->size - layout->trailer.time);
	}
	return time ? time : PK_NO_TIME;
}

static inline const struct pk_event *pk_events_of_sample(struct pk_events *events,
							 const uint8_t *data, uint16_t size)
{
	return pk_likely(events->count == 1)
		       ? &events->list[0]->event
		       : pk_events_of(events, data, PERF_RECORD_SAMPLE, size, false);
}
/* Copies an attr of size bytes (64 or more) in host layout into *attr. */
void pk_attr_load(const uint8_t *data, size_t size, struct perf_attr *attr);
void pk_layout_init(struct pk_layout *layout, const struct perf_attr *attr);
/* A name made from type and config, as perf says it. */
void pk_event_derive_name(const struct perf_attr *attr, char *name, size_t size);

/* ---- feature_part.c: features in pieces (SPEC 9.13) ---- */

#define PK_FEATURE_SIZE_MAX ((uint64_t)64 << 20)
#define PK_FEATURE_ID_MAX   31 /* of what perf 6.1 takes for a feature */
#define PK_PART_SIZE_MAX    (PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_feature_part))

/* A feature that is being put together. */
struct pk_join {
	uint32_t id, byte_order;
	uint64_t size; /* of the whole, of which have bytes are there */
	uint8_t *data;
	size_t have, capacity;
};

/* Takes the bytes of a FEATURE_PART record. PK_CORRUPT: it does not continue what is there. */
enum pk_status pk_join_add(struct pk_join *join, const struct pk_record *record);
/* Writes a HEADER_FEATURE as parts. byte_order: of its content, as in SESSION. */
enum pk_status pk_parts_write(struct pk_writer *writer, const struct pk_record *record,
			      uint32_t byte_order);

/* ---- sample.c ---- */

/* pk_sample_check, at the least cost: whether a sample that can be decoded holds all its fields. */
static inline bool pk_sample_is_whole(const struct pk_event *event, const struct pk_record *record)
{
	const struct pk_layout *layout = &event->layout;

	if (pk_unlikely(!layout->plain))
		return pk_sample_check(event, record) != PK_CORRUPT;
	return record->size >= layout->least &&
	       (!layout->callchain || pk_load_u64(record->data + layout->callchain) <=
					      (record->size - layout->least) / 8u);
}

/* ---- record_layout.c ---- */

/* The least size that a record of this type can have; 8 for unknown types. */
uint16_t pk_record_size_min(uint32_t type);
/* Types whose bytes, in one order or the other, begin a stream or a zstd frame (SPEC 10.2): written
 * again, the record would be taken for that. */
bool pk_record_type_reserved(uint32_t type);

/* ---- swap.c, swap_sample.c ---- */

static inline void pk_swap_u16(uint8_t *p)
{
	pk_store_u16(p, __builtin_bswap16(pk_load_u16(p)));
}

static inline void pk_swap_u32(uint8_t *p)
{
	pk_store_u32(p, __builtin_bswap32(pk_load_u32(p)));
}

static inline void pk_swap_u64(uint8_t *p)
{
	pk_store_u64(p, __builtin_bswap64(pk_load_u64(p)));
}

/* n numbers of u64 from p on. */
static inline void pk_swap_u64s(uint8_t *p, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		pk_swap_u64(p + 8 * i);
}

/* PK_CORRUPT: a kernel record in host order whose strings do not end before its trailer. */
enum pk_status pk_check_record(struct pk_events *events, const uint8_t *data, uint32_t type,
			       uint16_t misc, uint16_t size);
/* One record whose header is in host order already, in place. PK_UNSUPPORTED: unknown type, body
 * left. */
enum pk_status pk_swap_record(struct pk_events *events, uint8_t *data, uint32_t type, uint16_t misc,
			      uint16_t size);
enum pk_status pk_swap_sample(struct pk_events *events, uint8_t *data, uint16_t size);
/* A feature without its header. */
enum pk_status pk_swap_feature(struct pk_events *events, uint64_t id, uint8_t *content,
			       size_t size);
/* An attr of size bytes in place; false if its own size field does not fit there. */
bool pk_swap_attr(uint8_t *attr, size_t room);

/* ---- record_writer.c ---- */

/* Begins a definition of size bytes, head included, which are padded to a multiple of 8 with zeros.
 * Its head is filled in. NULL without writer or on error. */
void *pk_definition_begin(struct pk_writer *writer, enum pk_definition kind, size_t size);

/* ---- reader.c ---- */

/* Adds a reference to the block that the reader's current record lies in. */
struct pk_block *pk_reader_hold(struct pk_reader *reader);
/* Bytes of all blocks that are held. */
size_t pk_reader_held(const struct pk_reader *reader);
/* A warning about a record, and one more bad record. */
void pk_reader_complain(struct pk_reader *reader, const struct pk_record *record, const char *text);

#endif
