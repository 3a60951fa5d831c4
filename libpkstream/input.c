// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"

#define RAW_SIZE  ((size_t)128 << 10)
#define POOL_MAX  16
#define PIPE_SIZE (1 << 20)

#define ZSTD_MAGIC_SIZE 4

/* Returns true if a zstd frame or a skippable frame starts at p. */
bool pk_is_zstd(const uint8_t *p)
{
	static const uint8_t frame[ZSTD_MAGIC_SIZE] = {0x28, 0xb5, 0x2f, 0xfd};
	static const uint8_t skippable[ZSTD_MAGIC_SIZE - 1] = {0x2a, 0x4d, 0x18};

	return !memcmp(p, frame, sizeof(frame)) ||
	       ((p[0] & 0xf0) == 0x50 && !memcmp(p + 1, skippable, sizeof(skippable)));
}

/* ---- Blocks ---- */

static struct pk_block *new_block(size_t size)
{
	struct pk_block *block = malloc(sizeof(*block) + size);

	if (block)
		block->data = (uint8_t *)(block + 1);
	return block;
}

static struct pk_block *get_block(struct pk_pool *pool)
{
	struct pk_block *block = pool->free;

	if (block) {
		pool->free = block->next;
		pool->count--;
	} else {
		block = new_block(pool->block_size);
		if (!block)
			return NULL;
	}
	*block = (struct pk_block){.pool = pool, .refs = 1, .data = block->data};
	pool->used += pool->block_size;
	return block;
}

void pk_block_put(struct pk_block *block)
{
	struct pk_pool *pool = block->pool;

	if (block->mapped) {
		pool->used -= block->mapped;
		munmap(block->data, block->mapped);
		free(block);
		return;
	}
	pool->used -= pool->block_size;
	if (pool->count >= POOL_MAX) {
		free(block);
		return;
	}
	block->next = pool->free;
	pool->free = block;
	pool->count++;
}

void pk_pool_clear(struct pk_pool *pool)
{
	while (pool->free) {
		struct pk_block *next = pool->free->next;

		free(pool->free);
		pool->free = next;
	}
	pool->count = 0;
}

/* ---- Bytes ---- */

enum pk_status pk_input_init(struct pk_input *input, const struct pk_reader_options *options,
			     struct pk_pool *pool)
{
	struct stat st;

	input->options = *options;
	input->read = options->read;
	input->read_arg = options->arg;
	if (!options->read && !fstat(options->fd, &st) && !S_ISREG(st.st_mode)) {
		input->is_pipe = true;
		if (S_ISFIFO(st.st_mode))
			fcntl(options->fd, F_SETPIPE_SZ, PIPE_SIZE);
	}
	input->pool = pool;
	input->block = get_block(pool);
	return input->block ? PK_OK : PK_NOMEM;
}

void pk_input_close(struct pk_input *input)
{
	if (input->block)
		pk_block_release(input->block);
	free(input->raw);
	pk_zstd_free(input->zstd);
}

/* Moves the unread bytes to the start of the block. If a caller holds records of the block, copies
 * the unread bytes to another block instead. */
static enum pk_status make_room(struct pk_input *input)
{
	size_t left = input->end - input->begin;
	struct pk_block *fresh;

	if (input->expire)
		input->expire(input->expire_arg);
	if (input->block->refs == 1 && !input->block->mapped) {
		memmove(input->block->data, pk_input_at(input), left);
	} else {
		fresh = get_block(input->pool);
		if (!fresh)
			return PK_NOMEM;
		memcpy(fresh->data, pk_input_at(input), left);
		pk_block_release(input->block);
		input->block = fresh;
	}
	input->begin = 0;
	input->end = left;
	return PK_OK;
}

/* Calls the read function once. *size is set to the number of bytes read, or to 0 at the end of the
 * input. */
