/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACEPOINT_H
#define PK_TRACEPOINT_H

/* Decodes the raw bytes of a tracepoint's samples: the formats in the payload of a TRACING_DATA
 * record (SPEC 6.3), the text that `perf script` prints for a sample, and its fields. */

#include "buffer.h"
#include "field_kind.h"
#include "pkstream.h"
#include "pkutil.h"

/* The formats of one session. */
struct pk_tracepoints;
/* One format. It is valid until the next load or free of its pk_tracepoints. */
struct pk_tracepoint;

/* NULL: out of memory. */
struct pk_tracepoints *pk_tracepoints_new(void);
void pk_tracepoints_free(struct pk_tracepoints *tracepoints);
/* Loads the payload of a TRACING_DATA record, of either byte order. It replaces all formats loaded
 * before. The data is copied. Returns PK_CORRUPT if it is malformed. The formats before the damage
 * are loaded then. */
PK_MUST_CHECK enum pk_status pk_tracepoints_load(struct pk_tracepoints *tracepoints,
						 const uint8_t *data, size_t size);

/* A callback for %pS and the like in formats. It returns the name of the symbol at a kernel
 * address, valid until the next call, and sets *start to the symbol's address. It returns NULL if
 * there is none. Without a callback (symbol is NULL), addresses are printed as numbers. */
typedef const char *(*pk_tracepoint_symbol_fn)(void *arg, uint64_t address, uint64_t *start);
void pk_tracepoints_resolver(struct pk_tracepoints *tracepoints, pk_tracepoint_symbol_fn symbol,
			     void *arg);

/* The format with an id, the config of an attr of PERF_TYPE_TRACEPOINT. Returns NULL if there is
 * none, its fields cannot be parsed, or memory is exhausted. Call it once for each event, not for
 * each sample. */
struct pk_tracepoint *pk_tracepoints_find(struct pk_tracepoints *tracepoints, uint64_t config);
/* Whether there is a format with this id whose fields cannot be parsed. */
bool pk_tracepoints_is_unreadable(struct pk_tracepoints *tracepoints, uint64_t config);
/* The format with this name, such as "sched:sched_switch". Takes time for each format. Returns NULL
 * in the cases of pk_tracepoints_find(). */
struct pk_tracepoint *pk_tracepoints_named(struct pk_tracepoints *tracepoints, const char *name);
/* Whether memory was exhausted since the last load: formats can be missing, or printed
 * incompletely. */
bool pk_tracepoints_failed(const struct pk_tracepoints *tracepoints);
/* "sched:sched_switch". It is text of the input, and can contain bytes that are harmful for a
 * terminal. */
const char *pk_tracepoint_name(const struct pk_tracepoint *tracepoint);

/*
 * The text that `perf script` prints for a sample's raw bytes after the event's name,
 * NUL-terminated. It can contain bytes of the input that are harmful for a terminal. It is valid
 * until the next call for the same pk_tracepoints. raw can have any size: a number that is not
 * completely in raw counts as 0, and an array or a string ends with raw. A format whose "print fmt"
 * cannot be evaluated (it can contain any C expression) is printed as "[FAILED TO PARSE]
 * field=value ...". A text longer than 16 KiB + 64 bytes for each byte of raw, or than 1 MiB, is
 * cut, and ends with "[...]". *size is its size without the NUL. size can be NULL.
 *
 * Values are those of C where perf differs: perf treats a signed field of 4 bytes that is printed
 * as a longer one as unsigned, evaluates 1 - 2 - 3 as 1 - (2 - 3) and x & (1 | 2) as (x & 1) | 2,
 * prints >c< for %c, and does not know sizeof.
 */
const char *pk_tracepoint_text(struct pk_tracepoint *tracepoint, const struct pk_bytes *raw,
			       size_t *size);

/* Where the text of a sample comes from. */
struct pk_tracepoint_origin {
	const char *system;
	struct pk_bytes format; /* the text of the format */
	uint64_t id;
	bool big_endian;
	uint8_t long_size;
	pk_tracepoint_symbol_fn symbol; /* NULL: none */
	void *symbol_arg;
};

/* Another printer of samples, which answers in place of ours. */
struct pk_tracepoint_printer {
	void *(*open)(void); /* NULL: out of memory */
	/* Like pk_tracepoint_text(). NULL: it cannot, and ours prints. */
	const char *(*text)(void *printer, const struct pk_tracepoint_origin *origin,
			    const struct pk_bytes *raw, size_t *size);
	void (*close)(void *printer);
};
/* NULL: ours. */
void pk_tracepoints_printer(struct pk_tracepoints *tracepoints,
			    const struct pk_tracepoint_printer *printer);

/* ---- Fields ---- */

