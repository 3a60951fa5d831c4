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
	PK_CALL_OF_FCNTL, /* depends on the argument before it, which is the command of fcntl(2) */
	PK_CALL_MODE_OF_OPEN, /* the mode of open(2), which is printed only if the flags have
			       * O_CREAT */
	PK_CALL_FILE_OF_MAP,  /* the file and the offset of mmap(2), which are not printed for an
			       * anonymous map */
	PK_CALL_OF_FUTEX, /* an argument of futex(2), which is printed only if the operation uses it
			   */
	PK_CALL_OF_PRCTL, /* arguments of prctl(2) from the third on, which are not printed with
			   * PR_SET_NAME */
	PK_CALL_PROTOCOL, /* the protocol of socket(2), whose words depend on the address family */
};

/* An argument of a call: its name, kind and place in the sample. */
struct pk_call_argument {
	const char *name; /* name of the argument; NULL if it is unknown */
	const char *kind; /* see pk_syscall_signature() */
	/* The words for numbers of this kind; NULL if the kind has no words. */
	const struct pk_syscall_words *words;
	/* field with the value, or NULL if the value is an element of `args`. */
	const struct pk_tracepoint_field *field;
	const struct pk_tracepoint_field *target; /* field that contains the text or bytes to which
						   * the argument points; NULL if there is none */
	enum pk_target target_kind; /* what the field `target` contains; set only if it is a field
				     * of raw_syscalls:sys_enter */
	uint16_t name_size, kind_size;
	enum pk_call_rule rule;
	bool shows_zero;
	uint8_t index;
	uint8_t label_size; /* size of `label` in bytes; 0 if the name of the argument is too long
			     * for it */
	char label[27]; /* the text ", NAME: " that precedes the value, where NAME is the name of
			 * the argument */
};

/* The description of a system call. */
struct pk_call {
	const char *name; /* name of the system call; NULL if it is unknown */
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
