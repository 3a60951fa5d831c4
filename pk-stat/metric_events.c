// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "metrics.h"
#include "procfs.h"

static enum pk_status no_memory(void)
{
	pk_no_memory();
	return PK_NOMEM;
}

/* ---- The parts of a metric ---- */

struct visit {
	const struct metrics *metrics;
	size_t *seen; /* stamp of the last visit, by index of the metric */
	size_t stamp;
	struct metric *of;
};

/* Appends the metrics to which a metric refers, and then the metric itself. The depth of such
 * references is limited. */
static void visit(struct visit *visit_, size_t index)
{
	const struct metrics *metrics = visit_->metrics;
	const struct metric *metric = &metrics->items[index];

	if (visit_->seen[index] == visit_->stamp)
		return;
	visit_->seen[index] = visit_->stamp;
	for (size_t i = 0; i < metric->expr.count; i++) {
		const struct metric_node *node = &metric->expr.nodes[i];

		if (node->op == METRIC_ID && metric->needed[i] &&
		    metrics->ids[node->link].metric != METRIC_NONE)
			visit(visit_, metrics->ids[node->link].metric);
	}
	visit_->of->order[visit_->of->order_count++] = index;
}

static enum pk_status find_order(struct metrics *metrics)
{
	struct visit state = {.metrics = metrics};

	state.seen = calloc(metrics->count + 1, sizeof(*state.seen));
	if (!state.seen)
		return no_memory();
	for (size_t i = 0; i < metrics->count; i++) {
		struct metric *metric = &metrics->items[i];

		if (!metric->shown || metric->order)
			continue;
		metric->order = calloc(i + 1, sizeof(*metric->order));
		if (!metric->order)
			break;
		state.stamp = i + 1;
		state.of = metric;
		visit(&state, i);
	}
	free(state.seen);
	return PK_OK;
}

