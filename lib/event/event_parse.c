// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_parser.h"
#include "nearest.h"
#include "number.h"
#include "trace_pmu.h"
#include "tracefs.h"

#define NAME_LENGTH 300

static char peek(const struct event_parser *parser)
{
	return parser->text[parser->at];
}

static void skip_space(struct event_parser *parser)
{
	while (isspace((unsigned char)peek(parser)))
		parser->at++;
}

/* Returns the text from start to the current position, without trailing blanks. The caller frees
 * the text. Returns NULL if memory is exhausted. */
static char *text_since(const struct event_parser *parser, size_t start)
{
	size_t end = parser->at;
	char *text;

	while (end > start && isspace((unsigned char)parser->text[end - 1]))
		end--;
	text = strndup(parser->text + start, end - start);
	if (!text)
		pk_event_parser_no_memory(parser);
	return text;
}

/* ---- Generic, cache and raw events ---- */

static enum pk_status add_plain(struct event_parser *parser, const struct perf_attr *attr,
				const char *name, const char *pmu)
{
	const char *sysfs = pk_pmu_sysfs(parser->list->sysfs);
	struct pk_failures *lookups = &parser->messages->failures;
	struct event *event = pk_event_list_add(parser->list, name);
	uint32_t type;

	if (!event)
		return PK_FAILED;
	event->attr = *attr;
	event->attr.flags |= PERF_ATTR_EXCLUDE_GUEST;
	if (!pmu)
		return PK_OK;
	event->pmu = strdup(pmu);
	if (!event->pmu)
		return pk_event_parser_no_memory(parser);
	event->cpus = pk_pmu_cpus(sysfs, pmu, &event->cpus_count, lookups);
	if (!pk_pmu_type(sysfs, pmu, &type, lookups))
		return PK_OK;
	if (attr->type == PERF_TYPE_RAW)
		event->attr.type = type;
	else
		event->attr.config |= (uint64_t)type << 32;
	return PK_OK;
}

/* Adds a hardware, cache or raw event. If the machine has several kinds of CPU cores, adds an event
 * for each kind. */
static enum pk_status add_hardware(struct event_parser *parser, const struct perf_attr *attr,
				   const char *name)
{
	struct pmu_names hybrid =
		pk_pmu_hybrid(pk_pmu_sysfs(parser->list->sysfs), &parser->messages->failures);
	char *long_name;
	enum pk_status status = PK_OK;

	for (size_t i = 0; status == PK_OK && i < hybrid.count; i++) {
		if (asprintf(&long_name, "%s/%s/", hybrid.items[i], name) < 0) {
			status = pk_event_parser_no_memory(parser);
			break;
		}
		status = add_plain(parser, attr, long_name, hybrid.items[i]);
		free(long_name);
	}
	if (!hybrid.count)
		status = add_plain(parser, attr, name, NULL);
	pk_pmu_names_free(&hybrid);
	return status;
}

static enum pk_status add_known(struct event_parser *parser, const struct perf_attr *attr,
				const char *name)
{
	if (attr->type == PERF_TYPE_SOFTWARE)
		return add_plain(parser, attr, name, NULL);
	return add_hardware(parser, attr, name);
}

/* ---- Breakpoints: mem:ADDRESS[/LENGTH][:rwx] ---- */

static enum pk_status read_number(struct event_parser *parser, const char *what, uint64_t *number)
{
	const char *text = parser->text + parser->at;
	char *end = (char *)text, *copy;
	bool ok;

	while (isalnum((unsigned char)*end))
		end++;
	copy = strndup(text, (size_t)(end - text));
	if (!copy)
		return pk_event_parser_no_memory(parser);
	ok = pk_parse_u64(copy, number);
	free(copy);
	if (!ok)
		return pk_event_parser_complain(parser, parser->at,
						"needs %s, hexadecimal after 0x", what);
	parser->at += (size_t)(end - text);
	return PK_OK;
}

