// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cpuid.h"
#include "pmu_json.h"
#include "pmu_table.h"
#include "procfs.h"
#include "vector.h"

struct event_array {
	struct pmu_json_event *items;
	size_t count, capacity;
};

struct metric_array {
	struct pmu_json_metric *items;
	size_t count, capacity;
};

struct root_array {
	json_t **items;
	size_t count, capacity;
};

/* The events and metrics of the loaded files. */
struct pmu_json {
	struct pk_messages *messages; /* the messages of the caller */
	void (*reads)(const char *path);
	struct event_array events; /* sorted by name after pk_pmu_json_load() */
	/* Events and metrics of an architecture to which other events and metrics refer. They are
	 * JSON objects. The key is the name in lower case. */
	json_t *standards;
	struct metric_array metrics;
	const struct pmu_json_metric **metrics_by_name;
	char *later;		 /* the folder of pk_pmu_json_later(), until it is loaded */
	struct root_array roots; /* the parsed files, which own the texts */
};

static enum pk_status no_memory(const struct pmu_json *json)
{
	return pk_messages_no_memory(json->messages);
}

/* Writes the name in lower case to buffer, cut to size - 1 bytes, and returns buffer. */
static const char *small(const char *name, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s", name);
	for (char *c = buffer; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return buffer;
}

static void load_later(struct pmu_json *json);

/* ---- Events ---- */

/* The PMUs of certain units (member Unit). For all other units, the name of the PMU is "uncore_"
 * and the unit in lower case. */
static const struct {
	const char *unit, *pmu;
} units[] = {
	{"CBO", "uncore_cbox"},
	{"QPI LL", "uncore_qpi"},
	{"SBO", "uncore_sbox"},
	{"iMPH-U", "uncore_arb"},
	{"UPI LL", "uncore_upi"},
	{"CPU-M-CF", "cpum_cf"},
	{"CPU-M-SF", "cpum_sf"},
	{"PAI-CRYPTO", "pai_crypto"},
	{"PAI-EXT", "pai_ext"},
	{"L3PMC", "amd_l3"},
	{"DFPMC", "amd_df"},
	{"UMCPMC", "amd_umc"},
	{"cpu_core", "cpu_core"},
	{"cpu_atom", "cpu_atom"},
	{"hisi_sicl,cpa", "hisi_sicl,cpa"},
	{"hisi_sccl,ddrc", "hisi_sccl,ddrc"},
	{"hisi_sccl,hha", "hisi_sccl,hha"},
	{"hisi_sccl,l3c", "hisi_sccl,l3c"},
	{"imx8_ddr", "imx8_ddr"},
	{"imx9_ddr", "imx9_ddr"},
	{"ali_drw", "ali_drw"},
	{"arm_cmn", "arm_cmn"},
};

/* Returns the PMU of a unit. The returned text can be in buffer. */
static const char *pmu_of(const char *unit, char *buffer, size_t size)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i].unit))
			return units[i].pmu;
	snprintf(buffer, size, "uncore_");
	small(unit, buffer + 7, size - 7);
	return buffer;
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text && *text ? text : NULL;
}

/* The members of an event that become a term with the same value as the member. */
static const struct {
	const char *key, *term;
} keys[] = {
	{"AnyThread", "any"},		{"PortMask", "ch_mask"},  {"CounterMask", "cmask"},
	{"EdgeDetect", "edge"},		{"FCMask", "fc_mask"},	  {"Invert", "inv"},
	{"SampleAfterValue", "period"}, {"UMask", "umask"},	  {"UMaskExt", "umask2"},
	{"NodeType", "type"},		{"RdWrMask", "rdwrmask"}, {"EnAllCores", "enallcores"},
	{"EnAllSlices", "enallslices"}, {"SliceId", "sliceid"},	  {"ThreadMask", "threadmask"},
};

/* Some events need a value in a model-specific register. Returns the term for this value, or NULL
 * if the register is unknown. */
static const char *register_term(const char *index)
{
	switch (strtoul(index, NULL, 0)) {
	case 0x3f6: return "ldlat";
	case 0x1a6:
	case 0x1a7: return "offcore_rsp";
	case 0x3f7: return "frontend";
	default: return NULL;
	}
}

/* Intel's events of fixed counters have a number that the kernel does not accept. The kernel counts
 * these architectural events on a fixed counter. */
