/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a probe: the place, and what to read there. Nothing is looked up. */
#ifndef PK_PROBE_TEXT_H
#define PK_PROBE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limit of steps in an expression, so that the work for one probe is bounded. */
enum { PROBE_STEPS_MOST = 16 };

/* A step from one value to the next: each is applied to the result of the previous one. */
enum probe_step_kind {
	PROBE_MEMBER,	/* x.name */
	PROBE_ARROW,	/* x->name */
	PROBE_INDEX,	/* x[number] */
	PROBE_DEREF,	/* *x */
	PROBE_ADDRESS,	/* &x */
	PROBE_CAST,	/* (name *)x: stars is the number of pointers */
	PROBE_AT_OFFSET /* number(x): the bytes in memory at x + number, without a type */
};

struct probe_step {
	enum probe_step_kind kind;
	const char *name;
	int64_t number;
	unsigned stars;
};

enum probe_root {
	PROBE_VARIABLE,	 /* name: of the place, or a global one */
	PROBE_GLOBAL,	 /* @name */
	PROBE_REGISTER,	 /* %name */
	PROBE_RESULT,	 /* $retval */
	PROBE_ARGUMENT,	 /* $argN: number */
	PROBE_ALL,	 /* $vars */
	PROBE_PARAMETERS /* $params, $args */
};

struct probe_expression {
	const char *text;  /* the whole argument, as given */
	const char *name;  /* NAME=; NULL: not given */
	const char *value; /* the part between NAME= and :TYPE, as given */
	const char *type;  /* after the colon; NULL: not given */
	enum probe_root root;
	const char *variable; /* of VARIABLE, GLOBAL and REGISTER */
	unsigned number;      /* of ARGUMENT, from 1 on */
	struct probe_step steps[PROBE_STEPS_MOST];
	size_t step_count;
};

struct probe_text {
	char *memory;	      /* all texts */
	const char *event;    /* EVENT=; NULL: not given */
	const char *function; /* or a pattern; NULL: none */
	const char *file;     /* of FILE:LINE; NULL: none */
	uint64_t line;	      /* of FUNCTION:LINE (0: where it is declared) and FILE:LINE */
	bool has_line, is_return;
	uint64_t offset; /* FUNCTION+OFFSET; without a function: an offset in the object's file */
	const char *provider, *marker; /* of a USDT probe; NULL: none */
	struct probe_expression *arguments;
	size_t argument_count;
};

/* Parses [EVENT=]PLACE [ARGUMENT...]. Returns NULL if that succeeds. pk_probe_text_free() frees the
 * result. Otherwise returns a sentence about the error, and nothing needs to be freed. */
const char *pk_probe_text_parse(struct probe_text *probe, const char *text);
void pk_probe_text_free(struct probe_text *probe);

#endif
