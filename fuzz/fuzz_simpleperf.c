/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/simpleperf.c */
/* Tests the symbols of simpleperf. Each record must have a valid size, and the numbers of images
 * must be consecutive. The first byte selects the feature and the byte order. */
#include <stdlib.h>

#include "check_that.h"
#include "pkprivate.h"
#include "simpleperf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t *add(void *arg, size_t size)
{
	uint8_t **record = arg;

	check_that(size >= 40 && size % 8 == 0 && size <= PERF_RECORD_SIZE_MAX);
	free(*record);
	*record = calloc(1, size);
	return *record;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *record = NULL;
	struct pk_simpleperf to = {.add = add, .arg = &record};

	if (!size)
		return 0;
	to.swapped = *data & 2;
	pk_simpleperf_add(&to, *data & 1 ? PK_SIMPLEPERF_FILE2 : PK_SIMPLEPERF_FILE, data + 1,
			  size - 1);
	free(record);
	return 0;
}
