// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE /* for memrchr */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "cli.h"
#include "folded.h"
#include "lookups.h"
#include "recordings.h"
#include "vector.h"

#define BLOCK	   ((size_t)256 << 10)
#define LINE_MAX   ((size_t)64 << 20) /* in bytes; a longer line is an error */
#define ERRORS_MAX 5		      /* the most messages about bad lines */

/* ---- Lines ---- */

/* The lines of an input, and the bytes that were read. */
struct lines {
	int fd;
	struct buffer data;
	size_t begin, searched; /* Offsets in `data`. The current line starts at `begin`. There is
				 * no newline from `begin` to `searched`. */
	bool end;		/* true if the end of the input was reached */
	int error;		/* the errno of an error; 0 if there was none */
};

static enum pk_status read_more(struct lines *lines)
{
	struct buffer *data = &lines->data;
	ssize_t size;
	char *room;

	if (lines->begin) {
		memmove(data->data, data->data + lines->begin, data->size - lines->begin);
		data->size -= lines->begin;
		lines->searched -= lines->begin;
		lines->begin = 0;
	}
	room = buffer_room(data, BLOCK);
	if (!room) {
		lines->error = ENOMEM;
		return PK_NOMEM;
	}
	do
		size = read(lines->fd, room, BLOCK);
	while (size < 0 && errno == EINTR);
	if (size < 0)
		lines->error = errno;
	lines->end = size == 0;
	data->size += size > 0 ? (size_t)size : 0;
	return size > 0 ? PK_OK : PK_END;
}

/* Returns the next line without its newline. Returns NULL at the end of the input, or after an
 * error. After an error, lines->error is set. */
static char *next_line(struct lines *lines, size_t *size)
{
	for (;;) {
		char *line = lines->data.data + lines->begin, *newline = NULL;
		const size_t left = lines->data.size - lines->searched;

		if (left)
			newline = memchr(lines->data.data + lines->searched, '\n', left);
		lines->searched = lines->data.size;
		if (newline || (lines->end && lines->data.size > lines->begin)) {
			*size = newline ? (size_t)(newline - line)
					: lines->data.size - lines->begin;
			lines->begin += *size + !!newline;
			lines->searched = lines->begin;
			return line;
		}
		if (lines->end || lines->error)
			return NULL;
		if (lines->data.size - lines->begin > LINE_MAX)
			lines->error = EFBIG;
		else if (read_more(lines) != PK_OK && !lines->end)
			return NULL;
	}
}

/* ---- Weights ---- */

/* Returns the start of the digits that end at `end`. */
static size_t before_digits(const char *line, size_t end)
{
	while (end && isdigit((unsigned char)line[end - 1]))
		end--;
	return end;
}

static bool parse_digits(const char *digits, size_t count, uint64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < count; i++)
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(digits[i] - '0'), number))
			return false;
	return count;
}

/* Removes a number at the end of a line, and the blanks before it. Returns false if there is no
 * number. */
static bool take_weight(const char *line, size_t *size, uint64_t *weight)
{
	size_t end = *size, at;
	bool up = false;

	while (end && isspace((unsigned char)line[end - 1]))
		end--;
	at = before_digits(line, end);
	if (at && line[at - 1] == '.') {
		up = at < end && line[at] >= '5';
		end = at - 1;
		at = before_digits(line, end);
	}
	if (!at || !isblank((unsigned char)line[at - 1]) ||
	    !parse_digits(line + at, end - at, weight))
		return false;
	*weight += up && *weight < UINT64_MAX;
	while (at && isblank((unsigned char)line[at - 1]))
		at--;
	*size = at;
	return true;
}

/* Returns true if the line separates two outputs of --live. Such a line is empty, or has the form
 * "# 12:34:56". */
static bool is_separator(const char *line, size_t size)
{
	size_t blanks = 0;

	while (blanks < size && isspace((unsigned char)line[blanks]))
		blanks++;
	return blanks == size ||
	       (size > 2 && line[0] == '#' && line[1] == ' ' && isdigit((unsigned char)line[2]));
}

bool pk_folded_is_text(const char *head, size_t size)
{
	return !size || (!pk_starts_recording(head, size) && !memchr(head, '\0', size));
}

/* ---- Stacks ---- */

/* The state of reading stacks. The nodes of the previous stack are kept, because neighbouring lines
 * often start with the same frames. */
struct reader {
	struct thin_tree *thin;
	const struct folded_input *input;
	struct buffer turned; /* memory for a stack whose frames were reversed */
	struct buffer last;   /* the stack of the previous line */
	struct kept {
		size_t end; /* the offset in `last` at which the text of this frame ends */
		uint32_t node;
	} * kept;
	size_t count, capacity;
	struct buffer name; /* memory for a name in which harmful bytes were replaced */
};

/* Removes the kept frames that are not the first frames of the stack. Returns the size of the
 * frames that are still kept, including the ';' after them. */
static size_t keep_common(struct reader *reader, const char *stack, size_t size)
{
	const size_t most = size < reader->last.size ? size : reader->last.size;
	size_t common = 0, end;

	while (common < most && stack[common] == reader->last.data[common])
		common++;
	while (reader->count) {
		end = reader->kept[reader->count - 1].end;
		if (end < common ? stack[end] == ';'
				 : end == common && (common == size || stack[common] == ';'))
			return end == size ? size : end + 1;
		reader->count--;
	}
	return 0;
}

