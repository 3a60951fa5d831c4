/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CS_LIBRARY_H
#define PK_CS_LIBRARY_H

/* Linaro's decoder of CoreSight traces, libopencsd. It is loaded when the first trace is decoded.
 * It decodes the trace of one trace unit, without frames. */

#include "pt_decoder.h"

enum cs_unit_kind { CS_ETMV3, CS_PTM, CS_ETMV4, CS_ETE };

/* A trace unit, and the registers with which it has written its trace. */
struct cs_unit {
	enum cs_unit_kind kind;
	bool timed; /* its timestamps are those of the clock of the recording */
	uint32_t config, trace_id, idr0, idr1, idr2, idr8, devarch; /* ETMv4 and ETE */
	uint32_t control, ccer, idr; /* ETMv3 and PTM; with trace_id */
};

/* Returns PK_UNSUPPORTED if the library is missing, or pk was built without its header. */
PK_MUST_CHECK enum pk_status cs_library_load(void);
/* Makes a decoder for a trace. The trace must be valid until the decoder is freed. If the library
 * crashes, or does not know the unit, the first step of the decoder is PT_STEP_CRASH or
 * PT_STEP_ERROR. Returns NULL if memory is exhausted. */
struct pt_decoder *cs_decoder_new(const struct cs_unit *unit, const uint8_t *trace, size_t size,
				  const struct pt_source *source);

#endif
