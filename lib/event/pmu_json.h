/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PMU_JSON_H
#define PK_PMU_JSON_H

/*
 * Events and metrics in the format of the kernel's pmu-events (tools/perf/pmu-events). A file is a
 * JSON array of objects. Each object is an event (EventName, EventCode, UMask ..., Unit,
 * ScaleUnit), a metric (MetricName, MetricExpr, MetricGroup, ScaleUnit ...), or both. Names are not
 * case-sensitive.
 *
 *     struct pmu_json *json = pk_pmu_json_new(&messages, NULL);
 *
 *     pk_pmu_json_load(json, "skylakex/")       a file, or all of a directory; one or more times
 *     pk_pmu_json_event(json, "l2_rqsts.miss", &count)
 *     events.json = json                     pk_event_list_parse() then knows these names
 *     pk_pmu_json_free(json)
 *
 * Results are owned by json. They are valid until the next pk_pmu_json_load() or
 * pk_pmu_json_free().
 */

#include <stdbool.h>
#include <stddef.h>

#include "messages.h"

struct pmu_json;

/* An event of a JSON file. */
struct pmu_json_event {
	const char *name;
	/* A name such as "uncore_cbox", which can match several PMUs (see pk_pmu_exists() in
	 * event_parser.h). NULL means the PMU of the CPU cores. */
	const char *pmu;
	char *terms;		 /* the terms between slashes, such as "event=0x3c,umask=0x01" */
	const char *scale_unit;	 /* such as "64Bytes"; NULL if it is not given */
	const char *description; /* NULL if it is not given */
	bool per_package;
	bool deprecated; /* the event is accepted, but not listed */
};

/* A metric of a JSON file. */
struct pmu_json_metric {
	const char *name, *expression;
	/* Each text is NULL if it is not given. groups is a list of names separated by ';'. pmu is
	 * the member Unit of the file. If the object is also an event, pmu is the name of the PMU
	 * of that event. */
	const char *groups, *scale_unit, *threshold, *description, *constraint, *pmu;
};

/* pk_pmu_json_load() adds its errors to messages, and calls reads with the path of each JSON file
 * that it reads. reads may be NULL. Returns NULL if memory is exhausted. */
struct pmu_json *pk_pmu_json_new(struct pk_messages *messages, void (*reads)(const char *path));
void pk_pmu_json_free(struct pmu_json *json);
/* Loads a file, or all files NAME.json of a directory. The file can also be a table (pmu_table.h).
 * A directory with a mapfile.csv is the directory of an architecture. In that case, loads the
 * subdirectory for the processor of this machine, or for $PK_CPUID. Objects in the directory itself
 * are then only used to complete the objects that refer to them. Returns PK_FAILED after a message.
 */
PK_MUST_CHECK enum pk_status pk_pmu_json_load(struct pmu_json *json, const char *path);
/* Loads the tables NAME.events of a folder (pmu_table.h) when an event or a metric is looked up for
 * the first time, unless pk_pmu_json_load() was called before. Only the events of this machine's
 * processor, or of $PK_CPUID, are loaded. If no table has this processor, no events are added. */
PK_MUST_CHECK enum pk_status pk_pmu_json_later(struct pmu_json *json, const char *path);
/* Returns the first event with this name, or NULL if there is none. The events with this name are
 * adjacent, and *count is their number. Usually, there is one event for each PMU that has an event
 * of this name. */
const struct pmu_json_event *pk_pmu_json_event(struct pmu_json *json, const char *name,
					       size_t *count);
/* Returns all events, sorted by name. */
const struct pmu_json_event *pk_pmu_json_events(struct pmu_json *json, size_t *count);
/* Returns all metrics, in the order of the files. */
const struct pmu_json_metric *pk_pmu_json_metrics(struct pmu_json *json, size_t *count);
/* Returns the metric with that name, or NULL if there is none. */
const struct pmu_json_metric *pk_pmu_json_metric(struct pmu_json *json, const char *name);
/* Splits a text such as "1e-6MB" into a factor and a unit. *unit points into the text. Returns
 * false if the text does not start with a number. */
bool pk_pmu_scale_unit(const char *text, double *scale, const char **unit);

#endif
