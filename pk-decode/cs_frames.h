/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CS_FRAMES_H
#define PK_CS_FRAMES_H

/* The frames of a CoreSight buffer: each has bytes of several trace units. */

#include <stdint.h>

#define CS_FRAME_SIZE 16
#define CS_FRAME_DATA 15

/* A byte, and the trace ID of the unit that has written it. */
struct cs_byte {
	uint8_t id, value;
};

/* All bytes 0 is the state before the first frame. */
struct cs_frames {
	uint8_t id; /* of the next byte; 0 if it is unknown: these bytes have no meaning */
};

/* Decodes a frame. Returns the number of bytes in it, or UINT32_MAX if the frame marks a
 * discontinuity of all traces. */
unsigned int cs_frames_decode(struct cs_frames *frames, const uint8_t frame[CS_FRAME_SIZE],
			      struct cs_byte bytes[CS_FRAME_DATA]);

#endif
