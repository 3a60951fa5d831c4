/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef INPUT_H
#define INPUT_H

/* The bytes of an input: read in blocks, decompressed, and returned as contiguous ranges. */

#include "pkstream.h"
#include "pkutil.h"

/* ---- zstd (compress.c, the only user of the library) ---- */

struct pk_zstd;

/* Whether the first 4 bytes are the magic number of a frame, or of a skippable frame. */
bool pk_is_zstd(const uint8_t *data);
struct pk_zstd *pk_zstd_new(void);
void pk_zstd_free(struct pk_zstd *zstd);
/* Decompresses from in + *in_used to out + *out_used, and advances both numbers. Sets *frame_end if
 * the end of a frame was reached. Returns PK_CORRUPT if zstd failed. */
enum pk_status pk_zstd_step(struct pk_zstd *zstd, const uint8_t *in, size_t in_size,
			    size_t *in_used, uint8_t *out, size_t out_size, size_t *out_used,
			    bool *frame_end);

/* ---- Input ---- */

/* A block of the input. Records point into it. A caller that keeps a record holds a reference to
 * its block. */
struct pk_block {
	struct pk_block *next; /* in the pool's list of free blocks */
	struct pk_pool *pool;
	unsigned int refs;
	size_t mapped; /* bytes of the file that are mapped at data; 0: data follows the struct */
	uint8_t *data;
};

#define PK_BLOCK_SIZE	  ((size_t)512 << 10)
#define PK_BLOCK_SIZE_MIN ((size_t)128 << 10) /* twice the largest contiguous range */

/* A pool of blocks of one size. The inputs that use it must be closed before it is cleared. */
struct pk_pool {
	size_t block_size;
	struct pk_block *free;
	unsigned int count; /* number of free blocks */
	size_t used;	    /* bytes of the blocks that are not free, also of mapped ones */
};

struct pk_input {
	struct pk_reader_options options;
	void (*expire)(void *arg); /* see pk_reader_on_expire() */
	void *expire_arg;
	/* The source of bytes. NULL means the descriptor in options. */
	ssize_t (*read)(void *arg, void *buf, size_t size);
	void *read_arg;
	struct pk_pool *pool;
	struct pk_block *block; /* its unread bytes are data[begin] to data[end - 1] */
	size_t begin, end;
	uint64_t offset;      /* offset of begin in the input, after decompression */
	struct pk_zstd *zstd; /* inside a zstd frame, else NULL */
	uint8_t *raw; /* NULL until a zstd frame was found; bytes read but not yet decompressed:
		       * from raw_begin to raw_end */
	size_t raw_begin, raw_end;
	int error; /* errno of the failed read */
	bool is_pipe;
	bool maps; /* map regular files instead of reading them; see pk_reader_map() */
};

enum pk_status pk_input_init(struct pk_input *input, const struct pk_reader_options *options,
			     struct pk_pool *pool);
void pk_input_close(struct pk_input *input);
void pk_pool_clear(struct pk_pool *pool);
/* Makes at least n contiguous bytes, n <= 64 KiB, available at input->block->data + input->begin.
 * Returns PK_END if no bytes are left. Returns PK_TRUNCATED if there are fewer than n, or a zstd
 * frame is cut. The remaining bytes stay available. */
enum pk_status pk_input_fill(struct pk_input *input, size_t n);
/* If a zstd frame starts at the next byte, begins to decompress. Call it where a stream can start,
 * after pk_input_want() for 4 bytes. */
enum pk_status pk_input_detect_zstd(struct pk_input *input, bool *entered);

/* Copies the rest of the input into a temporary file, which the caller closes. In spool.c. */
enum pk_status pk_input_spool(struct pk_input *input, int *fd);
/* Returns true if the input is a seekable, uncompressed file. *position is then the offset of the
 * next byte in it. */
bool pk_input_can_seek(const struct pk_input *input, uint64_t *position);
/* Drops unread bytes and continues with bytes from another source, at offset 0. */
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

/* Returns a block without references to its pool. */
void pk_block_put(struct pk_block *block);

/* Drops a reference; the last one returns the block. */
static inline void pk_block_release(struct pk_block *block)
{
	if (pk_unlikely(!--block->refs))
		pk_block_put(block);
}

#endif
