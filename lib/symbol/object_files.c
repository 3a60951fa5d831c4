// SPDX-License-Identifier: BSD-2-Clause
/* Which files an object is made from, for who wants to take them along. */
#include <stdlib.h>
#include <string.h>

#include "elf_build_id.h"
#include "object.h"

static bool anything(const struct pk_elf *elf)
{
	(void)elf;
	return true;
}

/* A path that is not the first one's, or NULL. */
static char *other_path(char *path, const char *first)
{
	if (path && *path && strcmp(path, first))
		return path;
	free(path);
	return NULL;
}

static void find_debug(const struct pk_search *s, struct pk_files *files)
{
	struct pk_search search = *s;
	struct pk_found found;
	char *source = NULL;
	struct pk_elf *elf;

	search.build_id = &files->build_id;
	elf = pk_search_debug_info(&search, &source);
	pk_elf_close(elf);
	files->debug = other_path(source, files->file);
	if (files->debug)
		return;
	search.wanted = NULL;
	pk_search_file(&search, &found);
	if (found.runtime && found.source)
		files->debug = other_path(pk_need(s->failures, strdup(found.source)), files->file);
	pk_found_release(&found);
}

enum pk_object_state pk_symbols_files(struct pk_symbols *s, const char *path,
				      const struct pk_build_id *build_id, pid_t pid,
				      struct pk_files *files)
{
	const struct pk_search search = {
		.where = &s->options,
		.path = path,
		.build_id = build_id,
		.pid = pid,
		.wanted = anything,
		.failures = &s->failures,
	};
	const uint64_t failures = s->failures.count;
	struct pk_found found;
	enum pk_object_state state;

	*files = (struct pk_files){0};
	if (pk_is_vdso(path))
		pk_search_vdso(&search, &found);
	else
		pk_search_file(&search, &found);
	state = found.state;
	if (found.runtime && found.source) {
		pk_elf_build_id(found.runtime, &files->build_id);
		files->file = found.source;
		found.source = NULL;
		if (!pk_is_vdso(path))
			find_debug(&search, files);
	}
	pk_found_release(&found);
	return s->failures.count == failures ? state : PK_OBJECT_FAILED;
}

enum pk_object_state pk_symbols_kallsyms(struct pk_symbols *s, const struct pk_build_id *build_id,
					 int *fd)
{
	const struct pk_search search = {
		.where = &s->options,
		.path = s->options.kallsyms,
		.build_id = build_id,
		.failures = &s->failures,
	};
	enum pk_object_state state;
	char *source = NULL;
	bool verified;

	*fd = -1;
	state = pk_search_kallsyms(&search, fd, &source, &verified);
	free(source);
	return state;
}

const void *pk_symbols_own_vdso(struct pk_symbols *s, size_t *size)
{
	return pk_own_vdso(size, &s->failures);
}

void pk_files_release(struct pk_files *files)
{
	free(files->file);
	free(files->debug);
	*files = (struct pk_files){0};
}
