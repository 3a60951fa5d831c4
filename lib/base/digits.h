/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DIGITS_H
#define DIGITS_H

/*
 * Numbers as text, faster than printf. Each writes at p, without a NUL, and returns where it ends.
 * width: blanks come before what is shorter, as with printf's %*.
 */

#include <stdint.h>

#define DIGITS_MAX 32 /* the most that one of these writes with a width up to that */

char *digits_decimal(char *p, uint64_t value, unsigned int width);
/* Zeros before what is shorter. */
char *digits_zeros(char *p, uint64_t value, unsigned int width);
char *digits_signed(char *p, int64_t value, unsigned int width);
/* Blanks behind what is shorter. */
char *digits_left(char *p, int64_t value, unsigned int width);
char *digits_hex(char *p, uint64_t value, unsigned int width);

#endif
