/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SHELL_WORD_H
#define SHELL_WORD_H

#include "buffer.h"

/* Adds a word as a shell reads it: in quotes where needed. Bytes that could harm a terminal are
 * written as $'\033', which bash, zsh, ksh and POSIX.1-2024 read. */
void shell_word(struct buffer *text, const char *word);

#endif
