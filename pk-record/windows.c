// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <stdlib.h>

#include "windows.h"

#define NS_PER_MS UINT64_C(1000000)

/* Parses a number of milliseconds. Sets *text to the text after the number. */
static bool parse_time(const char **text, uint64_t *ns)
{
	unsigned long long number;
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	number = strtoull(*text, &end, 10);
	*text = end;
	*ns = number * NS_PER_MS;
	return number <= UINT32_MAX;
}

size_t windows_parse(const char *text, struct window windows[WINDOWS_MOST])
{
	uint64_t before = 0;

	windows[0].to = UINT64_MAX;
	if (!parse_time(&text, &windows[0].from))
		return 0;
	if (!*text)
		return windows[0].from != 0;
	for (size_t i = 0;; i++) {
		if (*text++ != '-' || !parse_time(&text, &windows[i].to) ||
		    windows[i].from < before || windows[i].to <= windows[i].from)
			return 0;
		before = windows[i].to;
		if (!*text)
			return i + 1;
		if (*text++ != ',' || i + 1 == WINDOWS_MOST ||
		    !parse_time(&text, &windows[i + 1].from))
			return 0;
	}
}

static uint64_t later(const struct windows *windows, uint64_t ns)
{
	return ns > UINT64_MAX - windows->begun ? UINT64_MAX : windows->begun + ns;
}

void windows_start(struct windows *windows, const struct window *items, size_t count, uint64_t now)
{
	*windows = (struct windows){.items = items, .count = count, .begun = now};
	windows->switch_at = count ? later(windows, items[0].from) : UINT64_MAX;
}

enum window_change windows_step(struct windows *windows, uint64_t now)
{
	if (now < windows->switch_at)
		return WINDOW_STAYS;
	windows->open = !windows->open;
	if (windows->open) {
		windows->switch_at = later(windows, windows->items[windows->at].to);
		return WINDOW_OPENS;
	}
	windows->at++;
	windows->switch_at = windows->at < windows->count
				     ? later(windows, windows->items[windows->at].from)
				     : UINT64_MAX;
	return WINDOW_CLOSES;
}
