/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MESSAGES_H
#define PK_MESSAGES_H

/* The reports of a library to its caller: messages in their order, a flag for exhausted memory, and
 * the failed lookups. The caller prints them. A struct of all zero bytes is empty. */

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "failures.h"

/* The most bytes of `text`. A message that does not fit is not stored. It is only counted in
 * `omitted`. */
#define PK_MESSAGES_MAX (256u << 10)

enum pk_severity { PK_SEVERITY_ERROR, PK_SEVERITY_WARNING, PK_SEVERITY_INFO };

/* The messages and the failures that a library has stored for its caller. */
struct pk_messages {
	struct buffer text; /* for each message: a byte for the severity, the text, and a NUL */
	size_t omitted;	    /* the number of messages that were not stored */
	bool quiet; /* The caller sets it to true if messages shall be dropped, and not even be
		     * counted. */
	bool no_memory;
	struct pk_failures failures;
};

/* Each of these functions adds a message. A message is a line without a newline. It is cut to 4095
 * bytes. pk_messages_error() returns PK_FAILED. */
enum pk_status pk_messages_error(struct pk_messages *messages, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void pk_messages_warn(struct pk_messages *messages, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void pk_messages_info(struct pk_messages *messages, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Sets no_memory. Returns PK_NOMEM. */
enum pk_status pk_messages_no_memory(struct pk_messages *messages);

/* Returns the messages one by one, and NULL after the last message. Before the first call, *at is
 * 0. */
const char *pk_messages_next(const struct pk_messages *messages, size_t *at,
			     enum pk_severity *severity);
/* Clears everything except quiet, and frees the memory. */
void pk_messages_clear(struct pk_messages *messages);

#endif
