// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "list_events.h"
#include "lookups.h"
#include "metrics.h"
#include "vector.h"

#define SHOWN_MAX 1000 /* limit for the number of selected metrics */
#define DEPTH_MAX 50   /* limit for the depth of nested metrics */
#define EXCERPT	  100  /* number of characters of an expression that a message shows */

/* A metric, and the metrics that led to it. `up` is the metric that refers to `metric`. It is NULL
 * for a metric that the user has requested. */
struct path {
	const struct path *up;
	const struct pmu_json_metric *metric;
	unsigned int depth;
};

/* A node of the tree metrics.by_text. */
struct id_key {
	const char *text;
	size_t index;
};

static enum pk_status no_memory(void)
{
	pk_no_memory();
	return PK_NOMEM;
}

static enum pk_status complain(const struct metrics *metrics, const struct pmu_json_metric *metric,
			       const struct metric_error *error)
{
	const size_t from = error->at > EXCERPT / 2 ? error->at - EXCERPT / 2 : 0;

	if (metrics->quiet)
		return PK_FAILED;
	pk_error("metric %s: %s", metric->name, error->what);
	pk_error("  %.*s", EXCERPT, metric->expression + from);
	pk_error("  %*s", (int)(error->at - from) + 1, "^");
	return PK_FAILED;
}

enum pk_status metrics_load(struct metrics *metrics, const char *path, struct pk_messages *messages)
{
	if (!metrics->json)
		metrics->json = pk_pmu_json_new(messages, pk_protect_input);
	return pk_printed(metrics->json ? pk_pmu_json_load(metrics->json, path) : PK_FAILED,
			  messages);
}

/* ---- Names in expressions ---- */

