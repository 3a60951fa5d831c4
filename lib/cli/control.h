/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTROL_H
#define PK_CONTROL_H

/* The option --control: another program sends commands through a FIFO or an inherited descriptor,
 * one word on each line. */

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

enum control_command {
	CONTROL_NONE, /* no complete line has arrived */
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_SNAPSHOT,
	CONTROL_UNKNOWN, /* unknown command; a message was printed */
};

struct control {
	int in, ack; /* descriptors; in -1: no writer is left; ack -1: no acknowledgements */
	char line[64];
	size_t used;
};

/* The text is "fifo:IN[,ACK]" with paths or "fd:IN[,ACK]" with numbers. Returns PK_FAILED after a
 * message. */
PK_MUST_CHECK enum pk_status pk_control_open(struct control *control, const char *text);
void pk_control_close(struct control *control);
/* Returns the next command. Never waits. */
enum control_command pk_control_next(struct control *control);
/* Acknowledges that the command was executed: writes "ack" and a newline. */
void pk_control_acknowledge(const struct control *control);

#endif