static const struct {
	const char *name, *terms;
} fixed[] = {
	{"inst_retired.any", "event=0xc0,period=2000003"},
	{"inst_retired.any_p", "event=0xc0,period=2000003"},
	{"cpu_clk_unhalted.ref", "event=0x0,umask=0x03,period=2000003"},
	{"cpu_clk_unhalted.thread", "event=0x3c,period=2000003"},
	{"cpu_clk_unhalted.core", "event=0x3c,period=2000003"},
	{"cpu_clk_unhalted.thread_any", "event=0x3c,any=1,period=2000003"},
};

static const char *fixed_terms(const json_t *object)
{
	const char *name = text_of(object, "EventName");

	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
		if (!strcasecmp(name, fixed[i].name))
			return fixed[i].terms;
	return NULL;
}

static void print_terms(FILE *out, const json_t *object)
{
	const char *code = text_of(object, "EventCode"), *config = text_of(object, "ConfigCode");
	const char *extended = text_of(object, "ExtSel"), *filter = text_of(object, "Filter");
	const char *index = text_of(object, "MSRIndex"), *value = text_of(object, "MSRValue");
	const char *id = text_of(object, "EventidCode");
	unsigned long long number = code ? strtoull(code, NULL, 0) : 0;

	if (extended)
		number |= strtoull(extended, NULL, 0) << 8;
	if (config)
		fprintf(out, "config=%s", config);
	else if (id)
		fprintf(out, "eventid=%s", id);
	else
		fprintf(out, "event=%#llx", number);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *text = text_of(object, keys[i].key);

		if (text && strtoull(text, NULL, 0))
			fprintf(out, ",%s=%s", keys[i].term, text);
	}
	if (filter)
		fprintf(out, ",%s", filter);
	if (index && value && register_term(index))
		fprintf(out, ",%s=%s", register_term(index), value);
}

static char *terms_of(const json_t *object)
{
	char *terms = NULL;
	size_t size;
	FILE *out = open_memstream(&terms, &size);

	if (!out)
		return NULL;
	if (fixed_terms(object))
		fputs(fixed_terms(object), out);
	else
		print_terms(out, object);
	if (!fclose(out))
		return terms;
	free(terms);
	return NULL;
}

static enum pk_status add_event(struct pmu_json *json, json_t *object)
{
	struct event_array *events = &json->events;
	const char *unit = text_of(object, "Unit"), *package = text_of(object, "PerPkg");
	const char *name = text_of(object, "EventName");
	struct pmu_json_event *event;
	char buffer[128];

	if (!name)
		return PK_OK;
	if (pk_vector_reserve(events, 1) != PK_OK)
		return no_memory(json);
	event = &events->items[events->count];
	*event = (struct pmu_json_event){
		.name = name,
		.scale_unit = text_of(object, "ScaleUnit"),
		.description = text_of(object, "BriefDescription"),
		.per_package = package && strcmp(package, "0"),
		.deprecated = text_of(object, "Deprecated"),
		.terms = terms_of(object),
	};
	if (!event->terms)
		return no_memory(json);
	events->count++;
	if (!unit)
		return PK_OK;
	/* Stores the name of the PMU in the object, which owns all texts. The name can be cut
	 * inside of a UTF-8 character, so it is not checked. */
	if (json_object_set_new(object, "Unit",
				json_string_nocheck(pmu_of(unit, buffer, sizeof(buffer)))))
		return no_memory(json);
	event->pmu = text_of(object, "Unit");
	return PK_OK;
}

static int by_name(const void *a, const void *b)
{
	const struct pmu_json_event *x = a, *y = b;

	return strcasecmp(x->name, y->name);
}

static void sort(struct event_array *events)
{
	if (events->count)
		qsort(events->items, events->count, sizeof(*events->items), by_name);
}

/* Returns the first event with that name, or NULL if there is none. */
static struct pmu_json_event *find_event(const struct event_array *events, const char *name)
{
	const struct pmu_json_event key = {.name = name};
	struct pmu_json_event *found = NULL;

	if (events->count)
		found = bsearch(&key, events->items, events->count, sizeof(*events->items),
				by_name);
	while (found && found > events->items && !strcasecmp(found[-1].name, name))
		found--;
	return found;
}

const struct pmu_json_event *pk_pmu_json_event(struct pmu_json *json, const char *name,
					       size_t *count)
{
	const struct pmu_json_event *first, *event;

	load_later(json);
	first = event = find_event(&json->events, name);
	while (first && event < json->events.items + json->events.count &&
	       !strcasecmp(event->name, name))
		event++;
	*count = first ? (size_t)(event - first) : 0;
	return first;
}

