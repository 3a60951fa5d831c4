// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>

#include "tracepoint_internal.h"

/* ---- The payload (SPEC 6.3) ---- */

struct walker {
	struct pk_tracepoints *all;
	const uint8_t *at, *end;
	bool bad;
};

static const uint8_t *take(struct walker *walker, uint64_t size)
{
	const uint8_t *at = walker->at;

	if (walker->bad || size > (uint64_t)(walker->end - at)) {
		walker->bad = true;
		return NULL;
	}
	walker->at += size;
	return at;
}

/* 4 or 8 bytes. */
static uint64_t take_number(struct walker *walker, uint32_t size)
{
	struct pk_bytes bytes = {take(walker, size), size};

	return bytes.data ? tp_load(walker->all, &bytes, 0, size) : 0;
}

static const char *take_string(struct walker *walker)
{
	const uint8_t *nul = memchr(walker->at, 0, (size_t)(walker->end - walker->at));

	if (!nul) {
		walker->bad = true;
		return NULL;
	}
	return (const char *)take(walker, (uint64_t)(nul - walker->at) + 1);
}

/* A text behind its size of 4 or 8 bytes. */
static struct tp_slice take_file(struct walker *walker, uint32_t size_of_size)
{
	struct tp_slice file = {.size = take_number(walker, size_of_size)};

	file.data = (const char *)take(walker, file.size);
	if (!file.data)
		file.size = 0;
	return file;
}

static bool grow(struct pk_tracepoints *all, void **array, size_t *capacity, size_t count,
		 size_t size)
{
	size_t more = *capacity ? 2 * *capacity : 64;
	void *grown;

	if (count < *capacity)
		return true;
	grown = realloc(*array, more * size);
	if (!grown) {
		all->failed = true;
		return false;
	}
	*array = grown;
	*capacity = more;
	return true;
}

/* The number in the line "ID: N". */
static bool id_of(const struct tp_slice *format, uint64_t *id)
{
	const char *end = format->data + format->size;
	const char *p =
		memmem(format->data, format->size < 4096 ? format->size : 4096, "\nID: ", 5);

	if (!p)
		return false;
	*id = 0;
	for (p += 5; p < end && *p >= '0' && *p <= '9'; p++) {
		*id = 10 * *id + (uint64_t)(*p - '0');
		if (*id > UINT32_MAX)
			return false;
	}
	return true;
}

static void add_format(struct walker *walker, const char *system, const struct tp_slice *format)
{
	struct pk_tracepoints *all = walker->all;
	struct pk_tracepoint t = {.all = all, .system = system, .format = *format};

	/* What is not a format is passed over: its size is sound. */
	if (format->size < 6 || format->size > TP_TEXT_MAX || memcmp(format->data, "name: ", 6) ||
	    !id_of(format, &t.id))
		return;
	if (!grow(all, (void **)&all->list, &all->capacity, all->count, sizeof(*all->list))) {
		walker->bad = true;
		return;
	}
	all->list[all->count++] = t;
}

static void take_formats(struct walker *walker, const char *system)
{
	uint64_t count = take_number(walker, 4);
	struct tp_slice format;

	for (; count && !walker->bad; count--) {
		format = take_file(walker, 8);
		if (format.data)
			add_format(walker, system, &format);
	}
}

/* 0xffffffff81234567 : "text" */
static void add_string(struct walker *walker, const char *line, size_t size)
{
	struct pk_tracepoints *all = walker->all;
	const char *colon = memchr(line, ':', size);
	struct tp_string string = {0};
	char number[32];
	size_t length;

	if (!colon || (size_t)(colon - line) >= sizeof(number))
		return;
	memcpy(number, line, (size_t)(colon - line));
	number[colon - line] = '\0';
	string.address = strtoull(number, NULL, 16);
	length = size - (size_t)(colon - line);
	string.text = (struct tp_slice){colon + 1, length - 1};
	if (string.text.size && *string.text.data == ' ')
		string.text = (struct tp_slice){string.text.data + 1, string.text.size - 1};
	if (string.text.size && *string.text.data == '"')
		string.text = (struct tp_slice){string.text.data + 1, string.text.size - 1};
	if (string.text.size && string.text.data[string.text.size - 1] == '"')
		string.text.size--;
	if (string.text.size > 1 && !memcmp(string.text.data + string.text.size - 2, "\\n", 2))
		string.text.size -= 2;
	if (grow(all, (void **)&all->strings, &all->strings_capacity, all->strings_count,
		 sizeof(string)))
		all->strings[all->strings_count++] = string;
	else
		walker->bad = true;
}

static int by_address(const void *a, const void *b)
{
	const struct tp_string *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void take_strings(struct walker *walker)
{
	struct tp_slice file = take_file(walker, 4);
	const char *at = file.data, *end, *feed;

	if (!file.size)
		return;
	end = at + file.size;
	for (; at < end; at = feed + 1) {
		feed = memchr(at, '\n', (size_t)(end - at));
		if (!feed)
			feed = end;
		add_string(walker, at, (size_t)(feed - at));
	}
	if (walker->all->strings_count)
		qsort(walker->all->strings, walker->all->strings_count,
		      sizeof(*walker->all->strings), by_address);
}

static int by_id(const void *a, const void *b)
{
	const struct pk_tracepoint *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->format.data > y->format.data) - (x->format.data < y->format.data);
}