static enum pk_status read_access(struct event_parser *parser, uint32_t *access)
{
	const size_t start = parser->at;
	const char *place;

	for (; (place = strchr("rwx", peek(parser))) && *place; parser->at++) {
		const uint32_t bit = *place == 'r' ? 1 : *place == 'w' ? 2 : 4;

		if (*access & bit)
			return pk_event_parser_complain(parser, parser->at,
							"the same letter twice");
		*access |= bit;
	}
	if (parser->at - start && !isalnum((unsigned char)peek(parser)))
		return PK_OK;
	return pk_event_parser_complain(parser, parser->at,
					"r, w or x is expected: the kind of access");
}

#define BREAKPOINT_EXECUTE 4u

static enum pk_status breakpoint_length(struct event_parser *parser, uint64_t *length)
{
	const size_t at = ++parser->at;

	PK_TRY(read_number(parser, "a length", length));
	if (*length == 1 || *length == 2 || *length == 4 || *length == 8)
		return PK_OK;
	return pk_event_parser_complain(parser, at, "a breakpoint is 1, 2, 4 or 8 bytes long");
}

static bool is_access(char letter)
{
	return letter && strchr("rwx", letter);
}

static enum pk_status parse_breakpoint(struct event_parser *parser, size_t start)
{
	struct perf_attr attr = {.size = PERF_ATTR_SIZE_VER7, .type = PERF_TYPE_BREAKPOINT};
	uint32_t access = 0;
	char *name;
	enum pk_status status;

	parser->at = start + 4;
	PK_TRY(read_number(parser, "an address", &attr.config1));
	if (peek(parser) == '/')
		PK_TRY(breakpoint_length(parser, &attr.config2));
	/* After a colon come either the kinds of access or modifiers. */
	if (peek(parser) == ':' && is_access(parser->text[parser->at + 1])) {
		parser->at++;
		PK_TRY(read_access(parser, &access));
	}
	attr.bp_type = access ? access : 3;
	if (!attr.config2)
		attr.config2 = attr.bp_type & BREAKPOINT_EXECUTE ? sizeof(long) : 4;
	attr.sample_period = 1;
	name = text_since(parser, start);
	status = name ? add_plain(parser, &attr, name, NULL) : PK_FAILED;
	free(name);
	return status;
}

/* ---- Tracepoints ---- */

static enum pk_status add_tracepoint(void *arg, const char *system, const char *name, uint64_t id)
{
	struct event_parser *parser = arg;
	char text[NAME_LENGTH];
	struct event *event;

	snprintf(text, sizeof(text), "%s:%s", system, name);
	event = pk_event_list_add(parser->list, text);
	if (!event)
		return PK_FAILED;
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = id;
	event->attr.flags |= PERF_ATTR_EXCLUDE_GUEST;
	if (asprintf(&event->tracepoint, "%s/%s", system, name) >= 0)
		return PK_OK;
	event->tracepoint = NULL;
	return pk_event_parser_no_memory(parser);
}

/* Adds a USDT probe of list->object. If list->object is NULL, the probe is kept for
 * pk_event_list_add_markers(). */
static enum pk_status add_marker(struct event_parser *parser, size_t start)
{
	char *text = text_since(parser, start);
	enum pk_status status =
		text ? pk_event_list_add_probe(parser->list, parser->list->object, text)
		     : PK_FAILED;

	free(text);
	return status;
}

/* Returns true if a marker (USDT probe) without an object can be added later. Such a marker can
 * have no terms or modifiers, and can be in no group. Terms, modifiers and groups are only applied
 * to events that are already in the list. */
static bool can_wait(const struct event_parser *parser, const char *system)
{
	const char *rest = parser->text + parser->at;

	return parser->list->markers && !strncmp(system, "sdt_", 4) && (!*rest || *rest == ',') &&
	       !parser->in_group;
}