const struct pmu_json_event *pk_pmu_json_events(struct pmu_json *json, size_t *count)
{
	load_later(json);
	*count = json->events.count;
	return json->events.items;
}

/* ---- Events of all processors of an architecture ---- */

static enum pk_status add_standard(struct pmu_json *json, json_t *object)
{
	const char *event = text_of(object, "EventName"), *metric = text_of(object, "MetricName");
	char name[256];

	if (!event && !metric)
		return PK_OK;
	if (!json->standards)
		json->standards = json_object();
	return json_object_set(json->standards, small(event ? event : metric, name, sizeof(name)),
			       object)
		       ? no_memory(json)
		       : PK_OK;
}

/* If the object refers to another object (ArchStdEvent), copies the members of the other object
 * that are missing in this one. */
static enum pk_status complete(struct pmu_json *json, json_t *object)
{
	const char *standard = text_of(object, "ArchStdEvent");
	char name[256];
	json_t *from;

	if (!standard || !json->standards)
		return PK_OK;
	from = json_object_get(json->standards, small(standard, name, sizeof(name)));
	return !from || !json_object_update_missing(object, from) ? PK_OK : no_memory(json);
}

/* ---- Metrics ---- */

static enum pk_status add_metric(struct pmu_json *json, const json_t *object)
{
	const char *name = text_of(object, "MetricName");
	const char *expression = text_of(object, "MetricExpr");

	if (!name || !expression)
		return PK_OK;
	if (pk_vector_reserve(&json->metrics, 1) != PK_OK)
		return no_memory(json);
	json->metrics.items[json->metrics.count++] = (struct pmu_json_metric){
		.name = name,
		.expression = expression,
		.groups = text_of(object, "MetricGroup"),
		.scale_unit = text_of(object, "ScaleUnit"),
		.threshold = text_of(object, "MetricThreshold"),
		.description = text_of(object, "BriefDescription"),
		.constraint = text_of(object, "MetricConstraint"),
		.pmu = text_of(object, "Unit"),
	};
	return PK_OK;
}

const struct pmu_json_metric *pk_pmu_json_metrics(struct pmu_json *json, size_t *count)
{
	load_later(json);
	*count = json->metrics.count;
	return json->metrics.items;
}

static int by_metric_name(const void *a, const void *b)
{
	const struct pmu_json_metric *const *x = a, *const *y = b;

	return strcasecmp((*x)->name, (*y)->name);
}

/* Metrics of one name keep the order of the files. */
static int by_metric_place(const void *a, const void *b)
{
	const struct pmu_json_metric *const *x = a, *const *y = b;

	return by_metric_name(a, b) ?: (*x > *y) - (*x < *y);
}

static enum pk_status sort_metrics(struct pmu_json *json)
{
	const struct pmu_json_metric **sorted = calloc(json->metrics.count + 1, sizeof(*sorted));

	if (!sorted)
		return no_memory(json);
	free(json->metrics_by_name);
	json->metrics_by_name = sorted;
	for (size_t i = 0; i < json->metrics.count; i++)
		sorted[i] = &json->metrics.items[i];
	if (json->metrics.count)
		qsort(sorted, json->metrics.count, sizeof(*sorted), by_metric_place);
	return PK_OK;
}

const struct pmu_json_metric *pk_pmu_json_metric(struct pmu_json *json, const char *name)
{
	const struct pmu_json_metric metric = {.name = name}, *key = &metric, **found = NULL;

	load_later(json);
	if (json->metrics.count)
		found = bsearch(&key, json->metrics_by_name, json->metrics.count, sizeof(*found),
				by_metric_name);
	while (found && found > json->metrics_by_name && !by_metric_name(found - 1, &key))
		found--;
	return found ? *found : NULL;
}

bool pk_pmu_scale_unit(const char *text, double *scale, const char **unit)
{
	char *end;

	*scale = strtod(text, &end);
	*unit = end;
	return end != text;
}

/* ---- Files ---- */

/* Returns true if the last component of the path is this name. */
static bool base_is(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, name);
}

