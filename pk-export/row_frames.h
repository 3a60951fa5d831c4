/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_ROW_FRAMES_H
#define EXPORT_ROW_FRAMES_H

/* The texts of frames in a list, each made once: the function; without one, "[object]", or the
 * build-id or path of the object and the address: "1f2e...+0x1234". */

#include "row_writer.h"
#include "samples.h"

struct frame_texts {
	/* Set by the caller: */
	const struct export_samples *samples;
	enum row_format format;
	bool addresses;
	/* Private to the texts: */
	struct pk_texts texts;
	uint32_t *numbers; /* by id of the frame; 0: not made yet */
	size_t numbers_count;
	struct buffer plain, text;
};

/* For row_list_item(). NULL: out of memory. */
const char *frame_text(struct frame_texts *texts, uint32_t frame, size_t *size);
void row_frames_free(struct frame_texts *texts);

#endif
