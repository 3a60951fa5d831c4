/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EVENT_PARSER_H
#define PK_EVENT_PARSER_H

/* Shared by the files that implement pk_event_list_parse(). */

#include "event.h"
#include "pmu.h"

struct event_parser {
	struct event_list *list;
	const char *text; /* the text that is parsed */
	size_t at;	  /* the current position in text */
	bool in_group;
	struct pk_messages *messages; /* those of the list that pk_event_list_parse() fills */
};

/* Reports an error, and shows the text around the position `at` with a caret below it. Returns
 * false. */
enum pk_status pk_event_parser_complain(const struct event_parser *parser, size_t at,
					const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Returns false. */
enum pk_status pk_event_parser_no_memory(const struct event_parser *parser);

/* A term between slashes: NAME, NAME=VALUE. */
struct term {
	char *name, *value;  /* value NULL: the term is only a name */
	uint64_t number;     /* the value as a number; 1 without a value */
	bool is_number;	     /* the value is a number */
	bool used;	     /* the term was applied */
	size_t at, value_at; /* positions in the text */
};

struct term_list {
	struct term *items;
	size_t count, capacity;
};

/* Appends a term without a value: the name of an event, which PMUs treat like a term. */
PK_MUST_CHECK enum pk_status pk_event_terms_add(struct event_parser *parser,
						struct term_list *terms, const char *name,
						size_t at);
/* Reads "/NAME=VALUE,.../", from the first slash to after the second. Returns PK_FAILED after a
 * message. */
PK_MUST_CHECK enum pk_status pk_event_terms_read(struct event_parser *parser,
						 struct term_list *terms);
void pk_event_terms_free(struct term_list *terms);
/* Applies the terms that have the same meaning for all PMUs (period, name, call-graph ...) to the
 * events from index first on, and marks them as used. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_terms_apply(struct event_parser *parser,
						  struct term_list *terms, size_t first);
/* Returns PK_FAILED after a message about the first term that is not used. whose is a text such as
 * "an event without PMU". */
PK_MUST_CHECK enum pk_status pk_event_terms_all_used(const struct event_parser *parser,
						     const struct term_list *terms,
						     const char *whose);

/* Reads modifiers and applies them to the events from index first on. With group, they are those of
 * a group, and add to the modifiers of its events, but replace P and W. Otherwise they replace the
 * defaults. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_modifiers_read(struct event_parser *parser, size_t first,
						     bool group);

/* Adds the event PMU/TERMS/ for each PMU that the text pmu stands for (pmu_exists). at is the
 * position of pmu in the text. name is the name of the events. Returns PK_FAILED after a
 * message. */
PK_MUST_CHECK enum pk_status pk_pmu_event_add(struct event_parser *parser, const char *pmu,
					      size_t at, struct term_list *terms, const char *name);
/* Adds the event for each PMU whose folder events/ has the name of the first term. Returns false if
 * there is no such PMU. Sets *failed if a message was added. */
bool pk_pmu_alias_add(struct event_parser *parser, const char *name, struct term_list *terms,
		      bool *failed);
/* Whether the name is that of a PMU, or the start or a pattern of such names, also without
 * "uncore_": "imc" and "uncore_imc" stand for uncore_imc_0, uncore_imc_1 ... */
bool pk_pmu_exists(const struct event_parser *parser, const char *pmu);
/* Like pk_pmu_alias_add(), for the names of events in list->json. */
bool pk_pmu_json_add(struct event_parser *parser, const char *name, bool *failed);
/* Returns true if the text is the name of a set of events, NAME or NAME=ARGUMENT. Sets *ok if its
 * events were added. parse is pk_event_list_parse(), for the events that the set names. */
bool pk_event_set_add(struct event_parser *parser, const char *text,
		      enum pk_status (*parse)(struct event_list *list, const char *text), bool *ok);

#endif
