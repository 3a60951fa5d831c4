// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "frame_texts.h"
#include "pkutil.h"
#include "table.h"
#include "vector.h"

#define BYTES_MAX ((size_t)8 << 20)
#define COUNT_MAX ((size_t)128 << 10)

/* What key[1] is for keys that are no address: no number of a mode. */
enum { MODE_FRAME = 0x10, MODE_NAME = 0x11 };

struct known {
	uint64_t key[2]; /* the address; its space, its mode and parts */
	struct frame_text text;
};

struct frame_texts {
	frame_format_fn format;
	pk_resolve_fn resolve;
	void *arg;
	struct buffer buffer;
	struct buffer inlined; /* struct frame_text, those of an address one after the other */
	struct known *known;
	size_t count, capacity;
	struct pk_table numbers; /* of known + 1, by hash of the key */
	bool failed;		 /* out of memory */
};

struct frame_texts *frame_texts_new(frame_format_fn format, pk_resolve_fn resolve, void *arg)
{
	struct frame_texts *texts = calloc(1, sizeof(*texts));

	if (texts)
		*texts = (struct frame_texts){format, resolve, arg, .known = NULL};
	return texts;
}

void frame_texts_forget(struct frame_texts *texts)
{
	pk_table_clear(&texts->numbers);
	texts->count = 0;
	texts->buffer.size = texts->inlined.size = 0;
}

void frame_texts_free(struct frame_texts *texts)
{
	if (!texts)
		return;
	free(texts->known);
	pk_table_free(&texts->numbers);
	free(texts->buffer.data);
	free(texts->inlined.data);
	free(texts);
}

void frame_texts_trim(struct frame_texts *texts)
{
	if (pk_unlikely(texts->buffer.size > BYTES_MAX || texts->count > COUNT_MAX))
		frame_texts_forget(texts);
}

bool frame_texts_failed(const struct frame_texts *texts)
{
	return texts->failed || texts->buffer.failed || texts->inlined.failed;
}

const char *frame_texts_data(const struct frame_texts *texts)
{
	return texts->buffer.data;
}

static uint64_t hash_of(struct frame_texts *texts, const uint64_t key[2])
{
	return pk_mix64(key[0] ^ pk_table_secret(&texts->numbers),
			key[1] ^ UINT64_C(0xe7037ed1a0b428db));
}

/* NULL: it is not known yet. */
static const struct known *find(struct frame_texts *texts, const uint64_t key[2])
{
	struct pk_probe probe = pk_table_probe(&texts->numbers, hash_of(texts, key));
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		const struct known *known = &texts->known[number - 1];

		if (known->key[0] == key[0] && known->key[1] == key[1])
			return known;
	}
	return NULL;
}

/* Code of the kernel that its map does not cover, such as that of its start. */
static const char *kernel_beyond(uint32_t flags, const char *function)
{
	return flags == PK_FRAME_KERNEL && function ? "[kernel.kallsyms]" : NULL;
}

static struct frame_text format(struct frame_texts *texts, const struct frame_info *info,
				unsigned int parts)
{
	struct frame_text text = {.at = (uint32_t)texts->buffer.size,
				  .unresolved = !info->function,
				  .inlined = info->inlined};

	texts->format(&texts->buffer, info, parts);
	text.size = (uint32_t)(texts->buffer.size - text.at);
	return text;
}

/* Remembers a text, unless it may be another one later. */
static struct frame_text keep(struct frame_texts *texts, const uint64_t key[2],
			      struct frame_text text)
{
	if (text.retry)
		return text;
	if (!pk_reserve(&texts->known, &texts->capacity, texts->count, 1, sizeof(*texts->known)) ||
	    !pk_table_add(&texts->numbers, hash_of(texts, key), texts->count + 1)) {
		texts->failed = true;
		return text;
	}
	texts->known[texts->count++] = (struct known){{key[0], key[1]}, text};
	return text;
}

static void fill_from_image(struct frame_info *info, const struct pk_location *location,
			    const struct pk_resolved *resolved)
{
	const struct pk_image *image = location->image;

	info->function = resolved->function;
	info->function_size = resolved->function_size;
	info->has_offset = true;
	info->offset = location->address - resolved->symbol_start;
	info->dso = image ? image->name : kernel_beyond(location->flags, resolved->function);
	info->in_file = image && image->kind != PK_DSO_KERNEL;
	info->address = location->address;
	info->file = resolved->file;
	info->line = resolved->line;
}