static int by_id(const void *a, const void *b)
{
	const struct metric_use *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Returns an upper limit for the number of event names in a metric. */
static size_t count_names(const struct metrics *metrics, const struct metric *metric)
{
	size_t count = 0;

	for (size_t i = 0; i < metric->order_count; i++)
		count += metrics->items[metric->order[i]].expr.count;
	return count;
}

/* Finds the names of the events that a metric needs, each of them once. The names are sorted by id.
 * Ids are numbered in the order in which names first appear. Events are added in this order. */
static enum pk_status find_uses(const struct metrics *metrics, struct metric *metric)
{
	size_t kept = 0;

	free(metric->uses);
	metric->uses_count = 0;
	metric->uses = calloc(count_names(metrics, metric) + 1, sizeof(*metric->uses));
	if (!metric->uses || !metric->order)
		return no_memory();
	for (size_t i = 0; i < metric->order_count; i++) {
		const struct metric *part = &metrics->items[metric->order[i]];

		for (size_t n = 0; n < part->expr.count; n++) {
			const struct metric_node *node = &part->expr.nodes[n];

			if (part->needed[n] && metric_names_event(node->op) &&
			    metrics->ids[node->link].metric == METRIC_NONE)
				metric->uses[metric->uses_count++].id = node->link;
		}
	}
	qsort(metric->uses, metric->uses_count, sizeof(*metric->uses), by_id);
	for (size_t i = 0; i < metric->uses_count; i++)
		if (!kept || metric->uses[kept - 1].id != metric->uses[i].id)
			metric->uses[kept++] = metric->uses[i];
	metric->uses_count = kept;
	return PK_OK;
}

/* ---- Adding events ---- */

/* Returns true if the NMI watchdog runs. The watchdog uses a hardware counter. */
static bool watchdog(void)
{
	return pk_procfs_read_number("/proc/sys/kernel/nmi_watchdog", 0, pk_lookups()) > 0;
}

static bool may_group(const struct metrics *metrics, const struct metric *metric)
{
	const char *constraint = metric->from->constraint;

	if (metrics->no_group)
		return false;
	if (!constraint)
		return true;
	if (!strcmp(constraint, "NO_GROUP_EVENTS"))
		return false;
	if (!strcmp(constraint, "NO_GROUP_EVENTS_SMT"))
		return metric_literal("#smt_on", false, false) == 0;
	if (strstr(constraint, "NMI"))
		return !watchdog();
	return true;
}

/* Returns true if two events can be in one group. A PMU such as an uncore unit has only certain
 * CPUs. In its group, events of other PMUs would be counted only on these CPUs. */
static bool can_share_group(const struct event *a, const struct event *b)
{
	if (!a->cpus || !b->cpus)
		return !a->cpus && !b->cpus;
	return a->pmu && b->pmu && !strcmp(a->pmu, b->pmu);
}

/* Makes a group of the events from index first to the end of the list, or a group for each PMU that
 * needs its own. */
static void make_group(struct event_list *events, size_t first)
{
	for (size_t i = first; i < events->count; i++) {
		struct event *event = &events->items[i];
		size_t leader = first;

		if (event->stat.tool)
			continue;
		while (leader < i && (events->items[leader].stat.tool ||
				      !can_share_group(&events->items[leader], event)))
			leader++;
		event->leader = leader;
		event->letters.weak = true;
	}
}

static enum pk_status add_event(const struct metrics *metrics, const struct metric *metric,
				struct metric_use *use, struct event_list *events)
{
	use->first = events->count;
	if (pk_printed(pk_event_list_parse(events, metrics->ids[use->id].text),
		       &events->messages) != PK_OK) {
		if (!events->messages.quiet)
			pk_error("metric %s: cannot be counted here", metric->name);
		return PK_FAILED;
	}
	use->count = events->count - use->first;
	return PK_OK;
}

/* Uses the events of another metric if that metric has all events of `metric`. Returns false if it
 * does not have all of them. */
static bool share(struct metric *metric, const struct metric *other)
{
	for (size_t i = 0; i < metric->uses_count; i++) {
		const struct metric_use *found =
			bsearch(&metric->uses[i], other->uses, other->uses_count,
				sizeof(*other->uses), by_id);

		if (!found)
			return false;
		metric->uses[i] = *found;
	}
	return true;
}

/* Sets the event on whose line the metric is printed. This is the first of the metric's events in
 * the list. */
static void find_event(struct metric *metric)
{
	metric->event = metric->uses_count ? METRIC_NONE : 0;
	for (size_t i = 0; i < metric->uses_count; i++)
		if (metric->uses[i].first < metric->event)
			metric->event = metric->uses[i].first;
}

static bool is_tool(const struct event_list *events, const struct metric_use *use)
{
	return events->items[use->first].stat.tool;
}

/* Returns true if the name is a software event or a clock of pk-stat. The kernel never multiplexes
 * such events. So they need no group, and several metrics share them. */
static bool is_software_event(const struct metrics *metrics, const char *text)
{
	struct event_list list = {.json = metrics->json, .tools = true, .messages.quiet = true};
	bool ok = pk_printed(pk_event_list_parse(&list, text), &list.messages) == PK_OK;

	for (size_t i = 0; i < list.count; i++)
		ok &= list.items[i].attr.type == PERF_TYPE_SOFTWARE;
	pk_event_list_free(&list);
	return ok;
}

static bool is_software(const struct metrics *metrics, const struct metric *metric)
{
	for (size_t i = 0; i < metric->uses_count; i++)
		if (!is_software_event(metrics, metrics->ids[metric->uses[i].id].text))
			return false;
	return true;
}

/* Adds the events of a metric. `known` has events of other metrics by id. The metric shares a known
 * event in three cases: if the metric has only software events, if the event is a clock of pk-stat,
 * or if there are no groups. Otherwise the metric has its own instance of the event. */
static enum pk_status add_all(const struct metrics *metrics, struct metric *metric,
			      struct event_list *events, const struct metric_use *known)
{
	const bool software = is_software(metrics, metric);
	const size_t first = events->count;

	for (size_t i = 0; i < metric->uses_count; i++) {
		struct metric_use *use = &metric->uses[i];
		const struct metric_use *same = &known[use->id];

		if (same->count && (software || metrics->no_group || is_tool(events, same)))
			*use = *same;
		else if (add_event(metrics, metric, use, events) != PK_OK)
			return PK_FAILED;
	}
	if (!software && may_group(metrics, metric))
		make_group(events, first);
	return PK_OK;
}

static int by_uses(const void *a, const void *b)
{
	const struct metric *const *x = a, *const *y = b;

	if ((*x)->uses_count != (*y)->uses_count)
		return (*x)->uses_count < (*y)->uses_count ? 1 : -1;
	return (*x > *y) - (*x < *y);
}

/* Stores the events that add_all() can share with other metrics. These are the events of metrics
 * with only software events, and the clocks of pk-stat. If there are no groups, these are all
 * events. */
static void remember(const struct metrics *metrics, const struct event_list *events,
		     const struct metric *metric, struct metric_use *known)
{
	const bool all = metrics->no_group || (!metrics->no_merge && is_software(metrics, metric));

	for (size_t i = 0; i < metric->uses_count; i++) {
		const struct metric_use *use = &metric->uses[i];

		if (use->count && (all || is_tool(events, use)))
			known[use->id] = *use;
	}
}

/* Adds the events of all metrics. The metrics with most events come first, so that other metrics
 * can share their events. */
static enum pk_status add_groups(struct metrics *metrics, struct metric **sorted,
				 struct event_list *events)
{
	struct metric_use *known = calloc(metrics->ids_count + 1, sizeof(*known));
	enum pk_status status = known ? PK_OK : no_memory();

	for (size_t i = 0; status == PK_OK && i < metrics->shown; i++) {
		bool shared = false;

		for (size_t n = 0; n < i && !shared && !metrics->no_merge; n++)
			shared = share(sorted[i], sorted[n]);
		status = shared ? PK_OK : add_all(metrics, sorted[i], events, known);
		if (status == PK_OK)
			remember(metrics, events, sorted[i], known);
		find_event(sorted[i]);
	}
	free(known);
	return status;
}

/* Returns the selected metrics, sorted by their number of events. The metric with most events comes
 * first. The caller frees the list. */
static struct metric **prepare(struct metrics *metrics)
{
	struct metric **sorted = calloc(metrics->shown + 1, sizeof(*sorted));
	size_t count = 0, nodes = 0;
	bool ok = sorted && find_order(metrics) == PK_OK;

	for (size_t i = 0; ok && i < metrics->count; i++) {
		struct metric *metric = &metrics->items[i];

		if (metric->expr.count > nodes)
			nodes = metric->expr.count;
		if (!metric->shown)
			continue;
		ok = find_uses(metrics, metric) == PK_OK;
		sorted[count++] = metric;
	}
	free(metrics->scratch);
	metrics->scratch = ok ? calloc(nodes + metrics->count, sizeof(double)) : NULL;
	if (metrics->scratch) {
		qsort(sorted, count, sizeof(*sorted), by_uses);
		return sorted;
	}
	no_memory();
	free(sorted);
	return NULL;
}

enum pk_status metrics_add_events(struct metrics *metrics, struct event_list *events)
{
	struct metric **sorted = prepare(metrics);
	enum pk_status status;

	if (!sorted)
		return PK_FAILED;
	status = add_groups(metrics, sorted, events);
	free(sorted);
	/* A metric is printed next to an event. So there must be an event, even if the metric needs
	 * none. */
	PK_TRY(status);
	return events->count ? PK_OK
			     : pk_printed(pk_event_list_parse(events, "duration_time"),
					  &events->messages);
}

/* ---- Finding events ---- */

/* Returns true if a recorded event has the name `text`. If the user was not allowed to count the
 * kernel, the recorded name is "cycles:u" instead of "cycles". */
static bool is_named(const char *name, const char *text)
{
	const size_t length = strlen(text);

	return !strncmp(name, text, length) && (!name[length] || !strcmp(name + length, ":u"));
}

static bool find_named(const struct metrics *metrics, const struct metric *metric,
		       struct metric_use *use, const struct event_list *events)
{
	const char *text = metrics->ids[use->id].text;

	for (size_t i = 0; i < events->count; i++) {
		if (!is_named(events->items[i].name, text)) {
			if (use->count)
				break;
			continue;
		}
		if (!use->count++)
			use->first = i;
	}
	if (!use->count)
		pk_error("metric %s: %s has not been counted", metric->name, text);
	return use->count;
}

bool metrics_find_events(struct metrics *metrics, const struct event_list *events)
{
	struct metric **sorted = prepare(metrics);
	bool ok = sorted != NULL;

	for (size_t i = 0; ok && i < metrics->shown; i++) {
		for (size_t n = 0; ok && n < sorted[i]->uses_count; n++)
			ok = find_named(metrics, sorted[i], &sorted[i]->uses[n], events);
		find_event(sorted[i]);
	}
	free(sorted);
	return ok;
}
