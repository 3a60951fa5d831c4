// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_parser.h"
#include "pmu_json.h"
#include "trace_pmu.h"

/* An event of one PMU, while its terms are applied. */
struct making {
	struct event_parser *parser;
	const char *sysfs, *pmu;
	struct pk_failures *lookups;
	struct term_list *terms; /* the terms that the user has given */
	struct event *event;
};

static bool read_file(const struct making *making, const char *file, char *text, size_t size)
{
	return pk_pmu_read(making->sysfs, making->pmu, file, text, size, making->lookups);
}

static bool is_core(const struct making *making)
{
	return pk_pmu_is_core(making->sysfs, making->pmu, making->lookups);
}

/* ---- Terms with a format in sysfs ---- */

static uint64_t *config_word(struct perf_attr *attr, unsigned int word)
{
	switch (word) {
	case 0: return &attr->config;
	case 1: return &attr->config1;
	case 2: return &attr->config2;
	case 3: return &attr->config3;
	default: return &attr->config4;
	}
}

/* Sets the bits of a term. The format of the term in sysfs contains their positions. Returns 1 if
 * this succeeds, 0 if the PMU has no such format, and -1 after a message. */
static int place_term(const struct making *making, const struct term *term)
{
	struct pmu_format format;
	char file[200], text[256];
	uint64_t most;

	if (snprintf(file, sizeof(file), "format/%s", term->name) >= (int)sizeof(file) ||
	    strchr(term->name, '/') || !read_file(making, file, text, sizeof(text)))
		return 0;
	if (!pk_pmu_format_parse(text, &format)) {
		pk_event_parser_complain(making->parser, term->at,
					 "%s/%s says '%s', which is not a format", making->pmu,
					 file, text);
		return -1;
	}
	if (term->value && !term->is_number) {
		pk_event_parser_complain(making->parser, term->value_at, "%s needs a number",
					 term->name);
		return -1;
	}
	most = pk_pmu_format_most(&format);
	if (term->number > most) {
		pk_event_parser_complain(making->parser, term->value_at, "%s is at most %#llx",
					 term->name, (unsigned long long)most);
		return -1;
	}
	*config_word(&making->event->attr, format.word) |=
		pk_pmu_format_place(&format, term->number);
	return 1;
}

/* ---- Events that sysfs names ---- */

static void read_unit(const struct making *making, const char *alias)
{
	char file[300], text[64];
	struct event *event = making->event;

	snprintf(file, sizeof(file), "events/%s.unit", alias);
	read_file(making, file, event->stat.unit, sizeof(event->stat.unit));
	snprintf(file, sizeof(file), "events/%s.scale", alias);
	if (read_file(making, file, text, sizeof(text)))
		event->stat.scale = strtod(text, NULL);
	snprintf(file, sizeof(file), "events/%s.per-pkg", alias);
	if (read_file(making, file, text, sizeof(text)))
		event->stat.per_package = strtol(text, NULL, 10) > 0;
	snprintf(file, sizeof(file), "events/%s.snapshot", alias);
	if (read_file(making, file, text, sizeof(text)))
		event->stat.snapshot = strtol(text, NULL, 10) > 0;
}

/* Returns true if the user has given the term. If an event of sysfs has "chip=?", for example, the
 * user must give the term chip. */
static bool is_given(const struct making *making, const char *name)
{
	for (size_t i = 0; i < making->terms->count; i++)
		if (!strcmp(making->terms->items[i].name, name))
			return true;
	return false;
}

static enum pk_status place_alias(const struct making *making, const struct term *alias,
				  struct term_list *inner)
{
	for (size_t i = 0; i < inner->count; i++) {
		struct term *term = &inner->items[i];

		term->at = term->value_at = alias->at;
		if (term->value && !strcmp(term->value, "?")) {
			if (is_given(making, term->name))
				continue;
			return pk_event_parser_complain(making->parser, alias->at,
							"%s also needs %s=NUMBER", alias->name,
							term->name);
		}
		if (term->used) /* pk_event_terms_apply() has applied config, period ... */
			continue;
		switch (place_term(making, term)) {
		case 1: break;
		case 0:
			return pk_event_parser_complain(
				making->parser, alias->at,
				"sysfs: %s is '%s', which %s has no format for", alias->name,
				term->name, making->pmu);
		default: return PK_FAILED;
		}
	}
	return PK_OK;
}

/* Applies the terms of an event. alias is the name of the event, and text is the list of its terms,
 * "/TERM,TERM/". Returns 1 if this succeeds, and -1 after a message. */
