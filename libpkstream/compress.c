// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "pkprivate.h"
#include "pkutil.h"
#include "input.h"

/* A decompressor, and the state of its current call. */
struct pk_zstd {
	ZSTD_DCtx *context;
	size_t start;  /* the number of bytes that zstd wants at the start of a frame */
	size_t wanted; /* the number of bytes of input that zstd wants in the next call */
	bool full; /* the last call filled the output buffer, so zstd may have more output without
		    * more input */
};

#define BLOCK_HEADER_SIZE 3

struct pk_zstd *pk_zstd_new(void)
{
	struct pk_zstd *zstd = malloc(sizeof(*zstd));

	if (!zstd)
		return NULL;
	zstd->context = ZSTD_createDCtx();
	if (!zstd->context) {
		free(zstd);
		return NULL;
	}
	zstd->start = zstd->wanted = ZSTD_initDStream(zstd->context);
	zstd->full = false;
	return zstd;
}

void pk_zstd_free(struct pk_zstd *zstd)
{
	if (!zstd)
		return;
	ZSTD_freeDCtx(zstd->context);
	free(zstd);
}

/* If a call fails, zstd discards the output of the call. To lose as little as possible, each call
 * gets at most one block, or the header of one block. (The number of bytes that zstd wants after a
 * block includes the header of the next block.) A call gets no input while zstd still has output of
 * an earlier call. So all data before the damage is returned, and the sizes of the reads do not
 * matter. */
enum pk_status pk_zstd_step(struct pk_zstd *zstd, const uint8_t *in, size_t in_size,
			    size_t *in_used, uint8_t *out, size_t out_size, size_t *out_used,
			    bool *frame_end)
{
	size_t wanted = zstd->full ? 0 : zstd->wanted, result;
	ZSTD_inBuffer input = {in, in_size, *in_used};
	ZSTD_outBuffer output = {out, out_size, *out_used};

	if (wanted > BLOCK_HEADER_SIZE)
		wanted -= BLOCK_HEADER_SIZE;
	if (wanted < in_size - *in_used)
		input.size = *in_used + wanted;
	result = ZSTD_decompressStream(zstd->context, &output, &input);
	*frame_end = result == 0;
	if (ZSTD_isError(result))
		return PK_CORRUPT;
	*in_used = input.pos;
	*out_used = output.pos;
	zstd->full = output.pos == out_size;
	zstd->wanted = result ? result : zstd->start;
	return PK_OK;
}

bool pk_unzstd(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size)
{
	errno = 0; /* malloc() sets errno if it fails */
	return ZSTD_decompress(out, out_size, in, in_size) == out_size;
}

uint64_t pk_unzstd_size(const uint8_t *in, size_t in_size)
{
	const unsigned long long size = ZSTD_getFrameContentSize(in, in_size);

	return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? 0 : size;
}

/* ---- Compressing ---- */

/* A compressor, and its output buffer. */
struct pk_compressor {
	ZSTD_CCtx *context;
	ssize_t (*write)(void *arg, const void *buf, size_t size);
	void *arg;
	uint8_t out[(size_t)128 << 10];
};

struct pk_compressor *
pk_compressor_new(int level, ssize_t (*write)(void *arg, const void *buf, size_t size), void *arg)
{
	struct pk_compressor *compressor = malloc(sizeof(*compressor));

	if (!compressor)
		return NULL;
	compressor->context = ZSTD_createCCtx();
	compressor->write = write;
	compressor->arg = arg;
	if (compressor->context && !ZSTD_isError(ZSTD_CCtx_setParameter(
					   compressor->context, ZSTD_c_compressionLevel, level)))
		return compressor;
	pk_compressor_free(compressor);
	return NULL;
}

void pk_compressor_free(struct pk_compressor *compressor)
{
	if (!compressor)
		return;
	ZSTD_freeCCtx(compressor->context);
	free(compressor);
}

static enum pk_status compress(struct pk_compressor *compressor, const void *data, size_t size,
			       ZSTD_EndDirective mode)
{
	ZSTD_inBuffer in = {data, size, 0};
	size_t left;

	do {
		ZSTD_outBuffer out = {compressor->out, sizeof(compressor->out), 0};

		left = ZSTD_compressStream2(compressor->context, &out, &in, mode);
		if (ZSTD_isError(left))
			return PK_NOMEM;
		if (out.pos && compressor->write(compressor->arg, out.dst, out.pos) < 0)
			return PK_IO;
	} while (in.pos < in.size || (mode != ZSTD_e_continue && left));
	return PK_OK;
}

enum pk_status pk_compressor_write(struct pk_compressor *compressor, const void *data, size_t size)
{
	return compress(compressor, data, size, ZSTD_e_continue);
}

enum pk_status pk_compressor_flush(struct pk_compressor *compressor)
{
	return compress(compressor, NULL, 0, ZSTD_e_flush);
}

enum pk_status pk_compressor_end(struct pk_compressor *compressor)
{
	return compress(compressor, NULL, 0, ZSTD_e_end);
}