/* Returns true if SYSTEM:NAME must be a marker. With an object, it is a marker if SYSTEM starts
 * with sdt_. Without an object, it is a marker if it can be added later and tracepoints cannot be
 * read. */
static bool is_marker(const struct event_parser *parser, const char *system)
{
	return parser->list->object
		       ? !strncmp(system, "sdt_", 4)
		       : can_wait(parser, system) && !pk_tracefs_path(parser->messages);
}

/* The tracepoint that is most similar to an unknown one. */
struct similar {
	struct pk_nearest nearest;
	char wanted[256], best[256];
};

static enum pk_status try_tracepoint(void *arg, const char *system, const char *name, uint64_t id)
{
	struct similar *similar = arg;
	char text[256];

	(void)id;
	snprintf(text, sizeof(text), "%s:%s", system, name);
	pk_nearest_try(&similar->nearest, text);
	if (similar->nearest.name == text) {
		memcpy(similar->best, text, sizeof(text));
		similar->nearest.name = similar->best;
	}
	return PK_OK;
}

static enum pk_status complain_tracepoint(struct event_parser *parser, size_t start,
					  const char *system, const char *name)
{
	struct similar similar = {.nearest.wanted = similar.wanted};

	snprintf(similar.wanted, sizeof(similar.wanted), "%s:%s", system, name);
	PK_TRY(pk_tracefs_find("*", "*", try_tracepoint, &similar, parser->messages));
	return pk_event_parser_complain(parser, start, "no such tracepoint as %s%s: see --list",
					similar.wanted, pk_nearest_hint(&similar.nearest));
}

/* Adds all tracepoints or the marker with this name. The parser is at the end of the name. */
static enum pk_status add_tracepoints(struct event_parser *parser, size_t start, const char *system,
				      const char *name)
{
	const size_t before = parser->list->count;

	if (is_marker(parser, system))
		return add_marker(parser, start);
	PK_TRY(pk_tracefs_find(system, name, add_tracepoint, parser, parser->messages));
	if (parser->list->count > before)
		return PK_OK;
	return can_wait(parser, system) ? add_marker(parser, start)
					: complain_tracepoint(parser, start, system, name);
}

/* Parses SYSTEM:NAME. The parser is at the colon. */
static enum pk_status parse_tracepoint(struct event_parser *parser, size_t start,
				       const char *system)
{
	const size_t at = ++parser->at;
	char *name;
	enum pk_status status;

	parser->at += strcspn(parser->text + at, ",{}/:");
	name = text_since(parser, at);
	if (!name)
		return PK_FAILED;
	if (!*name)
		status = pk_event_parser_complain(
			parser, at, "the name of a tracepoint is expected: see --list '%s:*'",
			system);
	else if (!pk_tracefs_name_is_plain(system) || !pk_tracefs_name_is_plain(name))
		status = pk_event_parser_complain(parser, start, "not the name of a tracepoint");
	else
		status = add_tracepoints(parser, start, system, name);
	free(name);
	return status;
}

/* Parses TYPE:CONFIG, the numbers of attr.type and attr.config. The parser is at the colon. */
static enum pk_status parse_numeric(struct event_parser *parser, size_t start, uint64_t type)
{
	struct perf_attr attr = {.size = PERF_ATTR_SIZE_VER7, .type = (uint32_t)type};
	char *name;
	enum pk_status status;

	parser->at++;
	if (type > UINT32_MAX)
		return pk_event_parser_complain(parser, start, "a type of 32 bits is expected");
	PK_TRY(read_number(parser, "a number", &attr.config));
	name = text_since(parser, start);
	status = name ? add_plain(parser, &attr, name, NULL) : PK_FAILED;
	free(name);
	return status;
}

/* ---- One event ---- */

/* Parses the terms, if any, after the name of an event that has no PMU. */
static enum pk_status parse_terms(struct event_parser *parser, size_t first)
{
	struct term_list terms = {0};
	enum pk_status status;

