// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failures.h"
#include "file.h"
#include "jitdump.h"
#include "pkstream.h"
#include "vector.h"

/* ---- A buffer for reading the file ---- */

enum { WINDOW = 256 << 10, MOST = 64 << 10 };

/* A buffer with a part of the jitdump. */
struct pk_jit_view {
	int fd;
	const char *path;
	struct pk_failures *failures;
	uint64_t size, base, end; /* `size` is the size of the file in bytes; `bytes` contains its
				   * bytes from `base` to `end` */
	uint8_t bytes[WINDOW];
};

/* Prepares to read a file of this size through a buffer. `path` is used to report failures. Returns
 * NULL if memory is exhausted. */
static struct pk_jit_view *pk_jit_view_new(int fd, uint64_t size, const char *path,
					   struct pk_failures *failures)
{
	struct pk_jit_view *view = pk_need(failures, malloc(sizeof(*view)));

	if (!view)
		return NULL;
	view->fd = fd;
	view->path = path;
	view->failures = failures;
	view->size = size;
	view->base = view->end = 0;
	return view;
}

static void pk_jit_view_free(struct pk_jit_view *view)
{
	free(view);
}

/* Returns n bytes at an offset. n is at most 64 KiB. The bytes are valid until the next call.
 * Returns NULL if the file ends before these bytes, or if a read fails. */
static const uint8_t *pk_jit_view_at(struct pk_jit_view *view, uint64_t offset, uint64_t n)
{
	uint64_t most;
	ssize_t got;

	assert(n <= MOST);
	if (offset > view->size || n > view->size - offset)
		return NULL;
	if (offset >= view->base && offset + n <= view->end)
		return view->bytes + (offset - view->base);
	view->base = view->end = offset;
	while (view->end - offset < n) {
		most = WINDOW - (view->end - offset);
		most = view->size - view->end < most ? view->size - view->end : most;
		got = pread(view->fd, view->bytes + (view->end - offset), most, (off_t)view->end);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			pk_failed(view->failures, view->path, got ? errno : 0);
			return NULL;
		}
		view->end += (uint64_t)got;
	}
	return view->bytes;
}

/* ---- Records ---- */

#define MAGIC	  UINT32_C(0x4a695444)
#define OWN_TIMES (UINT64_C(1) << 0) /* flag: times are from the processor's clock */

enum {
	HEADER_SIZE = 40,
	RECORD_SIZE = 16,
	LOAD_SIZE = 56,
	MOVE_SIZE = 64,
	DEBUG_SIZE = 32,
	UNWINDING_SIZE = 40
};
enum { TEXT_MAX = 16 << 10 };

enum record_id { CODE_LOAD, CODE_MOVE, CODE_DEBUG_INFO, CODE_CLOSE, CODE_UNWINDING_INFO };

/* The offset of a record and its end in the file, and fields of its header. */
struct record {
	uint64_t at, end;
	uint32_t id;
	uint64_t time;
};

static enum pk_status grow(struct pk_jitdump *j, void *array, size_t *room, size_t count,
			   size_t size)
{
	return pk_need_room(j->failures, pk_reserve(array, room, count, 1, size));
}

/* ---- Codes by their index; a record of moved code refers to this index ---- */

static enum pk_status add_code(struct pk_jitdump *j, const struct pk_code *code, uint64_t index)
{
	PK_TRY(grow(j, &j->codes, &j->code_room, j->code_count, sizeof(*j->codes)));
	PK_TRY(pk_need_room(j->failures, pk_table_set_u64(&j->numbers, index, j->code_count + 1)));
	j->codes[j->code_count++] = *code;
	return PK_OK;
}

/* ---- Lines ---- */

