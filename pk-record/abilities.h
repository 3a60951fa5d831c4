/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_ABILITIES_H
#define PK_RECORD_ABILITIES_H

/* Implements --check. Prints what this user can record on this machine. If something cannot be
 * recorded, prints what to do about it. Opens events as a recording does, but does not enable them.
 * Returns PK_EXIT_OK if this user can record programs of this user, and otherwise PK_EXIT_FAILED.
 */
int abilities_print(void);

#endif
