// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "lookups.h"
#include "stat_features.h"
#include "system_features.h"

static void write_command(struct pk_feature *feature, const struct stat_options *options,
			  struct pk_writer *writer)
{
	pk_feature_start(feature, PERF_FEATURE_CMDLINE);
	pk_feature_u32(feature, (uint32_t)options->argc);
	for (int i = 0; i < options->argc; i++)
		pk_feature_string(feature, options->argv[i]);
	pk_feature_write(feature, writer);
}

void stat_write_features(struct pk_writer *writer, const struct stat_options *options)
{
	struct pk_feature *feature = pk_need(pk_lookups(), malloc(sizeof(*feature)));

	if (!feature)
		return; /* the features are optional */
	pk_system_features_write(feature, writer, pk_lookups());
	write_command(feature, options, writer);
	free(feature);
}