	if (peek(parser) != '/')
		return PK_OK;
	status = pk_event_terms_read(parser, &terms) ?: pk_event_terms_apply(parser, &terms, first);
	status = status ?: pk_event_terms_all_used(parser, &terms, "an event without PMU");
	pk_event_terms_free(&terms);
	return status;
}

static enum pk_status parse_pmu(struct event_parser *parser, size_t start, const char *pmu)
{
	struct term_list terms = {0};
	char *name = NULL;
	enum pk_status status = pk_event_terms_read(parser, &terms);

	if (status == PK_OK)
		name = text_since(parser, start);
	status = name ? pk_pmu_event_add(parser, pmu, start, &terms, name) : PK_FAILED;
	free(name);
	pk_event_terms_free(&terms);
	return status;
}

/* Returns true if the name is a tool event (enum event_tool). Sets *ok to true if the event was
 * added. */
static bool add_tool(struct event_parser *parser, const char *name, bool *ok)
{
	static const char *const names[] = {[EVENT_TOOL_DURATION] = "duration_time",
					    [EVENT_TOOL_USER] = "user_time",
					    [EVENT_TOOL_SYSTEM] = "system_time"};
	struct event *event;

	for (int i = EVENT_TOOL_DURATION; i <= EVENT_TOOL_SYSTEM && parser->list->tools; i++) {
		if (strcmp(name, names[i]))
			continue;
		event = pk_event_list_add(parser->list, name);
		*ok = event != NULL;
		if (!event)
			return true;
		event->attr.type = PERF_TYPE_SOFTWARE;
		event->attr.config = PERF_COUNT_SW_DUMMY;
		event->attr.flags |= PERF_ATTR_EXCLUDE_GUEST;
		event->stat.tool = (enum event_tool)i;
		memcpy(event->stat.unit, "ns", 3);
		return true;
	}
	return false;
}

/* head is the text up to a slash or the end. Returns true if head is the name of an event of a PMU,
 * in sysfs or in list->json. Sets *ok to true if the event was added with its terms. */
static bool parse_alias(struct event_parser *parser, size_t start, const char *head, bool *ok)
{
	const size_t at = parser->at;
	struct term_list terms = {0};
	bool found = true, failed = true;
	char *name = NULL;

	if (pk_event_terms_add(parser, &terms, head, start) == PK_OK &&
	    (peek(parser) != '/' || pk_event_terms_read(parser, &terms) == PK_OK))
		name = text_since(parser, start);
	if (name)
		found = pk_pmu_alias_add(parser, name, &terms, &failed) ||
			pk_pmu_json_add(parser, name, &terms, &failed);
	if (!found)
		parser->at = at;
	*ok = !failed;
	pk_event_terms_free(&terms);
	free(name);
	return found;
}

/* Returns true if the event ends here, or if only modifiers follow. */
static bool at_modifiers(const struct event_parser *parser)
{
	const char *rest = parser->text + parser->at;

	if (*rest == ':')
		rest += 1 + strspn(rest + 1, "ukhGHIpPSDeWb");
	return !*rest || strchr(",}", *rest);
}

/* Returns true if the pattern has wildcards and matches software events. Sets *ok to true if the
 * events were added. */
static bool add_matches(struct event_parser *parser, const char *pattern, bool *ok)
{
	struct perf_attr attr = {.size = PERF_ATTR_SIZE_VER7};
	size_t i = SIZE_MAX;

	*ok = true;
	if (strpbrk(pattern, "*?[") && at_modifiers(parser))
		i = pk_event_match(pattern, 0);
	if (i == SIZE_MAX)
		return false;
	for (; *ok && i != SIZE_MAX; i = pk_event_match(pattern, i + 1))
		*ok = pk_event_by_name(pk_event_name_at(i), &attr) &&
		      add_known(parser, &attr, pk_event_name_at(i)) == PK_OK;
	return true;
}

static enum pk_status complain_unknown(struct event_parser *parser, size_t start, const char *head)
{
	const struct event_list *list = parser->list;
	struct pk_nearest nearest = {.wanted = head};
	const char *name;

