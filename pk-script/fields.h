/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIELDS_H
#define FIELDS_H

/* -F: the fields of a sample to print, with the syntax of perf script. */

#include "field.h"

/* In the order of printing. The fields from FIELD_PID on are not printed by themselves: they change
 * how the others are printed. */
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
	FIELD_BRSTACKOFF,
	FIELD_BPF_OUTPUT,
	FIELD_INSN, /* these three are printed by one function, as the next three are */
	FIELD_INSNLEN,
	FIELD_DISASM,
	FIELD_BRSTACKINSN,
	FIELD_BRSTACKINSNLEN,
	FIELD_BRSTACKDISASM,
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

/* The fields that need the code of the recorded programs. */
#define FIELDS_OF_BLOCKS (FIELD(BRSTACKINSN) | FIELD(BRSTACKINSNLEN) | FIELD(BRSTACKDISASM))
#define FIELDS_OF_CODE	 (FIELDS_OF_BLOCKS | FIELD(INSN) | FIELD(INSNLEN) | FIELD(DISASM))

/* The types of events in -F TYPE:LIST. The first six have the numbers of attr.type. */
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

/* A field that perf script does not have: one of docs/fields.md, of a tracepoint or of a probe. */
struct more_field {
	struct pk_column column;
	const char *name; /* as in -F; not NUL-terminated */
	/* Length of name in bytes. */
	int size;
	unsigned int types; /* a bit for each enum field_type */
	bool optional;	    /* no event needs to have it */
	bool json_only;	    /* only JSON prints it as a field; text prints it with the frames */
};

struct fields {
	/* FIELD() bits of the fields to print, by type. */
	uint64_t of[TYPES];
	bool set[TYPES];       /* -F selects fields for this type */
	uint64_t asked[TYPES]; /* FIELD() bits of the fields that -F names; not the defaults */
	struct more_field *more;
	size_t more_count, more_capacity;
};

void fields_default(struct fields *fields);
void fields_free(struct fields *fields);
/* Selects all fields for the types for which -F selects none. */
void fields_all(struct fields *fields);
/* Applies one argument of -F: "LIST" for all types, or "TYPE:LIST". The list has either names,
 * which replace the previous selection, or +NAME and -NAME, which change it. After TYPE: it can be
 * empty, and selects none. Returns false if it is invalid. *error has the reason and the invalid
 * word. */
struct field_error {
	const char *why, *word;
	int length;
};
bool fields_parse(struct fields *fields, const char *text, struct field_error *error);
/* The error of exhausted memory, of this and the files that use it. */
extern const char fields_no_memory[];
/* Selects no fields. */
void fields_none(struct fields *fields);
/* Adds a field to fields->more, which no type selects. *index is its place there. Returns NULL, or
 * the error. */
const char *fields_add(struct fields *fields, const char *name, size_t size, size_t *index);
/* Whether -F names the field for any type. */
bool fields_asked(const struct fields *fields, enum field field);
/* The same for any of the FIELD() bits. */
bool fields_asked_any(const struct fields *fields, uint64_t bits);
/* fields_of() returns the fields to print for an event's samples. *missing are the fields that -F
 * names and its samples do not contain. */
enum field_type field_type(const struct pk_event *event);
uint64_t fields_of(const struct fields *fields, const struct pk_event *event, uint64_t *missing);
const char *field_name(enum field field);

#endif