/* Appends a new child to a node, for in_order. Returns 0 if memory is exhausted. */
static uint32_t append_child(struct reader *reader, uint32_t node, const char *name, size_t size)
{
	struct buffer *text = &reader->name;

	text->size = 0;
	buffer_add(text, name, size);
	pk_harmless_bytes(text->data, text->size);
	return text->failed ? 0 : pk_tree_append(reader->thin->tree, node, text->data, text->size);
}

/* Reverses the order of the frames of the stack. */
static enum pk_status turn(struct buffer *turned, const char **stack, size_t size)
{
	size_t end = size;

	turned->size = 0;
	for (;;) {
		const char *semicolon = memrchr(*stack, ';', end);
		const size_t begin = semicolon ? (size_t)(semicolon - *stack) + 1 : 0;

		buffer_add(turned, *stack + begin, end - begin);
		if (!semicolon)
			break;
		buffer_char(turned, ';');
		end = begin - 1;
	}
	*stack = turned->data;
	return turned->failed ? PK_NOMEM : PK_OK;
}

/* Returns the node to which the weights of a stack are added. Sets *ended to true if they were
 * already added to a tail. Returns 0 if memory is exhausted. */
static uint32_t find_node(struct reader *reader, const char *stack, size_t size,
			  const uint64_t *weights, bool *ended)
{
	const bool in_order = reader->input->in_order;
	size_t at;
	uint32_t node;

	*ended = false;
	if (reader->input->reverse && size && turn(&reader->turned, &stack, size) != PK_OK)
		return 0;
	at = keep_common(reader, stack, size);
	node = reader->count ? reader->kept[reader->count - 1].node : 0;
	reader->last.size = 0;
	buffer_add(&reader->last, stack, size);
	if (reader->last.failed)
		return 0;
	while (!*ended && (at < size || (!node && !size))) {
		const char *semicolon = memchr(stack + at, ';', size - at);
		const size_t end = semicolon ? (size_t)(semicolon - stack) : size;
		const uint32_t above = node;

		node = in_order ? append_child(reader, node, stack + at, end - at)
				: pk_thin_tree_step(reader->thin, node, stack + at, size - at,
						    weights, ended);
		if (node && node == above)
			break;
		if (!node || pk_reserve(&reader->kept, &reader->capacity, reader->count, 1,
					sizeof(*reader->kept)) != PK_OK)
			return 0;
		reader->kept[reader->count++] = (struct kept){end, node};
		at = end + 1;
	}
	return node && in_order
		       ? pk_tree_append(reader->thin->tree, node, FOLDED_GAP, strlen(FOLDED_GAP))
		       : node;
}

/* Removes the weights at the end of a line. *base does not change if the line has only one weight.
 * Returns false if the line has fewer weights than the previous lines. */
static bool take_weights(const struct folded_input *input, const char *line, size_t *size,
			 uint64_t *base, uint64_t *weight)
{
	unsigned int *weights = input->weights;

	if (!take_weight(line, size, weight))
		return false;
	if (!weights || *weights == 1)
		return true;
	if (take_weight(line, size, base)) {
		*weights = 2;
		return true;
	}
	if (*weights)
		return false;
	*weights = 1;
	return true;
}

/* Adds a line to the tree. Returns false if its weights are missing. */
static bool add_line(struct reader *reader, const struct folded_input *input, const char *line,
		     size_t size, bool *no_memory)
{
	uint64_t weight, weights[PK_TREE_COLUMNS] = {0};
	bool ended, changed = false;
	uint32_t node;

	if (!take_weights(input, line, &size, &weights[0], &weight))
		return false;
	reader->thin->column = input->weights && *input->weights == 2 ? 1 : input->column;
	weights[reader->thin->column] = weight;
	while (size && line[size - 1] == ';') /* removes empty frames at the end */
		size--;
	node = find_node(reader, line, size, weights, &ended);
	for (unsigned int i = 0; node && !ended && i < PK_TREE_COLUMNS; i++)
		pk_tree_add(reader->thin->tree, node, i, weights[i]);
	*no_memory = !node || pk_thin_tree_count(reader->thin, weights, &changed) != PK_OK;
	if (changed)
		reader->count = 0;
	return true;
}

int pk_folded_read(struct thin_tree *thin, const struct folded_input *input)
{
	struct lines lines = {.fd = input->fd};
	struct reader reader = {.thin = thin, .input = input};
	uint64_t number = 0, bad = 0;
	bool no_memory = false;
	size_t size;
	char *line;

	buffer_add(&lines.data, input->head, input->head_size);
	no_memory = lines.data.failed;
	while (!no_memory && (line = next_line(&lines, &size))) {
		number++;
		*input->bytes += size + 1;
		if (add_line(&reader, input, line, size, &no_memory) || is_separator(line, size))
			continue;
		if (bad++ < ERRORS_MAX)
			pk_error("%s: line %" PRIu64 " has no weight, skipped", input->name,
				 number);
	}
	if (bad > ERRORS_MAX)
		pk_error("%s: %" PRIu64 " lines have no weight, skipped", input->name, bad);
	if (no_memory)
		pk_no_memory();
	else if (lines.error == EFBIG)
		pk_error("%s: cannot be read: line %" PRIu64 " is too long", input->name,
			 number + 1);
	else if (lines.error)
		pk_error("%s: cannot be read: %s", input->name, strerror(lines.error));
	free(lines.data.data);
	free(reader.last.data);
	free(reader.kept);
	free(reader.name.data);
	free(reader.turned.data);
	return bad || no_memory || lines.error ? PK_EXIT_FAILED : PK_EXIT_OK;
}