struct pk_tracepoint_field {
	const char *name;
	const char *type; /* as declared, without brackets after the name: "unsigned int"; has no
			   * NUL */
	uint32_t type_size;
	uint32_t offset, size; /* in the raw bytes; size of all elements, bytes */
	uint32_t element_size; /* of one element (1: unknown type); equals size if it is not an
				* array */
	bool is_signed, is_array;
	bool is_string;	  /* an array of char, u8 or s8 */
	bool is_dynamic;  /* __data_loc or __rel_loc: the field contains the offset and size of the
			   * value */
	bool is_relative; /* __rel_loc: the offset counts from the end of the field */
	bool is_pointer, is_long; /* the type contains * or "long"; after "[FAILED TO PARSE]",
				   * pointers, unsigned longs and longs of 4 bytes are printed in
				   * hexadecimal */
	/* How to print the number. It comes from the type and from "print fmt". A table has the
	 * fields for which these two are not enough. It is TEXT for fields with is_string, and NONE
	 * for all other arrays. */
	enum pk_value_kind kind;
	/* For WORDS: where the event prints them, as the first conversion, plus 1, and their
	 * number. */
	uint32_t words, words_count;
};

/* Any field, including common_pid and the like. Returns NULL if there is no such field. */
const struct pk_tracepoint_field *pk_tracepoint_find_field(const struct pk_tracepoint *tracepoint,
							   const char *name);
/* The field at this index, 0, 1 ..., in the order of the format, or NULL after the last. */
const struct pk_tracepoint_field *pk_tracepoint_field_at(const struct pk_tracepoint *tracepoint,
							 size_t index);
/* The number in a field of 1, 2, 4 or 8 bytes, sign-extended if is_signed. Returns false if the
 * field is not a number, or not in raw. */
bool pk_tracepoint_number(const struct pk_tracepoint *tracepoint,
			  const struct pk_tracepoint_field *field, const struct pk_bytes *raw,
			  uint64_t *value);
/* ---- Fields as the event prints them ---- */

/* Where the text of the format shows a field: the number of a conversion of "print fmt", or 0 if it
 * shows it nowhere. Call it once for each event. */
uint32_t pk_tracepoint_shows(const struct pk_tracepoint *tracepoint,
			     const struct pk_tracepoint_field *field);
/* The text of that conversion, such as the word for a number. With shown 0, it is the field as
 * after "[FAILED TO PARSE]". Valid and limited as that of pk_tracepoint_text(). */
struct pk_bytes pk_tracepoint_shown(struct pk_tracepoint *tracepoint,
				    const struct pk_tracepoint_field *field, uint32_t shown,
				    const struct pk_bytes *raw);

/* The words for a number in a field of kind WORDS. They are not those of a sample, because they
 * depend on the number only. Empty if memory is exhausted. Valid and limited as the text of
 * pk_tracepoint_text(). */
struct pk_bytes pk_tracepoint_words(struct pk_tracepoint *tracepoint,
				    const struct pk_tracepoint_field *field, uint64_t number);
/* For the format of a derived event, whose field `name` has the values of a field of kind WORDS:
 * adds the conversions of "print fmt" to `conversions`, and their arguments to `arguments`. */
void pk_tracepoint_words_format(const struct pk_tracepoint *tracepoint,
				const struct pk_tracepoint_field *field, const char *name,
				struct buffer *conversions, struct buffer *arguments);

/* ---- Numbers at their places ---- */

/* The place of a number, found once, for loading it from many samples. size 0: none. */
struct pk_raw_number {
	uint32_t offset;
	uint8_t size; /* 1, 2, 4, 8 bytes */
	bool is_signed;
};

/* The place of the number that pk_tracepoint_number() reads. There is none if the field is not a
 * number, or the formats have the other byte order. */
struct pk_raw_number pk_tracepoint_place(const struct pk_tracepoint *tracepoint,
					 const struct pk_tracepoint_field *field);
/* The number at a place. Returns false if it is not in raw. */
static inline bool pk_raw_number_load(const struct pk_raw_number *place, const struct pk_bytes *raw,
				      uint64_t *value)
{
	const uint8_t *at;

	if (pk_unlikely(place->offset > raw->size || place->size > raw->size - place->offset))
		return false;
	at = raw->data + place->offset;
	if (pk_likely(place->size == 8))
		*value = pk_load_u64(at);
	else if (place->size == 4)
		*value = place->is_signed ? (uint64_t)(int32_t)pk_load_u32(at) : pk_load_u32(at);
	else if (place->size == 2)
		*value = place->is_signed ? (uint64_t)(int16_t)pk_load_u16(at) : pk_load_u16(at);
	else
		*value = place->is_signed ? (uint64_t)(int8_t)*at : *at;
	return true;
}

/* The bytes of a field's value. Those of a dynamic field are at its location, as far as they are in
 * raw. A string ends before its NUL. Returns false if the field is not completely in raw, or its
 * location is outside of raw. */
bool pk_tracepoint_bytes(const struct pk_tracepoint *tracepoint,
			 const struct pk_tracepoint_field *field, const struct pk_bytes *raw,
			 struct pk_bytes *bytes);

#endif
