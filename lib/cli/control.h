/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTROL_H
#define PK_CONTROL_H

/* --control: a program tells us what to do, one word in each line. */

#include <stdbool.h>
#include <stddef.h>

enum control_command {
	CONTROL_NONE, /* no (more) whole line */
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_SNAPSHOT,
	CONTROL_UNKNOWN, /* which has been said */
};

struct control {
	int in, ack; /* -1: none */
	char line[64];
	size_t used;
};

/* "fifo:IN[,ACK]" or "fd:IN[,ACK]". False after a message. */
bool control_open(struct control *control, const char *text);
void control_close(struct control *control);
/* Never waits. */
enum control_command control_next(struct control *control);
/* What was said has been done. */
void control_acknowledge(const struct control *control);

#endif
