/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FEATURE_CURSOR_H
#define FEATURE_CURSOR_H

/* Reads the content of a feature (SPEC 6.2), which can be cut anywhere. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "buffer.h"
#include "pkstream.h"

/* The bytes of a feature that have not been read yet. */
struct feature_cursor {
	const uint8_t *at, *end;
};

/* Reads a number of 4 or 8 bytes. If fewer bytes remain, returns 0 and moves to the end. */
static inline uint64_t read_number(struct feature_cursor *cursor, size_t size)
{
	uint64_t value;

	if ((size_t)(cursor->end - cursor->at) < size) {
		cursor->at = cursor->end;
		return 0;
	}
	value = size == 8 ? pk_load_u64(cursor->at) : pk_load_u32(cursor->at);
	cursor->at += size;
	return value;
}

/* Reads a string: u32 size, then that many bytes. Returns the bytes before the first NUL. A size
 * beyond the end is cut. */
static inline struct feature_cursor read_text(struct feature_cursor *cursor)
{
	uint64_t size = read_number(cursor, 4), left = (uint64_t)(cursor->end - cursor->at);
	struct feature_cursor text = {cursor->at, NULL};

	if (size > left)
		size = left;
	text.end = text.at + strnlen((const char *)text.at, size);
	cursor->at += size;
	return text;
}

/* Reads a string, and appends it with control bytes replaced. */
static inline void add_text(struct buffer *out, struct feature_cursor *cursor)
{
	struct feature_cursor text = read_text(cursor);

	buffer_harmless(out, (const char *)text.at, (size_t)(text.end - text.at));
}

static inline bool is_left(const struct feature_cursor *cursor)
{
	return cursor->at < cursor->end;
}

#endif
