// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "jit_follow.h"

/* A jitdump of a process, and how much of it was added. */
struct jit_dump {
	struct jit_dump *next; /* The jitdump that the process has written before this one, for
				* example before an exec. NULL if there is none. */
	struct pk_object *object;
	size_t done; /* how many functions of the jitdump were added to the address space */
	char path[];
};

enum { DUMPS_MAX = 16 }; /* the highest number of jitdumps for one process */

enum pk_status pk_jit_follow_add(struct jit_follow *follow, struct pk_symbols *symbols,
				 uint32_t pid, const char *path)
{
	struct jit_dump *first = pk_table_get(&follow->dumps, pid), *dump;
	size_t size = strlen(path) + 1;
	int count = 0;

	for (dump = first; dump; dump = dump->next)
		if (!strcmp(dump->path, path) || ++count == DUMPS_MAX)
			return PK_OK;
	dump = malloc(sizeof(*dump) + size);
	if (!dump)
		return PK_NOMEM;
	*dump = (struct jit_dump){
		.next = first,
		.object = pk_symbols_jitdump(symbols, path, (pid_t)pid),
	};
	memcpy(dump->path, path, size);
	if (dump->object && pk_table_set(&follow->dumps, pid, dump) == PK_OK)
		return PK_OK;
	free(dump);
	return PK_NOMEM;
}

static enum pk_status catch_up(struct jit_follow *follow, struct jit_dump *dump,
			       struct pk_session *session, uint32_t pid, uint64_t time)
{
	const struct pk_code *codes;
	size_t count = pk_object_codes(dump->object, &codes);

	for (; dump->done < count && codes[dump->done].time <= time; dump->done++) {
		const struct pk_code *code = &codes[dump->done];
		const struct pk_code_map map = {.pid = pid,
						.path = dump->path,
						.start = code->start,
						.size = code->size,
						.offset = code->offset};

		if (pk_session_map_code(session, &map) == PK_NOMEM)
			return PK_NOMEM;
		if (code->moved && follow->moved)
			follow->moved(follow->arg, &map);
	}
	return PK_OK;
}

enum pk_status pk_jit_follow_to(struct jit_follow *follow, struct pk_session *session, uint32_t pid,
				uint64_t time)
{
	enum pk_status status = PK_OK;

	for (struct jit_dump *dump = pk_table_get(&follow->dumps, pid); dump && !status;
	     dump = dump->next)
		status = catch_up(follow, dump, session, pid, time);
	return status;
}

void pk_jit_follow_clear(struct jit_follow *follow)
{
	struct jit_dump *dump;
	size_t cursor = 0;

	while ((dump = pk_table_next_value(&follow->dumps, &cursor))) {
		while (dump) {
			struct jit_dump *next = dump->next;

			free(dump);
			dump = next;
		}
	}
	pk_table_free(&follow->dumps);
}