static int place_text(const struct making *making, const struct term *alias, const char *text)
{
	struct event_list one = {.items = making->event, .count = 1};
	struct event_parser inner = {
		.list = &one, .text = text, .messages = making->parser->messages};
	struct term_list terms = {0};
	const bool chosen = is_given(making, "period") || is_given(making, "freq");
	const struct event_terms given = making->event->terms;
	const bool ok = pk_event_terms_read(&inner, &terms) == PK_OK &&
			pk_event_terms_apply(&inner, &terms, 0) == PK_OK &&
			place_alias(making, alias, &terms) == PK_OK;

	/* A table has a period for each event. It must not replace the user's. */
	if (chosen) {
		making->event->terms.period = given.period;
		making->event->terms.frequency = given.frequency;
	}
	pk_event_terms_free(&terms);
	return ok ? 1 : -1;
}

/* Applies a term that is the name of an event in sysfs. Returns 1 if this succeeds, 0 if the PMU
 * has no such event, and -1 after a message. */
static int place_event(const struct making *making, const struct term *alias)
{
	char file[200], text[1024] = "/";
	size_t end;

	if (alias->value || strchr(alias->name, '/') ||
	    snprintf(file, sizeof(file), "events/%s", alias->name) >= (int)sizeof(file) ||
	    !read_file(making, file, text + 1, sizeof(text) - 2))
		return 0;
	end = strcspn(text, " \t");
	text[end] = '/';
	text[end + 1] = 0;
	if (place_text(making, alias, text) < 0)
		return -1;
	read_unit(making, alias->name);
	return 1;
}

/* Returns true if the text is empty, or is the number of one of several units: "_0", "12", or a
 * hexadecimal number of at least three digits. */
static bool is_unit_number(const char *text)
{
	const size_t digits = strspn(text + (*text == '_'), "0123456789abcdef");

	text += *text == '_';
	return !text[strspn(text, "0123456789")] || (digits > 2 && !text[digits]);
}

/* Like stands_for(), for the whole name of a PMU. */
static bool matches(const char *pattern, const char *pmu)
{
	const size_t length = strlen(pattern);
	char wide[200];

	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, pmu, 0);
	if (!strchr(pattern, ','))
		return !strncmp(pmu, pattern, length) && is_unit_number(pmu + length);
	if (snprintf(wide, sizeof(wide), "%s*", pattern) >= (int)sizeof(wide))
		return false;
	for (char *comma = wide; (comma = strchr(comma, ','));)
		*comma = '*';
	return !fnmatch(wide, pmu, 0);
}

/* Returns true if a pattern matches a PMU, with or without its prefix "uncore_" and the number of
 * its unit. So "imc" and "uncore_imc" both match uncore_imc_0, uncore_imc_1 ..., but not
 * uncore_imc_free_running_0. In tables of events, a comma stands for further characters. */
static bool stands_for(const char *pattern, const char *pmu)
{
	return matches(pattern, pmu) || (!strncmp(pmu, "uncore_", 7) && matches(pattern, pmu + 7));
}

/* Like place_event(), for events in list->json. */
static int place_described(const struct making *making, const struct term *alias)
{
	struct pmu_json *json = making->parser->list->json;
	const struct pmu_json_event *events = NULL;
	size_t count = 0;
	char *text;
	int placed;

	if (json && !alias->value)
		events = pk_pmu_json_event(json, alias->name, &count);
	for (size_t i = 0; i < count; i++) {
		if (events[i].pmu ? !stands_for(events[i].pmu, making->pmu) : !is_core(making))
			continue;
		if (asprintf(&text, "/%s/", events[i].terms) < 0) {
			pk_event_parser_no_memory(making->parser);
			return -1;
		}
		placed = place_text(making, alias, text);
		free(text);
		return placed;
	}
	return 0;
}

static bool is_hybrid(const struct making *making)
{
	struct pmu_names hybrid = pk_pmu_hybrid(making->sysfs, making->lookups);
	const bool is = hybrid.count != 0;

	pk_pmu_names_free(&hybrid);
	return is;
}

/* Applies a term such as cycles, the name of a PERF_TYPE_HARDWARE event. It becomes the event in
 * sysfs that has perf's first name for the event, such as cpu-cycles. If sysfs has no such event,
 * the generic event is used for the PMU of the CPU cores. Returns the same values as place_event().
 */
static int place_generic(const struct making *making, const struct term *term)
{
	struct perf_attr generic = {0};
	struct term renamed = *term;
	const bool core = is_core(making);
	int placed = 0;

	if (term->value || !pk_event_by_name(term->name, &generic) ||
	    generic.type != PERF_TYPE_HARDWARE)
		return 0;
	renamed.name = (char *)pk_event_generic_name(generic.config);
	if (!core || !is_hybrid(making))
		placed = place_event(making, &renamed);
	if (placed || !core)
		return placed;
	making->event->attr.config |= (uint64_t)making->event->attr.type << 32 | generic.config;
	making->event->attr.type = PERF_TYPE_HARDWARE;
	return 1;
}

