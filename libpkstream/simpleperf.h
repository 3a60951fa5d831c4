/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SIMPLEPERF_H
#define SIMPLEPERF_H

/* Symbols in files of Android's simpleperf, which looks them up on the device (the features FILE
 * and FILE2): read as IMAGE and SYMBOLS (SPEC 9.11). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PK_SIMPLEPERF_FILE = 128, PK_SIMPLEPERF_FILE2 = 132 }; /* ids of features */

struct pk_simpleperf {
	bool swapped; /* the file's byte order is not the host's; the records get that of the file
		       */
	/* Appends a record of that size, of zeros, to the stream. NULL: out of memory. */
	uint8_t *(*add)(void *arg, size_t size);
	void *arg;
	uint32_t images; /* the number of IMAGEs so far */
};

/* Adds the symbols in the content of one of these features. Returns false if it is damaged. The
 * symbols before the damage were added. */
bool pk_simpleperf_add(struct pk_simpleperf *to, unsigned int id, const uint8_t *data, size_t size);

#endif
