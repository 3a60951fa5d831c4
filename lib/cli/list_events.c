// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli.h"
#include "event.h"
#include "json.h"
#include "list_events.h"
#include "lookups.h"
#include "perf_syscall.h"
#include "pmu.h"
#include "pmu_json.h"
#include "presets.h"
#include "tracefs.h"
#include "usdt.h"
#include "vector.h"

/* The kinds of events. The array kinds[] has the words that perf list uses for these kinds. */
enum kind {
	KIND_ALL,
	KIND_HARDWARE,
	KIND_SOFTWARE,
	KIND_CACHE,
	KIND_TRACEPOINT,
	KIND_SDT,
	KIND_PMU,
	KIND_METRIC,
	KIND_METRIC_GROUP
};

static const struct {
	const char *name;
	enum kind kind;
} kinds[] = {
	{"hw", KIND_HARDWARE},
	{"hardware", KIND_HARDWARE},
	{"sw", KIND_SOFTWARE},
	{"software", KIND_SOFTWARE},
	{"cache", KIND_CACHE},
	{"hwcache", KIND_CACHE},
	{"tracepoint", KIND_TRACEPOINT},
	{"sdt", KIND_SDT},
	{"pmu", KIND_PMU},
	{"metric", KIND_METRIC},
	{"metrics", KIND_METRIC},
	{"metricgroup", KIND_METRIC_GROUP},
	{"metricgroups", KIND_METRIC_GROUP},
};

/* What is listed, and how much was printed. */
struct listing {
	char glob[300];
	enum kind kind;
	size_t shown, markers; /* shown: the number of printed events; markers: the number of all
				* USDT probes in the object */
	bool json;	       /* print lines of JSON */
	pk_metric_obstacle *metric_obstacle;
	struct buffer line;
	bool failed; /* true if something could not be read, and a message was printed */
	bool tried_tracepoint;
	const char *why_no_tracepoint; /* valid if tried_tracepoint is true; NULL if tracepoints can
					* be opened */
};

static bool wanted(const struct listing *listing, const char *name)
{
	return !fnmatch(listing->glob, name, 0);
}

