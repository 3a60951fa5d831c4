/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MKVECTORS_H
#define MKVECTORS_H

/* Golden streams, built byte by byte from format/SPEC.md alone, intentionally without libpkstream
 * or any of its headers, so that the two check each other. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SPEC 5.1 */
enum sample_bit {
	IP = 1 << 0,
	TID = 1 << 1,
	TIME = 1 << 2,
	ADDR = 1 << 3,
	READ = 1 << 4,
	CALLCHAIN = 1 << 5,
	ID = 1 << 6,
	CPU = 1 << 7,
	PERIOD = 1 << 8,
	STREAM_ID = 1 << 9,
	RAW = 1 << 10,
	BRANCH_STACK = 1 << 11,
	REGS_USER = 1 << 12,
	STACK_USER = 1 << 13,
	WEIGHT = 1 << 14,
	DATA_SRC = 1 << 15,
	IDENTIFIER = 1 << 16,
	TRANSACTION = 1 << 17,
	REGS_INTR = 1 << 18,
	PHYS_ADDR = 1 << 19,
	AUX = 1 << 20,
	CGROUP = 1 << 21,
	DATA_PAGE_SIZE = 1 << 22,
	CODE_PAGE_SIZE = 1 << 23,
	WEIGHT_STRUCT = 1 << 24,
};

#define SAMPLE_ID_ALL (UINT64_C(1) << 18) /* attr.flags */

#define MARKER(n) ((uint64_t) - (n)) /* SPEC 5.3 */

/* The fields of an event; the rest of its attr is 0. */
struct event {
	uint64_t type, config, sample_type, read_format, flags, branch_type, regs_user, regs_intr;
	uint32_t size; /* 0: 128 */
	uint32_t stack_user;
};

struct stream {
	uint8_t *data;
	size_t size, capacity;
	size_t record;		   /* start of the current record */
	bool big;		   /* byte order */
	const struct event *event; /* records get the trailer of this event */
	uint64_t time;		   /* of the last record */
	uint64_t id;		   /* for trailers and samples */
	uint64_t records, samples; /* since header() */
};

/* ---- emit.c ---- */

void header(struct stream *s);
void rec(struct stream *s, uint32_t type, uint16_t misc);
/* Sets the record's size. */
void end(struct stream *s);
/* Sets it to something else. */
void end_as(struct stream *s, uint16_t size);
void bytes(struct stream *s, const void *data, size_t size);
void fill(struct stream *s, uint8_t byte, size_t count);
void num(struct stream *s, unsigned int width, uint64_t value);
/* Overwrites an earlier number. */
void patch(struct stream *s, size_t place, unsigned int width, uint64_t value);
/* A string, padded with zeros so that the record so far is a multiple of 8. */
void str8(struct stream *s, const char *text);
void pad8(struct stream *s);
void put(struct stream *s, const char *widths, const uint64_t *values, size_t count);
/* Numbers of 1, 2, 4 or 8 bytes: PUT(s, "448", pid, tid, addr). */
#define PUT(s, widths, ...)                                                                        \
	put(s, widths, (const uint64_t[]){__VA_ARGS__},                                            \
	    sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
/* A record of numbers only. */
#define REC(s, type, misc, widths, ...)                                                            \
	do {                                                                                       \
		rec(s, type, misc);                                                                \
		PUT(s, widths, __VA_ARGS__);                                                       \
		end(s);                                                                            \
	} while (0)
/* A record without content. */
void bare(struct stream *s, uint32_t type);
/* SPEC 5.5, for the current event; adds 1000 to the time. */
void trailer(struct stream *s);
void zero_trailer(struct stream *s);

/* HEADER_ATTR; ids are first_id to first_id + ids - 1. Makes it the current event. */
void event(struct stream *s, const struct event *e, uint64_t first_id, unsigned int ids);
void attr(struct stream *s, const struct event *e);
/* EVENT_UPDATE NAME */
void name(struct stream *s, uint64_t id, const char *text);
/* An event with IDENTIFIER, IP, TID, TIME and sample_id_all, of id 1. */
void usual_event(struct stream *s);
/* A sample of that event, in task 100. */
void usual_sample(struct stream *s, uint64_t ip);
/* COMM and MMAP2 of task 100. */
void usual_task(struct stream *s);
/* Opens a HEADER_FEATURE; end() or end_feature(), which pads, closes it. */
void feature(struct stream *s, uint64_t id);
void end_feature(struct stream *s);
void feature_string(struct stream *s, const char *text);

/* zstd without compression: the start of a frame, a block of bytes, or a block of one repeated
 * byte. */
void zstd_begin(struct stream *s);
void zstd_block(struct stream *s, const void *data, size_t size, bool last);
void zstd_repeat(struct stream *s, uint8_t byte, size_t count, bool last);
void zstd_frame(struct stream *s, const void *data, size_t size);

/* ---- mkvectors_feature.c ---- */

/* Opens a FEATURE_PART (SPEC 9.13). */
void begin_part(struct stream *s, uint32_t id, uint32_t order, uint64_t size, uint64_t offset);

/* ---- mkvectors_sample.c ---- */

/* All fields of a sample of the event; n varies their content. */
void sample_fields(struct stream *s, const struct event *e, uint64_t id, unsigned int n);
void read_values(struct stream *s, uint64_t format, unsigned int n);
uint64_t branch_flags(const struct stream *s, unsigned int n);

/* ---- mkvectors_pk.c ---- */

/* Starts an EVENT_UPDATE of pk (SPEC 9). */
void definition(struct stream *s, unsigned int kind);
void define_session(struct stream *s, uint32_t trailers);
void define_end(struct stream *s);

/* ---- mkvectors_file.c: perf.data files (SPEC, appendix A). Places count from the file's start
 * ---- */

struct file {
	size_t base;		       /* its start */
	uint64_t stride;	       /* of the table of events */
	uint64_t attrs, data, feature; /* their offsets */
	uint64_t table;		       /* the next entry of the table of features */
};

void file_begin(struct stream *s, struct file *f, unsigned int header_size);
uint64_t file_at(const struct stream *s, const struct file *f);
void file_set(struct stream *s, const struct file *f, uint64_t place, uint64_t value);
/* One entry of the table of events, which the last entry completes. */
void file_event(struct stream *s, struct file *f, const struct event *e, uint64_t ids_offset,
		uint64_t ids_size);
void file_data(struct stream *s, struct file *f);
void file_data_end(struct stream *s, const struct file *f);
/* The table of these features; then their contents, in this order. */
void file_table(struct stream *s, struct file *f, const unsigned int *ids, unsigned int count);
void file_feature(struct stream *s, struct file *f);
void file_feature_end(struct stream *s, struct file *f);
/* Two events, two samples, no features. */
void file_simple(struct stream *s);

/* ---- Streams. A table each, ended by a NULL name. ---- */

struct vector {
	const char *name;
	void (*make)(struct stream *s);
	bool both; /* once in each byte order, as NAME-le and NAME-be */
};

extern const struct vector kernel_vectors[], user_vectors[], sample_vectors[], feature_vectors[],
	stream_vectors[], pk_vectors[], derived_vectors[], file_vectors[];
extern const struct vector bad_stream_vectors[], bad_record_vectors[], bad_sample_vectors[],
	bad_pk_vectors[], bad_file_vectors[];

#endif
