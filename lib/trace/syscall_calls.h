/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSCALL_CALLS_H
#define PK_SYSCALL_CALLS_H

/* Describes system calls: the name of a call, and the names, kinds and places of its arguments.
 * Each call is described once, at its first sample. */

#include "syscall_signatures.h"
#include "syscall_text.h"
#include "syscall_words.h"

/* Whether an argument is printed, and how it is printed, can depend on other arguments. These rules
 * say how. */
enum pk_call_rule {
	PK_CALL_ALWAYS,
	PK_CALL_OF_FCNTL,     /* depends on the command before it */
	PK_CALL_MODE_OF_OPEN, /* printed only with O_CREAT */
	PK_CALL_FILE_OF_MAP,  /* not printed for an anonymous map */
	PK_CALL_OF_FUTEX,     /* depends on the operation */
	PK_CALL_OF_PRCTL,     /* not printed with PR_SET_NAME */
	PK_CALL_PROTOCOL,     /* depends on the family */
};

struct pk_call_argument {
	const char *name;		      /* NULL if it is unknown */
	const char *kind;		      /* see pk_syscall_signature() */
	const struct pk_syscall_words *words; /* words of the kind, or NULL */
	const struct pk_tracepoint_field
		*field; /* field with the value, or NULL if the value is an element of `args` */
	const struct pk_tracepoint_field
		*target;	    /* field with what the argument points to, or NULL */
	enum pk_target target_kind; /* used if `target` is a field of raw_syscalls:sys_enter */
	uint16_t name_size, kind_size;
	enum pk_call_rule rule;
	bool shows_zero;
	uint8_t index;
	uint8_t label_size; /* 0 if the name is too long for the label */
	char label[27];	    /* the text ", name: " */
};

struct pk_call {
	const char *name; /* NULL if it is unknown */
	size_t name_size;
	bool has_targets; /* raw_syscalls:sys_enter has a target for at least one argument */
	struct pk_call_arguments {
		struct pk_call_argument items[PK_CALL_ARGUMENTS_MAX];
		size_t count;
	} arguments;
};

/* Reads the number of the call from a sample of raw_syscalls:sys_enter. Returns false if the sample
 * lacks the number. */
bool pk_call_number(const struct pk_call_sample *sample, uint64_t *number);
/* Returns the description of the sample's call. It is *scratch if the description is not stored.
 * Returns NULL if the sample has no call. If memory is exhausted, returns NULL and sets
 * out->failed. */
const struct pk_call *pk_call_of(struct buffer *out, const struct pk_call_sample *sample,
				 struct pk_call *scratch);
/* Returns whether the sample contains a text that an argument of the call points to. */
bool pk_call_has_texts(const struct pk_call *call, const struct pk_call_sample *sample);
/* Appends what an argument points to. Returns false if the sample does not contain it. */
bool pk_call_add_target(struct buffer *out, const struct pk_call_sample *sample,
			const struct pk_call_argument *argument);
void pk_call_set_kind(struct pk_call_argument *argument, const char *kind, size_t size);

#endif