/* Returns true if the event can be opened. Otherwise returns false and sets errno. */
static bool opens(const struct perf_attr *attr, int cpu)
{
	const int fd = perf_event_open(attr, cpu < 0 ? 0 : -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Returns true if the event can be opened for this process. If the kernel refuses that with EINVAL,
 * tries to open the event for all tasks of the CPU. */
static bool opens_somewhere(const struct perf_attr *attr, int cpu)
{
	return opens(attr, -1) || (errno == EINVAL && opens(attr, cpu));
}

/* Returns the text for an error of perf_event_open(2). */
static const char *name_obstacle(const struct perf_attr *attr, int error)
{
	switch (error) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
	case EOPNOTSUPP: return "not on this machine";
	case EACCES:
	case EPERM: return "not for this user";
	case EINVAL:
		if (attr->type == PERF_TYPE_HW_CACHE)
			return "not on this machine";
		return "the kernel does not accept it";
	default: return strerror(error);
	}
}

/* Returns the reason why an event cannot be recorded with samples, or NULL if it can be recorded.
 */
static const char *obstacle_on(const struct perf_attr *wished, int cpu)
{
	struct perf_attr attr = *wished;
	int error;

	attr.sample_period = 1000000000;
	attr.flags |= PERF_ATTR_DISABLED | PERF_ATTR_EXCLUDE_HV;
	if (opens(&attr, -1))
		return NULL;
	if (errno == EACCES || errno == EPERM)
		attr.flags |= PERF_ATTR_EXCLUDE_KERNEL;
	if (opens_somewhere(&attr, cpu))
		return NULL;
	error = errno;
	attr.sample_period = 0;
	attr.flags = PERF_ATTR_DISABLED;
	if (error == EINVAL && opens_somewhere(&attr, cpu))
		return "counts, but gives no samples: see pk-stat";
	return name_obstacle(&attr, error);
}

static const char *obstacle(const struct perf_attr *attr)
{
	return obstacle_on(attr, 0);
}

const char *pk_count_obstacle(const struct event *event)
{
	struct perf_attr attr = event->attr;

	const int cpu = event->cpus_count ? event->cpus[0] : 0;

	attr.flags |= PERF_ATTR_DISABLED;
	if (event->stat.tool || opens_somewhere(&attr, cpu))
		return NULL;
	attr.flags |= PERF_ATTR_EXCLUDE_KERNEL;
	if ((errno == EACCES || errno == EPERM) && opens_somewhere(&attr, cpu))
		return NULL;
	return name_obstacle(&attr, errno);
}

/* Prints text that comes from ELF and JSON files. Each control character is printed as "?", so that
 * the text stays on its line and cannot harm a terminal. */
static void print_plain(const char *text, size_t width)
{
	size_t size = 0;

	for (; text[size]; size++)
		putchar(iscntrl((unsigned char)text[size]) ? '?' : text[size]);
	for (; size < width; size++)
		putchar(' ');
}

/* Prints an event as a line of JSON. Members that are NULL are left out. */
static void show_object(struct listing *listing, const char *name, const char *unit,
			const char *about, const char *encoding, const char *why)
{
	const struct {
		const char *key, *value;
	} members[] = {{"EventName", name},
		       {"Unit", unit},
		       {"BriefDescription", about},
		       {"Encoding", encoding},
		       {"Obstacle", why}};
	struct json json = {.out = &listing->line};

	listing->shown++;
	json_open(&json, NULL, '{');
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (members[i].value)
			json_text(&json, members[i].key, members[i].value);
	json_end(&json);
	fwrite(listing->line.data, 1, listing->line.size, stdout);
	listing->line.size = 0;
}

static void show(struct listing *listing, const char *name, const char *kind, const char *why)
{
	if (!wanted(listing, name))
		return;
	if (listing->json) {
		show_object(listing, name, NULL, kind, NULL, why);
		return;
	}
	listing->shown++;
	print_plain(name, 48);
	putchar(' ');
	print_plain(kind, 0);
	printf("%s%s\n", why ? ": " : "", why ? why : "");
}

static void show_attr(struct listing *listing, const char *name, const char *kind,
		      const struct perf_attr *attr)
{
	if (wanted(listing, name))
		show(listing, name, kind, obstacle(attr));
}

static bool wants(const struct listing *listing, enum kind kind)
{
	return listing->kind == KIND_ALL || listing->kind == kind;
}

static void list_generic(struct listing *listing)
{
	struct perf_attr attr;
	const char *name;

	for (size_t i = 0; (name = pk_event_name_at(i)); i++) {
		attr = (struct perf_attr){0};
		if (!pk_event_by_name(name, &attr))
			continue;
		if (attr.type == PERF_TYPE_SOFTWARE && wants(listing, KIND_SOFTWARE))
			show_attr(listing, name, "software", &attr);
		else if (attr.type == PERF_TYPE_HARDWARE && wants(listing, KIND_HARDWARE))
			show_attr(listing, name, "hardware", &attr);
		else if (attr.type == PERF_TYPE_HW_CACHE && wants(listing, KIND_CACHE))
			show_attr(listing, name, "cache", &attr);
	}
}

/* Returns the reason why a parsed event cannot be opened, or NULL if it can be opened. */
static const char *obstacle_to(const struct event *event)
{
	return obstacle_on(&event->attr, event->cpus_count ? event->cpus[0] : 0);
}

/* Lists an event that has a name in sysfs. Prints its terms, its unit, and the reason if it cannot
 * be opened. */
static void list_pmu_event(struct listing *listing, const char *sysfs, const char *pmu,
			   const char *event)
{
	struct event_list list = {.sysfs = sysfs, .messages.quiet = true};
	char name[600], file[300], kind[700], terms[512] = "";
	const char *why = NULL;

	snprintf(name, sizeof(name), "%.250s/%.250s/", pmu, event);
	if (!wanted(listing, name))
		return;
	snprintf(file, sizeof(file), "events/%.250s", event);
	pk_pmu_read(sysfs, pmu, file, terms, sizeof(terms), pk_lookups());
	snprintf(kind, sizeof(kind), "%s", terms);
	if (pk_printed(pk_event_list_parse(&list, name), &list.messages) != PK_OK || !list.count) {
		why = strchr(terms, '?') ? NULL : "its description has an unknown format";
	} else {
		const struct event *parsed = &list.items[0];

		if (*parsed->stat.unit)
			snprintf(kind, sizeof(kind), "%s, in %s", terms, parsed->stat.unit);
		why = obstacle_to(parsed);
	}
	show(listing, name, kind, why);
	pk_event_list_free(&list);
}

/* Lists the events of a PMU, and the terms that the user can write between the slashes. */
static void list_pmu(struct listing *listing, const char *sysfs, const char *pmu)
{
	struct pmu_names events = pk_pmu_files(sysfs, pmu, "events", pk_lookups());
	struct pmu_names terms = pk_pmu_files(sysfs, pmu, "format", pk_lookups());
	char name[600], format[128];

	for (size_t i = 0; i < events.count; i++)
		list_pmu_event(listing, sysfs, pmu, events.items[i]);
	for (size_t i = 0; i < terms.count; i++) {
		snprintf(name, sizeof(name), "format/%.250s", terms.items[i]);
		if (!pk_pmu_read(sysfs, pmu, name, format, sizeof(format), pk_lookups()))
			continue;
		snprintf(name, sizeof(name), "%.250s/%.250s=.../", pmu, terms.items[i]);
		show(listing, name, format, NULL);
	}
	pk_pmu_names_free(&events);
	pk_pmu_names_free(&terms);
}

/* Shows an event of a JSON file. */
static void show_described(struct listing *listing, const struct pmu_json_event *event,
			   const char *why)
{
	char encoding[1024];

	snprintf(encoding, sizeof(encoding), "%s/%s/", event->pmu ? event->pmu : "cpu",
		 event->terms);
	if (listing->json)
		show_object(listing, event->name, event->pmu ? event->pmu : "cpu",
			    event->description, encoding, why);
	else
		show(listing, event->name, event->description ? event->description : event->terms,
		     why);
}

/* Lists the events that JSON files describe. Without --json, each name is listed only once. If
 * several PMUs of this machine have an event of this name, the first of these PMUs determines
 * whether the event can be opened. */
static void list_described(struct listing *listing, struct pmu_json *json)
{
	size_t count = 0;
	const struct pmu_json_event *events = json ? pk_pmu_json_events(json, &count) : NULL;

	for (size_t i = 0; i < count; i++) {
		struct event_list list = {.json = json, .messages.quiet = true};
		const struct pmu_json_event *event = &events[i];
		const char *why = "not on this machine";

		if ((i && !listing->json && !strcasecmp(event->name, events[i - 1].name)) ||
		    event->deprecated || !wanted(listing, event->name))
			continue;
		if (pk_printed(pk_event_list_parse(&list, event->name), &list.messages) == PK_OK &&
		    list.count)
			why = obstacle_to(&list.items[0]);
		show_described(listing, event, why);
		pk_event_list_free(&list);
	}
}

/* Lists metrics. They are listed only if the user asks for them. */
static void list_metrics(struct listing *listing, struct pmu_json *json)
{
	size_t count = 0;
	const struct pmu_json_metric *metrics = json ? pk_pmu_json_metrics(json, &count) : NULL;

	for (size_t i = 0; i < count; i++)
		if (wanted(listing, metrics[i].name))
			show(listing, metrics[i].name,
			     metrics[i].description ? metrics[i].description
						    : metrics[i].expression,
			     listing->metric_obstacle(json, i));
}

/* A group of metrics. */
struct metric_group {
	char *name;
	size_t metrics, missing; /* `missing` is the number of metrics that have an obstacle */
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct metric_group *)a)->name,
		      ((const struct metric_group *)b)->name);
}