/* Applies a term rNNN. For the PMU of software events, also applies the name of a software event.
 * sysfs has no files for these terms. Returns 1 if this succeeds, and 0 if it is another term. */
static int place_named(const struct making *making, const struct term *term)
{
	struct perf_attr *attr = &making->event->attr;
	struct perf_attr named = {0};

	if (term->value || !pk_event_by_name(term->name, &named) ||
	    (named.type != PERF_TYPE_RAW &&
	     (named.type != PERF_TYPE_SOFTWARE || attr->type != PERF_TYPE_SOFTWARE)))
		return 0;
	attr->config = named.config;
	return 1;
}

/* ---- Hardware traces ---- */

/* Applies a term @NAME, which selects the buffer that the trace goes to. Returns the same values as
 * place_event(). */
static int place_sink(const struct making *making, const struct term *term)
{
	char file[200];
	uint64_t number;

	if (term->name[0] != '@' || term->value || strchr(term->name, '/') ||
	    snprintf(file, sizeof(file), "sinks/%s", term->name + 1) >= (int)sizeof(file))
		return 0;
	number = pk_trace_pmu_number(making->sysfs, making->pmu, file, 16, 0, making->lookups);
	if (!number) {
		pk_event_parser_complain(making->parser, term->at, "%s has no file %s in sysfs",
					 making->pmu, file);
		return -1;
	}
	making->event->attr.config2 |= number;
	return 1;
}

/* Returns true if the user has given the term, with or without a number at the end of its name:
 * contextid1 is another value for contextid. */
static bool is_chosen(const struct making *making, const char *name)
{
	const size_t length = strlen(name);

	for (size_t i = 0; i < making->terms->count; i++) {
		const char *given = making->terms->items[i].name;

		if (!strncmp(given, name, length) &&
		    strspn(given + length, "0123456789") == strlen(given + length))
			return true;
	}
	return false;
}

/* Adds the default terms of an event that writes a hardware trace. */
static enum pk_status place_defaults(const struct making *making)
{
	struct trace_term terms[TRACE_TERMS_MAX];
	const uint64_t given = making->event->attr.config;
	const size_t count =
		pk_trace_pmu_defaults(making->sysfs, making->pmu, terms, making->lookups);

	for (size_t i = 0; i < count; i++) {
		const struct term term = {
			.name = (char *)terms[i].name, .number = terms[i].value, .is_number = true};

		if (!is_chosen(making, "config") && !is_chosen(making, term.name) &&
		    place_term(making, &term) < 0)
			return PK_FAILED;
	}
	making->event->default_config = making->event->attr.config & ~given;
	return PK_OK;
}

/* ---- All terms ---- */

static enum pk_status place_all(const struct making *making)
{
	for (size_t i = 0; i < making->terms->count; i++) {
		struct term *term = &making->terms->items[i];
		int placed = 0;

		if (term->used)
			continue;
		placed = place_term(making, term);
		if (!placed)
			placed = place_generic(making, term);
		if (!placed)
			placed = place_event(making, term);
		if (!placed)
			placed = place_described(making, term);
		if (!placed)
			placed = place_named(making, term);
		if (!placed)
			placed = place_sink(making, term);
		if (placed < 0)
			return PK_FAILED;
		if (!placed)
			return pk_event_parser_complain(
				making->parser, term->at,
				"%s has no such term or event: see --list '%s/*'", making->pmu,
				making->pmu);
	}
	return PK_OK;
}

/* ---- Adding ---- */

/* Appends the event for one PMU. */
static enum pk_status add_one(struct event_parser *parser, const char *pmu, size_t at,
			      struct term_list *terms, const char *name)
{
	const char *sysfs = pk_pmu_sysfs(parser->list->sysfs);
	struct pk_failures *lookups = &parser->messages->failures;
	const size_t first = parser->list->count;
	struct making making = {
		.parser = parser, .sysfs = sysfs, .lookups = lookups, .pmu = pmu, .terms = terms};
	struct event *event;
	uint32_t type;

	if (!pk_pmu_type(sysfs, pmu, &type, lookups))
		return pk_event_parser_complain(parser, at,
						"no such event or PMU as %s: see --list", pmu);
	event = pk_event_list_add(parser->list, name);
	if (!event)
		return PK_FAILED;
	event->attr.type = type;
	event->attr.flags |= PERF_ATTR_EXCLUDE_GUEST;
	event->trace = pk_trace_pmu_kind(pmu);
	event->pmu = strdup(pmu);
	event->cpus = pk_pmu_cpus(sysfs, pmu, &event->cpus_count, lookups);
	making.event = event;
	if (!event->pmu)
		return pk_event_parser_no_memory(parser);
	for (size_t i = 0; i < terms->count; i++)
		terms->items[i].used = false;
	PK_TRY(pk_event_terms_apply(parser, terms, first));
	PK_TRY(place_all(&making));
	return event->trace ? place_defaults(&making) : PK_OK;
}

