// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "row_frames.h"
#include "vector.h"

static void add_address(struct frame_texts *texts, const struct pk_frame *frame)
{
	const struct pk_dictionary *names = texts->samples->names;
	const struct pk_dso *dso = pk_dictionary_get_dso(names, frame->dso);
	size_t size = 0;
	const char *path = dso ? pk_dictionary_get_string(names, dso->path, &size) : NULL;

	if (dso && dso->build_id_size)
		buffer_hex_bytes(&texts->plain, dso->build_id, dso->build_id_size);
	else if (path)
		buffer_add(&texts->plain, path, size);
	buffer_text(&texts->plain, "+0x");
	buffer_hex(&texts->plain, frame->address, 0);
}

static void make_plain(struct frame_texts *texts, const struct pk_frame *frame)
{
	const struct pk_dictionary *names = texts->samples->names;
	const struct pk_dso *dso = pk_dictionary_get_dso(names, frame->dso);
	size_t size = 0;
	const char *name = pk_dictionary_get_string(names, frame->function, &size);

	texts->plain.size = 0;
	if (name)
		buffer_add(&texts->plain, name, size);
	else if (texts->addresses)
		add_address(texts, frame);
	else
		samples_object_text(texts->samples, dso ? dso->path : 0, &texts->plain);
}

/* In texts without quotes, ';' separates the frames. */
static void make_text(struct frame_texts *texts)
{
	texts->text.size = 0;
	if (texts->format == ROW_JSON) {
		buffer_quoted(&texts->text, texts->plain.data, texts->plain.size);
		return;
	}
	buffer_valid(&texts->text, texts->plain.data, texts->plain.size, SIZE_MAX);
	for (size_t i = 0; i < texts->text.size && !row_is_binary(texts->format); i++)
		if (texts->text.data[i] == ';')
			texts->text.data[i] = ':';
}

const char *frame_text(struct frame_texts *texts, uint32_t id, size_t *size)
{
	if (!pk_extend(&texts->numbers, &texts->numbers_count, id))
		return NULL;
	if (!texts->numbers[id]) {
		make_plain(texts, pk_dictionary_get_frame(texts->samples->names, id));
		make_text(texts);
		if (texts->plain.failed || texts->text.failed)
			return NULL;
		texts->numbers[id] = pk_texts_add(
			&texts->texts, texts->text.data ? texts->text.data : "", texts->text.size);
	}
	return pk_texts_get(&texts->texts, texts->numbers[id], size);
}

void row_frames_free(struct frame_texts *texts)
{
	pk_texts_free(&texts->texts);
	free(texts->numbers);
	free(texts->plain.data);
	free(texts->text.data);
}
