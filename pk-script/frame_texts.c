// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_ranges.h"
#include "digits.h"
#include "frame_texts.h"
#include "pkutil.h"
#include "vector.h"

#define PAIRS		((size_t)1 << 14) /* the entries need 1.25 MiB */
#define CHAIN_BYTES_MAX ((size_t)32 << 20)

struct chain_texts {
	struct chain_text pairs[PAIRS][2];
	struct pk_chain_seeds seeds;
	size_t bytes;
};

struct chain_texts *chain_texts_new(void)
{
	struct chain_texts *texts = calloc(1, sizeof(*texts));

	if (texts)
		pk_chain_seeds_draw(&texts->seeds);
	return texts;
}

void chain_texts_forget(struct chain_texts *texts)
{
	for (size_t i = 0; i < PAIRS; i++) {
		free(texts->pairs[i][0].text);
		free(texts->pairs[i][1].text);
	}
	memset(texts->pairs, 0, sizeof(texts->pairs));
	texts->bytes = 0;
}

void chain_texts_free(struct chain_texts *texts)
{
	if (!texts)
		return;
	chain_texts_forget(texts);
	free(texts);
}

struct pk_chain_hash chain_texts_hash(const struct chain_texts *texts,
				      const struct pk_session *session,
				      const struct pk_thread *thread, uint64_t task,
				      const struct pk_u64s *chain)
{
	const struct pk_chain_key key = {
		.maps = pk_chain_maps(session, thread), .task = task, .ips = chain};

	return pk_chain_hash(&texts->seeds, &key);
}

struct chain_text *chain_texts_find(struct chain_texts *texts, const struct pk_chain_hash *hash)
{
	struct chain_text *pair = texts->pairs[hash->low & (PAIRS - 1)],
			  *found = pk_pair_find(pair, sizeof(*pair), hash);

	if (found)
		return found;
	texts->bytes -= pair[1].text ? pair[1].size : 0;
	free(pair[1].text);
	pair[1] = (struct chain_text){.hash = *hash};
	return NULL;
}

void chain_texts_keep(struct chain_texts *texts, struct chain_text *entry, const char *text,
		      size_t size)
{
	if (texts->bytes + size > CHAIN_BYTES_MAX || size > UINT32_MAX)
		return;
	entry->text = malloc(size + !size);
	if (!entry->text)
		return;
	memcpy(entry->text, text, size);
	entry->size = (uint32_t)size;
	texts->bytes += size;
}

#define BYTES_MAX ((size_t)8 << 20)
#define COUNT_MAX ((size_t)128 << 10)

struct frame_texts {
	const struct frame_format *format;
	pk_resolve_fn resolve;
	void *arg;
	struct buffer buffer;
	struct frame_text *all; /* Texts by number. Number 0 is not stored. It stands for the empty
				 * text that is used if memory is exhausted. */
	size_t count, capacity;
	struct pk_code_ranges of_code[PARTS]; /* numbers of texts, by address and PART_* */
	struct pk_table of_frames;	      /* numbers of texts by frame id and PART_* */
	struct pk_table of_names; /* numbers of texts by address of the name and PART_* */
	bool failed;		  /* memory was exhausted */
};

static const struct frame_text none;

struct frame_texts *frame_texts_new(const struct frame_format *format, pk_resolve_fn resolve,
				    void *arg)
{
	struct frame_texts *texts = calloc(1, sizeof(*texts));

	if (texts)
		*texts = (struct frame_texts){format, resolve, arg, .count = 1};
	return texts;
}

void frame_texts_forget(struct frame_texts *texts)
{
	for (unsigned int parts = 0; parts < PARTS; parts++)
		pk_code_ranges_free(&texts->of_code[parts]);
	pk_table_clear(&texts->of_frames);
	pk_table_clear(&texts->of_names);
	texts->count = 1;
	texts->buffer.size = 0;
}

void frame_texts_free(struct frame_texts *texts)
{
	if (!texts)
		return;
	frame_texts_forget(texts);
	pk_table_free(&texts->of_frames);
	pk_table_free(&texts->of_names);
	free(texts->all);
	free(texts->buffer.data);
	free(texts);
}