static json_t *parse(const struct pmu_json *json, const char *name, const char *data, size_t size)
{
	json_error_t error;
	json_t *root = json_loadb(data, size, 0, &error);

	if (!root)
		pk_messages_error(json->messages, "%s:%d:%d: %s", name, error.line, error.column,
				  error.text);
	/* The files metricgroups.json of newer kernels describe groups of metrics. */
	if (root && json_is_object(root) && base_is(name, "metricgroups.json")) {
		json_decref(root);
		root = json_array();
	}
	if (!root || json_is_array(root))
		return root;
	pk_messages_error(json->messages,
			  "%s: not an array of events or metrics, as the files of pmu-events are",
			  name);
	json_decref(root);
	return NULL;
}

/* Adds the events and metrics in the text of a file. If standards is true, adds them only as
 * objects to which others can refer. Returns PK_FAILED after a message. */
static enum pk_status add_text(struct pmu_json *json, const char *name, const char *data,
			       size_t size, bool standards)
{
	json_t *root = parse(json, name, data, size), *object;
	size_t i;

	if (!root)
		return PK_FAILED;
	if (pk_vector_reserve(&json->roots, 1) != PK_OK) {
		json_decref(root);
		return no_memory(json);
	}
	json->roots.items[json->roots.count++] = root;
	json_array_foreach(root, i, object)
	{
		if (standards
			    ? add_standard(json, object) != PK_OK
			    : complete(json, object) != PK_OK || add_event(json, object) != PK_OK ||
				      add_metric(json, object) != PK_OK)
			return PK_FAILED;
	}
	return PK_OK;
}

/* Sorts events and metrics by name. Returns an error after a message. */
static enum pk_status sort_all(struct pmu_json *json)
{
	sort(&json->events);
	return sort_metrics(json);
}

/* Adds the events and metrics of this processor in a table. *found is false if the table lacks the
 * processor. Returns PK_FAILED after a message. */
static enum pk_status add_table(struct pmu_json *json, const char *path, const char *data,
				size_t size, bool *found)
{
	char cpuid[128] = "", *text = NULL;
	size_t text_size = 0;
	enum pk_status status = PK_OK;

	if (pk_cpuid_text(cpuid, sizeof(cpuid), &json->messages->failures))
		status = pk_pmu_table_find(data, size, cpuid, &text, &text_size);
	*found = text;
	if (status == PK_NOMEM)
		return no_memory(json);
	if (status != PK_OK) {
		pk_messages_error(json->messages, "%s: damaged: run make event-tables", path);
		return PK_FAILED;
	}
	if (text)
		status = add_text(json, path, text, text_size, false);
	free(text);
	return status;
}

#define JSON_MAX (64u << 20) /* in bytes; the kernel's largest file has less than 4 MiB */

/* Loads a file, or the events of this processor in a table. If the table lacks the processor,
 * *found becomes false. */
static enum pk_status load_file(struct pmu_json *json, const char *path, bool standards,
				bool *found)
{
	size_t size = 0;
	char *data = pk_procfs_read_file(path, JSON_MAX + 1, &size, &json->messages->failures);
	enum pk_status status =
		(data ? PK_OK : PK_FAILED) ?: (size <= JSON_MAX ? PK_OK : PK_FAILED);

	if (json->reads)
		json->reads(path);
	if (!data)
		pk_messages_error(json->messages, "%s: %s", path, strerror(errno));
	else if (status != PK_OK)
		pk_messages_error(json->messages,
				  "%s: larger than %u MiB: not a file of events or metrics", path,
				  JSON_MAX >> 20);
	if (status == PK_OK && pk_pmu_table_is(data, size))
		status = add_table(json, path, data, size, found);
	else
		status = status ?: add_text(json, path, data, size, standards);
	free(data);
	return status;
}

static int is_json(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return length > 5 && !strcmp(entry->d_name + length - 5, ".json");
}

static enum pk_status load_directory(struct pmu_json *json, const char *path, bool standards)
{
	struct dirent **entries;
	const int count = scandir(path, &entries, is_json, alphasort);
	enum pk_status status = count > 0 || (count == 0 && standards) ? PK_OK : PK_FAILED;
	bool found = true;
	char *file;

