/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIELDS_H
#define FIELDS_H

/* -F: the fields of a sample to print, with the syntax of perf script. */

#include "field.h"

/* In print order; the fields from FIELD_PID on change the format of others. */
enum field {
	FIELD_COMM,
	FIELD_TID,
	FIELD_CPU,
	FIELD_MISC,
	FIELD_TOD,
	FIELD_TIME,
	FIELD_PERIOD,
	FIELD_EVENT,
	FIELD_FLAGS,
	FIELD_TRACE,
	FIELD_ADDR,
	FIELD_DATA_SRC,
	FIELD_WEIGHT,
	FIELD_INS_LAT,
	FIELD_RETIRE_LAT,
	FIELD_CGROUP,
	FIELD_MORE, /* fields that perf script does not have: struct more_field */
	FIELD_IP,
	FIELD_IREGS,
	FIELD_UREGS,
	FIELD_BRSTACK,
	FIELD_BRSTACKSYM,
	FIELD_BPF_OUTPUT,
	FIELD_PHYS_ADDR,
	FIELD_DATA_PAGE_SIZE,
	FIELD_CODE_PAGE_SIZE,
	FIELD_PID,
	FIELD_SYM,
	FIELD_SYMOFF,
	FIELD_DSO,
	FIELD_DSOFF,
	FIELD_SRCLINE,
	FIELDS_COUNT
};

#define FIELD(name) (UINT64_C(1) << FIELD_##name)

/* The type of an event for -F. */
enum field_type {
	TYPE_HW,
	TYPE_SW,
	TYPE_TRACE,
	TYPE_CACHE,
	TYPE_RAW,
	TYPE_BREAK,
	TYPE_OTHER,
	TYPES
};

/* A field of lib/profile, or of tracepoints and probes, given by name. */
struct more_field {
	struct pk_column column;
	const char *name; /* as given by the user */
	int size;
	unsigned int types; /* a bit for each enum field_type */
	bool json_only;	    /* the text prints it with the frames */
};

struct fields {
	uint64_t of[TYPES];
	bool set[TYPES];       /* selected by the user */
	uint64_t asked[TYPES]; /* fields that were named individually */
	struct more_field *more;
	size_t more_count, more_capacity;
};

void fields_default(struct fields *fields);
void fields_free(struct fields *fields);
/* Selects all fields for types without a selection. */
void fields_all(struct fields *fields);
/* Applies one argument of -F: "LIST", "TYPE:LIST", with names or +NAME and -NAME in the list.
 * False: invalid; *why is the reason, *word and *length the invalid word. */
struct field_error {
	const char *why, *word;
	int length;
};
bool fields_parse(struct fields *fields, const char *text, struct field_error *error);
/* Whether the user has named the field. */
bool fields_asked(const struct fields *fields, enum field field);
/* The fields to print for an event's samples; *missing: the named fields that its samples do not
 * have. */
enum field_type field_type(const struct pk_event *event);
uint64_t fields_of(const struct fields *fields, const struct pk_event *event, uint64_t *missing);
const char *field_name(enum field field);

#endif