static void take_head(struct walker *walker)
{
	static const char magic[10] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	const uint8_t *bytes = take(walker, sizeof(magic)), *order, *long_size;

	if (!bytes || memcmp(bytes, magic, sizeof(magic))) {
		walker->bad = true;
		return;
	}
	take_string(walker); /* version */
	order = take(walker, 1);
	long_size = take(walker, 1);
	take(walker, 4); /* page size */
	if (walker->bad || *order > 1 || (*long_size != 4 && *long_size != 8)) {
		walker->bad = true;
		return;
	}
	walker->all->big_endian = *order;
	walker->all->long_size = *long_size;
	for (int i = 0; i < 2 && take_string(walker); i++) /* header_page, header_event */
		take_file(walker, 8);
}

static void forget(struct pk_tracepoints *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->list[i].text);
		free(all->list[i].name);
		free(all->list[i].fields);
		free(all->list[i].nodes);
		free(all->list[i].pieces);
	}
	free(all->list);
	free(all->strings);
	free(all->payload);
	all->list = NULL;
	all->strings = NULL;
	all->payload = NULL;
	all->count = all->capacity = 0;
	all->strings_count = all->strings_capacity = 0;
	all->failed = all->output.failed = false;
}

enum pk_status pk_tracepoints_load(struct pk_tracepoints *all, const uint8_t *data, size_t size)
{
	struct walker walker = {.all = all};
	const char *system;
	uint64_t systems;

	forget(all);
	all->payload = malloc(size + 1);
	if (!all->payload)
		return PK_NOMEM;
	if (size)
		memcpy(all->payload, data, size);
	walker.at = all->payload;
	walker.end = all->payload + size;
	take_head(&walker);
	take_formats(&walker, "ftrace");
	for (systems = take_number(&walker, 4); systems && !walker.bad; systems--) {
		system = take_string(&walker);
		if (system)
			take_formats(&walker, system);
	}
	take_file(&walker, 4); /* the kernel's symbols: perf has not filled it for ages */
	take_strings(&walker);
	if (all->count)
		qsort(all->list, all->count, sizeof(*all->list), by_id);
	if (all->failed)
		return PK_NOMEM;
	return walker.bad ? PK_CORRUPT : PK_OK;
}

/* ---- The interface ---- */

struct pk_tracepoints *pk_tracepoints_new(void)
{
	struct pk_tracepoints *all = calloc(1, sizeof(*all));

	if (all)
		all->long_size = sizeof(long);
	return all;
}

void pk_tracepoints_free(struct pk_tracepoints *all)
{
	if (!all)
		return;
	forget(all);
	free(all->output.data);
	free(all);
}

void pk_tracepoints_resolver(struct pk_tracepoints *all, pk_tracepoint_symbol_fn symbol, void *arg)
{
	all->symbol = symbol;
	all->symbol_arg = arg;
}

struct pk_tracepoint *pk_tracepoints_find(struct pk_tracepoints *all, uint64_t config)
{
	size_t low = 0, high = all->count;
	struct pk_tracepoint *t;

	while (low < high) { /* the first one of this id */
		size_t middle = low + (high - low) / 2;

		if (all->list[middle].id < config)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == all->count || all->list[low].id != config)
		return NULL;
	t = &all->list[low];
	if (!t->parsed) {
		t->parsed = true;
		t->bad = !tp_parse(t);
	}
	return t->bad ? NULL : t;
}

bool pk_tracepoints_failed(const struct pk_tracepoints *all)
{
	return all->failed || all->output.failed;
}

const char *pk_tracepoint_name(const struct pk_tracepoint *tracepoint)
{
	return tracepoint->name;
}

const struct pk_tracepoint_field *pk_tracepoint_find_field(const struct pk_tracepoint *tracepoint,
							   const char *name)
{
	for (uint32_t i = 0; i < tracepoint->fields_count; i++)
		if (!strcmp(tracepoint->fields[i].name, name))
			return &tracepoint->fields[i];
	return NULL;
}

const struct pk_tracepoint_field *pk_tracepoint_field_at(const struct pk_tracepoint *tracepoint,
							 size_t index)
{
	return index < tracepoint->fields_count ? &tracepoint->fields[index] : NULL;
}

bool pk_tracepoint_number(const struct pk_tracepoint *tracepoint,
			  const struct pk_tracepoint_field *field, const struct pk_bytes *raw,
			  uint64_t *value)
{
	const uint32_t size = field->size;

	if (field->is_array || (size != 1 && size != 2 && size != 4 && size != 8))
		return false;
	if (field->offset > raw->size || size > raw->size - field->offset)
		return false;
	*value = tp_extend(tp_load(tracepoint->all, raw, field->offset, size), size,
			   field->is_signed);
	return true;
}

bool pk_tracepoint_bytes(const struct pk_tracepoint *tracepoint,
			 const struct pk_tracepoint_field *field, const struct pk_bytes *raw,
			 struct pk_bytes *bytes)
{
	const uint8_t *nul;

	if (field->offset > raw->size || field->size > raw->size - field->offset)
		return false;
	*bytes = tp_field_bytes(tracepoint->all, field, raw);
	if (!bytes->data)
		return false;
	nul = field->is_string && bytes->size ? memchr(bytes->data, 0, bytes->size) : NULL;
	if (nul)
		bytes->size = (uint64_t)(nul - bytes->data);
	return true;
}
