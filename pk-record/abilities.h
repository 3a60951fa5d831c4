/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_ABILITIES_H
#define PK_RECORD_ABILITIES_H

/* For --check: prints what this user can record on this machine. If something cannot be recorded,
 * prints what to do about it. Opens events as a recording does, but enables none. Returns
 * PK_EXIT_OK if programs of this user can be recorded, and otherwise PK_EXIT_FAILED. */
int abilities_print(void);

#endif
