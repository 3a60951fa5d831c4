/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACEPOINT_H
#define PK_TRACEPOINT_H

/* Decodes the raw bytes of a tracepoint's samples. The formats are in the payload of a TRACING_DATA
 * record (SPEC 6.3). The functions return the text that `perf script` prints for a sample, and the
 * values of its fields. */

#include "buffer.h"
#include "field_kind.h"
#include "pkstream.h"
#include "pkutil.h"

/* The formats of one session. */
struct pk_tracepoints;
/* One format. It is valid until formats are loaded again, or until its pk_tracepoints is freed. */
struct pk_tracepoint;

/* Returns NULL if memory is exhausted. */
struct pk_tracepoints *pk_tracepoints_new(void);
void pk_tracepoints_free(struct pk_tracepoints *tracepoints);
/* Loads the payload of a TRACING_DATA record. It can have either byte order. It replaces all
 * formats that were loaded before. The data is copied. If the payload is malformed, returns
 * PK_CORRUPT, and only the formats before the damage are loaded. */
PK_MUST_CHECK enum pk_status pk_tracepoints_load(struct pk_tracepoints *tracepoints,
						 const uint8_t *data, size_t size);

/* Returns the payload that was loaded. It is valid until another payload is loaded. */
struct pk_bytes pk_tracepoints_payload(const struct pk_tracepoints *tracepoints);

/* A callback for %pS and similar conversions. It returns the name of the symbol at a kernel
 * address, and sets *start to the address of the symbol. The name is valid until the next call. It
 * returns NULL if there is no symbol. If `symbol` is NULL, addresses are printed as numbers. */
typedef const char *(*pk_tracepoint_symbol_fn)(void *arg, uint64_t address, uint64_t *start);
void pk_tracepoints_resolver(struct pk_tracepoints *tracepoints, pk_tracepoint_symbol_fn symbol,
			     void *arg);

/* Returns the format with an id. The id is the config of an attr of type PERF_TYPE_TRACEPOINT.
 * Returns NULL if there is no such format, if its fields cannot be parsed, or if memory is
 * exhausted. Call it once for each event, not for each sample. */
struct pk_tracepoint *pk_tracepoints_find(struct pk_tracepoints *tracepoints, uint64_t config);
/* Returns whether there is a format with this id whose fields cannot be parsed. */
bool pk_tracepoints_is_unreadable(struct pk_tracepoints *tracepoints, uint64_t config);
/* Returns the format with this name, such as "sched:sched_switch". The time is proportional to the
 * number of formats. Returns NULL in the same cases as pk_tracepoints_find(). */
struct pk_tracepoint *pk_tracepoints_named(struct pk_tracepoints *tracepoints, const char *name);
/* Returns whether memory was exhausted since formats were loaded. In this case, formats can be
 * missing or printed incompletely. */
bool pk_tracepoints_failed(const struct pk_tracepoints *tracepoints);
/* Returns the name, such as "sched:sched_switch". It is a text of the input, so it can contain
 * bytes that are harmful for a terminal. */
const char *pk_tracepoint_name(const struct pk_tracepoint *tracepoint);

/*
 * Returns the text that `perf script` prints after the event's name for the raw bytes of a sample.
 * It ends with a NUL. It can contain bytes of the input that are harmful for a terminal. It is
 * valid until the next call for the same pk_tracepoints. *size is set to the size of the text
 * without the NUL, unless `size` is NULL.
 *
 * `raw` can have any size. A number that is not completely in `raw` is treated as 0. An array or a
 * string ends at the end of `raw`. "print fmt" can contain any C expression. If it cannot be
 * evaluated, the text is "[FAILED TO PARSE] field=value ...". A text is cut if it is longer than 16
 * KiB plus 64 bytes for each byte of `raw`, or longer than 1 MiB. It then ends with "[...]".
 *
 * Values are calculated as in C. perf differs from C in these cases:
 *   - It treats a signed field of 4 bytes that is printed as a longer number as unsigned.
 *   - It evaluates 1 - 2 - 3 as 1 - (2 - 3), and x & (1 | 2) as (x & 1) | 2.
 *   - It prints >c< for %c.
 *   - It does not know sizeof.
 */
const char *pk_tracepoint_text(struct pk_tracepoint *tracepoint, const struct pk_bytes *raw,
			       size_t *size);

/* The format and the session of a sample, for another printer. */
struct pk_tracepoint_origin {
	const char *system;
	struct pk_bytes format; /* text of the format */
	uint64_t id;
	bool big_endian;
	uint8_t long_size;
	pk_tracepoint_symbol_fn symbol; /* NULL if there is no callback */
	void *symbol_arg;
};

/* Another printer of samples. If it is set, it is asked before pk's own printer. */
struct pk_tracepoint_printer {
	void *(*open)(void); /* returns NULL if memory is exhausted */
	/* Like pk_tracepoint_text(). If it returns NULL, pk's own printer prints the sample. */
	const char *(*text)(void *printer, const struct pk_tracepoint_origin *origin,
			    const struct pk_bytes *raw, size_t *size);
	void (*close)(void *printer);
};
/* Sets another printer. NULL means pk's own printer. */
void pk_tracepoints_printer(struct pk_tracepoints *tracepoints,
			    const struct pk_tracepoint_printer *printer);