static enum pk_status read_some(struct pk_input *input, uint8_t *data, size_t room, size_t *size)
{
	const struct pk_reader_options *options = &input->options;
	struct pollfd ready = {.fd = options->fd, .events = POLLIN};
	ssize_t n;

	/* Calls idle() if there is nothing to read. Also calls it if a signal interrupts poll(),
	 * because it is then unknown whether there is something to read. */
	if (options->idle && input->is_pipe && poll(&ready, 1, 0) <= 0)
		options->idle(options->arg);
	do {
		n = input->read ? input->read(input->read_arg, data, room)
				: read(options->fd, data, room);
		if (n < 0 && errno == EAGAIN && !input->read)
			poll(&ready, 1, -1);
	} while (n < 0 && (errno == EINTR || (errno == EAGAIN && !input->read)));
	if (n < 0) {
		input->error = errno;
		return PK_IO;
	}
	*size = (size_t)n;
	return PK_OK;
}

/* Called at the end of a zstd frame. Another frame or uncompressed bytes can follow the frame. */
static enum pk_status next_frame(struct pk_input *input)
{
	while (input->raw_end - input->raw_begin < ZSTD_MAGIC_SIZE) {
		size_t n;

		memmove(input->raw, input->raw + input->raw_begin,
			input->raw_end - input->raw_begin);
		input->raw_end -= input->raw_begin;
		input->raw_begin = 0;
		PK_TRY(read_some(input, input->raw + input->raw_end, RAW_SIZE - input->raw_end,
				 &n));
		if (!n)
			break;
		input->raw_end += n;
	}
	if (input->raw_end - input->raw_begin < ZSTD_MAGIC_SIZE ||
	    !pk_is_zstd(input->raw + input->raw_begin)) {
		pk_zstd_free(input->zstd);
		input->zstd = NULL;
	}
	return PK_OK;
}

static enum pk_status read_zstd(struct pk_input *input, uint8_t *data, size_t room, size_t *size)
{
	bool frame_end;
	size_t n;

	*size = 0;
	for (;;) {
		PK_TRY(pk_zstd_step(input->zstd, input->raw, input->raw_end, &input->raw_begin,
				    data, room, size, &frame_end));
		if (frame_end)
			return next_frame(input);
		if (*size)
			return PK_OK;
		if (input->raw_begin < input->raw_end)
			continue;
		input->raw_begin = input->raw_end = 0;
		PK_TRY(read_some(input, input->raw, RAW_SIZE, &n));
		if (!n)
			return PK_TRUNCATED; /* the input ends within a frame */
		input->raw_end = n;
	}
}

static enum pk_status read_more(struct pk_input *input, uint8_t *data, size_t room, size_t *size)
{
	bool was_zstd = input->zstd != NULL;

	if (was_zstd) {
		enum pk_status status = read_zstd(input, data, room, size);

		if (status || *size || input->zstd)
			return status;
	}
	if (input->raw_begin < input->raw_end) {
		*size = input->raw_end - input->raw_begin;
		if (*size > room)
			*size = room;
		memcpy(data, input->raw + input->raw_begin, *size);
		input->raw_begin += *size;
		return PK_OK;
	}
	return read_some(input, data, room, size);
}

/* ---- Mapped files ---- */

/* A mapped file is not copied. So bytes that the program does not look at are not even loaded into
 * the processor's cache. If less than WINDOW_MIN bytes of the file are left, they are read instead
 * of mapped. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* since Linux 5.14 */
#endif
#define WINDOW_SIZE ((size_t)2 << 20)
#define WINDOW_MIN  ((size_t)256 << 10)

/* Maps a part of the file. The mapping is private and writable, because the reader swaps records in
 * place. Returns NULL if the caller must read this part of the file instead. This is the case, for
 * example, if an access to the mapping would cause SIGBUS: MADV_POPULATE_READ fails then, and a
 * later read(2) returns the error. */
