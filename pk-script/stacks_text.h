/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef STACKS_TEXT_H
#define STACKS_TEXT_H

/* --layout stacks prints a line with the thread of each sample, and below it the stack. If the
 * sample is a snapshot (pk-record --snapshots), this line also has the state of the thread. */

#include "fields.h"

/* Selects the fields that the layout prints. Returns NULL, or the text of an error. */
const char *stacks_text_parse(struct fields *fields);

#endif
