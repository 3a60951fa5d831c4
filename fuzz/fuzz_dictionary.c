/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/dictionary.c */
/* seeds: streams */
/* Tests definitions. If the input is a stream, its definitions are read. Otherwise the input
 * selects items to intern. The definitions of these items are written and read again, and must be
 * the same. */
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- Reading ---- */

static bool has_string(const struct pk_dictionary *dictionary, uint32_t id)
{
	size_t size;
	const char *text = pk_dictionary_get_string(dictionary, id, &size);

	check_that(!id == !text || !text);
	check_that(!text || text[size] == '\0');
	return !id || text;
}

/* Checks that definitions refer only to ids that are already defined. */
static void check_newest(const struct pk_dictionary *dictionary)
{
	struct pk_id_range frames = pk_dictionary_frames(dictionary);
	struct pk_id_range stacks = pk_dictionary_stacks(dictionary);
	const struct pk_frame *frame =
		pk_dictionary_get_frame(dictionary, frames.base + frames.count);
	const struct pk_stack *stack =
		pk_dictionary_get_stack(dictionary, stacks.base + stacks.count);

	check_that(!frames.count == !frame && !stacks.count == !stack);
	if (frame) {
		check_that(has_string(dictionary, frame->function));
		check_that(has_string(dictionary, frame->file));
		check_that(!frame->dso || pk_dictionary_get_dso(dictionary, frame->dso));
	}
	if (stack) {
		check_that(stack->parent < stacks.base + stacks.count);
		check_that(!stack->parent || pk_dictionary_get_stack(dictionary, stack->parent));
		check_that(!stack->frame || pk_dictionary_get_frame(dictionary, stack->frame));
	}
}

static void read_stream(struct walk_records *walk)
{
	struct pk_dictionary *dictionary = pk_dictionary_new(NULL);
	struct pk_record record;
	enum pk_status status;

	check_that(dictionary != NULL);
	while (walk_next(walk, &record)) {
		if (!pk_definition_of(&record))
			continue;
		status = pk_dictionary_read(dictionary, &record);
		check_that(status == PK_OK || status == PK_CORRUPT);
		check_newest(dictionary);
	}
	pk_dictionary_free(dictionary);
}

/* ---- Interning ---- */

struct input {
	const uint8_t *data;
	size_t size;
};

static uint8_t take_u8(struct input *input)
{
	if (!input->size)
		return 0;
	input->size--;
	return *input->data++;
}

/* Returns a number that is less than the limit, or the limit itself. */
static uint32_t take_id(struct input *input, uint32_t limit)
{
	return limit ? (take_u8(input) | (uint32_t)take_u8(input) << 8) % (limit + 1) : 0;
}

struct interning {
	struct pk_dictionary *dictionary;
	uint32_t strings, dsos; /* the newest ids */
	uint32_t strings_base, dsos_base;
};

static uint32_t some_string(struct interning *in, struct input *input)
{
	uint32_t id = take_id(input, in->strings);

	return id > in->strings_base ? id : 0;
}

static void intern_string(struct interning *in, struct input *input)
{
	static char longest[70000];
	size_t size = take_u8(input);
	uint32_t id;

	if (size == 255) {
		memset(longest, take_u8(input) | 1, sizeof(longest));
		id = pk_dictionary_string(in->dictionary, longest, sizeof(longest));
		check_that(id == pk_dictionary_string(in->dictionary, longest, sizeof(longest)));
	} else {
		if (size > input->size)
			size = input->size;
		id = pk_dictionary_string(in->dictionary, (const char *)input->data, size);
		check_that(id ==
			   pk_dictionary_string(in->dictionary, (const char *)input->data, size));
		input->data += size;
		input->size -= size;
	}
	check_that(id && id <= in->strings + 1);
	if (id > in->strings)
		in->strings = id;
}

static void intern_dso(struct interning *in, struct input *input)
{
	struct pk_dso dso = {.path = some_string(in, input), .kind = take_u8(input) % 9};
	uint32_t id;

	dso.build_id_size = take_u8(input) % (PK_BUILD_ID_MAX + 1);
	for (uint32_t i = 0; i < dso.build_id_size; i++)
		dso.build_id[i] = take_u8(input);
	id = pk_dictionary_dso(in->dictionary, &dso);
	check_that(id && id <= in->dsos + 1 && id == pk_dictionary_dso(in->dictionary, &dso));
	if (id > in->dsos)
		in->dsos = id;
}

