/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FIELD_KIND_H
#define PK_FIELD_KIND_H

/* The kinds of fields. The kind says what a value means, and so how all programs print it
 * (docs/fields.md). The numbers of the kinds are part of hashes in databases, so new kinds must be
 * added at the end. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a value means, and so how it is printed. */
enum pk_value_kind {
	PK_VALUE_NONE,
	PK_VALUE_NUMBER,   /* an unsigned number */
	PK_VALUE_SIGNED,   /* a signed number of 64 bits */
	PK_VALUE_INT,	   /* a signed number of 32 bits: pid, tid, cpu */
	PK_VALUE_HEX,	   /* a set of bits */
	PK_VALUE_TIME,	   /* a time stamp in nanoseconds */
	PK_VALUE_TEXT,	   /* a text, not a number */
	PK_VALUE_ADDRESS,  /* an address of memory */
	PK_VALUE_DURATION, /* a duration in nanoseconds */
	PK_VALUE_BYTES,	   /* a size in bytes */
	PK_VALUE_DEVICE, /* dev_t of the kernel: 12 bits of major number, 20 bits of minor number */
	PK_VALUE_ERROR,	 /* an errno, or 0 */
	PK_VALUE_RESULT, /* a signed number: the result of a call, or -errno if the call failed */
	PK_VALUE_WORDS,	 /* a number that the event prints as words: flags, states, enumerations */
	PK_VALUE_SIGNED_WORDS,
	PK_VALUE_KINDS
};

/* Returns the name of a kind for lists, such as "address". */
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

/* Returns whether values of the kind are in nanoseconds. */
static inline bool pk_kind_is_time(enum pk_value_kind kind)
{
	return kind == PK_VALUE_TIME || kind == PK_VALUE_DURATION;
}

/* Returns whether the text of a number can be something else than one number: a device, the name of
 * an error, or words. */
static inline bool pk_kind_has_names(enum pk_value_kind kind)
{
	return kind >= PK_VALUE_DEVICE;
}

/* Returns the kind that a value of this kind has in data for programs: NUMBER, SIGNED, INT, HEX or
 * TEXT. */
enum pk_value_kind pk_kind_as_data(enum pk_value_kind kind);

/* Returns the kind of a number by the names of its event and field. This is used if the format does
 * not show the kind. Returns NONE if the kind is unknown. */
enum pk_value_kind pk_kind_known(const char *system, const char *event, const char *field,
				 bool is_signed);

/* Writes a number in the form of its kind, without a NUL. A number of kind WORDS is printed as a
 * number, because only the event has the words. Returns the size of the text in bytes. */
#define PK_VALUE_SIZE 24
size_t pk_number_text(enum pk_value_kind kind, uint64_t key, char text[PK_VALUE_SIZE]);

#endif
