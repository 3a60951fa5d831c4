// SPDX-License-Identifier: BSD-2-Clause
/* Objects whose files grow while their code runs: perf maps and jitdumps. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "jitdump.h"
#include "object.h"
#include "perfmap.h"

/* All perf maps together, in memory: a process that ends leaves its map behind. */
enum { PERF_MAPS_MAX = 1 << 30 };

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static uid_t owner_of(pid_t pid, struct pk_failures *failures)
{
	struct stat st;
	pk_path path;

	if (!pk_make_path(path, "/proc/%d", (int)pid))
		return (uid_t)-1;
	if (!stat(path, &st))
		return st.st_uid;
	if (pk_is_failure(errno))
		pk_failed(failures, path, errno);
	return (uid_t)-1;
}

static uint64_t bytes_of(const struct pk_symtable *t)
{
	return t->names_room + t->room * sizeof(*t->entries);
}

/* Replaces what was read before; *fd is closed. */
static bool parse_perf_map(struct pk_object *o, int fd)
{
	const struct pk_search search = pk_object_search(o);
	struct pk_symbols *store = o->store;
	uint64_t left;
	size_t size;
	char *text;

	store->perf_map_bytes -= bytes_of(&o->table);
	pk_symtable_clear(&o->table);
	o->table.failures = search.failures;
	left = store->perf_map_bytes < PERF_MAPS_MAX ? PERF_MAPS_MAX - store->perf_map_bytes : 0;
	text = pk_file_read(fd, left, &size);
	o->state = text ? PK_OBJECT_READY : PK_OBJECT_UNUSABLE;
	if (!text && errno == EFBIG)
		store->perf_maps_left_out++;
	else if (!text)
		o->state = pk_search_failed(&search, o->source, errno);
	close(fd);
	if (!text)
		return false;
	if (!pk_perf_map_parse(&o->table, text, size))
		o->state = PK_OBJECT_NO_MEMORY;
	store->perf_map_bytes += bytes_of(&o->table);
	return o->state == PK_OBJECT_READY;
}

bool pk_object_read_perf_map(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);
	const uid_t uid = o->uid == (uid_t)-1 ? owner_of(o->pid, search.failures) : o->uid;
	const uint64_t begun = now_ms();
	enum pk_object_state state;
	uint64_t changed, bytes;
	struct stat st;
	char *source;
	bool news;
	int fd;

	o->next_look = begun + 100;
	state = pk_search_perf_map(&search, uid, &fd, &source);
	if (state != PK_OBJECT_READY) {
		/* The process may be gone, and its map with it: what was read stays good. */
		if (!o->table.count)
			o->state = state;
		return false;
	}
	free(o->source);
	o->source = source;
	if (fstat(fd, &st)) {
		pk_failed(search.failures, o->source, errno);
		memset(&st, 0, sizeof(st));
	}
	bytes = (uint64_t)st.st_size;
	changed = (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec;
	if (o->file_time == changed && o->file_size == bytes) {
		close(fd);
		return false;
	}
	o->file_time = changed;
	o->file_size = bytes;
	news = parse_perf_map(o, fd);
	/* A map that takes long to read is not read again and again. */
	o->next_look += 10 * (now_ms() - begun);
	return news;
}

bool pk_object_may_look(const struct pk_object *o)
{
	return now_ms() >= o->next_look;
}

/* ---- jitdump ---- */

bool pk_object_read_jitdump(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);
	const uid_t uid = o->uid == (uid_t)-1 ? owner_of(o->pid, search.failures) : o->uid;
	const uint64_t begun = now_ms();
	size_t before;
	int fd;

	if (!o->dump) {
		o->dump = pk_need(search.failures, calloc(1, sizeof(*o->dump)));
		o->state = o->dump ? PK_OBJECT_READY : PK_OBJECT_NO_MEMORY;
		if (o->dump) {
			o->dump->failures = search.failures;
			o->dump->path = o->path;
		}
	}
	o->next_look = begun + 100;
	if (o->state == PK_OBJECT_NO_MEMORY || o->state == PK_OBJECT_UNUSABLE)
		return false;
	free(o->source);
	o->source = NULL;
	o->state = pk_search_jitdump(&search, uid, &fd, &o->source);
	before = o->dump->code_count;
	if (o->state != PK_OBJECT_READY) {
		/* It may be gone: what was read stays good. */
		o->state = before ? PK_OBJECT_READY : o->state;
		return false;
	}
	if (!pk_jitdump_read(o->dump, fd) && !o->dump->code_count)
		o->state = PK_OBJECT_UNUSABLE;
	close(fd);
	o->next_look += 10 * (now_ms() - begun);
	return o->dump->code_count > before;
}

size_t pk_object_codes(struct pk_object *o, const struct pk_code **codes)
{
	*codes = NULL;
	if (o->kind != PK_KIND_JITDUMP)
		return 0;
	if (o->state == PK_OBJECT_UNREAD || pk_object_may_look(o))
		pk_object_read_jitdump(o);
	if (!o->dump)
		return 0;
	*codes = o->dump->codes;
	return o->dump->code_count;
}

bool pk_object_jit_line(const struct pk_object *o, uint64_t address, struct pk_source *source)
{
	return o->dump && pk_jitdump_line(o->dump, address, source);
}

void pk_object_free_jitdump(struct pk_object *o)
{
	if (o->dump)
		pk_jitdump_clear(o->dump);
	free(o->dump);
}