void frame_texts_trim(struct frame_texts *texts)
{
	if (pk_unlikely(texts->buffer.size > BYTES_MAX || texts->count > COUNT_MAX))
		frame_texts_forget(texts);
}

bool frame_texts_failed(const struct frame_texts *texts)
{
	return texts->failed || texts->buffer.failed;
}

const struct frame_text *frame_texts_get(const struct frame_texts *texts, uint32_t number)
{
	return number ? &texts->all[number] : &none;
}

/* ---- Printing ---- */

void frame_texts_add(const struct frame_texts *texts, const struct shown_text *shown, size_t from,
		     struct buffer *out)
{
	const struct frame_text *text = frame_texts_get(texts, shown->number);
	const char *data = texts->buffer.data + text->at;
	const uint64_t values[NUMBERS] = {shown->address - text->symbol_start, shown->address,
					  shown->address};
	char *p = buffer_room(out, text->size + NUMBERS * DIGITS_MAX);
	size_t done = from;

	if (!p || text->size < from || !text->size)
		return;
	for (unsigned int i = 0; i < NUMBERS; i++) {
		const size_t to = text->places.at[i];

		if (!to)
			continue;
		memcpy(p, data + done, to - 1 - done);
		p = texts->format->number(p + (to - 1 - done), i, values[i]);
		done = to - 1;
	}
	memcpy(p, data + done, text->size - done);
	buffer_end(out, p + (text->size - done));
}

/* ---- Texts ---- */

/* Adds a text. Returns its number, or 0 if memory is exhausted. */
static uint32_t make(struct frame_texts *texts, const struct pk_frame_info *info,
		     unsigned int parts)
{
	struct frame_text text = {.at = (uint32_t)texts->buffer.size,
				  .unresolved = !info->function,
				  .inlined = info->inlined};

	if (pk_reserve(&texts->all, &texts->capacity, texts->count, 1, sizeof(*texts->all)) !=
	    PK_OK) {
		texts->failed = true;
		return 0;
	}
	texts->format->text(&texts->buffer, info, parts, &text.places);
	for (unsigned int i = 0; i < NUMBERS; i++)
		if (text.places.at[i])
			text.places.at[i] -= text.at;
	text.size = (uint32_t)(texts->buffer.size - text.at);
	texts->all[texts->count] = text;
	return (uint32_t)texts->count++;
}

static void fill_from_image(struct pk_frame_info *info, const struct pk_location *location,
			    const struct pk_resolved *resolved)
{
	const struct pk_image *image = location->image;

	info->function = resolved->function;
	info->function_size = resolved->function_size;
	if (image)
		info->dso = image->name;
	else if (resolved->function)
		info->dso = pk_kernel_name(location->flags);
	info->in_file = image && image->kind != PK_DSO_KERNEL;
	info->file = resolved->file;
	info->line = resolved->line;
}

/* Adds the texts of inlined functions. They follow the text of the function that contains the
 * inlined functions, and have the object and offset of that function. */
static void make_inlined(struct frame_texts *texts, struct pk_frame_info info,
			 const struct pk_resolved *resolved, unsigned int parts, uint32_t number)
{
	uint32_t last = number;

	for (size_t i = 0; i < resolved->inlined_count && last; i++) {
		info.function = resolved->inlined[i].function;
		info.function_size = strlen(info.function);
		info.file = resolved->inlined[i].file;
		info.line = resolved->inlined[i].line;
		info.inlined = true;
		last = make(texts, &info, parts);
		if (!last)
			return;
		texts->all[last].symbol_start = resolved->symbol_start;
		texts->all[number].inlined_count++;
	}
}

static uint32_t make_for_location(struct frame_texts *texts, const struct pk_location *location,
				  unsigned int parts, struct pk_range *same)
{
	struct pk_resolved resolved = {0};
	struct pk_frame_info info = {0};
	uint32_t number;
	char module[128];

	if (texts->resolve)
		texts->resolve(texts->arg, location, &resolved);
	fill_from_image(&info, location, &resolved);
	if (resolved.module) {
		snprintf(module, sizeof(module), "[%s]", resolved.module);
		info.dso = module;
	}
	number = make(texts, &info, parts);
	*same = pk_range_has(&resolved.same, location->address)
			? resolved.same
			: pk_range_of_one(location->address);
	if (!number)
		return 0;
	texts->all[number].symbol_start = resolved.symbol_start;
	texts->all[number].retry = resolved.retry;
	make_inlined(texts, info, &resolved, parts, number);
	return number;
}

