/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTROL_H
#define PK_CONTROL_H

/* The option --control. Another program sends commands through a FIFO or an inherited descriptor.
 * Each line has one command, which is one word. */

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

/* The commands that another program can send. */
enum control_command {
	CONTROL_NONE, /* no complete line has arrived yet */
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_SNAPSHOT,
	CONTROL_UNKNOWN, /* The command is unknown, and a warning was printed. */
};

/* The descriptors of the option --control, and the bytes of the current line. */
struct control {
	int in, ack; /* The descriptors. `in` is -1 if there is no writer any more. `ack` is -1 if
		      * there are no acknowledgements. */
	char line[64];
	size_t used;
};

/* The text is "fifo:IN[,ACK]" with paths, or "fd:IN[,ACK]" with numbers of descriptors. If it
 * fails, prints a message and returns PK_FAILED. */
PK_MUST_CHECK enum pk_status pk_control_open(struct control *control, const char *text);
void pk_control_close(struct control *control);
/* Returns the next command, or CONTROL_NONE. Never waits. */
enum control_command pk_control_next(struct control *control);
/* Writes "ack" and a newline after a command was executed. */
void pk_control_acknowledge(const struct control *control);

#endif
