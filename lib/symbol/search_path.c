// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "search.h"

bool pk_make_path(pk_path path, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(path, sizeof(pk_path), format, args);
	va_end(args);
	return n >= 0 && (size_t)n < sizeof(pk_path);
}

bool pk_leaves_its_root(const char *path)
{
	for (const char *dots = strstr(path, "/.."); dots; dots = strstr(dots + 1, "/.."))
		if (!dots[3] || dots[3] == '/')
			return true;
	return false;
}

enum pk_object_state pk_search_failed(const struct pk_search *s, const char *path, int error)
{
	if (pk_is_failure(error))
		pk_failed(s->failures, path, error);
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case ESRCH:
	case ENAMETOOLONG: return PK_OBJECT_NO_FILE;
	case EACCES:
	case EPERM: return PK_OBJECT_DENIED;
	case ENOMEM: return PK_OBJECT_NO_MEMORY;
	default: return pk_is_failure(error) ? PK_OBJECT_FAILED : PK_OBJECT_UNUSABLE;
	}
}

bool pk_cache_path(const struct pk_search *s, const char *name, pk_path path)
{
	char hex[PK_BUILD_ID_HEX];

	if (s->build_id->size < 2 || !*s->where->cache_dir)
		return false;
	pk_build_id_format(s->build_id, hex);
	return pk_make_path(path, "%s/.build-id/%.2s/%s/%s", s->where->cache_dir, hex, hex + 2,
			    name);
}

const char *pk_state_text(enum pk_object_state state)
{
	switch (state) {
	case PK_OBJECT_UNREAD: break;
	case PK_OBJECT_READY: return "has symbols";
	case PK_OBJECT_NO_FILE: return "no such file";
	case PK_OBJECT_DENIED: return "may not be read";
	case PK_OBJECT_NOT_TRUSTED: return "belongs to another user, and is not used";
	case PK_OBJECT_UNUSABLE: return "is not a file with symbols, or is damaged";
	case PK_OBJECT_OTHER_BUILD: return "is of another build";
	case PK_OBJECT_GONE:
		return "is gone: it was deleted, replaced or in a container, and its process has "
		       "ended "
		       "or only root may read it (pk-inject and pk-archive keep it before)";
	case PK_OBJECT_STRIPPED: return "has no symbols, and no debug file was found";
	case PK_OBJECT_NOT_A_FILE: return "is not a file";
	case PK_OBJECT_HIDDEN: return "shows no addresses (kptr_restrict)";
	case PK_OBJECT_NO_MEMORY: return "out of memory";
	case PK_OBJECT_FAILED: return "could not be read";
	}
	return "not read";
}
