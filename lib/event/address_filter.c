// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "address_filter.h"
#include "buffer.h"
#include "number.h"
#include "symbols.h"

#define WORD_SIZE 512

/* A place in the text of a filter: a function, a number, or "*". */
struct filter_place {
	char word[WORD_SIZE]; /* "" if there is none */
	uint64_t which;	      /* the number after #; 0 if there is none */
};

/* A part of a filter. */
struct filter_part {
	char action[WORD_SIZE];
	struct filter_place start, end;
	char file[PATH_MAX]; /* "" for the kernel */
};

struct filter_parser {
	const char *text, *at;
	struct pk_symbols *symbols;
	struct pk_messages *messages;
	struct buffer result;
};

static enum pk_status complain(const struct filter_parser *parser, const char *what,
			       const char *word)
{
	return pk_messages_error(parser->messages, "--filter '%s': %s %s", parser->text, what,
				 word);
}

/* ---- Parsing ---- */

static bool is_next(struct filter_parser *parser, const char *bytes)
{
	parser->at += strspn(parser->at, " \t");
	if (!*parser->at || !strchr(bytes, *parser->at))
		return false;
	parser->at++;
	return true;
}

/* Copies the text up to a blank or one of these bytes. Returns false if it is empty or too long. */
static bool read_word(struct filter_parser *parser, const char *ends, char *word, size_t size)
{
	size_t length = 0;

	parser->at += strspn(parser->at, " \t");
	while (parser->at[length] && !isspace((unsigned char)parser->at[length]) &&
	       !strchr(ends, parser->at[length]))
		length++;
	if (!length || length >= size)
		return false;
	memcpy(word, parser->at, length);
	word[length] = '\0';
	parser->at += length;
	return true;
}

static bool read_place(struct filter_parser *parser, struct filter_place *place)
{
	char number[32];

	if (!read_word(parser, "/@,#", place->word, sizeof(place->word)))
		return false;
	return !is_next(parser, "#") || (read_word(parser, "/@,", number, sizeof(number)) &&
					 pk_parse_u64(number, &place->which) && place->which);
}

static enum pk_status read_part(struct filter_parser *parser, struct filter_part *part)
{
	static const char *const actions[] = {"filter", "start", "stop", "tracestop"};
	char path[PATH_MAX];
	bool known = false;

	*part = (struct filter_part){0};
	if (read_word(parser, "/@,", part->action, sizeof(part->action)))
		for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
			known |= !strcmp(part->action, actions[i]);
	if (!known)
		return complain(parser, "filter, start, stop or tracestop is expected, not",
				part->action);
	if (!read_place(parser, &part->start) ||
	    (is_next(parser, "/") && !read_place(parser, &part->end)))
		return complain(parser, "a function or a number is expected at",
				*parser->at ? parser->at : "the end");
	if (!is_next(parser, "@"))
		return PK_OK;
	if (!read_word(parser, ",", path, sizeof(path)))
		return complain(parser, "a file is expected after", "@");
	return realpath(path, part->file) ? PK_OK
					  : pk_messages_error(parser->messages, "--filter: %s: %s",
							      path, strerror(errno));
}

/* ---- Addresses ---- */

/* A range of addresses in the kernel, or of offsets in a file. */
struct filter_range {
	uint64_t start, end;
};

static struct pk_object *object_of(struct filter_parser *parser, const struct filter_part *part)
{
	return *part->file ? pk_symbols_file(parser->symbols, part->file, NULL, NULL)
			   : pk_symbols_kernel(parser->symbols, NULL, NULL, 0);
}

