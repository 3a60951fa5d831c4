// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "frame_texts.h"
#include "pkutil.h"

#define BYTES_MAX ((size_t)8 << 20)
#define SLOTS_MAX ((size_t)128 << 10)

/* What key[1] is for keys that are no address: no number of a mode. */
enum { MODE_FRAME = 0x10, MODE_NAME = 0x11 };

struct slot {
	uint64_t key[2]; /* the address; its space, its mode and parts */
	struct frame_text text;
	bool used;
};

struct frame_texts {
	frame_format_fn format;
	pk_resolve_fn resolve;
	void *arg;
	struct buffer buffer;
	struct buffer inlined; /* struct frame_text, those of an address one after the other */
	struct slot *slots;
	size_t capacity, count;
	bool failed;	 /* no memory for slots */
	uint64_t secret; /* of the hashes: who makes a stream must not know them */
};

struct frame_texts *frame_texts_new(frame_format_fn format, pk_resolve_fn resolve, void *arg)
{
	struct frame_texts *texts = calloc(1, sizeof(*texts));

	if (texts)
		*texts = (struct frame_texts){format, resolve, arg, .secret = pk_secret()};
	return texts;
}

void frame_texts_forget(struct frame_texts *texts)
{
	free(texts->slots);
	texts->slots = NULL;
	texts->capacity = texts->count = 0;
	texts->buffer.size = texts->inlined.size = 0;
}

void frame_texts_free(struct frame_texts *texts)
{
	if (!texts)
		return;
	free(texts->slots);
	free(texts->buffer.data);
	free(texts->inlined.data);
	free(texts);
}

void frame_texts_trim(struct frame_texts *texts)
{
	if (pk_unlikely(texts->buffer.size > BYTES_MAX || texts->count > SLOTS_MAX))
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

static struct slot *find_slot(const struct frame_texts *texts, const uint64_t key[2])
{
	size_t mask = texts->capacity - 1;
	size_t i = pk_mix64(key[0] ^ texts->secret, key[1] ^ UINT64_C(0xe7037ed1a0b428db)) & mask;
	struct slot *slot;

	for (; (slot = &texts->slots[i])->used; i = (i + 1) & mask)
		if (slot->key[0] == key[0] && slot->key[1] == key[1])
			break;
	return slot;
}

static bool grow(struct frame_texts *texts)
{
	size_t old_capacity = texts->capacity;
	struct slot *old = texts->slots;

	if (pk_likely(2 * (texts->count + 1) <= old_capacity))
		return true;
	texts->capacity = old_capacity ? 2 * old_capacity : 4096;
	texts->slots = calloc(texts->capacity, sizeof(*texts->slots));
	if (!texts->slots) {
		texts->slots = old;
		texts->capacity = old_capacity;
		texts->failed = true;
		return false;
	}
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].used)
			*find_slot(texts, old[i].key) = old[i];
	free(old);
	return true;
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
	if (!text.retry) {
		*find_slot(texts, key) = (struct slot){{key[0], key[1]}, text, true};
		texts->count++;
	}
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
	info->dso = image ? image->path : kernel_beyond(location->flags, resolved->function);
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
	const struct slot *slot;

	if (pk_unlikely(!grow(texts)))
		return (struct frame_text){0};
	slot = find_slot(texts, key);
	if (pk_likely(slot->used))
		return slot->text;
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
	const struct slot *slot;

	if (pk_unlikely(!grow(texts)))
		return (struct frame_text){0};
	slot = find_slot(texts, key);
	if (pk_likely(slot->used))
		return slot->text;
	fill_from_frame(&info, dictionary, frame);
	return keep(texts, key, format(texts, &info, parts));
}

struct frame_text frame_texts_of_name(struct frame_texts *texts, const char *name,
				      unsigned int parts)
{
	struct frame_info info = {.function = name, .function_size = strlen(name)};
	uint64_t key[2] = {(uintptr_t)name, MODE_NAME << 8 | parts};
	const struct slot *slot;

	if (pk_unlikely(!grow(texts)))
		return (struct frame_text){0};
	slot = find_slot(texts, key);
	if (pk_likely(slot->used))
		return slot->text;
	return keep(texts, key, format(texts, &info, parts));
}
