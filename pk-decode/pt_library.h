/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PT_LIBRARY_H
#define PK_PT_LIBRARY_H

/* Intel's decoder of Intel PT traces, libipt. It is loaded when the first trace is decoded. It was
 * not written for hostile input: a crash of the library ends the decoding, but not the program. */

#include "pt_decoder.h"

/* The processor and the settings with which a trace was recorded. */
struct pt_settings {
	bool intel; /* the model is known */
	uint16_t family;
	uint8_t model, stepping;
	uint32_t tsc_numerator, tsc_denominator; /* TSC ticks for one tick of the crystal clock */
	uint8_t mtc_frequency, nominal_ratio;
};

/* The code that was read, in a form in which the library is fast. */
struct pt_sections;

/* Returns PK_UNSUPPORTED if the library is missing, or pk was built without its header. */
PK_MUST_CHECK enum pk_status pt_library_load(void);
/* Returns NULL if memory is exhausted. Free it after the decoders that use it. */
struct pt_sections *pt_sections_new(void);
void pt_sections_free(struct pt_sections *sections);
/* Makes a decoder for a trace. The trace must be valid until the decoder is freed. `sections` can
 * be NULL. Returns NULL if memory is exhausted. */
struct pt_decoder *pt_decoder_new(const struct pt_settings *settings, uint8_t *trace, size_t size,
				  const struct pt_source *source, struct pt_sections *sections);

#endif
