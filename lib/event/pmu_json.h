/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PMU_JSON_H
#define PK_PMU_JSON_H

/*
 * Events and metrics in the format of the kernel's pmu-events (tools/perf/pmu-events): files with a
 * JSON array of objects, each an event (EventName, EventCode, UMask ..., Unit, ScaleUnit) or a
 * metric (MetricName, MetricExpr, MetricGroup, ScaleUnit ...), or both. Names are not
 * case-sensitive.
 *
 *     struct pmu_json *json = pk_pmu_json_new(&messages, NULL);
 *
 *     pk_pmu_json_load(json, "skylakex/")       a file, or all of a directory; one or more times
 *     pk_pmu_json_event(json, "l2_rqsts.miss", &count)
 *     events.json = json                     events_parse then knows these names
 *     pk_pmu_json_free(json)
 *
 * Results are borrowed until the next pmu_json_load or pmu_json_free.
 */

#include <stdbool.h>
#include <stddef.h>

#include "messages.h"

struct pmu_json;

struct pmu_json_event {
	const char *name;
	const char *pmu;	 /* "uncore_cbox", which can stand for several PMUs (event_parser.h:
				  * pmu_exists); NULL: the PMU of the CPU cores */
	char *terms;		 /* "event=0x3c,umask=0x01": the terms between slashes */
	const char *scale_unit;	 /* "64Bytes"; NULL: none */
	const char *description; /* NULL: none */
	bool per_package;
};

struct pmu_json_metric {
	const char *name, *expression;
	/* Each is NULL if it is not given. groups are names separated by ';'. pmu is Unit as in the
	 * file. If the object is also an event, it is its PMU. */
	const char *groups, *scale_unit, *threshold, *description, *constraint, *pmu;
};

/* pk_pmu_json_load() uses messages. reads is called with the path of each JSON file that is read.
 * It may be NULL. Returns NULL if memory is exhausted. */
struct pmu_json *pk_pmu_json_new(struct pk_messages *messages, void (*reads)(const char *path));
void pk_pmu_json_free(struct pmu_json *json);
/* Loads a file, or all files NAME.json of a directory. If the directory has a mapfile.csv, it is
 * that of an architecture: the folder for this machine's processor, or for $PERF_CPUID, is loaded,
 * and events in the directory itself only complete those that refer to them. Returns PK_FAILED
 * after a message. */
PK_MUST_CHECK enum pk_status pk_pmu_json_load(struct pmu_json *json, const char *path);
/* The first of *count adjacent events with that name, usually one for each PMU that has it, or NULL
 * if there is none. */
const struct pmu_json_event *pk_pmu_json_event(const struct pmu_json *json, const char *name,
					       size_t *count);
/* All events, sorted by name. */
const struct pmu_json_event *pk_pmu_json_events(const struct pmu_json *json, size_t *count);
/* All metrics, in the order of the files. */
const struct pmu_json_metric *pk_pmu_json_metrics(const struct pmu_json *json, size_t *count);
/* The metric of that name, or NULL if there is none. */
const struct pmu_json_metric *pk_pmu_json_metric(const struct pmu_json *json, const char *name);
/* Splits "1e-6MB" into a factor and a unit, which points into the text. Returns false if there is
 * no number. */
bool pk_pmu_scale_unit(const char *text, double *scale, const char **unit);

#endif
