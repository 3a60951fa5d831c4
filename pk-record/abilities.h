/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_ABILITIES_H
#define PK_RECORD_ABILITIES_H

/* For --check: prints what this user can record on this machine, and what to do about the rest. It
 * opens events as for a recording, but enables none. Returns PK_EXIT_OK if programs of this user
 * can be recorded, otherwise PK_EXIT_FAILED. */
int abilities_print(void);

#endif