static void show_group(struct listing *listing, const struct metric_group *group)
{
	char kind[64], why[64];

	snprintf(kind, sizeof(kind), "group of %zu metric%s", group->metrics,
		 group->metrics == 1 ? "" : "s");
	if (group->missing == group->metrics)
		snprintf(why, sizeof(why), "not on this machine");
	else
		snprintf(why, sizeof(why), "%zu not on this machine", group->missing);
	show(listing, group->name, kind, group->missing ? why : NULL);
}

/* Adds up the groups that have the same name, and shows them. */
static void show_groups(struct listing *listing, struct metric_group *groups, size_t count)
{
	struct metric_group sum;

	qsort(groups, count, sizeof(*groups), by_name);
	for (size_t i = 0; i < count;) {
		sum = groups[i++];
		for (; i < count && !by_name(&sum, &groups[i]); i++) {
			sum.metrics++;
			sum.missing += groups[i].missing;
		}
		show_group(listing, &sum);
	}
}

/* Lists the groups of metrics, which -M of pk-stat accepts. */
static void list_metric_groups(struct listing *listing, struct pmu_json *json)
{
	size_t count = 0, used = 0, capacity = 0;
	const struct pmu_json_metric *metrics = json ? pk_pmu_json_metrics(json, &count) : NULL;
	struct metric_group *groups = NULL;
	bool failed = false;

	for (size_t i = 0; i < count; i++) {
		const char *at = metrics[i].groups ? metrics[i].groups : "";
		const bool missing = *at && listing->metric_obstacle(json, i);

		for (; *(at += strspn(at, ";, ")); at += strcspn(at, ";, ")) {
			char *name = strndup(at, strcspn(at, ";, "));

			failed |= !name ||
				  pk_reserve(&groups, &capacity, used, 1, sizeof(*groups)) != PK_OK;
			if (!failed)
				groups[used++] = (struct metric_group){name, 1, missing};
			else
				free(name);
		}
	}
	if (failed)
		listing->failed = pk_no_memory();
	else
		show_groups(listing, groups, used);
	while (used > 0)
		free(groups[--used].name);
	free(groups);
}

