/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PMU_JSON_INTERNAL_H
#define PK_PMU_JSON_INTERNAL_H

#include "pmu_json.h"

/* Adds what a text has; standards: events that others refer to. False after a message. */
bool pmu_json_add(struct pmu_json *json, const char *name, const char *data, size_t size,
		  bool standards);
/* Sorts what has been added. False after a message. */
bool pmu_json_complete(struct pmu_json *json);

#endif
