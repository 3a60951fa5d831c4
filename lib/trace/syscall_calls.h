/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSCALL_CALLS_H
#define PK_SYSCALL_CALLS_H

/* What is known about a system call: its name, and the names, kinds and places of its arguments.
 * Each call is described once, at its first sample. */

#include "syscall_signatures.h"
#include "syscall_text.h"
#include "syscall_words.h"

/* Whether an argument is printed, and how, can depend on others. */
enum pk_call_rule {
	PK_CALL_ALWAYS,
	PK_CALL_OF_FCNTL,     /* by the command before it */
	PK_CALL_MODE_OF_OPEN, /* only with O_CREAT */
	PK_CALL_FILE_OF_MAP,  /* not of an anonymous map */
	PK_CALL_OF_FUTEX,     /* by the operation */
	PK_CALL_OF_PRCTL,     /* not with PR_SET_NAME */
	PK_CALL_PROTOCOL,     /* by the family */
};

struct pk_call_argument {
	const char *name;			  /* NULL: unknown */
	const char *kind;			  /* as in pk_syscall_signature() */
	const struct pk_syscall_words *words;	  /* of the kind, or NULL */
	const struct pk_tracepoint_field *field;  /* of the value; NULL: an element of `args` */
	const struct pk_tracepoint_field *target; /* of what it points to, or NULL */
	enum pk_target target_kind;		  /* with a target of raw_syscalls:sys_enter */
	uint16_t name_size, kind_size;
	enum pk_call_rule rule;
	bool shows_zero;
	uint8_t index;
	uint8_t label_size; /* 0: the name is too long for the label */
	char label[27];	    /* ", name: " */
};

struct pk_call {
	const char *name; /* NULL: unknown */
	size_t name_size;
	bool has_targets; /* of raw_syscalls:sys_enter */
	struct pk_call_arguments {
		struct pk_call_argument items[PK_CALL_ARGUMENTS_MAX];
		size_t count;
	} arguments;
};

/* The number of the call, of a sample of raw_syscalls:sys_enter. Returns false if the sample lacks
 * it. */
bool pk_call_number(const struct pk_call_sample *sample, uint64_t *number);
/* The description of the sample's call. It is *scratch if it is not stored. Returns NULL if there
 * is none, or memory is exhausted, which sets out->failed. */
const struct pk_call *pk_call_of(struct buffer *out, const struct pk_call_sample *sample,
				 struct pk_call *scratch);
/* Whether the sample has the text to which at least one argument of the call points. */
bool pk_call_has_texts(const struct pk_call *call, const struct pk_call_sample *sample);
/* Adds what an argument points to. Returns false if the sample does not have it. */
bool pk_call_add_target(struct buffer *out, const struct pk_call_sample *sample,
			const struct pk_call_argument *argument);
void pk_call_set_kind(struct pk_call_argument *argument, const char *kind, size_t size);

#endif