	for (size_t i = 0; (name = pk_event_name_at(i)); i++)
		pk_nearest_try(&nearest, name);
	if (list->try_sets)
		list->try_sets(list->find_arg, &nearest);
	return pk_event_parser_complain(parser, start, "no such event as %s%s: see --list", head,
					pk_nearest_hint(&nearest));
}

/* Returns true if an event is the start of a file of a BPF program, as perf's -e ./FILE.c. */
static bool is_bpf_file(const char *head)
{
	const size_t length = strlen(head);

	return !strcmp(head, ".") || (length > 2 && (!strcmp(head + length - 2, ".c") ||
						     !strcmp(head + length - 2, ".o")));
}

static enum pk_status parse_head(struct event_parser *parser, size_t start, const char *head)
{
	struct perf_attr attr = {.size = PERF_ATTR_SIZE_VER7};
	const size_t first = parser->list->count;
	uint64_t type;
	bool ok;

	if (is_bpf_file(head))
		return pk_event_parser_complain(parser, start,
						"BPF programs are no events: use --bpf FILE");
	if (add_tool(parser, head, &ok))
		return ok ? PK_OK : PK_FAILED;
	if (pk_event_by_name(head, &attr)) {
		PK_TRY(add_known(parser, &attr, head));
		return parse_terms(parser, first);
	}
	if (add_matches(parser, head, &ok))
		return ok ? PK_OK : PK_FAILED;
	if (peek(parser) == '/' && pk_pmu_exists(parser, head))
		return parse_pmu(parser, start, head);
	if (parse_alias(parser, start, head, &ok))
		return ok ? PK_OK : PK_FAILED;
	if (peek(parser) == '/' && pk_trace_pmu_absence(head))
		return pk_event_parser_complain(parser, start, "this machine has no %s: %s", head,
						pk_trace_pmu_absence(head));
	if (peek(parser) == '/')
		return pk_event_parser_complain(parser, start,
						"no such PMU or event as %s: see --list", head);
	if (peek(parser) != ':' && pk_event_set_add(parser, head, pk_event_list_parse, &ok))
		return ok ? PK_OK : PK_FAILED;
	if (peek(parser) != ':')
		return complain_unknown(parser, start, head);
	if (pk_parse_u64(head, &type)) {
		PK_TRY(parse_numeric(parser, start, type));
		return parse_terms(parser, first);
	}
	PK_TRY(parse_tracepoint(parser, start, head));
	return parse_terms(parser, first);
}

/* Parses the modifiers, if any. Appends their letters to the names of the events from index first
 * to the end of the list. */
static enum pk_status parse_modifiers(struct event_parser *parser, size_t first)
{
	const bool slash = parser->at && parser->text[parser->at - 1] == '/';
	size_t start;
	bool ok = true;

	if (peek(parser) == ':')
		parser->at++;
	else if (!slash || !isalnum((unsigned char)peek(parser)))
		return PK_OK;
	start = parser->at;
	PK_TRY(pk_event_modifiers_read(parser, first, false));
	for (size_t i = first; ok && i < parser->list->count; i++)
		for (size_t at = start; at < parser->at; at++)
			pk_event_append_modifier(&parser->list->items[i], parser->text[at]);
	return ok ? PK_OK : PK_FAILED;
}

static enum pk_status parse_event(struct event_parser *parser)
{
	const size_t first = parser->list->count;
	size_t start, length;
	char *head;
	enum pk_status status;

