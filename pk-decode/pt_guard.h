/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PT_GUARD_H
#define PK_PT_GUARD_H

/* Calls of libraries that were not written for hostile input. */

#include <stdbool.h>

/* Calls a function. Returns false if it has crashed, or has used a second of processor time: the
 * state of everything that it has changed is then unknown. */
bool pt_guard(void (*function)(void *arg), void *arg);

#endif
