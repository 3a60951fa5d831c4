/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIELDS_H
#define FIELDS_H

/* The option -F selects the fields of a sample to print. It has the syntax of perf script. */

#include "field.h"

/* The fields, in the order in which they are printed. FIELD_PID and the fields after it have no
 * column of their own. They change how other fields are printed. */
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
	FIELD_MORE, /* all selected fields that perf script does not have; see struct more_field */
	FIELD_IP,
	FIELD_IREGS,
	FIELD_UREGS,
	FIELD_BRSTACK,
	FIELD_BRSTACKSYM,
	FIELD_BRSTACKOFF,
	FIELD_BPF_OUTPUT,
	FIELD_INSN, /* One function prints this field and the next two fields. Another function
		     * prints the three fields after those. */
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

/* The fields that need the machine code of the recorded programs. */
#define FIELDS_OF_BLOCKS (FIELD(BRSTACKINSN) | FIELD(BRSTACKINSNLEN) | FIELD(BRSTACKDISASM))
#define FIELDS_OF_CODE	 (FIELDS_OF_BLOCKS | FIELD(INSN) | FIELD(INSNLEN) | FIELD(DISASM))

/* The types of events in -F TYPE:LIST. The first six types have the same numbers as in attr.type.
 */
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

/* A field that perf script does not have. It is described in docs/fields.md, or belongs to a
 * tracepoint or a probe. */
struct more_field {
	struct pk_column column;
	const char *name; /* the name in the argument of -F; it does not end with a NUL */
	/* Length of `name` in bytes. */
	int size;
	/* Bit i is set if the field is printed for events of enum field_type i. */
	unsigned int types;
	bool optional;	/* it is not an error if no event has this field */
	bool json_only; /* JSON prints the field as a member of its own; the text format prints it
			 * together with the frames */
};

/* The fields that are printed for each type of event. */
struct fields {
	/* The fields to print for each type, as FIELD() bits. */
	uint64_t of[TYPES];
	bool set[TYPES];       /* true if -F selects the fields of this type of event */
	uint64_t asked[TYPES]; /* FIELD() bits of the fields that -F names for each type; default
				* fields are not included */
	struct more_field *more;
	size_t more_count, more_capacity;
};

void fields_default(struct fields *fields);
void fields_free(struct fields *fields);
/* Selects all fields for each type whose fields -F does not select. */
void fields_all(struct fields *fields);
/* Applies one argument of -F. It is "LIST" for events of all types, or "TYPE:LIST" for one type. A
 * list of plain names replaces the previous selection. A list of +NAME and -NAME changes it. After
 * "TYPE:", the list can be empty, which selects no fields. If the argument is invalid, returns
 * false and sets *error to the reason and the invalid word. */
struct field_error {
	const char *why, *word;
	int length;
};
bool fields_parse(struct fields *fields, const char *text, struct field_error *error);
/* The text of an error if memory is exhausted. Functions of other files that return texts of errors
 * also use it. */
extern const char fields_no_memory[];
/* Clears the selection, so that no fields are printed. */
void fields_none(struct fields *fields);
/* Adds a field to fields->more, without selecting it for any type. Sets *index to its index in
 * fields->more. Returns NULL, or the text of an error. */
const char *fields_add(struct fields *fields, const char *name, size_t size, size_t *index);
/* Returns true if -F names the field for any type. */
bool fields_asked(const struct fields *fields, enum field field);
/* Returns true if -F names one of the fields with these FIELD() bits, for any type. */
bool fields_asked_any(const struct fields *fields, uint64_t bits);
/* fields_of() returns the fields to print for the samples of an event. It sets *missing to the
 * fields that -F names and that these samples do not contain. */
enum field_type field_type(const struct pk_event *event);
uint64_t fields_of(const struct fields *fields, const struct pk_event *event, uint64_t *missing);
const char *field_name(enum field field);

#endif
