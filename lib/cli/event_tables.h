/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EVENT_TABLES_H
#define PK_EVENT_TABLES_H

struct pk_messages;
struct pmu_json;

/* Returns the events and metrics of this machine's processor, from the tables in share/pk/events.
 * The tables are read when a name is looked up. Without tables, there are no events. The caller
 * frees the result. Returns NULL if memory is exhausted. */
struct pmu_json *pk_event_tables(struct pk_messages *messages);

#endif
