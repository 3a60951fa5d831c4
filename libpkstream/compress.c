// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <zstd.h>

#include "pkutil.h"
#include "stream_internal.h"

struct pk_zstd {
	ZSTD_DCtx *context;
};

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
	return zstd;
}

void pk_zstd_free(struct pk_zstd *zstd)
{
	if (!zstd)
		return;
	ZSTD_freeDCtx(zstd->context);
	free(zstd);
}

enum pk_status pk_zstd_step(struct pk_zstd *zstd, const uint8_t *in, size_t in_size,
			    size_t *in_used, uint8_t *out, size_t out_size, size_t *out_used,
			    bool *frame_end)
{
	ZSTD_inBuffer input = {in, in_size, *in_used};
	ZSTD_outBuffer output = {out, out_size, *out_used};
	size_t result = ZSTD_decompressStream(zstd->context, &output, &input);

	*in_used = input.pos;
	*out_used = output.pos;
	*frame_end = result == 0;
	return ZSTD_isError(result) ? PK_CORRUPT : PK_OK;
}

bool pk_unzstd(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size)
{
	return ZSTD_decompress(out, out_size, in, in_size) == out_size;
}
