/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_MESSAGES_HELD_H
#define PK_TOP_MESSAGES_HELD_H

/* Holds messages. While the screen is open, messages on stderr would destroy its content. So they
 * are written to memory instead. */

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

/* From this call on, stderr is held. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status messages_hold(void);
/* Copies the last line to text, without the program's name. Returns false if no line was added
 * since the last call. */
bool messages_last(char *text, size_t size);
/* Drops all messages that come after this call. */
void messages_stop(void);
/* Restores the previous stderr, and writes the messages to it. Does nothing if stderr is not held.
 */
void messages_release(void);

#endif
