/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_WINDOWS_H
#define PK_RECORD_WINDOWS_H

/* The times of -D at which events are enabled. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WINDOWS_MOST 64

/* A window: a period in which events are enabled. `from` and `to` are in ns since the start of the
 * recording. If `to` is UINT64_MAX, events are enabled until the end of the recording. */
struct window {
	uint64_t from, to;
};

/* Parses the argument of -D, whose numbers are milliseconds. "1000" enables the events after 1000
 * ms. "10-20,30-40" enables the events in these two windows. Windows must be in ascending order.
 * Returns the number of windows, or 0 if the argument is malformed. */
size_t windows_parse(const char *text, struct window windows[WINDOWS_MOST]);

/* The state of -D: the windows, and the time of the next change. */
struct windows {
	const struct window *items;
	/* `at` is the index of the current window. If no window is open, it is the index of the
	 * next window. */
	size_t count, at;
	/* Times in ns as record_now() returns them. `begun` is the start of the recording.
	 * `switch_at` is the time of the next change, or UINT64_MAX if there is no further change.
	 */
	uint64_t begun, switch_at;
	bool open;
};

/* Starts the windows. If count is 0, events are never enabled or disabled. */
void windows_start(struct windows *windows, const struct window *items, size_t count, uint64_t now);
/* The change that is due now. After WINDOW_OPENS, the caller must enable the events. After
 * WINDOW_CLOSES, it must disable the events. WINDOW_STAYS means that nothing changes. */
enum window_change { WINDOW_STAYS, WINDOW_OPENS, WINDOW_CLOSES };
enum window_change windows_step(struct windows *windows, uint64_t now);

#endif
