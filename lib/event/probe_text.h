/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser for the text of a probe: the place, and the arguments to read there. It does not look
 * up names. */
#ifndef PK_PROBE_TEXT_H
#define PK_PROBE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The highest number of steps in an expression. It bounds the time that one probe takes. */
enum { PROBE_STEPS_MOST = 16 };

/* The kinds of steps in an expression. Each step is applied to the result of the previous step. */
enum probe_step_kind {
	PROBE_MEMBER,	/* x.name */
	PROBE_ARROW,	/* x->name */
	PROBE_INDEX,	/* x[number] */
	PROBE_DEREF,	/* *x */
	PROBE_ADDRESS,	/* &x */
	PROBE_CAST,	/* (name *)x; stars is the number of '*' in the type */
	PROBE_AT_OFFSET /* number(x): reads the memory at x + number, which has no type */
};

struct probe_step {
	enum probe_step_kind kind;
	const char *name;
	int64_t number;
	unsigned stars;
};

/* The kinds of operands with which an expression starts. */
enum probe_root {
	PROBE_VARIABLE,	 /* the name of a variable that is visible at the place, or of a global
			  * variable */
	PROBE_GLOBAL,	 /* @name */
	PROBE_REGISTER,	 /* %name */
	PROBE_RESULT,	 /* $retval */
	PROBE_ARGUMENT,	 /* $argN, where N is number */
	PROBE_ALL,	 /* $vars */
	PROBE_PARAMETERS /* $params, $args */
};

/* An argument of a probe: an operand, and the steps that are applied to it. */
struct probe_expression {
	const char *text;  /* the whole text of the argument */
	const char *name;  /* the name of the argument, before '='; NULL if it is not given */
	const char *value; /* the text between NAME= and :TYPE */
	const char *type;  /* the text after the colon; NULL if it is not given */
	enum probe_root root;
	const char *variable; /* the name for PROBE_VARIABLE, PROBE_GLOBAL or PROBE_REGISTER */
	unsigned number;      /* the number N of PROBE_ARGUMENT, from 1 on */
	struct probe_step steps[PROBE_STEPS_MOST];
	size_t step_count;
};

/* The parsed text of a probe. */
struct probe_text {
	char *memory;	   /* the block of memory that contains all texts of this struct and of its
			    * arguments */
	const char *event; /* the name of the event, before '='; NULL if it is not given */
	const char *function; /* the name of a function, or a pattern; NULL if it is not given */
	const char *file;     /* the file of FILE:LINE; NULL if it is not given */
	uint64_t line; /* the line of FUNCTION:LINE or FILE:LINE; in a function, 0 is the line of
			* its declaration */
	bool has_line, is_return;
	uint64_t offset; /* the offset of FUNCTION+OFFSET, or, without a function, an offset in the
			  * file */
	const char *provider, *marker; /* the names of a USDT probe; NULL for other probes */
	struct probe_expression *arguments;
	size_t argument_count;
};

/* Parses [EVENT=]PLACE [ARGUMENT...]. Returns NULL if this succeeds, and pk_probe_text_free() must
 * then free the result. Otherwise returns a sentence about the error, and nothing needs to be
 * freed. */
const char *pk_probe_text_parse(struct probe_text *probe, const char *text);
void pk_probe_text_free(struct probe_text *probe);

#endif
