/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_MESSAGES_HELD_H
#define PK_TOP_MESSAGES_HELD_H

/* While the screen is open, messages on stderr would spoil it: they are held in memory. */

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

/* From now on, stderr is held. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status messages_hold(void);
/* Copies the last line that was not returned before, without the program's name, to text. Returns
 * false if there is none. */
bool messages_last(char *text, size_t size);
/* Further messages are dropped. */
void messages_stop(void);
/* Writes the messages to the stderr of before. Does nothing if stderr is not held. */
void messages_release(void);

#endif
