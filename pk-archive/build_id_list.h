/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_BUILD_ID_LIST_H
#define PK_ARCHIVE_BUILD_ID_LIST_H

/* Objects and their build-ids: those of a recording, or of the build-id cache. */

#include "build_id.h"

struct build_id_list {
	struct listed {
		char hex[PK_BUILD_ID_HEX]; /* "": it has none */
		char *path;
	} * items;
	size_t count, capacity;
};

/* Copies both. False: out of memory. */
bool build_id_list_add(struct build_id_list *listing, const char *hex, const char *path);
/* To stdout, as perf buildid-list prints them: in the order of paths, each once. */
void build_id_list_print(struct build_id_list *listing);
void build_id_list_free(struct build_id_list *listing);

#endif