enum pk_status pk_pmu_event_add(struct event_parser *parser, const char *pmu, size_t at,
				struct term_list *terms, const char *name)
{
	const char *sysfs = pk_pmu_sysfs(parser->list->sysfs);
	struct pk_failures *lookups = &parser->messages->failures;
	struct pmu_names all;
	size_t found = 0;
	uint32_t type;
	enum pk_status status = PK_OK;

	if (pk_pmu_type(sysfs, pmu, &type, lookups))
		return add_one(parser, pmu, at, terms, name);
	all = pk_pmu_list(sysfs, lookups);
	for (size_t i = 0; status == PK_OK && i < all.count; i++) {
		if (!stands_for(pmu, all.items[i]))
			continue;
		status = add_one(parser, all.items[i], at, terms, name);
		found++;
	}
	pk_pmu_names_free(&all);
	if (status == PK_OK && !found)
		return pk_event_parser_complain(parser, at,
						"no such PMU or event as %s: see --list", pmu);
	return status;
}

bool pk_pmu_exists(const struct event_parser *parser, const char *pmu)
{
	struct pmu_names all =
		pk_pmu_list(pk_pmu_sysfs(parser->list->sysfs), &parser->messages->failures);
	bool found = false;

	for (size_t i = 0; i < all.count && !found; i++)
		found = stands_for(pmu, all.items[i]);
	pk_pmu_names_free(&all);
	return found;
}

bool pk_pmu_alias_add(struct event_parser *parser, const char *name, struct term_list *terms,
		      bool *failed)
{
	const char *alias = terms->items[0].name;
	const char *sysfs = pk_pmu_sysfs(parser->list->sysfs);
	struct pk_failures *lookups = &parser->messages->failures;
	struct pmu_names all = pk_pmu_list(sysfs, lookups);
	char file[200], text[8];
	const int length = snprintf(file, sizeof(file), "events/%s", alias);
	const bool possible = length < (int)sizeof(file) && !strchr(alias, '/');
	bool found = false;

	*failed = false;
	for (size_t i = 0; possible && i < all.count && !*failed; i++) {
		if (!pk_pmu_read(sysfs, all.items[i], file, text, sizeof(text), lookups))
			continue;
		found = true;
		*failed = add_one(parser, all.items[i], terms->items[0].at, terms, name) != PK_OK;
	}
	pk_pmu_names_free(&all);
	return found;
}

/* ---- Events of pmu-events ---- */

/* Adds an event of a JSON file that does not name a PMU, for each PMU of CPU cores. The first term
 * is the name of the event. */
static enum pk_status add_on_cores(struct event_parser *parser, struct term_list *terms,
				   const char *name)
{
	const char *sysfs = pk_pmu_sysfs(parser->list->sysfs);
	struct pk_failures *lookups = &parser->messages->failures;
	const size_t at = terms->items[0].at;
	struct pmu_names all = pk_pmu_list(sysfs, lookups);
	bool found = false;
	enum pk_status status = PK_OK;

	for (size_t i = 0; status == PK_OK && i < all.count; i++) {
		if (!pk_pmu_is_core(sysfs, all.items[i], lookups))
			continue;
		status = pk_pmu_event_add(parser, all.items[i], at, terms, name);
		found = true;
	}
	pk_pmu_names_free(&all);
	PK_TRY(status);
	return found ? PK_OK : pk_pmu_event_add(parser, "cpu", at, terms, name);
}

static enum pk_status add_described(struct event_parser *parser,
				    const struct pmu_json_event *described, struct term_list *terms,
				    const char *name)
{
	const size_t first = parser->list->count;

	PK_TRY(described->pmu
		       ? pk_pmu_event_add(parser, described->pmu, terms->items[0].at, terms, name)
		       : add_on_cores(parser, terms, name));
	for (size_t i = first; i < parser->list->count; i++) {
		struct event *event = &parser->list->items[i];
		const char *unit;

		event->stat.per_package = described->per_package;
		if (described->scale_unit &&
		    pk_pmu_scale_unit(described->scale_unit, &event->stat.scale, &unit))
			snprintf(event->stat.unit, sizeof(event->stat.unit), "%s", unit);
	}
	return PK_OK;
}

bool pk_pmu_json_add(struct event_parser *parser, const char *name, struct term_list *terms,
		     bool *failed)
{
	const struct pmu_json_event *described = NULL;
	size_t count = 0;

	*failed = false;
	if (parser->list->json)
		described = pk_pmu_json_event(parser->list->json, terms->items[0].name, &count);
	for (size_t i = 0; i < count && !*failed; i++)
		*failed = add_described(parser, &described[i], terms, name) != PK_OK;
	return count != 0;
}
