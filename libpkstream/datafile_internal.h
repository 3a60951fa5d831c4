/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DATAFILE_INTERNAL_H
#define DATAFILE_INTERNAL_H

/* A file's insides, shared by datafile.c (the pieces of the stream) and datafile_head.c (what its
 * header becomes). */

#include "datafile.h"

#define PK_DATAFILE_HEADER_OLD 72 /* size of a header without the bitmap of features */

/* A piece of the stream: bytes in memory, or a range of the file. */
struct pk_piece {
	uint8_t *memory; /* NULL: the file */
	uint64_t offset, size, used;
};

struct pk_section {
	uint64_t offset, size;
};

struct pk_datafile {
	int fd;
	bool spool; /* fd is ours */
	bool swapped;
	uint64_t base;	   /* of the file's header in fd */
	uint64_t size;	   /* of the file, from base on to the end of fd */
	uint64_t end;	   /* of everything that the header tells of, from base on */
	uint64_t ids_left; /* bytes: events that share their ids would multiply them */
	uint64_t features_left;
	uint64_t directory; /* version of DIR_FORMAT; 0: no directory */
	/* What became of the entries of the table of events: a HEADER_ATTR each, or several. */
	struct pk_file_event {
		uint64_t entry, id; /* the first of its ids, 0 without any */
	} * events;
	size_t events_count, events_capacity;
	struct pk_piece *pieces;
	size_t count, capacity, next;
	uint8_t *head; /* the records made of the header, while they are put together */
	size_t head_size, head_capacity;
	uint64_t head_total; /* size of what goes before the data section */
	struct pk_section data;
	const char *missing;
	bool failed; /* out of memory */
	pk_datafile_warn warn;
	void *arg;
};

/* ---- Numbers of the file ---- */

static inline uint64_t pk_get_u64(const struct pk_datafile *file, const uint8_t *p)
{
	return file->swapped ? __builtin_bswap64(pk_load_u64(p)) : pk_load_u64(p);
}

static inline uint32_t pk_get_u32(const struct pk_datafile *file, const uint8_t *p)
{
	return file->swapped ? __builtin_bswap32(pk_load_u32(p)) : pk_load_u32(p);
}

static inline uint16_t pk_get_u16(const struct pk_datafile *file, const uint8_t *p)
{
	return file->swapped ? __builtin_bswap16(pk_load_u16(p)) : pk_load_u16(p);
}

/* Numbers in the file's byte order. */
static inline uint64_t pk_file_u64(const struct pk_datafile *file, uint64_t value)
{
	return file->swapped ? __builtin_bswap64(value) : value;
}

static inline uint32_t pk_file_u32(const struct pk_datafile *file, uint32_t value)
{
	return file->swapped ? __builtin_bswap32(value) : value;
}

static inline uint16_t pk_file_u16(const struct pk_datafile *file, uint16_t value)
{
	return file->swapped ? __builtin_bswap16(value) : value;
}

/* size bytes from offset of the file; false: errno is 0 if they are not all there, else says why
 * they cannot be read. */
bool pk_datafile_load(const struct pk_datafile *file, uint64_t offset, void *data, size_t size);
bool pk_datafile_has(const struct pk_datafile *file, const struct pk_section *section);
void pk_datafile_complain(const struct pk_datafile *file, uint64_t offset, uint32_t type,
			  const char *text);
/* After pk_datafile_load() has failed: "WHAT cannot be read", and why if errno tells. */
void pk_datafile_complain_unread(const struct pk_datafile *file, uint64_t offset, uint32_t type,
				 const char *what);
/* Moves file->end behind the section. */
void pk_datafile_note_end(struct pk_datafile *file, const struct pk_section *section);
/* Room for size bytes at the end of the head, zeroed; NULL: out of memory, which sticks. */
uint8_t *pk_datafile_add(struct pk_datafile *file, size_t size);
/* Ends what was added so far, and puts a range of the file behind it. */
void pk_datafile_add_range(struct pk_datafile *file, const struct pk_section *range);

/* datafile_head.c */
enum pk_status pk_datafile_add_events(struct pk_datafile *file, const struct pk_section *attrs,
				      uint64_t stride);
void pk_datafile_add_features(struct pk_datafile *file, const uint8_t *bitmap);

#endif
