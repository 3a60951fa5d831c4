/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EVENT_PARSER_H
#define PK_EVENT_PARSER_H

/* Declarations for the files that implement pk_event_list_parse(). */

#include "event.h"
#include "pmu.h"

/* The text that is parsed, and the current position. */
struct event_parser {
	struct event_list *list;
	const char *text; /* the text that is parsed */
	size_t at;	  /* the current position in text */
	bool in_group;
	/* The messages of the list that pk_event_list_parse() fills. */
	struct pk_messages *messages;
};

/* Reports an error, and shows the text around the position `at` with a caret below that position.
 * Returns PK_FAILED. */
enum pk_status pk_event_parser_complain(const struct event_parser *parser, size_t at,
					const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Returns PK_NOMEM. */
enum pk_status pk_event_parser_no_memory(const struct event_parser *parser);

/* A term between slashes, NAME or NAME=VALUE. */
struct term {
	char *name, *value;  /* value is NULL if the term is only a name */
	uint64_t number;     /* the value as a number; 1 if there is no value */
	bool is_number;	     /* true if the value is a number */
	bool used;	     /* true if the term was applied to the event */
	size_t at, value_at; /* the positions of the name and of the value in the parsed text */
};

struct term_list {
	struct term *items;
	size_t count, capacity;
};

/* Appends a term without a value. It is the name of an event, which PMUs treat like a term. */
PK_MUST_CHECK enum pk_status pk_event_terms_add(struct event_parser *parser,
						struct term_list *terms, const char *name,
						size_t at);
/* Reads "/NAME=VALUE,.../" from the first slash on, and moves after the second slash. Returns
 * PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_terms_read(struct event_parser *parser,
						 struct term_list *terms);
void pk_event_terms_free(struct term_list *terms);
/* Applies the terms that have the same meaning for all PMUs (period, name, call-graph ...) to the
 * events from index first to the end of the list. Marks these terms as used. Returns PK_FAILED
 * after a message. */
PK_MUST_CHECK enum pk_status pk_event_terms_apply(struct event_parser *parser,
						  struct term_list *terms, size_t first);
/* Reports the first term that was not used, and returns PK_FAILED in that case. whose is a text for
 * the message, such as "an event without PMU". */
PK_MUST_CHECK enum pk_status pk_event_terms_all_used(const struct event_parser *parser,
						     const struct term_list *terms,
						     const char *whose);

/* Reads modifiers and applies them to the events from index first to the end of the list. If group
 * is true, they are the modifiers of a group: they are added to the modifiers of each event, but P
 * and W are replaced. Otherwise they replace the defaults. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_event_modifiers_read(struct event_parser *parser, size_t first,
						     bool group);

/* Adds the event PMU/TERMS/ for each PMU that matches the text pmu (see pk_pmu_exists()). at is the
 * position of pmu in the text. All added events get the name. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_pmu_event_add(struct event_parser *parser, const char *pmu,
					      size_t at, struct term_list *terms, const char *name);
/* Adds the event for each PMU that has a file events/TERM, where TERM is the first term. Returns
 * false if there is no such PMU. Sets *failed to true after a message. */
bool pk_pmu_alias_add(struct event_parser *parser, const char *name, struct term_list *terms,
		      bool *failed);
/* Returns true if the text is the name or a pattern of the names of PMUs. The prefix "uncore_" and
 * the number of the unit can be left out: "imc" and "uncore_imc" both match uncore_imc_0,
 * uncore_imc_1 ... */
bool pk_pmu_exists(const struct event_parser *parser, const char *pmu);
/* Like pk_pmu_alias_add(), for the names of events in list->json. */
bool pk_pmu_json_add(struct event_parser *parser, const char *name, struct term_list *terms,
		     bool *failed);
/* Returns true if the text is the name of a set of events, NAME or NAME=ARGUMENT. Sets *ok to true
 * if the events of the set were added. parse is pk_event_list_parse(), and parses the events of the
 * set. */
bool pk_event_set_add(struct event_parser *parser, const char *text,
		      enum pk_status (*parse)(struct event_list *list, const char *text), bool *ok);

#endif
