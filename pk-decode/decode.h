/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DECODE_H
#define PK_DECODE_H

/* The filter pk-decode: replaces the hardware traces of a stream by samples. */

#include "pt_stage.h"
#include "run.h"
#include "spe_events.h"

struct decode_options {
	bool wanted[SPE_EVENTS];
	uint64_t every; /* one of so many operations becomes a sample */
	struct pt_options pt;
	const char *output; /* NULL for stdout */
	int argc;
	char *const *argv;
};

/* Reads the inputs, and writes the output. Returns the exit status. */
int decode(struct pk_run *run, struct pk_symbols *symbols, const struct decode_options *options);

#endif