static int compare_keys(const void *a, const void *b)
{
	const struct id_key *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/* Returns the index of a text in metrics->ids. If the text is new, adds it: metrics then owns the
 * text, and *text becomes NULL. Returns METRIC_NONE if memory is exhausted. */
static size_t intern(struct metrics *metrics, char **text)
{
	struct id_key *key = malloc(sizeof(*key)), **found;

	if (!key || pk_reserve(&metrics->ids, &metrics->ids_capacity, metrics->ids_count, 1,
			       sizeof(*metrics->ids)) != PK_OK)
		goto failed;
	*key = (struct id_key){*text, metrics->ids_count};
	found = tsearch(key, &metrics->by_text, compare_keys);
	if (!found)
		goto failed;
	if (*found != key) {
		free(key);
		return (*found)->index;
	}
	metrics->ids[metrics->ids_count] =
		(struct metric_id){.text = *text, .metric = METRIC_NONE, .has_event = -1};
	*text = NULL; /* `metrics` owns the text now */
	return metrics->ids_count++;

failed:
	free(key);
	return METRIC_NONE;
}

static enum pk_status link_names(struct metrics *metrics, const struct metric *metric)
{
	for (size_t i = 0; i < metric->expr.count; i++) {
		struct metric_node *node = &metric->expr.nodes[i];
		char *text;

		if (!node->text)
			continue;
		text = strdup(node->text);
		node->link = text ? intern(metrics, &text) : METRIC_NONE;
		free(text);
		if (node->link == METRIC_NONE)
			return no_memory();
	}
	return PK_OK;
}

/* ---- One metric ---- */

static bool check_literals(const struct metrics *metrics, const struct metric *metric)
{
	for (size_t i = 0; i < metric->expr.count; i++) {
		const struct metric_node *node = &metric->expr.nodes[i];

		if (node->op != METRIC_LITERAL ||
		    !isnan(metric_literal(node->text, metrics->system_wide, metrics->cpus)))
			continue;
		if (!metrics->quiet)
			pk_error("metric %s: %s: no such literal", metric->name, node->text);
		return false;
	}
	return true;
}

static enum pk_status prepare(struct metrics *metrics, struct metric *metric)
{
	const struct metric_values values = {.known = metric_known, .arg = metrics};
	struct metric_error error;

	metric->name = strdup(metric->from->name);
	if (!metric->name)
		return no_memory();
	pk_harmless(metric->name);
	metric->scale = 1;
	if (metric->from->scale_unit &&
	    !pk_pmu_scale_unit(metric->from->scale_unit, &metric->scale, &metric->unit)) {
		pk_error("metric %s: ScaleUnit '%s' has no number", metric->name,
			 metric->from->scale_unit);
		return PK_FAILED;
	}
	if (!metric_expr_parse(&metric->expr, metric->from->expression, &error))
		return complain(metrics, metric->from, &error);
	if (!check_literals(metrics, metric))
		return PK_FAILED;
	PK_TRY(link_names(metrics, metric));
	metric->needed = calloc(metric->expr.count, sizeof(*metric->needed));
	return metric->needed && metric_expr_needed(&metric->expr, &values, metric->needed) == PK_OK
		       ? PK_OK
		       : no_memory();
}

static void free_metric(struct metric *metric)
{
	free(metric->name);
	metric_expr_free(&metric->expr);
	free(metric->needed);
	free(metric->order);
	free(metric->uses);
}

static enum pk_status add_metric(struct metrics *metrics, const struct pmu_json_metric *from,
				 const struct path *up, size_t *index);

/* Adds the metrics to which a metric refers by their names, and stores the index of each of them in
 * the entry of its name in metrics->ids. */
static enum pk_status add_referred(struct metrics *metrics, const struct metric *metric,
				   const struct path *path)
{
	for (size_t i = 0; i < metric->expr.count; i++) {
		const struct metric_node *node = &metric->expr.nodes[i];
		const struct pmu_json_metric *other;
		size_t index;

		if (node->op != METRIC_ID || !metric->needed[i] ||
		    metrics->ids[node->link].metric != METRIC_NONE)
			continue;
		other = pk_pmu_json_metric(metrics->json, node->text);
		if (!other)
			continue;
		PK_TRY(add_metric(metrics, other, path, &index));
		metrics->ids[node->link].metric = index;
	}
	return PK_OK;
}

static bool check_path(const struct path *path)
{
	const struct path *other = path->up;

	while (other && other->metric != path->metric)
		other = other->up;
	if (other)
		pk_error("metric %s: refers to itself through %s", path->metric->name,
			 path->up->metric->name);
	else if (path->depth > DEPTH_MAX)
		pk_error("metric %s: metrics are nested more than %d deep", path->metric->name,
			 DEPTH_MAX);
	return !other && path->depth <= DEPTH_MAX;
}

static size_t find_metric(const struct metrics *metrics, const struct pmu_json_metric *from)
{
	for (size_t i = 0; i < metrics->count; i++)
		if (metrics->items[i].from == from)
			return i;
	return METRIC_NONE;
}

/* Adds a metric, unless it was already added. First adds the metrics to which it refers. `up` is
 * the chain of metrics that refer to it. Returns an error after it has printed a message. */
static enum pk_status add_metric(struct metrics *metrics, const struct pmu_json_metric *from,
				 const struct path *up, size_t *index)
{
	const struct path path = {up, from, up ? up->depth + 1 : 1};
	struct metric metric = {.from = from};
	enum pk_status status;

	if (!check_path(&path))
		return PK_FAILED;
	*index = find_metric(metrics, from);
	if (*index != METRIC_NONE)
		return PK_OK;
	if (metrics->count > 8 * SHOWN_MAX) {
		pk_error("metric %s: refers to too many others", from->name);
		return PK_FAILED;
	}
	status = prepare(metrics, &metric);
	if (!status)
		status = add_referred(metrics, &metric, &path);
	if (!status && pk_vector_reserve(metrics, 1) != PK_OK)
		status = no_memory();
	if (status) {
		free_metric(&metric);
		return status;
	}
	*index = metrics->count;
	metrics->items[metrics->count++] = metric;
	return PK_OK;
}

/* ---- Choosing ---- */

/* Returns true if a list of groups, such as "A;B", contains the name. */
static bool is_in_group(const char *groups, const char *name)
{
	const size_t length = strlen(name);

	while (groups && *groups) {
		const size_t size = strcspn(groups, ";,");

		if (size == length && !strncasecmp(groups, name, length))
			return true;
		groups += size;
		groups += strspn(groups, ";, ");
	}
	return false;
}

static enum pk_status choose(struct metrics *metrics, const struct pmu_json_metric *from)
{
	size_t index;

	if (metrics->shown == SHOWN_MAX) {
		pk_error("more than %d metrics at once", SHOWN_MAX);
		return PK_FAILED;
	}
	PK_TRY(add_metric(metrics, from, NULL, &index));
	metrics->shown += !metrics->items[index].shown;
	metrics->items[index].shown = true;
	return PK_OK;
}

static enum pk_status choose_named(struct metrics *metrics, const char *name)
{
	const struct pmu_json_metric *named = pk_pmu_json_metric(metrics->json, name);
	bool found = named != NULL;
	enum pk_status status = named ? choose(metrics, named) : PK_OK;
	size_t count;
	const struct pmu_json_metric *all = pk_pmu_json_metrics(metrics->json, &count);

	for (size_t i = 0; status == PK_OK && i < count; i++) {
		if (strcasecmp(name, "all") && !is_in_group(all[i].groups, name))
			continue;
		found = true;
		status = choose(metrics, &all[i]);
	}
	if (!found)
		pk_error("no metric or group of metrics is called %s", name);
	PK_TRY(status);
	return found ? PK_OK : PK_FAILED;
}

enum pk_status metrics_choose(struct metrics *metrics, const char *names)
{
	char *copy = strdup(names), *cursor = copy, *name;
	enum pk_status status = PK_OK;

	if (!copy)
		return no_memory();
	while (status == PK_OK && (name = strsep(&cursor, ",")))
		status = choose_named(metrics, name);
	free(copy);
	return status;
}

const char *metrics_obstacle(struct pmu_json *json, size_t nth)
{
	struct metrics metrics = {.json = json, .system_wide = true, .cpus = true, .quiet = true};
	struct event_list events = {.json = json, .tools = true, .messages.quiet = true};
	const char *why = NULL;
	size_t count;

	if (choose(&metrics, &pk_pmu_json_metrics(json, &count)[nth]) != PK_OK ||
	    metrics_add_events(&metrics, &events) != PK_OK)
		why = "not on this machine";
	for (size_t i = 0; !why && i < events.count; i++)
		why = pk_count_obstacle(&events.items[i]);
	pk_event_list_free(&events);
	metrics.json = NULL; /* is the caller's */
	metrics_free(&metrics);
	return why;
}

void metrics_free(struct metrics *metrics)
{
	for (size_t i = 0; i < metrics->count; i++)
		free_metric(&metrics->items[i]);
	free(metrics->items);
	tdestroy(metrics->by_text, free);
	for (size_t i = 0; i < metrics->ids_count; i++)
		free(metrics->ids[i].text);
	free(metrics->ids);
	free(metrics->scratch);
	pk_pmu_json_free(metrics->json);
	*metrics = (struct metrics){0};
}