/* ---- Fields ---- */

/* A field of a tracepoint, and its place in the raw bytes. */
struct pk_tracepoint_field {
	const char *name;
	const char *type; /* type in the declaration, such as "unsigned int", without brackets after
			   * the name; it does not end with a NUL */
	uint32_t type_size;
	uint32_t offset,
		size; /* place in the raw bytes; `size` is the size of all elements in bytes */
	uint32_t element_size; /* size of one element; 1 if its type is unknown, and `size` if the
				* field is not an array */
	bool is_signed, is_array;
	bool is_string;	 /* an array of char, u8 or s8 */
	bool is_dynamic; /* a field with __data_loc or __rel_loc; it contains the offset and size of
			  * the value */
	bool is_relative; /* a field with __rel_loc; the offset is relative to the end of the field
			   */
	bool is_pointer,
		is_long; /* The type contains "*" or "long". After "[FAILED TO PARSE]", pointers,
			  * unsigned longs and longs of 4 bytes are printed in hexadecimal. */
	/* How the number is printed. The type and "print fmt" determine the kind. For fields for
	 * which they do not show it, the kind is from a table. The kind is TEXT for fields with
	 * is_string, and NONE for all other arrays. */
	enum pk_value_kind kind;
	/* For kind WORDS: `words` is 1 plus the number of the first conversion that prints the
	 * words, and words_count is the number of these conversions. */
	uint32_t words, words_count;
};

/* Returns the field with this name, which can be a common field, such as common_pid. Returns NULL
 * if there is no such field. */
const struct pk_tracepoint_field *pk_tracepoint_find_field(const struct pk_tracepoint *tracepoint,
							   const char *name);
/* Returns the field at this index, from 0 on, in the order of the format. Returns NULL after the
 * last field. */
const struct pk_tracepoint_field *pk_tracepoint_field_at(const struct pk_tracepoint *tracepoint,
							 size_t index);
/* Reads the number in a field of 1, 2, 4 or 8 bytes. It is sign-extended if the field is signed.
 * Returns false if the field is not a number, or if it is not in `raw`. */
bool pk_tracepoint_number(const struct pk_tracepoint *tracepoint,
			  const struct pk_tracepoint_field *field, const struct pk_bytes *raw,
			  uint64_t *value);
/* ---- Fields as the event prints them ---- */

/* Returns the number of the conversion of "print fmt" that prints a field. Returns 0 if no
 * conversion prints it. Call it once for each event. */
uint32_t pk_tracepoint_shows(const struct pk_tracepoint *tracepoint,
			     const struct pk_tracepoint_field *field);
/* Returns the text of the conversion with the number `shown`, such as the word for a number. If
 * `shown` is 0, the field is printed as after "[FAILED TO PARSE]". The result is valid and limited
 * as the result of pk_tracepoint_text(). */
struct pk_bytes pk_tracepoint_shown(struct pk_tracepoint *tracepoint,
				    const struct pk_tracepoint_field *field, uint32_t shown,
				    const struct pk_bytes *raw);

/* Returns the words for a number in a field of kind WORDS. The words depend only on the number, so
 * no sample is needed. The result is empty if memory is exhausted. It is valid as long as a result
 * of pk_tracepoint_text(), and has the same size limit. */
struct pk_bytes pk_tracepoint_words(struct pk_tracepoint *tracepoint,
				    const struct pk_tracepoint_field *field, uint64_t number);
/* Helps to make the format of a derived event, whose field `name` has the values of the given field
 * of kind WORDS. Appends the conversions of "print fmt" that print the words to `conversions`, and
 * the arguments of these conversions to `arguments`. */
void pk_tracepoint_words_format(const struct pk_tracepoint *tracepoint,
				const struct pk_tracepoint_field *field, const char *name,
				struct buffer *conversions, struct buffer *arguments);

/* ---- Numbers at known places ---- */

/* The place of a number in the raw bytes. It is found once, and used for many samples. A size of 0
 * means that there is no place. */
struct pk_raw_number {
	uint32_t offset;
	uint8_t size; /* 1, 2, 4 or 8 bytes */
	bool is_signed;
};

/* Returns the place of the number that pk_tracepoint_number() reads. The size of the place is 0 if
 * the field is not a number, or if the formats have another byte order than this machine. */
struct pk_raw_number pk_tracepoint_place(const struct pk_tracepoint *tracepoint,
					 const struct pk_tracepoint_field *field);
/* Reads the number at a place. Returns false if the place is not in `raw`. */
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

/* Sets *bytes to the bytes of a field's value. The bytes of a dynamic field are at the location
 * that the field contains, and end with `raw`. A string ends before its NUL. Returns false if the
 * field is not completely in `raw`, or if its location is outside of `raw`. */
bool pk_tracepoint_bytes(const struct pk_tracepoint *tracepoint,
			 const struct pk_tracepoint_field *field, const struct pk_bytes *raw,
			 struct pk_bytes *bytes);

#endif
