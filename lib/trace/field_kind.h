/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FIELD_KIND_H
#define PK_FIELD_KIND_H

/* The kinds of fields: what a value means, and so how all programs print it (docs/fields.md). The
 * numbers of the kinds are part of hashes in databases: add new ones at the end. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pk_value_kind {
	PK_VALUE_NONE,
	PK_VALUE_NUMBER,   /* unsigned */
	PK_VALUE_SIGNED,   /* 64 bits */
	PK_VALUE_INT,	   /* signed, 32 bits: pid, tid, cpu */
	PK_VALUE_HEX,	   /* bits */
	PK_VALUE_TIME,	   /* a time stamp in nanoseconds */
	PK_VALUE_TEXT,	   /* not a number */
	PK_VALUE_ADDRESS,  /* of memory */
	PK_VALUE_DURATION, /* nanoseconds */
	PK_VALUE_BYTES,	   /* a size */
	PK_VALUE_DEVICE,   /* dev_t of the kernel: 12 bits of the major, 20 of the minor number */
	PK_VALUE_ERROR,	   /* errno, or 0 */
	PK_VALUE_RESULT,   /* signed: a result, or -errno */
	PK_VALUE_WORDS, /* a number that the event prints as words: flags, states, enumerations */
	PK_VALUE_SIGNED_WORDS,
	PK_VALUE_KINDS
};

/* The name of a kind in lists, such as "address". */
const char *pk_kind_name(enum pk_value_kind kind);

static inline bool pk_kind_is_signed(enum pk_value_kind kind)
{
	return kind == PK_VALUE_SIGNED || kind == PK_VALUE_INT || kind == PK_VALUE_RESULT ||
	       kind == PK_VALUE_SIGNED_WORDS;
}

static inline bool pk_kind_is_hex(enum pk_value_kind kind)
{
	return kind == PK_VALUE_HEX || kind == PK_VALUE_ADDRESS;
}

static inline bool pk_kind_is_words(enum pk_value_kind kind)
{
	return kind == PK_VALUE_WORDS || kind == PK_VALUE_SIGNED_WORDS;
}

/* Whether the unit is nanoseconds. */
static inline bool pk_kind_is_time(enum pk_value_kind kind)
{
	return kind == PK_VALUE_TIME || kind == PK_VALUE_DURATION;
}

/* Whether the text of a number is not the number. */
static inline bool pk_kind_has_names(enum pk_value_kind kind)
{
	return kind >= PK_VALUE_DEVICE;
}

/* The kind of a value in data for programs: NUMBER, SIGNED, INT, HEX or TEXT. */
enum pk_value_kind pk_kind_as_data(enum pk_value_kind kind);

/* The kind of a number for which its format does not tell it, or NONE if it is unknown. */
enum pk_value_kind pk_kind_known(const char *system, const char *event, const char *field,
				 bool is_signed);

/* Writes a number in the format of its kind, without a NUL. WORDS is printed as a number, because
 * its words are those of the event. Returns the size of the text in bytes. */
#define PK_VALUE_SIZE 24
size_t pk_number_text(enum pk_value_kind kind, uint64_t key, char text[PK_VALUE_SIZE]);

#endif
