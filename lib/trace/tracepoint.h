/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACEPOINT_H
#define PK_TRACEPOINT_H

/*
 * What the raw bytes of a tracepoint's samples mean: the formats that a TRACING_DATA record's
 * payload carries (SPEC 6.3), the text that `perf script` prints for a sample, and its fields.
 */

#include "pkstream.h"

/* The formats of one session. */
struct pk_tracepoints;
/* One format; lives as long as the pk_tracepoints that it came from, until the next load. */
struct pk_tracepoint;

/* NULL: out of memory. */
struct pk_tracepoints *pk_tracepoints_new(void);
void pk_tracepoints_free(struct pk_tracepoints *tracepoints);
/*
 * Takes in a payload of TRACING_DATA, of either byte order, in place of what was loaded before;
 * data is copied. PK_CORRUPT: it is malformed, and what comes before the damage is known.
 */
PK_MUST_CHECK enum pk_status pk_tracepoints_load(struct pk_tracepoints *tracepoints,
						 const uint8_t *data, size_t size);

/* The symbol of a kernel address, borrowed until the next call, or NULL; *start: where it begins.
 * What a format prints with %pS and the like goes through it. NULL: addresses stay numbers. */
typedef const char *(*pk_tracepoint_symbol_fn)(void *arg, uint64_t address, uint64_t *start);
void pk_tracepoints_resolver(struct pk_tracepoints *tracepoints, pk_tracepoint_symbol_fn symbol,
			     void *arg);

/* The format whose id is config (of an attr of PERF_TYPE_TRACEPOINT); NULL if there is none, or it
 * cannot be understood. To be looked up once for each event. */
struct pk_tracepoint *pk_tracepoints_find(struct pk_tracepoints *tracepoints, uint64_t config);
/* Memory has been exhausted since the last load: a format was not found, not understood or not
 * printed in full for that reason. */
bool pk_tracepoints_failed(const struct pk_tracepoints *tracepoints);
/* "sched:sched_switch"; what comes from the input is not made harmless. */
const char *pk_tracepoint_name(const struct pk_tracepoint *tracepoint);

/*
 * What `perf script` prints of a sample's raw bytes behind the event's name, NUL-terminated, all
 * bytes as the input has them. Borrowed until the next call for the same pk_tracepoints. raw may be
 * of any size: what a field lacks counts as 0. A format whose "print fmt" cannot be evaluated (it
 * may have any C in it) is printed as "[FAILED TO PARSE] field=value ...".
 *
 * Values are C's, where perf's are not: perf takes a signed field of 4 bytes that is printed as a
 * longer one for unsigned, 1 - 2 - 3 for 1 - (2 - 3), x & (1 | 2) for (x & 1) | 2; prints >c< for
 * %c; and knows no sizeof.
 */
const char *pk_tracepoint_text(struct pk_tracepoint *tracepoint, const struct pk_bytes *raw,
			       size_t *size);

/* ---- Fields ---- */

struct pk_tracepoint_field {
	const char *name;
	uint32_t offset, size; /* in the raw bytes; size of all elements */
	uint32_t element_size; /* of one element; size if it is no array */
	bool is_signed, is_array;
	bool is_string;		  /* an array of characters */
	bool is_dynamic;	  /* __data_loc or __rel_loc: where the bytes are is in the bytes */
	bool is_relative;	  /* __rel_loc */
	bool is_pointer, is_long; /* an address; a C long: printed in hexadecimal */
};

/* Any field, common_pid and the like included; NULL if there is none of that name. */
const struct pk_tracepoint_field *pk_tracepoint_find_field(const struct pk_tracepoint *tracepoint,
							   const char *name);
/* The fields one by one, in their order; NULL after the last. */
const struct pk_tracepoint_field *pk_tracepoint_field_at(const struct pk_tracepoint *tracepoint,
							 size_t index);
/* The number in a field of 1, 2, 4 or 8 bytes, its sign extended if is_signed. False: no such
 * number in these bytes. */
bool pk_tracepoint_number(const struct pk_tracepoint *tracepoint,
			  const struct pk_tracepoint_field *field, const struct pk_bytes *raw,
			  uint64_t *value);
/* The bytes of a field, dynamic ones where they really are; of a string without its NUL. False: not
 * inside raw. */
bool pk_tracepoint_bytes(const struct pk_tracepoint *tracepoint,
			 const struct pk_tracepoint_field *field, const struct pk_bytes *raw,
			 struct pk_bytes *bytes);

#endif
