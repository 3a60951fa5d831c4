/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EVENT_PARSER_H
#define PK_EVENT_PARSER_H

/* Shared by the parts of events_parse. */

#include "event.h"
#include "pmu.h"

struct parser {
	struct event_list *list;
	const char *text;	      /* the whole text */
	size_t at;		      /* the current position */
	struct pk_messages *messages; /* of the list, or of the outer parser */
};

/* Reports an error at a position of the text, with a caret below it. Returns false. */
bool parser_complain(const struct parser *parser, size_t at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool parser_no_memory(const struct parser *parser);

/* A term between slashes: NAME, NAME=VALUE. */
struct term {
	char *name, *value; /* value NULL: not given */
	uint64_t number;    /* of the value, 1 without a value */
	bool is_number;
	bool used;
	size_t at, value_at; /* positions in the text */
};

struct term_list {
	struct term *items;
	size_t count, capacity;
};

/* Appends a term: the number of an event with slashes. */
bool terms_add(struct parser *parser, struct term_list *terms, const char *name, size_t at);
/* Reads "NAME=VALUE,.../" from after the first slash to after the second. */
bool terms_read(struct parser *parser, struct term_list *terms);
void terms_free(struct term_list *terms);
/* Applies the terms that are not the PMU's: period, name, call-graph ..., to events from first
 * on. */
bool terms_apply(struct parser *parser, struct term_list *terms, size_t first);
/* Reports the first unused term. */
bool terms_all_used(const struct parser *parser, const struct term_list *terms, const char *whose);

/* Reads letters for the events from first on; several: the letters of a group, which add to those
 * of the events. */
bool modifiers_read(struct parser *parser, size_t first, bool group);

/* Adds the events of PMU/TERMS/ or of a bare NAME of PMUs. The name ends at parser->at. */
bool pmu_event_add(struct parser *parser, const char *pmu, size_t at, struct term_list *terms,
		   const char *name);
/* True if there is an event of that name, the first of the terms; *failed after a message. */
bool pmu_alias_add(struct parser *parser, const char *name, struct term_list *terms, bool *failed);
/* Whether the name stands for a PMU. */
bool pmu_exists(const struct parser *parser, const char *pmu);
/* The same for the names of the list's pmu_json. */
bool json_event_add(struct parser *parser, const char *name, bool *failed);

#endif