struct shown_text frame_texts_of_ip(struct frame_texts *texts, const struct pk_session *session,
				    const struct pk_thread *thread, uint64_t ip, uint16_t mode,
				    unsigned int parts)
{
	const struct pk_location location = pk_session_locate(session, thread, ip, mode);
	struct pk_code_ranges *ranges = &texts->of_code[parts];
	const struct pk_code_range *known = pk_code_ranges_find(ranges, &location);
	struct shown_text shown = {.address = location.address};
	struct pk_range same;

	if (pk_likely(known)) {
		shown.number = known->frames;
		return shown;
	}
	shown.number = make_for_location(texts, &location, parts, &same);
	if (shown.number && !texts->all[shown.number].retry &&
	    pk_code_ranges_add(ranges, &location, &same,
			       (struct pk_code_range){.frames = shown.number}) != PK_OK)
		texts->failed = true;
	return shown;
}

/* ---- Frames of a dictionary ---- */

/* Returns the number of the text of a frame, or 0 if memory is exhausted. */
static uint32_t number_of_frame(struct frame_texts *texts, const struct pk_dictionary *dictionary,
				uint32_t id, const struct pk_frame *frame, unsigned int parts)
{
	const uint64_t key = (uint64_t)id * PARTS + parts;
	uint32_t number = (uint32_t)pk_table_get_u64(&texts->of_frames, key);
	struct pk_frame_info info;

	if (pk_likely(number))
		return number;
	info = pk_frame_info(dictionary, frame);
	number = make(texts, &info, parts);
	if (!number)
		return 0;
	texts->all[number].symbol_start = frame->symbol_start;
	texts->failed |= pk_table_set_u64(&texts->of_frames, key, number) != PK_OK;
	return number;
}

struct shown_text frame_texts_of_frame(struct frame_texts *texts, const struct pk_session *session,
				       const struct pk_thread *thread,
				       const struct pk_address_walk *at, unsigned int parts)
{
	const struct pk_dictionary *dictionary = at->at.dictionary;
	const struct pk_frame *frame = at->at.frame;
	const uint32_t id = at->at.id;
	struct shown_text shown = {.address = frame->address};
	struct pk_location location;
	struct frame_text *text;

	if (at->at.kind == PK_FRAME_IS_TEXT)
		parts &= ~(unsigned int)(PART_SYMOFF | PART_DSOFF | PART_DSO);
	shown.number = number_of_frame(texts, dictionary, id, frame, parts);
	if (!(frame->flags & PK_FRAME_FUNCTION) || !(parts & (PART_SYMOFF | PART_DSOFF)))
		return shown;
	if (at->ip != PK_NO_ADDRESS && shown.number) {
		text = &texts->all[shown.number];
		location = pk_frame_locate(frame, session, thread, at->ip);
		shown.address = location.address;
		if (pk_likely(location.image && location.image == text->image))
			return shown;
		if (pk_frame_has(frame, dictionary, &location)) {
			text->image = location.image;
			return shown;
		}
	}
	/* The offset of the address in the function is unknown, so the text does not have it. */
	shown.number = number_of_frame(texts, dictionary, id, frame,
				       parts & ~(unsigned int)(PART_SYMOFF | PART_DSOFF));
	return shown;
}

struct shown_text frame_texts_of_name(struct frame_texts *texts, const char *name,
				      unsigned int parts)
{
	const struct pk_frame_info info = {.function = name, .function_size = strlen(name)};
	const unsigned int shown_parts = parts & ~(unsigned int)PART_SYMOFF;
	const uint64_t key = (uint64_t)(uintptr_t)name * PARTS + shown_parts;
	struct shown_text shown = {.number = (uint32_t)pk_table_get_u64(&texts->of_names, key)};

	if (shown.number)
		return shown;
	shown.number = make(texts, &info, shown_parts);
	if (shown.number)
		texts->failed |= pk_table_set_u64(&texts->of_names, key, shown.number) != PK_OK;
	return shown;
}