	if (count < 0) {
		pk_failed_errno(&json->messages->failures, path);
		pk_messages_error(json->messages, "%s: %s", path, strerror(errno));
	} else if (status != PK_OK)
		pk_messages_error(json->messages, "%s: it has no files NAME.json", path);
	for (int i = 0; i < count; i++) {
		if (status == PK_OK && asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0) {
			status = no_memory(json);
		} else if (status == PK_OK) {
			status = load_file(json, file, standards, &found);
			free(file);
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return status;
}

static enum pk_status load_architecture(struct pmu_json *json, const char *path,
					const char *mapfile)
{
	struct pk_failures *lookups = &json->messages->failures;
	char cpuid[128] = "", folder[256], *whole;
	enum pk_status status;

	if (!pk_cpuid_text(cpuid, sizeof(cpuid), lookups) ||
	    !pk_cpuid_folder(mapfile, cpuid, folder, sizeof(folder), lookups)) {
		pk_messages_error(json->messages, "%s: no directory for this processor, %s",
				  mapfile, cpuid);
		return PK_FAILED;
	}
	if (asprintf(&whole, "%s/%s", path, folder) < 0)
		return no_memory(json);
	status = load_directory(json, path, true) ?: load_directory(json, whole, false);
	free(whole);
	return status;
}

/* Loads a directory if mapfile.csv could not be examined. errno is the reason. If mapfile.csv does
 * not exist, loads all files of the directory. Otherwise fails, because the directory could contain
 * the files of a whole architecture. */
static enum pk_status load_unmapped(struct pmu_json *json, const char *path, const char *mapfile)
{
	if (errno == ENOENT)
		return load_directory(json, path, false);
	pk_failed_errno(&json->messages->failures, mapfile);
	pk_messages_error(json->messages, "%s: %s", mapfile, strerror(errno));
	return PK_FAILED;
}

enum pk_status pk_pmu_json_load(struct pmu_json *json, const char *path)
{
	struct stat st;
	char *mapfile;
	bool found = true;
	enum pk_status status;

	free(json->later);
	json->later = NULL;
	if (stat(path, &st)) {
		pk_failed_errno(&json->messages->failures, path);
		pk_messages_error(json->messages, "%s: %s", path, strerror(errno));
		return PK_FAILED;
	}
	if (asprintf(&mapfile, "%s/mapfile.csv", path) < 0)
		return no_memory(json);
	if (!S_ISDIR(st.st_mode))
		status = load_file(json, path, false, &found);
	else if (!stat(mapfile, &st))
		status = load_architecture(json, path, mapfile);
	else
		status = load_unmapped(json, path, mapfile);
	free(mapfile);
	if (status == PK_OK && !found) {
		pk_messages_error(json->messages, "%s: no events for this processor", path);
		status = PK_FAILED;
	}
	return sort_all(json) ?: status;
}

/* ---- Tables that are loaded when they are needed ---- */

static int is_table(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return length > 7 && !strcmp(entry->d_name + length - 7, ".events");
}

enum pk_status pk_pmu_json_later(struct pmu_json *json, const char *path)
{
	json->later = strdup(path);
	return json->later ? PK_OK : no_memory(json);
}

/* Loads the tables of pk_pmu_json_later(), until one of them has this processor. Without the
 * folder, there are no such events. */
static void load_later(struct pmu_json *json)
{
	char *path = json->later;
	struct dirent **entries;
	bool found = false;
	char *file;
	int count;

	json->later = NULL;
	if (!path)
		return;
	count = scandir(path, &entries, is_table, alphasort);
	if (count < 0 && errno != ENOENT)
		pk_failed_errno(&json->messages->failures, path);
	for (int i = 0; i < count; i++) {
		if (!found && asprintf(&file, "%s/%s", path, entries[i]->d_name) >= 0) {
			found = load_file(json, file, false, &found) == PK_OK && found;
			free(file);
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	free(path);
	(void)sort_all(json);
}

/* ---- All ---- */

struct pmu_json *pk_pmu_json_new(struct pk_messages *messages, void (*reads)(const char *path))
{
	struct pmu_json *json = calloc(1, sizeof(*json));

	if (!json)
		pk_messages_no_memory(messages);
	else
		*json = (struct pmu_json){.messages = messages, .reads = reads};
	return json;
}

static void free_events(struct event_array *events)
{
	for (size_t i = 0; i < events->count; i++)
		free(events->items[i].terms);
	free(events->items);
}

void pk_pmu_json_free(struct pmu_json *json)
{
	if (!json)
		return;
	free_events(&json->events);
	json_decref(json->standards);
	free(json->later);
	free(json->metrics.items);
	free(json->metrics_by_name);
	for (size_t i = 0; i < json->roots.count; i++)
		json_decref(json->roots.items[i]);
	free(json->roots.items);
	free(json);
}
