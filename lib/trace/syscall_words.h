/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSCALL_WORDS_H
#define PK_SYSCALL_WORDS_H

/* The words for flags and constants in arguments of system calls. As in perf trace, their common
 * prefix is left out. */

#include "buffer.h"
#include "syscall_table.h"

/* Returns the words of a kind of argument, such as "prot". Returns NULL if the kind has no words.
 */
struct pk_syscall_words;
const struct pk_syscall_words *pk_syscall_words(const char *kind, size_t size);
/* Appends the word for a value. If the value has no word, returns false and appends nothing. */
bool pk_syscall_word(struct buffer *out, const struct pk_syscall_words *words, enum pk_abi abi,
		     uint64_t value);
/* Returns whether 0 has a word that should be printed. */
bool pk_syscall_word_for_zero(const struct pk_syscall_words *words);
/* Returns the name of an error number, such as "ENOENT", or NULL if it is unknown. */
const char *pk_errno_name(uint64_t number);
bool pk_is_errno_name(const char *text, size_t size);

#endif