static int by_place(const void *a, const void *b)
{
	const struct pk_jit_line *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Returns the number of bytes to subtract from the addresses of lines, which are sorted. V8 adds 64
 * bytes to the addresses, because perf writes an ELF header of this size before the code. Then the
 * last addresses are after the end of the code, and the first address is at least 64 bytes after
 * the start of the code. */
static uint64_t bias_of(const struct pk_jit_lines *lines, uint64_t start, uint64_t size, bool v8)
{
	const uint64_t first = lines->list[0].at, last = lines->list[lines->count - 1].at;

	return v8 || (first - start >= 64 && last - start >= size) ? 64 : 0;
}

static enum pk_status place_lines(struct pk_jitdump *j, const struct pk_code *code, bool v8)
{
	struct pk_jit_lines *pending = &j->pending;
	uint64_t bias;

	if (j->pending_address != code->start || !pending->count) {
		pending->count = 0;
		return PK_OK;
	}
	qsort(pending->list, pending->count, sizeof(*pending->list), by_place);
	bias = bias_of(pending, code->start, code->size, v8);
	for (size_t i = 0; i < pending->count; i++) {
		struct pk_jit_line line = pending->list[i];
		uint64_t in_code = line.at - code->start - bias;

		if (in_code >= code->size)
			continue; /* the line is not in the code; if it is before the code, in_code
				   * has wrapped around */
		line.at = code->offset + in_code;
		PK_TRY(grow(j, &j->lines.list, &j->lines.room, j->lines.count, sizeof(line)));
		j->lines.list[j->lines.count++] = line;
	}
	pending->count = 0;
	return PK_OK;
}

bool pk_jitdump_line(const struct pk_jitdump *j, uint64_t offset, struct pk_source *source)
{
	size_t low = 0, high = j->lines.count;
	const struct pk_symtable_entry *e = pk_symtable_find(&j->symbols, offset);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (j->lines.list[middle].at <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || !e || j->lines.list[low - 1].at < pk_symtable_start(e))
		return false;
	*source = (struct pk_source){.line = j->lines.list[low - 1].line};
	if (j->lines.list[low - 1].file)
		source->file = j->symbols.names + j->lines.list[low - 1].file;
	return source->file || source->line;
}

/* ---- Unwinding information ---- */

/* Assigns the unwinding information that was read last to the code whose record follows it. */
static enum pk_status place_unwinding(struct pk_jitdump *j, const struct pk_code *code)
{
	struct pk_jit_unwinding unwinding = j->next_unwinding;

	j->next_unwinding.size = 0;
	if (!unwinding.size)
		return PK_OK;
	PK_TRY(grow(j, &j->unwindings, &j->unwinding_room, j->unwinding_count, sizeof(unwinding)));
	unwinding.code = code->offset;
	unwinding.code_size = code->size;
	j->unwindings[j->unwinding_count++] = unwinding;
	return PK_OK;
}

const struct pk_jit_unwinding *pk_jitdump_unwinding(const struct pk_jitdump *j, uint64_t offset)
{
	size_t low = 0, high = j->unwinding_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (j->unwindings[middle].code <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low && offset - j->unwindings[low - 1].code < j->unwindings[low - 1].code_size
		       ? &j->unwindings[low - 1]
		       : NULL;
}

uint8_t *pk_jitdump_bytes(const struct pk_jitdump *j, int fd,
			  const struct pk_jit_unwinding *unwinding)
{
	struct pk_jit_view *view =
		pk_jit_view_new(fd, unwinding->at + unwinding->size, j->path, j->failures);
	const uint8_t *p = view ? pk_jit_view_at(view, unwinding->at, unwinding->size) : NULL;
	uint8_t *bytes = p ? pk_need(j->failures, malloc(unwinding->size)) : NULL;

	if (bytes)
		memcpy(bytes, p, unwinding->size);
	pk_jit_view_free(view);
	return bytes;
}

/* ---- Records ---- */

static uint64_t get64(const struct pk_jitdump *j, const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return j->swapped ? __builtin_bswap64(v) : v;
}

static uint32_t get32(const struct pk_jitdump *j, const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return j->swapped ? __builtin_bswap32(v) : v;
}

/* Returns a text of the record. *size includes its NUL. Returns NULL if there is no NUL within 16
 * KiB. */
static const char *text_at(struct pk_jit_view *view, uint64_t at, uint64_t end, size_t *size)
{
	const uint64_t room = end - at < TEXT_MAX ? end - at : TEXT_MAX;
	const char *text = at < end ? (const char *)pk_jit_view_at(view, at, room) : NULL;

	if (!text || !memchr(text, 0, room))
		return NULL;
	*size = strlen(text) + 1;
	return text;
}

/* Returns whether a name starts with a kind of code that V8 writes. */
static bool is_v8(const char *name)
{
	static const char *const kinds[] = {
		"JS:",	    "LazyCompile:", "Function:", "Script:",	    "Eval:",
		"Builtin:", "Stub:",	    "RegExp:",	 "BytecodeHandler:"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(name, kinds[i], strlen(kinds[i])))
			return true;
	return false;
}

/* Reads a record with these fields: pid, tid, vma, code_addr, code_size, code_index, the name, the
 * code. */
static enum pk_status add_load(struct pk_jitdump *j, struct pk_jit_view *view,
			       const struct record *record)
{
	const uint8_t *p = pk_jit_view_at(view, record->at, LOAD_SIZE);
	struct pk_code code = {.time = j->times ? record->time : 0};
	uint64_t index;
	const char *name;
	uint32_t where;
	size_t size;
	bool v8;

	if (!p || record->end - record->at < LOAD_SIZE)
		return PK_OK;
	code.start = get64(j, p + 32);
	code.size = get64(j, p + 40);
	index = get64(j, p + 48);
	name = text_at(view, record->at + LOAD_SIZE, record->end, &size);
	if (!name)
		return PK_OK;
	if (!code.size || code.size > record->end - (record->at + LOAD_SIZE + size) ||
	    code.start + code.size < code.start)
		return PK_OK;
	code.offset = record->end - code.size; /* counted from the end of the record, as in perf,
						* because padding can follow the name */
	v8 = is_v8(name);
	if (size > 1) {
		PK_TRY(pk_symtable_names(&j->symbols, name, size, &where));
		PK_TRY(pk_symtable_add(&j->symbols, code.offset, code.size, where, 0));
	}
	PK_TRY(place_lines(j, &code, v8));
	PK_TRY(place_unwinding(j, &code));
	return add_code(j, &code, index);
}

/* Reads a record with these fields: pid, tid, vma, old_code_addr, new_code_addr, code_size,
 * code_index. */
static enum pk_status add_move(struct pk_jitdump *j, struct pk_jit_view *view,
			       const struct record *record)
{
	const uint8_t *p = pk_jit_view_at(view, record->at, MOVE_SIZE);
	uint64_t number;
	struct pk_code code;

	if (!p || record->end - record->at < MOVE_SIZE)
		return PK_OK;
	number = pk_table_get_u64(&j->numbers, get64(j, p + 56));
	if (!number)
		return PK_OK;
	code = j->codes[number - 1];
	code.time = j->times ? record->time : 0;
	code.start = get64(j, p + 40);
	code.moved = true;
	if (code.start + code.size < code.start)
		return PK_OK;
	return add_code(j, &code, get64(j, p + 56));
}

/* Adds a line. Its entry has these fields: addr, line, discriminator, and the name of the file. The
 * name "\xff" means the file of the previous entry. */
static enum pk_status add_line(struct pk_jitdump *j, const uint8_t *p, const char *name,
			       size_t size)
{
	struct pk_jit_line line = {.at = get64(j, p), .line = get32(j, p + 8)};
	struct pk_jit_lines *pending = &j->pending;

	if (line.line > INT32_MAX)
		line.line = 0;
	if (!strcmp(name, "\xff"))
		line.file = pending->count ? pending->list[pending->count - 1].file : 0;
	else if (size > 1 && pk_symtable_names(&j->symbols, name, size, &line.file) != PK_OK)
		return PK_NOMEM;
	PK_TRY(grow(j, &pending->list, &pending->room, pending->count, sizeof(line)));
	pending->list[pending->count++] = line;
	return PK_OK;
}

/* Reads a record with these fields: code_addr, the number of entries, the entries. */
static enum pk_status add_debug(struct pk_jitdump *j, struct pk_jit_view *view,
				const struct record *record)
{
	const uint8_t *p = pk_jit_view_at(view, record->at, DEBUG_SIZE);
	uint64_t at = record->at + DEBUG_SIZE, left;
	uint8_t head[16];
	const char *name;
	size_t size;

	if (!p || record->end - record->at < DEBUG_SIZE)
		return PK_OK;
	j->pending.count = 0;
	j->pending_address = get64(j, p + 16);
	left = get64(j, p + 24);
	for (; left && record->end - at > sizeof(head); left--) {
		p = pk_jit_view_at(view, at, sizeof(head));
		if (!p)
			break;
		memcpy(head, p, sizeof(head));
		name = text_at(view, at + sizeof(head), record->end, &size);
		if (!name)
			break;
		PK_TRY(add_line(j, head, name, size));
		at += sizeof(head) + size;
	}
	return PK_OK;
}

/* Reads a record with these fields: unwinding_size, eh_frame_hdr_size, mapped_size, the
 * information. mapped_size is the size of the memory that the compiler reserves for the
 * information. */
static void decode_unwinding(struct pk_jitdump *j, struct pk_jit_view *view,
			     const struct record *record)
{
	const uint8_t *p = pk_jit_view_at(view, record->at, UNWINDING_SIZE);
	uint64_t size, header_size;

	j->next_unwinding.size = 0;
	if (!p || record->end - record->at < UNWINDING_SIZE)
		return;
	size = get64(j, p + 16);
	header_size = get64(j, p + 24);
	if (size > record->end - record->at - UNWINDING_SIZE || size > PK_JIT_UNWINDING_MAX ||
	    header_size > size)
		return;
	j->next_unwinding = (struct pk_jit_unwinding){.at = record->at + UNWINDING_SIZE,
						      .size = (uint32_t)size,
						      .header_size = (uint32_t)header_size};
}

static enum pk_status decode_record(struct pk_jitdump *j, struct pk_jit_view *view,
				    const struct record *record)
{
	enum pk_status status;

	switch (record->id) {
	case CODE_LOAD:
		status = add_load(j, view, record);
		j->next_unwinding.size = 0; /* the information belongs to this record only, even if
					     * the record was invalid */
		return status;
	case CODE_UNWINDING_INFO: decode_unwinding(j, view, record); return PK_OK;
	case CODE_MOVE: return add_move(j, view, record);
	case CODE_DEBUG_INFO: return add_debug(j, view, record);
	default: return PK_OK; /* CODE_CLOSE and unknown records */
	}
}

static enum pk_status decode_header(struct pk_jitdump *j, struct pk_jit_view *view)
{
	const uint8_t *p = pk_jit_view_at(view, 0, HEADER_SIZE);

	if (!p)
		return PK_OK; /* the header is not written yet */
	j->swapped = get32(j, p) == __builtin_bswap32(MAGIC);
	if (get32(j, p) != MAGIC || get32(j, p + 8) < HEADER_SIZE)
		return PK_CORRUPT;
	j->times = !(get64(j, p + 32) & OWN_TIMES);
	j->machine = get32(j, p + 12);
	j->position = get32(j, p + 8);
	/* Offset 0 of the names is an empty name, because offset 0 means "unknown". */
	return pk_symtable_names(&j->symbols, "", 1, &(uint32_t){0});
}

enum pk_status pk_jitdump_read(struct pk_jitdump *j, int fd)
{
	struct pk_jit_view *view;
	struct stat st;
	enum pk_status status = PK_OK;

	if (fstat(fd, &st)) {
		pk_failed(j->failures, j->path, errno);
		return PK_FAILED;
	}
	if (st.st_size < 0 || !pk_file_is_dense(fd, (uint64_t)st.st_size))
		return PK_CORRUPT;
	j->symbols.failures = j->failures;
	view = pk_jit_view_new(fd, (uint64_t)st.st_size, j->path, j->failures);
	if (!view)
		return PK_NOMEM;
	if (!j->position)
		status = decode_header(j, view);
	while (status == PK_OK && j->position) {
		const uint8_t *p = pk_jit_view_at(view, j->position, RECORD_SIZE);
		struct record record = {.at = j->position};
		uint64_t size;

		if (!p)
			break;
		size = get32(j, p + 4);
		if (size < RECORD_SIZE) {
			status = PK_CORRUPT;
			break;
		}
		record.end = record.at + size;
		if (record.end > (uint64_t)st.st_size)
			break; /* the record is still being written */
		record.id = get32(j, p);
		record.time = get64(j, p + 8);
		status = decode_record(j, view, &record);
		j->position = record.end;
	}
	pk_jit_view_free(view);
	return status;
}

void pk_jitdump_clear(struct pk_jitdump *j)
{
	pk_symtable_clear(&j->symbols);
	free(j->codes);
	free(j->lines.list);
	free(j->pending.list);
	free(j->unwindings);
	pk_table_free(&j->numbers);
	*j = (struct pk_jitdump){.failures = j->failures, .path = j->path};
}
