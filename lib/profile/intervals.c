// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>

#include "intervals.h"
#include "pkutil.h"

#define NS_PER_S UINT64_C(1000000000)

void pk_intervals_record(struct pk_intervals *intervals, const struct pk_reader *reader,
			 const struct pk_record *record)
{
	if (record->type == PK_RECORD_BEGIN) {
		intervals->next = 0;
		intervals->wall = (struct pk_wall_clock){0};
		return;
	}
	pk_wall_clock_record(&intervals->wall, reader, record);
}

bool pk_intervals_over(const struct pk_intervals *intervals, const struct pk_record *record,
		       uint64_t *time)
{
	const uint16_t at = record->event ? record->event->layout.time : 0;

	if (!at || at + 8u > record->size)
		return false;
	*time = pk_load_u64(record->data + at);
	return !intervals->next || *time >= intervals->next;
}

/* Sets the heading, such as "# 12:34:56". It has enough decimals for the interval. flamegraph.pl
 * reads a line that ends with a blank and a number as a stack. The colons in the time prevent this.
 */
static void set_heading(struct pk_intervals *intervals, uint64_t time)
{
	const uint64_t step = intervals->step;
	const size_t capacity = sizeof(intervals->heading);
	const int decimals = !(step % NS_PER_S)	 ? 0
			     : !(step % 1000000) ? 3
			     : !(step % 1000)	 ? 6
						 : 9;
	uint32_t ns = (uint32_t)(time % NS_PER_S);
	uint64_t seconds = time / NS_PER_S;
	struct tm tm;
	const bool known = pk_wall_clock_at(&intervals->wall, time, &tm, &ns);
	int size;

	if (known)
		seconds = (uint64_t)(tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec);
	size = snprintf(intervals->heading, capacity, "# %02" PRIu64 ":%02u:%02u.%09" PRIu32,
			seconds / 3600, (unsigned int)(seconds / 60 % 60),
			(unsigned int)(seconds % 60), ns);
	size -= decimals ? 9 - decimals : 10;
	snprintf(intervals->heading + size, capacity - (size_t)size, "%s",
		 known ? "" : " of the stream's clock");
}

void pk_intervals_start(struct pk_intervals *intervals, uint64_t time)
{
	const uint64_t step = intervals->step;

	intervals->next = time > UINT64_MAX - step ? UINT64_MAX : time + step;
	if (intervals->heading[0])
		return;
	intervals->start = time;
	set_heading(intervals, time);
}

void pk_intervals_json(const struct pk_intervals *intervals, struct json *json)
{
	const struct pk_wall_clock *wall = &intervals->wall;

	if (!intervals->heading[0])
		return;
	json_number(json, "time", intervals->start);
	if (wall->known)
		json_number(json, "wall_time", intervals->start + wall->offset);
	json_number(json, "interval", intervals->step);
}
