// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <string.h>

#include "cs_frames.h"

/* The kernel writes four synchronization packets where the buffer has lost bytes. */
static const uint8_t barrier[CS_FRAME_SIZE] = {0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
					       0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f};

unsigned int cs_frames_decode(struct cs_frames *frames, const uint8_t frame[CS_FRAME_SIZE],
			      struct cs_byte bytes[CS_FRAME_DATA])
{
	unsigned int count = 0, low = frame[CS_FRAME_SIZE - 1];

	if (!memcmp(frame, barrier, sizeof(barrier))) {
		frames->id = 0;
		return UINT32_MAX;
	}
	/* The lowest bit of the last byte belongs to the first two bytes, and so on. The first of
	 * two bytes is a new ID if it is odd. The bit then tells whether the second byte still has
	 * the ID before. Otherwise, the bit is the lowest bit of the first byte. */
	for (unsigned int i = 0; i < CS_FRAME_DATA; i += 2, low >>= 1) {
		const uint8_t before = frames->id, first = frame[i];
		const bool changes = first & 1, late = changes && low & 1;

		if (changes)
			frames->id = first >> 1;
		else
			bytes[count++] = (struct cs_byte){before, (uint8_t)(first | (low & 1))};
		if (i + 1 < CS_FRAME_DATA)
			bytes[count++] = (struct cs_byte){late ? before : frames->id, frame[i + 1]};
	}
	return count;
}