static uint8_t *map_file(int fd, off_t start, size_t size)
{
	uint8_t *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, start);

	if (data == MAP_FAILED)
		return NULL;
	if (!madvise(data, size, MADV_POPULATE_READ) &&
	    lseek(fd, start + (off_t)size, SEEK_SET) >= 0)
		return data;
	munmap(data, size);
	return NULL;
}

/* Returns true if only this user and root can change the file. A mapping shows changes that are
 * made later. So a size that was checked before could become wrong. */
static bool is_safe(const struct stat *st)
{
	return S_ISREG(st->st_mode) && !(st->st_mode & (S_IWGRP | S_IWOTH)) &&
	       (!st->st_uid || st->st_uid == geteuid());
}

/* Replaces the block by a mapping that starts with the page of the first unread byte. Sets the file
 * position to the end of the mapping, as if the bytes had been read. Returns false if the file must
 * be read. */
static bool map_next(struct pk_input *input)
{
	const size_t left = input->end - input->begin;
	const int fd = input->options.fd;
	struct pk_block *block;
	struct stat st;
	off_t at, start;
	size_t size;

	if (input->read || input->is_pipe || fstat(fd, &st) || !is_safe(&st))
		return false;
	at = lseek(fd, 0, SEEK_CUR);
	if (at < (off_t)left || st.st_size - at < (off_t)WINDOW_MIN)
		return false;
	start = (at - (off_t)left) & -(off_t)sysconf(_SC_PAGESIZE);
	size = st.st_size - start < (off_t)WINDOW_SIZE ? (size_t)(st.st_size - start) : WINDOW_SIZE;
	block = new_block(0);
	if (!block)
		return false;
	*block = (struct pk_block){.pool = input->pool, .refs = 1, .mapped = size};
	block->data = map_file(fd, start, size);
	input->maps = block->data;
	if (!block->data) {
		free(block);
		return false;
	}
	if (input->expire)
		input->expire(input->expire_arg);
	input->pool->used += size;
	pk_block_release(input->block);
	input->block = block;
	input->begin = (size_t)(at - start) - left;
	input->end = size;
	return true;
}

enum pk_status pk_input_fill(struct pk_input *input, size_t n)
{
	const size_t size = input->pool->block_size;
	size_t got;

	while (input->end - input->begin < n) {
		if (pk_unlikely(input->maps) && map_next(input))
			continue;
		if (input->block->mapped || size - input->begin < n || input->end > size / 2) {
			PK_TRY(make_room(input));
		}
		do {
			got = 0;
			PK_TRY(read_more(input, input->block->data + input->end, size - input->end,
					 &got));
		} while (!got && input->zstd);
		if (!got)
			return input->end == input->begin ? PK_END : PK_TRUNCATED;
		input->end += got;
	}
	return PK_OK;
}

enum pk_status pk_input_detect_zstd(struct pk_input *input, bool *entered)
{
	size_t left = input->end - input->begin;
	uint8_t *raw;

	*entered = false;
	if (left < ZSTD_MAGIC_SIZE || !pk_is_zstd(pk_input_at(input)) || input->zstd)
		return PK_OK;
	/* The unread bytes of the block come first. Then come the bytes that may remain in
	 * input->raw. */
	raw = malloc(left + RAW_SIZE);
	if (!raw)
		return PK_NOMEM;
	memcpy(raw, pk_input_at(input), left);
	if (input->raw)
		memcpy(raw + left, input->raw + input->raw_begin,
		       input->raw_end - input->raw_begin);
	free(input->raw);
	input->raw = raw;
	input->raw_end = left + input->raw_end - input->raw_begin;
	input->raw_begin = 0;
	input->end = input->begin;
	input->maps = false; /* from now on, the unread bytes of the block are decompressed bytes,
			      * which are not in the file */
	input->zstd = pk_zstd_new();
	*entered = true;
	return input->zstd ? PK_OK : PK_NOMEM;
}