static void intern_frame(struct interning *in, struct input *input)
{
	struct pk_frame frame = {.function = some_string(in, input),
				 .file = some_string(in, input),
				 .line = take_u8(input),
				 .column = take_u8(input),
				 .flags = take_u8(input) * 3u,
				 .address = (uint64_t)take_u8(input) << 40,
				 .symbol_start = take_u8(input)};
	uint32_t id;

	frame.dso = take_id(input, in->dsos);
	if (frame.dso <= in->dsos_base)
		frame.dso = 0;
	id = pk_dictionary_frame(in->dictionary, &frame);
	check_that(id && id == pk_dictionary_frame(in->dictionary, &frame));
}

static void intern_stack(struct interning *in, struct input *input)
{
	struct pk_id_range frames = pk_dictionary_frames(in->dictionary);
	struct pk_id_range stacks = pk_dictionary_stacks(in->dictionary);
	uint32_t parent = stacks.base + take_id(input, stacks.count), frame, id;

	if (!frames.count)
		return;
	frame = frames.base + 1 + take_id(input, frames.count - 1);
	parent = parent == stacks.base ? 0 : parent;
	id = pk_dictionary_stack(in->dictionary, parent, frame);
	check_that(id > parent && id == pk_dictionary_stack(in->dictionary, parent, frame));
}

static void intern_all(struct interning *in, struct input *input)
{
	while (input->size) {
		switch (take_u8(input) % 16) {
		case 0:
			(void)pk_dictionary_reset(in->dictionary);
			in->strings_base = in->strings;
			in->dsos_base = in->dsos;
			break;
		case 1 ... 5: intern_string(in, input); break;
		case 6 ... 7: intern_dso(in, input); break;
		case 8 ... 11: intern_frame(in, input); break;
		default: intern_stack(in, input); break;
		}
	}
}

static void check_equal(const struct pk_dictionary *a, const struct pk_dictionary *b,
			const struct interning *in)
{
	struct pk_id_range frames = pk_dictionary_frames(a), stacks = pk_dictionary_stacks(a);
	struct pk_id_range of_b = pk_dictionary_frames(b);

	check_that(!memcmp(&frames, &of_b, sizeof(frames)));
	of_b = pk_dictionary_stacks(b);
	check_that(!memcmp(&stacks, &of_b, sizeof(stacks)));
	for (uint32_t id = in->strings_base; id <= in->strings + 1; id++) {
		size_t size_a, size_b;
		const char *text_a = pk_dictionary_get_string(a, id, &size_a);
		const char *text_b = pk_dictionary_get_string(b, id, &size_b);

		check_that(!text_a == !text_b && size_a == size_b);
		check_that(!text_a || !memcmp(text_a, text_b, size_a + 1));
	}
	for (uint32_t id = in->dsos_base + 1; id <= in->dsos; id++)
		check_that(!memcmp(pk_dictionary_get_dso(a, id), pk_dictionary_get_dso(b, id),
				   sizeof(struct pk_dso)));
	for (uint32_t id = frames.base + 1; id <= frames.base + frames.count; id++)
		check_that(!memcmp(pk_dictionary_get_frame(a, id), pk_dictionary_get_frame(b, id),
				   sizeof(struct pk_frame)));
	for (uint32_t id = stacks.base + 1; id <= stacks.base + stacks.count; id++)
		check_that(!memcmp(pk_dictionary_get_stack(a, id), pk_dictionary_get_stack(b, id),
				   sizeof(struct pk_stack)));
}

static void write_and_read(struct input *input)
{
	struct output output = {0};
	struct pk_writer *writer = open_output(&output);
	struct interning in = {.dictionary = pk_dictionary_new(writer)};
	struct pk_dictionary *copy = pk_dictionary_new(NULL);
	struct walk_records walk;
	struct pk_record record;

	check_that(in.dictionary && copy);
	pk_writer_header(writer);
	intern_all(&in, input);
	check_that(pk_writer_flush(writer) == PK_OK);
	check_that(walk_begin(&walk, output.data, output.size, false));
	while (walk_next(&walk, &record))
		check_that(pk_dictionary_read(copy, &record) == PK_OK);
	check_that(!walk.size);
	check_equal(in.dictionary, copy, &in);
	pk_dictionary_free(copy);
	pk_dictionary_free(in.dictionary);
	pk_writer_free(writer);
	free(output.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct walk_records walk;

	if (walk_begin(&walk, data, size, false))
		read_stream(&walk);
	else
		write_and_read(&(struct input){data, size});
	return 0;
}
