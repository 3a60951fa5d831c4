/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_WHERE_H
#define PK_FILTER_WHERE_H

/*
 * The expressions of --where: a sample's fields, a tracepoint's fields, numbers and strings. All
 * conditions of pk-filter are expressions; docs/where.md has the grammar.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum where_op {
	WHERE_OR,
	WHERE_AND,
	WHERE_NOT,
	WHERE_EQ,
	WHERE_NE,
	WHERE_LT,
	WHERE_LE,
	WHERE_GT,
	WHERE_GE,
	WHERE_LIKE, /* ~: a glob */
	WHERE_BITS, /* &: a number */
	WHERE_FIELD,
	WHERE_NUMBER,
	WHERE_STRING,
};

/* What any sample may have; WHERE_OWN: a field of a tracepoint, by its name. */
enum where_field {
	WHERE_PID,
	WHERE_TID,
	WHERE_CPU,
	WHERE_TIME,
	WHERE_PERIOD,
	WHERE_IP,
	WHERE_ADDR,
	WHERE_ID,
	WHERE_WEIGHT,
	WHERE_PHYS_ADDR,
	WHERE_DATA_SRC,
	WHERE_DEPTH,
	WHERE_COMM,
	WHERE_EVENT,
	WHERE_MODE,
	WHERE_CGROUP,
	WHERE_HOST,
	WHERE_DSO,
	WHERE_SYMBOL,
	WHERE_STACK,
	WHERE_OWN,
	WHERE_FIELDS
};

enum where_type { WHERE_IS_TRUTH, WHERE_IS_NUMBER, WHERE_IS_STRING, WHERE_IS_UNKNOWN };

struct where {
	enum where_op op;
	enum where_type type;
	struct where *left, *right; /* NOT: left only */
	size_t at, size;	    /* where it stands in the text */
	/* FIELD */
	enum where_field field;
	unsigned int own;	/* OWN: numbered from 0 */
	enum where_type wanted; /* OWN: what it is used as */
	/* NUMBER; FIELD's and STRING's text */
	__int128 number;
	char *text;
	/* For who evaluates it: of EQ, NE, LIKE between a string field and a string. */
	unsigned int memo;
	/* Likewise: of a comparison that is true of low to high, or negated of what is outside. */
	bool ranged, negated;
	enum where_field ranged_by;
	uint64_t low, high;
};

/* What an error says that is not the user's: compare the pointer. */
extern const char where_no_memory[];

struct where_error {
	size_t at;
	const char *text; /* static */
};

/* Parses an expression and checks its types; the fields of tracepoints are checked when they are
 * known. NULL: *error says why. */
struct where *where_parse(const char *text, struct where_error *error);
void where_free(struct where *where);

/* For conditions that are no text. These take what they are given; NULL: out of memory, and that is
 * freed. */
struct where *where_join(enum where_op op, struct where *left, struct where *right);
struct where *where_compare(enum where_op op, enum where_field field, __int128 number);
struct where *where_match(enum where_op op, enum where_field field, const char *text);

/* A field by its name: OWN if it is none that all samples may have. NULL: out of memory. */
struct where *where_named(const char *name, size_t size);
/* The name of a field that is not OWN. */
const char *where_field_name(enum where_field field);
/* Of an expression: is the field in it? */
bool where_uses(const struct where *where, enum where_field field);
/* Calls each for every node, children first. */
void where_walk(struct where *where, void (*each)(void *arg, struct where *node), void *arg);

#endif
