/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SIMPLEPERF_H
#define SIMPLEPERF_H

/* Reads the symbols in files of Android's simpleperf as IMAGE and SYMBOLS (SPEC 9.11). simpleperf
 * looks up the symbols on the recorded device, and stores them in the features FILE and FILE2. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PK_SIMPLEPERF_FILE = 128,
	PK_SIMPLEPERF_FILE2 = 132
}; /* ids of the features FILE and FILE2 */

enum {
	PK_SIMPLEPERF_TYPE_MIN = 32768,
	PK_SIMPLEPERF_SPLIT = 32772,
	PK_SIMPLEPERF_SPLIT_END = 32773,
	PK_SIMPLEPERF_TRACING_DATA = 32777
}; /* types of simpleperf's own records, which are not padded */

struct pk_simpleperf {
	bool swapped; /* the file's byte order is not the host's. The records are written in the
		       * file's byte order. */
	/* Appends a record of size zero bytes to the stream, and returns the record. Returns NULL
	 * if memory is exhausted. */
	uint8_t *(*add)(void *arg, size_t size);
	void *arg;
	uint32_t images; /* number of IMAGE records so far */
};

/* Adds the symbols in the content of the feature FILE or FILE2. If the content is damaged, adds the
 * symbols before the damage, and returns false. */
bool pk_simpleperf_add(struct pk_simpleperf *to, unsigned int id, const uint8_t *data, size_t size);

#endif
