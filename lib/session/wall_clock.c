// SPDX-License-Identifier: BSD-2-Clause
#include "perf_abi.h"
#include "wall_clock.h"

#define NS_PER_S UINT64_C(1000000000)

void pk_wall_clock_record(struct pk_wall_clock *clock, const struct pk_reader *reader,
			  const struct pk_record *record)
{
	const struct perf_feature_clock_data *data;
	struct pk_feature_content feature;

	if (!pk_reader_feature(reader, record, &feature) || feature.id != PERF_FEATURE_CLOCK_DATA ||
	    feature.size < sizeof(*data))
		return;
	data = (const void *)feature.data;
	clock->known = true;
	clock->offset = data->wall_ns - data->clockid_ns;
}

bool pk_wall_clock_at(const struct pk_wall_clock *clock, uint64_t time, struct tm *tm, uint32_t *ns)
{
	const uint64_t now = time + clock->offset;
	const time_t seconds = (time_t)(now / NS_PER_S);

	if (!clock->known || !localtime_r(&seconds, tm))
		return false;
	*ns = (uint32_t)(now % NS_PER_S);
	return true;
}
