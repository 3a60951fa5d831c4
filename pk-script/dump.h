/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DUMP_H
#define DUMP_H

/* pk-script --dump: every record, field by field. */

#include <stdio.h>

#include "buffer.h"
#include "pkprivate.h"
#include "pkstream.h"

/* Reads fd to its end. path is for messages; hex: print the bytes of each record before its fields.
 * Returns the exit status. */
int dump_input(int fd, const char *path, bool hex);

/* From here on, fields are appended to buffer as ,"name":value; hexadecimal numbers are strings.
 * NULL: printed on stdout, as text. */
void dump_to_json(struct buffer *buffer);

/* ---- Shared by the dumpers ---- */

struct dump {
	const char *path;
	bool hex;
	struct pk_reader *reader;
	struct pk_dictionary *dictionary;
	struct pk_session_info session; /* version 0: no SESSION yet */
	uint64_t malformed;
	uint32_t images; /* number of IMAGE definitions so far */
	uint32_t cpus;	 /* of the feature NRCPUS; 0: unknown */

	/* The current record. at to end are the bytes that have not been printed, without the
	 * trailer of sample_id_all. */
	const struct pk_record *record;
	const struct pk_event *event; /* of the record, or NULL */
	const uint8_t *at, *end;
	bool complained;
	char prefix[64]; /* of the names of fields */
};

/* "  NAME=VALUE" */
void dump_decimal(const char *name, uint64_t value);
void dump_hex(const char *name, uint64_t value);
void dump_signed(const char *name, int64_t value);
/* In quotes, safe for a terminal. Ends at a NUL. */
void dump_text(const char *name, const void *text, size_t size);
/* The first bytes in hexadecimal: "NAME=4:0a0b0c0d". */
void dump_bytes(const char *name, const void *data, uint64_t size);
/* The value, and in parentheses its name among count names, if it has one. */
void dump_named(const char *name, uint64_t value, const char *const *names, size_t count);
/* The value and its name. */
void dump_name(const char *name, uint64_t value, const char *meaning);
void dump_real(const char *name, double value);
/* The value in hexadecimal, and in parentheses the names of its bits. */
void dump_flags(const char *name, uint64_t value, const char *const *names, size_t count);
/* Names of bits, by number, of an attr's flags (NULL: those of precise_ip) and of other fields. */
#define DUMP_ATTR_FLAGS	 40
#define DUMP_SAMPLE_BITS 25
#define DUMP_READ_BITS	 5
#define DUMP_BRANCH_BITS 20
extern const char *const dump_attr_flags[DUMP_ATTR_FLAGS];
extern const char *const dump_sample_bits[DUMP_SAMPLE_BITS];
extern const char *const dump_read_bits[DUMP_READ_BITS];
extern const char *const dump_branch_bits[DUMP_BRANCH_BITS];
#define COUNT(array)		      (sizeof(array) / sizeof((array)[0]))
#define DUMP_NAMED(name, value, list) dump_named(name, value, list, COUNT(list))
#define DUMP_FLAGS(name, value, list) dump_flags(name, value, list, COUNT(list))

/* Reports the first error of each record, in the dump and on stderr. */
void dump_complain(struct dump *dump, const char *what);

/* Reads a number of 1, 2, 4 or 8 bytes; 0 and a complaint if the record ends before. */
uint64_t dump_read_number(struct dump *dump, unsigned int width);
/* NULL and a complaint if fewer bytes remain. */
const uint8_t *dump_read_bytes(struct dump *dump, uint64_t size);
static inline size_t dump_left(const struct dump *dump)
{
	return (size_t)(dump->end - dump->at);
}

/* Prints fields one after another: letters and names are those of struct pk_record_layout. */
void dump_fields(struct dump *dump, const char *letters, const char *names);
/* The same nr times, as "NAME[I].FIELD", or as "NAME[I]" if names is "" or ".". An item has at
 * least `least` bytes; complains if nr do not fit. */
void dump_items(struct dump *dump, uint64_t nr, size_t least, const char *name, const char *letters,
		const char *names);

/* ---- By type ---- */

const char *dump_type_name(uint32_t type);
/* Whether records of this type belong to an event. */
static inline bool dump_is_kernel_type(uint32_t type)
{
	return type < PERF_RECORD_KERNEL_MAX;
}
/* Prints the fields of a record that is not a SAMPLE; its event is record->event. */
void dump_record(struct dump *dump, const struct pk_record *record);
/* Prints the body of a record of any type except SAMPLE. */
void dump_body(struct dump *dump);
void dump_trailer(struct dump *dump);
void dump_feature(struct dump *dump);
void dump_feature_part(struct dump *dump);
void dump_definition(struct dump *dump, unsigned int kind);

#endif
