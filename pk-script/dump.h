/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DUMP_H
#define DUMP_H

/* pk-script --dump prints every record, field by field. */

#include <stdio.h>

#include "buffer.h"
#include "pkprivate.h"
#include "pkstream.h"

/* Reads fd to its end, and prints the records on stdout. path is the name of the input in messages.
 * If hex is set, prints the bytes of each record before its fields. Returns the exit status. */
int dump_input(int fd, const char *path, bool hex);

/* Redirects the output of all later calls. If `buffer` is not NULL, fields are appended to it as
 * ,"NAME":VALUE, and hexadecimal numbers are strings. If it is NULL, which is the default, fields
 * are printed as text on stdout. */
void dump_to_json(struct buffer *buffer);

/* ---- Shared by the dumpers ---- */

/* The state of --dump. */
struct dump {
	const char *path;
	bool hex;
	struct pk_reader *reader;
	struct pk_dictionary *dictionary;
	struct pk_session_info session; /* session.version is 0 if no SESSION record was read yet */
	uint64_t malformed;
	uint32_t images; /* number of IMAGE definitions that this session has had so far */
	bool s390;	 /* the feature ARCH of this session says that the machine is one */
	uint32_t cpus; /* number of available CPUs of the recorded machine, from the feature NRCPUS;
			* 0 if it is unknown */

	/* The current record. The bytes from `at` to `end` are the part of its body that has not
	 * been printed yet. They do not include the trailer of sample_id_all. */
	const struct pk_record *record;
	const struct pk_event *event; /* the event to which the record belongs, or NULL */
	const uint8_t *at, *end;
	/* True if an error of the current record was reported. dump_fields() then prints no more
	 * fields of this record. */
	bool complained;
	char prefix[64]; /* a text that is printed before the name of each field */
};

/* Each of these functions prints one field, as the line "  NAME=VALUE" or as a JSON member. */
void dump_decimal(const char *name, uint64_t value);
void dump_hex(const char *name, uint64_t value);
void dump_signed(const char *name, int64_t value);
/* Prints text in quotes, up to its first NUL and at most 4096 bytes. Control bytes are replaced. */
void dump_text(const char *name, const void *text, size_t size);
/* Prints the size in decimal, and the first 64 bytes in hexadecimal: "NAME=4:0a0b0c0d". JSON
 * contains only the bytes. */
void dump_bytes(const char *name, const void *data, uint64_t size);
/* Prints the value. Then prints names[value] in parentheses, unless it is NULL or value >= count.
 */
void dump_named(const char *name, uint64_t value, const char *const *names, size_t count);
/* Prints the value, and `meaning` in parentheses. In JSON, the meaning is a second member with the
 * name NAME_name. */
void dump_name(const char *name, uint64_t value, const char *meaning);
void dump_real(const char *name, double value);
/* Prints the value in hexadecimal, and the names of its bits in parentheses. JSON contains only the
 * value. */
void dump_flags(const char *name, uint64_t value, const char *const *names, size_t count);
/* The names of the bits of sample_type, read_format and branch_sample_type, by bit number. */
#define DUMP_SAMPLE_BITS 25
#define DUMP_READ_BITS	 5
#define DUMP_BRANCH_BITS 20
extern const char *const dump_sample_bits[DUMP_SAMPLE_BITS];
extern const char *const dump_read_bits[DUMP_READ_BITS];
extern const char *const dump_branch_bits[DUMP_BRANCH_BITS];
#define COUNT(array)		      (sizeof(array) / sizeof((array)[0]))
#define DUMP_NAMED(name, value, list) dump_named(name, value, list, COUNT(list))
#define DUMP_FLAGS(name, value, list) dump_flags(name, value, list, COUNT(list))

/* Reports an error of the current record in the dump and on stderr. Only the first error of each
 * record is reported; later calls do nothing. */
void dump_complain(struct dump *dump, const char *what);

/* Reads a number of 1, 2, 4 or 8 bytes. If fewer bytes remain, reports an error and returns 0. */
uint64_t dump_read_number(struct dump *dump, unsigned int width);
/* Skips size bytes, and returns their address. If fewer bytes remain, reports an error and returns
 * NULL. */
const uint8_t *dump_read_bytes(struct dump *dump, uint64_t size);
static inline size_t dump_left(const struct dump *dump)
{
	return (size_t)(dump->end - dump->at);
}

/* Reads and prints fields. letters and names describe them, as in struct pk_record_layout. */
void dump_fields(struct dump *dump, const char *letters, const char *names);
/* Calls dump_fields() for nr items. The fields of item I are printed as "NAME[I].FIELD". If names
 * is "" or ".", they are printed as "NAME[I]". `least` is the smallest size of an item in bytes.
 * Reports an error if nr items of this size do not fit into the record. */
void dump_items(struct dump *dump, uint64_t nr, size_t least, const char *name, const char *letters,
		const char *names);

/* ---- By type ---- */

const char *dump_type_name(uint32_t type);
/* Returns true if the kernel writes records of this type. Each record of the kernel belongs to an
 * event. */
static inline bool dump_is_kernel_type(uint32_t type)
{
	return type < PERF_RECORD_KERNEL_MAX;
}
/* Prints the body and the trailer of a record that is not a SAMPLE. The caller must have set
 * record->event. */
void dump_record(struct dump *dump, const struct pk_record *record);
/* Prints the body of the current record. A SAMPLE is printed only as text, never as JSON. */
void dump_body(struct dump *dump);
/* Prints the fields of sample_id_all at the end of the current record, as "trailer.FIELD". */
void dump_trailer(struct dump *dump);
/* Prints the counters in the raw bytes of a sample of an s390. */
void dump_raw_s390(const struct pk_event *event, const struct pk_bytes *raw);
void dump_feature(struct dump *dump);
void dump_feature_part(struct dump *dump);
void dump_definition(struct dump *dump, unsigned int kind);

#endif
