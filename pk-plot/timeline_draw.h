/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TIMELINE_DRAW_H
#define PK_TIMELINE_DRAW_H

#include "timeline.h"

/* Draws a timeline that was read, on stdout. False: out of memory. */
bool timeline_draw(struct timeline *timeline);

#endif
