/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_BUILD_ID_LIST_H
#define PK_ARCHIVE_BUILD_ID_LIST_H

/* Objects and their build-ids, from recordings or from the build-id cache. */

#include "build_id.h"

struct build_id_list {
	struct listed {
		char hex[PK_BUILD_ID_HEX]; /* "": none */
		char *path;
	} * items;
	size_t count, capacity;
};

/* Copies both texts. False: out of memory. */
bool build_id_list_add(struct build_id_list *listing, const char *hex, const char *path);
/* Prints the list to stdout, like perf buildid-list: sorted by path, each object once. */
void build_id_list_print(struct build_id_list *listing);
void build_id_list_free(struct build_id_list *listing);

#endif
