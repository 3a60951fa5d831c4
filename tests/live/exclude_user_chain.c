// SPDX-License-Identifier: BSD-2-Clause
/* exclude_user_chain <IN >OUT
 *
 * Sets a flag in the attrs of an uncompressed stream: the samples have no user callchain. pk-unwind
 * then makes the user callchain from registers and stack dump, even if a sample already has a user
 * callchain. */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "perf_abi.h"

static uint8_t record[UINT16_MAX];

static void copy(size_t size)
{
	if (fwrite(record, 1, size, stdout) != size)
		err(EXIT_FAILURE, "stdout");
}

/* Copies the formats of tracepoints, which follow the TRACING_DATA record. `rest` is their size in
 * bytes without padding. */
static void copy_payload(size_t rest)
{
	rest = (rest + 7) & ~(size_t)7;
	while (rest) {
		const size_t part = rest < sizeof(record) ? rest : sizeof(record);

		if (fread(record, 1, part, stdin) != part)
			errx(EXIT_FAILURE, "stdin ends within the formats of tracepoints");
		copy(part);
		rest -= part;
	}
}

int main(void)
{
	const struct perf_record_tracing_data *tracing = (void *)record;
	struct perf_record_header_attr *attr = (void *)record;
	struct perf_header *header = (void *)record;
	size_t size = 16; /* size of the stream's header in bytes */

	if (fread(record, 1, size, stdin) != size)
		errx(EXIT_FAILURE, "stdin is not a stream");
	copy(size);
	while (fread(record, 1, sizeof(*header), stdin) == sizeof(*header)) {
		size = header->size < sizeof(*header) ? 0 : header->size - sizeof(*header);
		if (fread(record + sizeof(*header), 1, size, stdin) != size)
			errx(EXIT_FAILURE, "stdin ends within a record");
		if (header->type == PERF_RECORD_HEADER_ATTR)
			attr->attr.flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
		copy(header->size);
		if (header->type == PERF_RECORD_HEADER_TRACING_DATA)
			copy_payload(tracing->size);
	}
	if (fflush(stdout))
		err(EXIT_FAILURE, "stdout");
	return EXIT_SUCCESS;
}