/* Finds the function. If there are several of that name, place->which chooses one. */
static enum pk_status find_function(struct filter_parser *parser, const struct filter_part *part,
				    const struct filter_place *place, struct filter_range *range)
{
	struct pk_object *object = object_of(parser, part);
	struct pk_symbol symbol;
	uint64_t found = 0;

	if (!object)
		return pk_messages_no_memory(parser->messages);
	for (size_t i = 0; pk_object_symbol(object, i, &symbol); i++) {
		if (strcmp(symbol.name, place->word))
			continue;
		found++;
		if (found == 1 || found == place->which)
			*range = (struct filter_range){symbol.start, symbol.end};
	}
	if (!found && pk_object_state(object) != PK_OBJECT_READY)
		return complain(parser, "no functions are known:", pk_object_reason(object));
	if (!found || place->which > found)
		return complain(parser, "no such function:", place->word);
	if (found > 1 && !place->which)
		return pk_messages_error(parser->messages,
					 "--filter '%s': %" PRIu64
					 " functions are called %s: '%s #1' is the first",
					 parser->text, found, place->word, place->word);
	return PK_OK;
}

static enum pk_status find_place(struct filter_parser *parser, const struct filter_part *part,
				 const struct filter_place *place, struct filter_range *range)
{
	struct stat st;

	if (!strcmp(place->word, "*")) {
		if (!*part->file || stat(part->file, &st))
			return complain(parser, "* needs a file:", "* @ FILE");
		*range = (struct filter_range){0, (uint64_t)st.st_size};
		return PK_OK;
	}
	if (!pk_parse_u64(place->word, &range->start))
		return find_function(parser, part, place, range);
	range->end = range->start;
	return PK_OK;
}

/* Returns true if the action is for a range, and not for a single address. */
static bool is_of_range(const struct filter_part *part)
{
	return !strcmp(part->action, "filter") || !strcmp(part->action, "tracestop");
}

/* Sets the end of the range: a size, or the end of another function. */
static enum pk_status find_end(struct filter_parser *parser, const struct filter_part *part,
			       struct filter_range *range)
{
	struct filter_range last;
	uint64_t size;

	if (!*part->end.word) {
		if (!is_of_range(part))
			range->end = range->start;
		return PK_OK;
	}
	if (pk_parse_u64(part->end.word, &size)) {
		range->end = range->start + size;
		return PK_OK;
	}
	PK_TRY(find_place(parser, part, &part->end, &last));
	range->end = last.end;
	return range->end > range->start
		       ? PK_OK
		       : complain(parser, "the range ends before it starts:", part->end.word);
}

static enum pk_status add_part(struct filter_parser *parser, const struct filter_part *part)
{
	struct filter_range range = {0};

	PK_TRY(find_place(parser, part, &part->start, &range));
	PK_TRY(find_end(parser, part, &range));
	/* The kernel calls both of them stop, and distinguishes them by the size. */
	buffer_format(&parser->result, "%s%s 0x%" PRIx64, parser->result.size ? "," : "",
		      strcmp(part->action, "tracestop") ? part->action : "stop", range.start);
	if (range.end > range.start)
		buffer_format(&parser->result, "/0x%" PRIx64, range.end - range.start);
	if (*part->file)
		buffer_format(&parser->result, "@%s", part->file);
	return PK_OK;
}

static enum pk_status convert(struct filter_parser *parser)
{
	struct filter_part part;

	do {
		PK_TRY(read_part(parser, &part));
		PK_TRY(add_part(parser, &part));
		while (is_next(parser, ","))
			;
	} while (*parser->at);
	buffer_char(&parser->result, '\0');
	return PK_OK;
}

char *pk_address_filter(const char *text, struct pk_messages *messages)
{
	struct filter_parser parser = {.text = text, .at = text, .messages = messages};
	enum pk_status status;

	parser.symbols = pk_symbols_new(&(struct pk_symbols_options){.no_demangle = true});
	status = parser.symbols ? convert(&parser) : PK_NOMEM;
	if (parser.symbols)
		pk_failures_add(&messages->failures, pk_symbols_failures(parser.symbols));
	pk_symbols_free(parser.symbols);
	if (status == PK_OK && !parser.result.failed)
		return (char *)parser.result.data;
	if (status == PK_NOMEM || parser.result.failed)
		pk_messages_no_memory(messages);
	free(parser.result.data);
	return NULL;
}
