/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ASSEMBLE_BODY_H
#define ASSEMBLE_BODY_H

/* Makes the bodies of records from the fields of a text. */

#include "assemble_text.h"
#include "buffer.h"
#include "pkprivate.h"

/* An event: the attr, which defines the layout of the event's records, and the first id of the
 * event. */
struct assembled_event {
	struct perf_attr attr;
	uint64_t id;
};

struct assembly {
	struct text_record text;
	bool big;
	struct assembled_event *events; /* events of the session */
	size_t events_count, events_capacity;
	/* The following members describe the record that is being written. */
	const struct assembled_event *event; /* event of a kernel record */
	uint32_t type;
	uint16_t misc;
	struct buffer out;     /* the record with its header */
	struct buffer payload; /* bytes that follow the record */
	size_t stack_slack;    /* bytes at the end of the stack dump that are not valid */
	size_t stack_head; /* size in bytes of dyn_size, if it is written only with stack_slack */
	bool has_stack, stack_again;
	size_t trailer;	 /* size of the trailer at the end of `out`, in bytes */
	char prefix[64]; /* prefix of the names of fields, such as "symbol[0]." */
};

/* Writes a number of `width` bytes, in the byte order of the stream. */
void put_number(struct assembly *assembly, uint64_t value, unsigned int width);
void put_zeros(struct assembly *assembly, size_t count);
void put_padding(struct assembly *assembly, size_t multiple);
/* Returns the value of the field, or `otherwise` if the text does not have the field. */
uint64_t number_of(struct assembly *assembly, const char *name, uint64_t otherwise);
void put_field(struct assembly *assembly, const char *name, unsigned int width);
/* Writes the bytes of the field. Returns the number of bytes, which is 0 if the text does not have
 * the field. */
size_t put_bytes_of(struct assembly *assembly, const char *name);
/* Writes a text without its NUL, and then zeros up to `width` bytes. If `width` is 0, writes no
 * zeros. Returns the length of the text. */
size_t put_chars(struct assembly *assembly, const char *name, size_t width);
/* Writes fields. struct pk_record_layout describes `letters` and `names`. */
void put_fields(struct assembly *assembly, const char *letters, const char *names);
/* Writes the fields NAME[0].FIELD, NAME[1].FIELD and so on, for all items that the text has. */
void put_items(struct assembly *assembly, const char *name, const char *letters, const char *names);
size_t count_items(const struct assembly *assembly, const char *name);
/* Returns the bits in the order in which a compiler for a big-endian machine has them. The number
 * consists of `count` bit fields with these widths, from the lowest bit on. */
uint64_t mirror_bits(uint64_t bits, const unsigned char *widths, size_t count);

/* Writes the body, the trailer and the payload of a record. */
void put_body(struct assembly *assembly);
/* These functions of assemble_sample.c depend on the attr of an event. */
const struct assembled_event *event_of(struct assembly *assembly);
void put_attr(struct assembly *assembly);
void put_sample(struct assembly *assembly);
void put_read(struct assembly *assembly, const struct perf_attr *attr);
/* Writes a chain trailer or a stack trailer, if the text has this field. */
void put_tagged(struct assembly *assembly, const char *name, uint32_t tag);
void put_trailer(struct assembly *assembly, const struct assembled_event *event);

#endif
