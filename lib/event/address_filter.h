/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ADDRESS_FILTER_H
#define PK_ADDRESS_FILTER_H

#include "messages.h"

/* Converts the filter of a hardware trace to the form that the kernel accepts: it replaces names of
 * functions by offsets in their files, or by addresses of the kernel. The text is a list of
 *
 *     ACTION START [/ SIZE or FUNCTION] [@ FILE]
 *
 * separated by commas or blanks. ACTION is filter, start, stop or tracestop. START is a function or
 * a number; with FILE, a number is an offset in the file. "NAME #2" is the second function of that
 * name. "*" is the whole file. Without a size, filter and tracestop are for the whole function.
 * After / a function means the range up to the end of this function.
 *
 * The caller frees the result. Returns NULL after a message. */
char *pk_address_filter(const char *text, struct pk_messages *messages);

#endif