/* They share the object and the offset of the function that they are in. */
static void make_inlined(struct frame_texts *texts, const struct frame_info *base,
			 const struct pk_resolved *resolved, unsigned int parts,
			 struct frame_text *text)
{
	struct frame_info info = *base;
	struct frame_text one;

	text->inlined_at = (uint32_t)texts->inlined.size;
	for (size_t i = 0; i < resolved->inlined_count; i++) {
		info.function = resolved->inlined[i].function;
		info.function_size = strlen(info.function);
		info.file = resolved->inlined[i].file;
		info.line = resolved->inlined[i].line;
		info.inlined = true;
		one = format(texts, &info, parts);
		buffer_add(&texts->inlined, &one, sizeof(one));
	}
	if (!texts->inlined.failed)
		text->inlined_count = (uint32_t)resolved->inlined_count;
}

struct frame_text frame_texts_inlined(const struct frame_texts *texts,
				      const struct frame_text *text, uint32_t which)
{
	struct frame_text one;

	memcpy(&one, texts->inlined.data + text->inlined_at + which * sizeof(one), sizeof(one));
	return one;
}

static struct frame_text make(struct frame_texts *texts, const struct pk_location *location,
			      unsigned int parts)
{
	struct pk_resolved resolved = {0};
	struct frame_info info = {0};
	struct frame_text text;
	char module[128];

	if (texts->resolve)
		texts->resolve(texts->arg, location, &resolved);
	fill_from_image(&info, location, &resolved);
	if (resolved.module) {
		snprintf(module, sizeof(module), "[%s]", resolved.module);
		info.dso = module;
	}
	text = format(texts, &info, parts);
	text.retry = resolved.retry;
	make_inlined(texts, &info, &resolved, parts, &text);
	return text;
}

struct frame_text frame_texts_of_ip(struct frame_texts *texts, const struct pk_session *session,
				    const struct pk_thread *thread, uint64_t ip, uint16_t mode,
				    unsigned int parts)
{
	const struct pk_space *space = mode == PERF_RECORD_MISC_KERNEL ? pk_session_kernel(session)
								       : thread->process->space;
	uint64_t key[2] = {ip, pk_space_serial(space) << 16 | (uint64_t)mode << 8 | parts};
	struct pk_location location;
	const struct known *known;

	known = find(texts, key);
	if (pk_likely(known))
		return known->text;
	location = pk_session_locate(session, thread, ip, mode);
	return keep(texts, key, make(texts, &location, parts));
}

static void fill_from_frame(struct frame_info *info, const struct pk_dictionary *dictionary,
			    const struct pk_frame *frame)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(dictionary, frame->dso);

	info->function =
		pk_dictionary_get_string(dictionary, frame->function, &info->function_size);
	info->has_offset = true;
	info->offset = frame->address - frame->symbol_start;
	info->dso = dso ? pk_dictionary_get_string(dictionary, dso->path, NULL)
			: kernel_beyond(frame->flags, info->function);
	info->in_file = dso && dso->kind != PK_DSO_KERNEL;
	info->address = frame->address;
	info->inlined = frame->flags & PK_FRAME_INLINED;
	info->file = pk_dictionary_get_string(dictionary, frame->file, NULL);
	info->line = frame->line;
}

struct frame_text frame_texts_of_frame(struct frame_texts *texts,
				       const struct pk_dictionary *dictionary, uint32_t id,
				       const struct pk_frame *frame, unsigned int parts)
{
	uint64_t key[2] = {id, MODE_FRAME << 8 | parts};
	struct frame_info info = {0};
	const struct known *known;

	known = find(texts, key);
	if (pk_likely(known))
		return known->text;
	fill_from_frame(&info, dictionary, frame);
	return keep(texts, key, format(texts, &info, parts));
}

struct frame_text frame_texts_of_name(struct frame_texts *texts, const char *name,
				      unsigned int parts)
{
	struct frame_info info = {.function = name, .function_size = strlen(name)};
	uint64_t key[2] = {(uintptr_t)name, MODE_NAME << 8 | parts};
	const struct known *known;

	known = find(texts, key);
	if (pk_likely(known))
		return known->text;
	return keep(texts, key, format(texts, &info, parts));
}