	skip_space(parser);
	if (!strncmp(parser->text + parser->at, "%sdt_", 5))
		parser->at++; /* perf's name of a marker */
	start = parser->at;
	length = strcspn(parser->text + start, ",{}/:");
	if (!length)
		return pk_event_parser_complain(parser, start, "an event is expected here");
	if (length > NAME_LENGTH)
		return pk_event_parser_complain(parser, start, "the name is too long for an event");
	if (!strncmp(parser->text + start, "mem:", 4)) {
		PK_TRY(parse_breakpoint(parser, start));
		return parse_modifiers(parser, first);
	}
	parser->at += length;
	head = text_since(parser, start);
	status = head ? parse_head(parser, start, head) : PK_FAILED;
	status = status ?: parse_modifiers(parser, first);
	free(head);
	skip_space(parser);
	return status;
}

/* ---- Groups and lists ---- */

/* Returns true if the PMU of the event has only certain CPUs, as for one kind of cores or an uncore
 * unit. The kernel cannot put events of two PMUs of this kind into one group. */
static bool is_apart(const struct event *event)
{
	return event->pmu && event->cpus;
}

/* Returns the index of the leader of an event. For events that are apart, this is the first event
 * of the same PMU. All other events join the group of the first event. */
static size_t leader_of(const struct event_list *list, size_t first, size_t index)
{
	const struct event *event = &list->items[index];
	const char *pmu = NULL; /* the PMU whose events join the group of the first event */

	if (!is_apart(event))
		return first;
	for (size_t i = first; i < index && !pmu; i++)
		if (is_apart(&list->items[i]))
			pmu = list->items[i].pmu;
	if (!pmu || !strcmp(pmu, event->pmu))
		return first;
	for (size_t i = first; i < index; i++)
		if (is_apart(&list->items[i]) && !strcmp(list->items[i].pmu, event->pmu))
			return i;
	return index;
}

/* Makes a group of the events from index first to the end of the list. If events of several PMUs
 * cannot be in one group, makes a group for each PMU. */
static void group_events(struct event_list *list, size_t first)
{
	bool split = false;

	/* Events that pk-stat measures itself cannot be in groups. */
	while (first < list->count && list->items[first].stat.tool)
		first++;
	for (size_t i = first; i < list->count; i++) {
		if (list->items[i].stat.tool)
			continue;
		list->items[i].leader = leader_of(list, first, i);
		split |= list->items[i].leader != first;
	}
	if (split)
		pk_messages_info(&list->messages,
				 "events of several PMUs become one group for each PMU");
}

static enum pk_status parse_group(struct event_parser *parser)
{
	const size_t first = parser->list->count, open = parser->at;

	parser->in_group = true;
	do {
		parser->at++;
		PK_TRY(parse_event(parser));
	} while (peek(parser) == ',');
	parser->in_group = false;
	if (peek(parser) != '}')
		return pk_event_parser_complain(parser, peek(parser) ? parser->at : open,
						peek(parser) ? ", or } is expected here"
							     : "the group is not closed");
	parser->at++;
	group_events(parser->list, first);
	if (peek(parser) != ':')
		return PK_OK;
	parser->at++;
	return pk_event_modifiers_read(parser, first, true);
}

/* Parses an event or a group. A name before the brace of a group is ignored. */
static enum pk_status parse_item(struct event_parser *parser)
{
	size_t name;

	skip_space(parser);
	name = strcspn(parser->text + parser->at, ",{}/:");
	if (parser->text[parser->at + name] != '{')
		return parse_event(parser);
	parser->at += name;
	return parse_group(parser);
}

enum pk_status pk_event_list_parse(struct event_list *list, const char *text)
{
	struct event_parser parser = {.list = list, .text = text, .messages = &list->messages};
	const size_t first = list->count;

	while (parse_item(&parser) == PK_OK) {
		skip_space(&parser);
		if (!peek(&parser)) {
			for (size_t i = first; i < list->count; i++)
				if (list->items[i].letters.precise_max)
					list->items[i].attr.flags |= PERF_ATTR_PRECISE_IP_MASK;
			return PK_OK;
		}
		if (peek(&parser) != ',') {
			pk_event_parser_complain(&parser, parser.at, "does not belong here");
			break;
		}
		parser.at++;
	}
	return PK_FAILED;
}
