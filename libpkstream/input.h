/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef INPUT_H
#define INPUT_H

/* The bytes of an input: read in blocks, decompressed, shown as contiguous pieces. */

#include "pkstream.h"
#include "pkutil.h"

/* ---- zstd (compress.c, the only user of the library) ---- */

struct pk_zstd;

struct pk_zstd *pk_zstd_new(void);
void pk_zstd_free(struct pk_zstd *zstd);
/* Moves *in_used and *out_used on. *frame_end: a frame is complete. */
enum pk_status pk_zstd_step(struct pk_zstd *zstd, const uint8_t *in, size_t in_size,
			    size_t *in_used, uint8_t *out, size_t out_size, size_t *out_used,
			    bool *frame_end);

/* ---- Input ---- */

/* A piece of the input. Records are handed out of it in place, and whoever keeps one holds its
 * block. */
struct pk_block {
	struct pk_block *next; /* in the pool of free ones */
	struct pk_pool *pool;
	unsigned int refs;
	uint8_t data[];
};

#define PK_BLOCK_SIZE	  ((size_t)512 << 10)
#define PK_BLOCK_SIZE_MIN ((size_t)128 << 10) /* twice what has to be contiguous */

/* Blocks of one size, for inputs that end no later than it does. */
struct pk_pool {
	size_t block_size;
	struct pk_block *free;
	unsigned int count; /* of the free ones */
	size_t used;	    /* bytes of the others */
};

struct pk_input {
	struct pk_reader_options options;
	void (*expire)(void *arg); /* as in struct pk_reader_options, and its arg */
	void *expire_arg;
	/* Where bytes come from; NULL: the descriptor in options. */
	ssize_t (*read)(void *arg, void *buf, size_t size);
	void *read_arg;
	struct pk_pool *pool;
	struct pk_block *block; /* begin to end is what has been read and not consumed */
	size_t begin, end;
	uint64_t offset;      /* of begin in the input, after decompression */
	struct pk_zstd *zstd; /* while inside a zstd frame, else NULL */
	uint8_t *raw;	      /* bytes read but not decompressed, raw_begin to raw_end */
	size_t raw_begin, raw_end;
	int error; /* errno of the failed read */
	bool is_pipe;
};

enum pk_status pk_input_init(struct pk_input *input, const struct pk_reader_options *options,
			     struct pk_pool *pool);
void pk_input_close(struct pk_input *input);
void pk_pool_clear(struct pk_pool *pool);
/* At least n contiguous bytes at input->block->data + input->begin, n <= 64 KiB. PK_END: nothing is
 * left; PK_TRUNCATED: less than n; both leave what there is in place. */
enum pk_status pk_input_fill(struct pk_input *input, size_t n);
/* To be called where a stream may begin, with 4 bytes in view: enters a zstd frame. */
enum pk_status pk_input_detect_zstd(struct pk_input *input, bool *entered);

/* spool.c: all that is left of the input into a temporary file, which the caller closes. */
enum pk_status pk_input_spool(struct pk_input *input, int *fd);
/* Whether the input is a file as it stands, and where in it the next byte is. */
bool pk_input_can_seek(const struct pk_input *input, uint64_t *position);
/* Goes on with bytes from elsewhere, at offset 0; what was read and not consumed is dropped. */
void pk_input_switch(struct pk_input *input, ssize_t (*read)(void *arg, void *buf, size_t size),
		     void *arg);

static inline enum pk_status pk_input_want(struct pk_input *input, size_t n)
{
	return pk_likely(input->end - input->begin >= n) ? PK_OK : pk_input_fill(input, n);
}

static inline const uint8_t *pk_input_at(const struct pk_input *input)
{
	return input->block->data + input->begin;
}

static inline void pk_input_consume(struct pk_input *input, size_t n)
{
	input->begin += n;
	input->offset += n;
}

void pk_block_release(struct pk_block *block);

#endif
