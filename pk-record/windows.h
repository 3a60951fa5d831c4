/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_WINDOWS_H
#define PK_RECORD_WINDOWS_H

/* -D: the times when events are enabled. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WINDOWS_MOST 64

/* Events are enabled from `from` to `to`, in ns since the start of the recording. to UINT64_MAX:
 * until its end. */
struct window {
	uint64_t from, to;
};

/* Parses the argument of -D in milliseconds: "1000", from then on, or "10-20,30-40", ascending.
 * Returns the number of windows, or 0 if it is malformed. */
size_t windows_parse(const char *text, struct window windows[WINDOWS_MOST]);

struct windows {
	const struct window *items;
	/* at: index of the current or next window. */
	size_t count, at;
	uint64_t begun, switch_at; /* ns as in record_now(): the start of the recording, the next
				    * change; UINT64_MAX: never */
	bool open;
};

/* Starts the windows. If count is 0, events are never switched. */
void windows_start(struct windows *windows, const struct window *items, size_t count, uint64_t now);
/* With WINDOW_OPENS, the caller must enable the events now. With WINDOW_CLOSES, it must disable
 * them. */
enum window_change { WINDOW_STAYS, WINDOW_OPENS, WINDOW_CLOSES };
enum window_change windows_step(struct windows *windows, uint64_t now);

#endif
