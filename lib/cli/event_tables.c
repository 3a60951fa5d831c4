// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>

#include "cli.h"
#include "data_lines.h"
#include "event_tables.h"
#include "pmu_json.h"

struct pmu_json *pk_event_tables(struct pk_messages *messages)
{
	struct pmu_json *json = pk_pmu_json_new(messages, pk_protect_input);
	char folder[PATH_MAX];

	if (json && pk_shared_path("events", folder, sizeof(folder)) &&
	    pk_pmu_json_later(json, folder) != PK_OK) {
		pk_pmu_json_free(json);
		return NULL;
	}
	return json;
}