/* Returns true if the PMU is for probes. Such PMUs are not listed, because probes have their own
 * syntax (list_syntaxes). */
static bool is_probe(const char *pmu)
{
	return !strcmp(pmu, "uprobe") || !strcmp(pmu, "kprobe");
}

static void list_pmus(struct listing *listing)
{
	const char *sysfs = pk_pmu_sysfs(NULL);
	struct pmu_names pmus = pk_pmu_list(sysfs, pk_lookups());

	for (size_t i = 0; i < pmus.count; i++)
		if (!is_probe(pmus.items[i]))
			list_pmu(listing, sysfs, pmus.items[i]);
	pk_pmu_names_free(&pmus);
}

/* Lists the syntax of events that cannot be listed one by one: raw events, breakpoints and probes.
 */
static void list_syntaxes(struct listing *listing)
{
	if (wants(listing, KIND_PMU))
		show(listing, "rNNN", "raw: a number from the processor's manual", NULL);
	if (wants(listing, KIND_HARDWARE))
		show(listing, "mem:ADDRESS[/LENGTH][:rwx]", "breakpoint",
		     obstacle(&(struct perf_attr){.type = PERF_TYPE_BREAKPOINT,
						  .bp_type = 3,
						  .config1 = 4096,
						  .config2 = 4,
						  .flags = PERF_ATTR_EXCLUDE_KERNEL}));
	if (wants(listing, KIND_ALL))
		show(listing, "-x OBJECT --probe FUNCTION", "uprobe",
		     pk_probe_obstacle("uprobe", pk_lookups()));
	if (wants(listing, KIND_SDT))
		show(listing, "-x OBJECT -e sdt_PROVIDER:NAME", "USDT: -x OBJECT --list shows them",
		     pk_probe_obstacle("uprobe", pk_lookups()));
	if (wants(listing, KIND_ALL))
		show(listing, "--probe FUNCTION", "kprobe",
		     pk_probe_obstacle("kprobe", pk_lookups()));
}

static void show_set(void *arg, const char *name, const char *about)
{
	char kind[600];

	snprintf(kind, sizeof(kind), "set of events%s%.500s", *about ? ": " : "", about);
	show(arg, name, kind, NULL);
}

static void show_marker(void *arg, const struct pk_usdt *usdt)
{
	struct listing *listing = arg;
	char name[300];

	listing->markers++;
	snprintf(name, sizeof(name), "sdt_%.140s:%.140s", usdt->provider, usdt->name);
	show(listing, name, usdt->arguments, NULL);
}

/* Lists the USDT probes of an object. If no probe was listed, prints a message and returns
 * PK_FAILED. */
static enum pk_status list_markers(struct listing *listing, const char *object, const char *text)
{
	const char *why = pk_probe_obstacle("uprobe", pk_lookups());

	if (!pk_usdt_each(object, show_marker, listing)) {
		pk_error("-x %s: cannot be read, or is not an ELF file", object);
		return PK_FAILED;
	}
	if (!listing->markers)
		pk_error("-x %s: the file has no USDT probes (section .note.stapsdt): for a "
			 "function, --probe FUNCTION",
			 object);
	else if (!listing->shown)
		pk_error("-x %s: no USDT probe is called %s", object, text);
	else if (why)
		pk_warn("USDT probes: %s", why);
	return listing->shown ? PK_OK : PK_FAILED;
}

