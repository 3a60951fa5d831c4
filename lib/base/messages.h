/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MESSAGES_H
#define PK_MESSAGES_H

/* What a library reports to its caller: messages in order, exhausted memory, and failed lookups.
 * The caller prints them. A struct of all zero bytes is empty. */

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "failures.h"

/* Limit for the size of text, bytes; messages that do not fit are only counted in `omitted`. */
#define PK_MESSAGES_MAX (256u << 10)

enum pk_severity { PK_SEVERITY_ERROR, PK_SEVERITY_WARNING, PK_SEVERITY_INFO };

struct pk_messages {
	struct buffer text; /* of each message: a byte for the severity, the text, a NUL */
	size_t omitted;	    /* number of messages that exceeded PK_MESSAGES_MAX */
	bool quiet;	    /* set by the caller: messages are dropped and not counted */
	bool no_memory;
	struct pk_failures failures;
};

/* Add a message: a line without its newline, cut to 4095 bytes. pk_messages_error() returns false.
 */
enum pk_status pk_messages_error(struct pk_messages *messages, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void pk_messages_warn(struct pk_messages *messages, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void pk_messages_info(struct pk_messages *messages, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Sets no_memory. Returns false. */
enum pk_status pk_messages_no_memory(struct pk_messages *messages);

/* Returns the messages one by one, and NULL after the last one. *at is 0 at first. */
const char *pk_messages_next(const struct pk_messages *messages, size_t *at,
			     enum pk_severity *severity);
/* Clears everything except quiet, and frees the memory. */
void pk_messages_clear(struct pk_messages *messages);

#endif
