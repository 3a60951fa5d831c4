/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSCALL_WORDS_H
#define PK_SYSCALL_WORDS_H

/* The words for flags and constants in arguments of system calls, without their common prefix, as
 * perf trace prints them. */

#include "buffer.h"
#include "syscall_table.h"

/* The words of a kind of argument such as "prot", or NULL if the kind has none. */
struct pk_syscall_words;
const struct pk_syscall_words *pk_syscall_words(const char *kind, size_t size);
/* Adds the word of a value. Returns false, and adds nothing, if it has none. */
bool pk_syscall_word(struct buffer *out, const struct pk_syscall_words *words, enum pk_abi abi,
		     uint64_t value);
/* Whether there is a word for 0 that is worth printing. */
bool pk_syscall_word_for_zero(const struct pk_syscall_words *words);
/* The name of an error number: "ENOENT". Returns NULL if it is unknown. */
const char *pk_errno_name(uint64_t number);
bool pk_is_errno_name(const char *text, size_t size);

#endif
