/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EVENT_PARSER_H
#define PK_EVENT_PARSER_H

/* What the parts of events_parse share. */

#include "event.h"
#include "pmu.h"

struct parser {
	struct event_list *list;
	const char *text;	      /* all of it */
	size_t at;		      /* how far it has been read */
	struct pk_messages *messages; /* the list's, or those of the outer parser */
};

/* A message about the place in the text, with a caret below it. Returns false. */
bool parser_complain(const struct parser *parser, size_t at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool parser_no_memory(const struct parser *parser);

/* A term between slashes: NAME, NAME=VALUE. */
struct term {
	char *name, *value; /* value NULL: none was given */
	uint64_t number;    /* of the value, 1 without one */
	bool is_number;
	bool used;
	size_t at, value_at; /* where they stand */
};

struct term_list {
	struct term *items;
	size_t count, capacity;
};

/* Adds a term at the end: what an event's own name is between slashes. */
bool terms_add(struct parser *parser, struct term_list *terms, const char *name, size_t at);
/* Reads "NAME=VALUE,.../" from behind the first slash to behind the second. */
bool terms_read(struct parser *parser, struct term_list *terms);
void terms_free(struct term_list *terms);
/* Takes those that are not the PMU's: period, name, call-graph ..., for events from first on. */
bool terms_apply(struct parser *parser, struct term_list *terms, size_t first);
/* Complains of the first that nobody has used. */
bool terms_all_used(const struct parser *parser, const struct term_list *terms, const char *whose);

/* Reads letters, for events from first on; several: those of a group, which add to what the events
 * have. */
bool modifiers_read(struct parser *parser, size_t first, bool group);

/* Adds the events of PMU/TERMS/ or of a bare NAME that PMUs have. The name ends at parser->at. */
bool pmu_event_add(struct parser *parser, const char *pmu, size_t at, struct term_list *terms,
		   const char *name);
/* True if there was an event of that name, the first of the terms; *failed after a message. */
bool pmu_alias_add(struct parser *parser, const char *name, struct term_list *terms, bool *failed);
/* Is there a PMU that the name stands for? */
bool pmu_exists(const struct parser *parser, const char *pmu);
/* The same for the names of the list's pmu_json. */
bool json_event_add(struct parser *parser, const char *name, bool *failed);

#endif
