/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MKVECTORS_H
#define MKVECTORS_H

/* Builds the reference streams of the tests, byte by byte, only from format/SPEC.md. It uses
 * neither libpkstream nor its headers, so that the tests compare two independent implementations of
 * SPEC.md. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bits of sample_type, SPEC 5.1 */
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

#define SAMPLE_ID_ALL (UINT64_C(1) << 18) /* in attr.flags */

#define MARKER(n) ((uint64_t) - (n)) /* in callchains, SPEC 5.3 */

/* The fields of an event's attr. All other fields of the attr are 0. */
struct event {
	uint64_t type, config, sample_type, read_format, flags, branch_type, regs_user, regs_intr;
	uint32_t size; /* size of the attr in bytes; 0 means 128 */
	uint32_t stack_user;
};

/* A stream that is being written, and the event for which records are written. */
struct stream {
	uint8_t *data;
	size_t size, capacity;
	size_t record;		   /* start of the current record */
	bool big;		   /* the byte order is big-endian */
	const struct event *event; /* the current event; trailer() writes the trailer that records
				    * of this event have */
	uint64_t time;		   /* time of the last record, in ns */
	uint64_t id;		   /* the id that is written to trailers and samples */
	uint64_t records, samples; /* numbers of records and samples since header() */
};

/* ---- mkvectors_emit.c ---- */

void header(struct stream *s);
void rec(struct stream *s, uint32_t type, uint16_t misc);
/* Ends the record: sets its size in its header. */
void end(struct stream *s);
/* Ends the record with the given size in its header, which can be wrong. */
void end_as(struct stream *s, uint16_t size);
void bytes(struct stream *s, const void *data, size_t size);
void fill(struct stream *s, uint8_t byte, size_t count);
void num(struct stream *s, unsigned int width, uint64_t value);
/* Overwrites the number of `width` bytes that was written at `place`. */
void patch(struct stream *s, size_t place, unsigned int width, uint64_t value);
/* Writes a string and at least one NUL. NULs follow until the size of the record is a multiple
 * of 8. */
void str8(struct stream *s, const char *text);
void pad8(struct stream *s);
void put(struct stream *s, const char *widths, const uint64_t *values, size_t count);
/* Writes numbers of 1, 2, 4 or 8 bytes. For example, PUT(s, "448", pid, tid, addr) writes two
 * numbers of 4 bytes and one of 8 bytes. */
#define PUT(s, widths, ...)                                                                        \
	put(s, widths, (const uint64_t[]){__VA_ARGS__},                                            \
	    sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
/* Writes a record that contains only numbers. */
#define REC(s, type, misc, widths, ...)                                                            \
	do {                                                                                       \
		rec(s, type, misc);                                                                \
		PUT(s, widths, __VA_ARGS__);                                                       \
		end(s);                                                                            \
	} while (0)
/* Writes a record without content. */
void bare(struct stream *s, uint32_t type);
/* Writes the trailer of the current event (SPEC 5.5), and adds 1000 ns to the time. */
void trailer(struct stream *s);
void zero_trailer(struct stream *s);

/* Writes a HEADER_ATTR with the ids first_id to first_id + ids - 1. The event becomes the current
 * event. */
void event(struct stream *s, const struct event *e, uint64_t first_id, unsigned int ids);
void attr(struct stream *s, const struct event *e);
/* Writes an EVENT_UPDATE of type NAME. */
void name(struct stream *s, uint64_t id, const char *text);
/* Writes an event with IDENTIFIER, IP, TID, TIME, sample_id_all and the id 1. */
void usual_event(struct stream *s);
/* Writes a sample of the event of usual_event(), in task 100. */
void usual_sample(struct stream *s, uint64_t ip);
/* Writes a COMM and an MMAP2 record of task 100. */
void usual_task(struct stream *s);
/* Starts a HEADER_FEATURE record. end() or end_feature() ends it. end_feature() also pads it to a
 * multiple of 8 bytes. */
void feature(struct stream *s, uint64_t id);
void end_feature(struct stream *s);
void feature_string(struct stream *s, const char *text);

/* Write zstd data that is not compressed: the start of a frame, a block of bytes, a block that
 * repeats one byte, or a whole frame. */
void zstd_begin(struct stream *s);
void zstd_block(struct stream *s, const void *data, size_t size, bool last);
void zstd_repeat(struct stream *s, uint8_t byte, size_t count, bool last);
void zstd_frame(struct stream *s, const void *data, size_t size);

/* ---- mkvectors_feature.c ---- */

/* Starts a FEATURE_PART (SPEC 9.13). */
void begin_part(struct stream *s, uint32_t id, uint32_t order, uint64_t size, uint64_t offset);

/* ---- mkvectors_sample.c ---- */

/* Writes all fields of a sample of the event. The values of the fields depend on n. */
void sample_fields(struct stream *s, const struct event *e, uint64_t id, unsigned int n);
void read_values(struct stream *s, uint64_t format, unsigned int n);
uint64_t branch_flags(const struct stream *s, unsigned int n);

/* ---- mkvectors_pk.c ---- */

/* Starts an EVENT_UPDATE that is a definition of pk (SPEC 9). */
void definition(struct stream *s, unsigned int kind);
void define_session(struct stream *s, uint32_t trailers);
void define_end(struct stream *s);

/* ---- mkvectors_file.c: perf.data files (SPEC, appendix A) ---- */

/* The positions in a perf.data file that is being written. */
struct file {
	size_t base;		       /* start of the file in the stream */
	uint64_t stride;	       /* size of an entry of the table of events, in bytes */
	uint64_t attrs, data, feature; /* offsets of the sections and of the current feature from
					* the start of the file */
	uint64_t table; /* offset of the next entry of the table of features from the start of the
			 * file */
};

void file_begin(struct stream *s, struct file *f, unsigned int header_size);
uint64_t file_at(const struct stream *s, const struct file *f);
void file_set(struct stream *s, const struct file *f, uint64_t place, uint64_t value);
/* Writes one entry of the table of events. The offset and the size of the table in the header are
 * set, too. */
void file_event(struct stream *s, struct file *f, const struct event *e, uint64_t ids_offset,
		uint64_t ids_size);
void file_data(struct stream *s, struct file *f);
void file_data_end(struct stream *s, const struct file *f);
/* Writes the table of these features. The caller must then write their contents, in the same order.
 */
void file_table(struct stream *s, struct file *f, const unsigned int *ids, unsigned int count);
void file_feature(struct stream *s, struct file *f);
void file_feature_end(struct stream *s, struct file *f);
/* Writes a file with two events, two samples and no features. */
void file_simple(struct stream *s);

/* ---- Tables of streams; a NULL name ends each table ---- */

/* A reference stream: its name, and the function that writes it. */
struct vector {
	const char *name;
	void (*make)(struct stream *s);
	bool both; /* make the stream in both byte orders, as the files NAME-le and NAME-be */
};

extern const struct vector kernel_vectors[], user_vectors[], sample_vectors[], feature_vectors[],
	stream_vectors[], pk_vectors[], derived_vectors[], file_vectors[];
extern const struct vector bad_stream_vectors[], bad_record_vectors[], bad_sample_vectors[],
	bad_pk_vectors[], bad_file_vectors[];

#endif
