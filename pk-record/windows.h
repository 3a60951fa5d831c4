/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_WINDOWS_H
#define PK_RECORD_WINDOWS_H

/* -D: the times when events are enabled. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WINDOWS_MOST 64

/* ns from the start; to UINT64_MAX: unlimited. */
struct window {
	uint64_t from, to;
};

/* Parses "1000", or "10-20,30-40" in milliseconds, ascending. Returns the number of windows; 0:
 * malformed. */
size_t windows_parse(const char *text, struct window windows[WINDOWS_MOST]);

struct windows {
	const struct window *items;
	size_t count, at;
	uint64_t begun, switch_at; /* as record_now; UINT64_MAX: never */
	bool open;
};

/* count 0: does nothing. */
void windows_start(struct windows *windows, const struct window *items, size_t count, uint64_t now);
enum window_change { WINDOW_STAYS, WINDOW_OPENS, WINDOW_CLOSES };
enum window_change windows_step(struct windows *windows, uint64_t now);

#endif
