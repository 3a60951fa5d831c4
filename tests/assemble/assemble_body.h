/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ASSEMBLE_BODY_H
#define ASSEMBLE_BODY_H

/* The bodies of records, from their fields. */

#include "assemble_text.h"
#include "buffer.h"
#include "pkprivate.h"

/* What an event's records are made of, and its first id. */
struct assembled_event {
	struct perf_attr attr;
	uint64_t id;
};

struct assembly {
	struct text_record text;
	bool big;
	struct assembled_event *events; /* of the session */
	size_t events_count, events_capacity;
	/* The record at hand: */
	const struct assembled_event *event; /* of a record of the kernel */
	uint32_t type;
	uint16_t misc;
	struct buffer out;     /* header and all */
	struct buffer payload; /* behind it */
	size_t stack_slack;    /* bytes of the stack dump that were not filled */
	size_t stack_head;     /* bytes that come with them */
	bool has_stack, stack_again;
	size_t trailer;	 /* bytes of `out` that are the trailer */
	char prefix[64]; /* of the names of fields */
};

/* A number of so many bytes, in the stream's order. */
void put_number(struct assembly *assembly, uint64_t value, unsigned int width);
void put_zeros(struct assembly *assembly, size_t count);
void put_padding(struct assembly *assembly, size_t multiple);
/* The value of a field, or this one. */
uint64_t number_of(struct assembly *assembly, const char *name, uint64_t otherwise);
void put_field(struct assembly *assembly, const char *name, unsigned int width);
/* The bytes of a field, which may be none. Returns how many. */
size_t put_bytes_of(struct assembly *assembly, const char *name);
/* A text without its NUL, in `width` bytes; 0: as it is. Returns the text's length. */
size_t put_chars(struct assembly *assembly, const char *name, size_t width);
/* letters and names are those of struct pk_record_layout. */
void put_fields(struct assembly *assembly, const char *letters, const char *names);
/* NAME[0].FIELD, NAME[1].FIELD and so on, as many as there are. */
void put_items(struct assembly *assembly, const char *name, const char *letters, const char *names);
size_t count_items(const struct assembly *assembly, const char *name);
/* The bits of a number, in the order in which a compiler for a big-endian machine has them. */
uint64_t mirror_bits(uint64_t bits, const unsigned char *widths, size_t count);

/* A record that has no SAMPLE's fields: body, trailer and payload. */
void put_body(struct assembly *assembly);
/* assemble_sample.c: what the settings of an event decide. */
const struct assembled_event *event_of(struct assembly *assembly);
void put_attr(struct assembly *assembly);
void put_sample(struct assembly *assembly);
void put_read(struct assembly *assembly, const struct perf_attr *attr);
/* A trailer of samples, if the text has it. */
void put_tagged(struct assembly *assembly, const char *name, uint32_t tag);
void put_trailer(struct assembly *assembly, const struct assembled_event *event);

#endif
