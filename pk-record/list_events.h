/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LIST_EVENTS_H
#define PK_LIST_EVENTS_H

/* --list: what can be recorded here, and what cannot and why, on stdout. glob: only names that
 * match; NULL: all. The exit status: 1 if nothing matches. */
int list_events(const char *glob);

#endif
