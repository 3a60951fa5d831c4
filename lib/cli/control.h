/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTROL_H
#define PK_CONTROL_H

/* --control: another program sends commands, one word on each line. */

#include <stdbool.h>
#include <stddef.h>

enum control_command {
	CONTROL_NONE, /* no (more) complete line */
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_SNAPSHOT,
	CONTROL_UNKNOWN, /* unknown command; a message was printed */
};

struct control {
	int in, ack; /* -1: none */
	char line[64];
	size_t used;
};

/* "fifo:IN[,ACK]" or "fd:IN[,ACK]". False after a message. */
bool control_open(struct control *control, const char *text);
void control_close(struct control *control);
/* Returns the next command. Never waits. */
enum control_command control_next(struct control *control);
/* Acknowledges that the command was executed. */
void control_acknowledge(const struct control *control);

#endif
