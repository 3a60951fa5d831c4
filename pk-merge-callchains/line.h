/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LINE_H
#define PK_LINE_H

/*
 * The records from the oldest waiting sample, in their order, in memory that is used from one end
 * to the other. Each record is copied once. Records that were removed stay readable until LINE_PAST
 * more bytes were added, and all that was added before those were removed: a user half is not
 * copied for samples that come after it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_PAST ((uint64_t)4 << 20)

enum held_state {
	HELD_PLAIN,   /* written as it is */
	HELD_DROPPED, /* not written: a user half */
	HELD_WAITING, /* a sample whose user half has not been read */
	HELD_MERGED,  /* a sample with its user half */
	HELD_ALONE,   /* a sample that is written without its user half */
};

/* Starts an entry of the line. A sample with half of a callchain has more members (held_sample). */
struct held {
	uint64_t at;	  /* bytes that were added before it */
	uint32_t size;	  /* of its record */
	uint16_t record;  /* offset of its record in the entry */
	uint8_t state;	  /* enum held_state */
	bool has_payload; /* the entry is a held_payload */
};

static inline uint8_t *held_record(struct held *held)
{
	return (uint8_t *)held + held->record;
}

struct line {
	struct line_block *oldest, *first, *last, *unused;
	size_t first_at;	 /* offset of the first entry in its block */
	uint64_t added, removed; /* bytes */
};

void line_free(struct line *line);
/* Bytes of the entries. */
static inline uint64_t line_bytes(const struct line *line)
{
	return line->added - line->removed;
}
/* Adds an entry with `front` bytes, which start with a struct held, and a record of `size` bytes,
 * which the caller fills. Sets the members of struct held but state. NULL: out of memory. */
struct held *line_add(struct line *line, size_t front, size_t size);
/* The first entry; NULL: none. */
struct held *line_first(struct line *line);
/* The entry after one of the same block that has not been removed; NULL: none is known. */
const struct held *line_after(const struct line *line, const struct held *held);
void line_remove_first(struct line *line);
/* Whether the record of an entry, which may have been removed, stays readable until an entry that
 * is added now is removed. */
static inline bool line_reaches(const struct line *line, uint64_t at)
{
	return line->added - at <= LINE_PAST;
}

#endif
