/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef INPUT_H
#define INPUT_H

/* The bytes of an input. They are read in blocks, decompressed, and returned as contiguous ranges.
 */

#include "pkstream.h"
#include "pkutil.h"

/* ---- zstd (compress.c, the only user of the library) ---- */

struct pk_zstd;

/* Returns true if the 4 bytes at data are the magic number of a zstd frame or of a skippable frame.
 */
bool pk_is_zstd(const uint8_t *data);
struct pk_zstd *pk_zstd_new(void);
void pk_zstd_free(struct pk_zstd *zstd);
/* Decompresses from in + *in_used to out + *out_used, and increases *in_used and *out_used. Sets
 * *frame_end if the end of a frame was reached. Returns PK_CORRUPT if zstd failed. */
enum pk_status pk_zstd_step(struct pk_zstd *zstd, const uint8_t *in, size_t in_size,
			    size_t *in_used, uint8_t *out, size_t out_size, size_t *out_used,
			    bool *frame_end);

/* ---- Input ---- */

/* A block of the input. Records point into blocks. A caller that keeps a record holds a reference
 * to the record's block. */
struct pk_block {
	struct pk_block *next; /* the next block in the pool's list of free blocks */
	struct pk_pool *pool;
	unsigned int refs;
	size_t mapped; /* size in bytes of the mapping at data; 0 if data is not mapped but follows
			* this struct */
	uint8_t *data;
};

#define PK_BLOCK_SIZE	  ((size_t)512 << 10)
#define PK_BLOCK_SIZE_MIN ((size_t)128 << 10) /* twice the largest `n` of pk_input_fill() */

/* A pool of blocks of the same size. Close all inputs that use the pool before you clear it. */
struct pk_pool {
	size_t block_size;
	struct pk_block *free;
	unsigned int count; /* number of free blocks */
	size_t used;	    /* bytes of all blocks that are in use, including mapped blocks */
};

/* An input, and its unread bytes. */
struct pk_input {
	struct pk_reader_options options;
	void (*expire)(void *arg); /* the function that is called before records are overwritten;
				    * see pk_reader_on_expire() */
	void *expire_arg;
	/* The function that reads the input. NULL means that the input is read from the descriptor
	 * in options. */
	ssize_t (*read)(void *arg, void *buf, size_t size);
	void *read_arg;
	struct pk_pool *pool;
	struct pk_block *block; /* unread bytes are data[begin] to data[end - 1] of this block */
	size_t begin, end;
	uint64_t offset; /* offset of the byte at begin, counted in decompressed bytes of the input
			  */
	/* The decompressor; NULL if the current bytes are not in a zstd frame. */
	struct pk_zstd *zstd;
	uint8_t *raw; /* NULL until a zstd frame was found; raw[raw_begin] to raw[raw_end - 1] are
		       * bytes that were read but not decompressed yet */
	size_t raw_begin, raw_end;
	int error; /* errno of the system call that failed */
	bool is_pipe;
	bool maps; /* regular files are mapped instead of read; see pk_reader_map() */
};

enum pk_status pk_input_init(struct pk_input *input, const struct pk_reader_options *options,
			     struct pk_pool *pool);
void pk_input_close(struct pk_input *input);
void pk_pool_clear(struct pk_pool *pool);
/* Makes at least n contiguous bytes available at input->block->data + input->begin. n is at most 64
 * KiB. Returns PK_END if no bytes are left. Returns PK_TRUNCATED if less than n bytes are left, or
 * if the input ends within a zstd frame. The bytes that are left stay available. */
enum pk_status pk_input_fill(struct pk_input *input, size_t n);
/* If a zstd frame starts at the next byte, sets *entered and starts to decompress. Call this
 * function where a stream can start, after pk_input_want() for 4 bytes. */
enum pk_status pk_input_detect_zstd(struct pk_input *input, bool *entered);

/* Copies the rest of the input into a temporary file. The caller closes the file. This function is
 * in spool.c. */
enum pk_status pk_input_spool(struct pk_input *input, int *fd);
/* Returns true if the input is a seekable, uncompressed file. Then *position is set to the offset
 * of the next byte in the file. */
bool pk_input_can_seek(const struct pk_input *input, uint64_t *position);
/* Drops the unread bytes, and continues with the bytes of another read function. The offset of its
 * first byte is 0. */
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

/* Gives back a block to its pool. No reference to the block may exist. */
void pk_block_put(struct pk_block *block);

/* Drops a reference. When the last reference is dropped, the pool gets the block back. */
static inline void pk_block_release(struct pk_block *block)
{
	if (pk_unlikely(!--block->refs))
		pk_block_put(block);
}

#endif