static enum pk_status show_tracepoint(void *arg, const char *system, const char *name, uint64_t id)
{
	struct listing *listing = arg;
	char text[300];

	snprintf(text, sizeof(text), "%.140s:%.140s", system, name);
	if (!wanted(listing, text))
		return PK_OK;
	/* Only the first tracepoint is opened, because the result is the same for all tracepoints.
	 */
	if (!listing->tried_tracepoint)
		listing->why_no_tracepoint =
			obstacle(&(struct perf_attr){.type = PERF_TYPE_TRACEPOINT,
						     .config = id,
						     .sample_type = PERF_SAMPLE_RAW});
	listing->tried_tracepoint = true;
	show(listing, text, "tracepoint", listing->why_no_tracepoint);
	return PK_OK;
}

/* Lists the tracepoints. Returns false if they cannot be listed. */
static bool list_tracepoints(struct listing *listing)
{
	struct pk_messages messages = {0};
	const bool has_tracefs = pk_tracefs_path(&messages);

	if (has_tracefs)
		pk_tracefs_find("*", "*", show_tracepoint, listing, &messages);
	else
		show(listing, "SYSTEM:NAME", "tracepoint", pk_tracefs_obstacle());
	return pk_printed(has_tracefs ? PK_OK : PK_FAILED, &messages) == PK_OK;
}

/* Lists the events of this machine. Returns false if tracepoints are wanted but cannot be listed.
 */
static bool list_machine(struct listing *listing, struct pmu_json *json)
{
	list_generic(listing);
	if (wants(listing, KIND_PMU)) {
		list_described(listing, json);
		list_pmus(listing);
	}
	list_syntaxes(listing);
	if (wants(listing, KIND_ALL))
		listing->failed = pk_event_sets(show_set, listing) != PK_OK;
	if (listing->kind == KIND_METRIC)
		list_metrics(listing, json);
	if (listing->kind == KIND_METRIC_GROUP)
		list_metric_groups(listing, json);
	return !wants(listing, KIND_TRACEPOINT) || list_tracepoints(listing);
}

static enum kind kind_of(const char *text)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(text, kinds[i].name))
			return kinds[i].kind;
	return KIND_ALL;
}

/* Finds the word --json and the glob among the operands after --list. Returns the glob, or NULL. */
static const char *read_operands(struct listing *listing, char *const *operands)
{
	const char *glob = NULL;

	for (; *operands; operands++) {
		if (!strcmp(*operands, "--json"))
			listing->json = true;
		else if (!glob)
			glob = *operands;
	}
	return glob;
}

int pk_list_events(const char *value, char *const *operands, bool as_json, const char *object,
		   struct pmu_json *json, pk_metric_obstacle *metric_obstacle)
{
	struct listing listing = {.json = as_json, .metric_obstacle = metric_obstacle};
	const char *operand = read_operands(&listing, operands), *glob = value ? value : operand;
	const enum kind kind = glob && !object ? kind_of(glob) : KIND_ALL;
	const char *text = glob && kind == KIND_ALL ? glob : "*";
	const bool whole = strpbrk(text, "*?[");
	bool has_tracefs;

	listing.kind = kind;
	snprintf(listing.glob, sizeof(listing.glob), whole ? "%s" : "*%s*", text);
	if (object)
		return pk_finish(list_markers(&listing, object, text) == PK_OK ? PK_EXIT_OK
									       : PK_EXIT_FAILED);
	if (kind >= KIND_METRIC && !metric_obstacle) {
		pk_error("metrics are counted, not recorded: pk-stat --list %s", glob);
		return PK_EXIT_USAGE;
	}
	has_tracefs = list_machine(&listing, json);
	if (!listing.shown && listing.kind >= KIND_METRIC)
		pk_error("--list %s: no metrics: name files that describe them with --metric-dir "
			 "before --list",
			 glob);
	else if (!listing.shown)
		pk_error("--list '%s': no event has this name%s%s", glob ? glob : text,
			 has_tracefs ? "" : "; tracepoints cannot be listed: ",
			 has_tracefs ? "" : pk_tracefs_obstacle());
	free(listing.line.data);
	return pk_finish(listing.shown && !listing.failed ? PK_EXIT_OK : PK_EXIT_FAILED);
}
