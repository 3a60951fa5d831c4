// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "nearest.h"
#include "option_rows.h"
#include "presets.h"
#include "vector.h"

static const struct option_row *find_letter(const struct option_rows *rows, int letter)
{
	for (size_t i = 0; i < rows->count; i++)
		if (pk_option_row_is_option(rows->items[i].option) &&
		    rows->items[i].option->letter == letter)
			return &rows->items[i];
	return NULL;
}

static const struct option_row *target_of(const struct option_rows *rows,
					  const struct option_row *row)
{
	const struct option_row *target =
		row->option->kind == PK_ALIAS ? pk_option_rows_find(rows, row->option->help) : row;

	assert(target);
	return target;
}

/* ---- Values ---- */

/* Returns "--name" or, if the option has no long name, "-x". */
static const char *name_of(const struct pk_option *option, char text[64])
{
	if (option->name)
		snprintf(text, 64, "--%s", option->name);
	else
		snprintf(text, 64, "-%c", option->letter);
	return text;
}

int pk_option_error(const struct pk_option *option, const char *text, const char *error)
{
	char name[64];

	return text ? pk_usage_error("%s=%s: %s", name_of(option, name), text, error)
		    : pk_usage_error("%s: %s", name_of(option, name), error);
}

/* Makes a list for a message: "start|end|both" becomes "start, end or both". */
static void list_words(const char *words, char *text, size_t size)
{
	size_t at = 0;

	for (words += *words == '['; *words && *words != ']' && at + 5 < size; words++) {
		if (*words == '|')
			at += (size_t)snprintf(text + at, size - at, "%s",
					       strchr(words + 1, '|') ? ", " : " or ");
		else
			text[at++] = *words;
	}
	text[at] = '\0';
}

static const char *what_is_wanted(const struct pk_option *option, char *text, size_t size)
{
	const char *const kind = option->kind == PK_TIME   ? "a time such as 10ms"
				 : option->kind == PK_SIZE ? "a size such as 64M"
							   : "a number";

	if (option->wants)
		return option->wants;
	if (option->kind == PK_WORD)
		list_words(option->value, text, size);
	else if (option->kind == PK_PERCENT)
		return "a number from 0 to 100";
	else if (option->kind == PK_TEXT || option->kind == PK_INPUT)
		return "a text";
	else if (option->most > 0)
		snprintf(text, size, "%s from %.12g to %.12g", kind, option->least, option->most);
	else if (option->least > 0 && option->kind == PK_NUMBER)
		snprintf(text, size, "%s from %.12g on", kind, option->least);
	else
		return kind;
	return text;
}

int pk_option_wrong(const struct pk_option *option, const char *text)
{
	char wanted[256], error[300];

	snprintf(error, sizeof(error), "must be %s",
		 what_is_wanted(option, wanted, sizeof(wanted)));
	return pk_option_error(option, text, error);
}

/* Stores the value as an unsigned integer of `size` bytes. */
static void store(void *at, size_t size, uint64_t value)
{
	switch (size) {
	case 1: *(uint8_t *)at = (uint8_t)value; break;
	case 2: *(uint16_t *)at = (uint16_t)value; break;
	case 4: *(uint32_t *)at = (uint32_t)value; break;
	default: assert(size == 8); *(uint64_t *)at = value;
	}
}

static uint64_t load(const void *at, size_t size)
{
	return size == 1   ? *(const uint8_t *)at
	       : size == 2 ? *(const uint16_t *)at
	       : size == 4 ? *(const uint32_t *)at
			   : *(const uint64_t *)at;
}

static int store_number(const struct pk_option *option, void *at, const char *text)
{
	const uint64_t most = UINT64_MAX >> (64 - 8 * option->size);
	uint64_t value;
	const bool good = option->kind == PK_TIME   ? pk_parse_time(text, &value)
			  : option->kind == PK_SIZE ? pk_parse_size(text, &value)
						    : pk_parse_u64(text, &value);

	if (!good || value > most || (double)value < option->least ||
	    (option->most > 0 && (double)value > option->most))
		return pk_option_wrong(option, text);
	store(at, option->size, value);
	return PK_CONTINUE;
}

static int store_real(const struct pk_option *option, void *at, const char *text)
{
	char *end;
	const double value = strtod(text, &end);

	if (end == text || *end || !(value >= option->least && value <= option->most))
		return pk_option_wrong(option, text);
	*(double *)at = value;
	return PK_CONTINUE;
}

static int store_word(const struct pk_option *option, void *at, const char *text)
{
	const char *words = option->value + (*option->value == '[');
	const size_t size = strlen(text);
	uint64_t index = 0;

	for (;; index++) {
		const size_t length = strcspn(words, "|]");

		if (length == size && !memcmp(words, text, size))
			break;
		if (words[length] != '|')
			return pk_option_wrong(option, text);
		words += length + 1;
	}
	store(at, option->size, index);
	return PK_CONTINUE;
}

static int store_text(const struct pk_option *option, void *at, const char *text)
{
	if (text && !*text && option->least > 0)
		return pk_option_wrong(option, text);
	if (option->kind == PK_INPUT)
		pk_protect_input(text);
	*(const char **)at = text;
	return PK_CONTINUE;
}

int pk_text_list_add(struct pk_text_list *list, const char *text)
{
	if (pk_vector_reserve(list, 1) != PK_OK)
		return pk_no_memory();
	list->items[list->count++] = text;
	return PK_CONTINUE;
}

static int show_version(void)
{
	printf("%s %s\n", pk_cli_program(), pk_version());
	return pk_finish(PK_EXIT_OK);
}

/* ---- Parsing ---- */

struct parser {
	const struct pk_command *command;
	void *opts;
	int *argc;
	char ***argv;
	struct option_rows rows;
	struct pk_text_list operands; /* operands from options of kind PK_OPERAND */
	struct option names[OPTION_ROWS_MAX + 1];
	char letters[3 * OPTION_ROWS_MAX];
};

/* This function is long because it is a flat switch. */
static int apply(struct parser *parser, const struct option_row *row, const char *text)
{
	const struct pk_option *option = row->option;
	void *at = row->base + option->at;

	switch (option->kind) {
	case PK_FLAG: store(at, option->size, 1); break;
	case PK_CLEAR: store(at, option->size, 0); break;
	case PK_SET: store(at, option->size, option->set); break;
	case PK_BITS: store(at, option->size, load(at, option->size) | option->set); break;
	case PK_MORE: store(at, option->size, load(at, option->size) + 1); break;
	case PK_TEXT:
	case PK_INPUT: return store_text(option, at, text);
	case PK_TEXTS: return pk_text_list_add(at, text);
	case PK_OPERAND: return pk_text_list_add(&parser->operands, text);
	case PK_NUMBER:
	case PK_SIZE:
	case PK_TIME: return store_number(option, at, text);
	case PK_REAL: return store_real(option, at, text);
	case PK_PERCENT:
		return pk_parse_percent(text, at) ? PK_CONTINUE : pk_option_wrong(option, text);
	case PK_WORD: return store_word(option, at, text);
	case PK_CALL: return option->parse(option, at, text);
	case PK_PRESET: return pk_preset_option(at, text, parser->argc, parser->argv);
	case PK_SHOW_HELP: return pk_option_rows_help(&parser->rows, parser->command);
	case PK_SHOW_VERSION: return show_version();
	default: break; /* PK_IGNORED does nothing. */
	}
	return PK_CONTINUE;
}

/* For a long option, getopt_long(3) returns FIRST_ROW plus the index of its row. */
enum { FIRST_ROW = UCHAR_MAX + 1 };

static const struct option_row *row_of(const struct option_rows *rows, int c)
{
	return target_of(rows, c >= FIRST_ROW ? &rows->items[c - FIRST_ROW] : find_letter(rows, c));
}

static int apply_option(struct parser *parser, int c)
{
	const struct option_row *row = row_of(&parser->rows, c);
	const char *text = optarg ? optarg : row->option->without;
	int result = PK_CONTINUE;

	if (row->group)
		result = row->group->parse(row->option, row->group_base, text);
	return result < 0 ? apply(parser, row, text) : result;
}

static void make_tables(struct parser *parser)
{
	const struct option_rows *rows = &parser->rows;
	struct option *name = parser->names;
	char *letter = parser->letters;

	if (parser->command->stops || parser->command->operand)
		*letter++ = parser->command->operand ? '-' : '+';
	*letter++ = ':';
	for (size_t i = 0; i < rows->count; i++) {
		const struct pk_option *option = rows->items[i].option;
		const int argument = !option->value	     ? no_argument
				     : *option->value == '[' ? optional_argument
							     : required_argument;

		if (!pk_option_row_is_option(option))
			continue;
		if (option->name)
			*name++ = (struct option){option->name, argument, NULL, FIRST_ROW + (int)i};
		if (option->letter)
			letter += snprintf(letter, 4, "%c%.*s", option->letter, argument, "::");
	}
	*name = (struct option){0};
}

/* ---- Unknown options ---- */

/* Returns true if the row is a PK_INSTEAD row for this word. Also accepts --no-NAME, because perf
 * accepts it. */
static bool answers(const struct pk_option *option, const char *word, int letter)
{
	const char *name = word + (strncmp(word, "--no-", 5) ? 2 : 5);

	if (option->kind != PK_INSTEAD)
		return false;
	if (letter)
		return option->letter == letter;
	return option->name && strlen(option->name) == strcspn(name, "=") &&
	       !strncmp(name, option->name, strlen(option->name));
}

/* The text can be "use PROGRAM --NAME ...". If this program also has the option --NAME, returns the
 * address of "--NAME" in the text. Otherwise returns NULL. */
static const char *own_option(const struct option_rows *rows, const char *text)
{
	const char *name = strstr(text, " --");
	char copy[64];

	if (strncmp(text, "use pk-", 7) || !name || name != text + 4 + strcspn(text + 4, " "))
		return NULL;
	snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(name + 3, " =,"), name + 3);
	return pk_option_rows_find(rows, copy) ? name + 1 : NULL;
}

static int answer(const struct option_rows *rows, const struct pk_option *option, const char *word)
{
	const char *own = own_option(rows, option->help);
	const int size = (int)strcspn(word, "=");

	if (own || *option->help == '-')
		return pk_usage_error("there is no %.*s: use %s", size, word,
				      own ? own : option->help);
	return pk_usage_error("there is no %.*s: %s", size, word, option->help);
}

/* If the word is the start of the names of options, prints these names. getopt_long(3) did not
 * accept the word, so there are several. */
static int ambiguous(const struct option_rows *rows, const char *word, size_t size)
{
	char names[512] = "";

	for (size_t i = 0; i < rows->count; i++) {
		const struct pk_option *option = rows->items[i].option;

		if (!pk_option_row_is_option(option) || !option->name ||
		    strncmp(option->name, word + 2, size) != 0)
			continue;
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s--%s",
			 *names ? ", " : "", option->name);
	}
	return *names ? pk_usage_error("%s can be %s", word, names) : PK_CONTINUE;
}

/* Returns the only PK_INSTEAD row whose name starts with the word, or NULL. perf accepts such
 * abbreviations. */
static const struct pk_option *abbreviates(const struct option_rows *rows, const char *word,
					   size_t size)
{
	const struct pk_option *only = NULL;

	for (size_t i = 0; i < rows->count; i++) {
		const struct pk_option *option = rows->items[i].option;

		if (option->kind != PK_INSTEAD || !option->name ||
		    strncmp(option->name, word + 2, size) != 0)
			continue;
		if (only)
			return NULL;
		only = option;
	}
	return only;
}

static int unknown_name(const struct option_rows *rows, const char *word)
{
	const size_t size = strcspn(word + 2, "=");
	const struct pk_option *instead = abbreviates(rows, word, size);
	char wanted[64];
	struct pk_nearest nearest = {.wanted = wanted};
	int result = ambiguous(rows, word, size);

	if (result >= 0)
		return result;
	if (instead)
		return answer(rows, instead, word);
	snprintf(wanted, sizeof(wanted), "%.*s", (int)size, word + 2);
	for (size_t i = 0; i < rows->count; i++)
		if (pk_option_row_is_option(rows->items[i].option) && rows->items[i].option->name)
			pk_nearest_try(&nearest, rows->items[i].option->name);
	if (nearest.name)
		return pk_usage_error("no option %.*s; --%s?", (int)size + 2, word, nearest.name);
	return pk_usage_error("no option %.*s", (int)size + 2, word);
}

/* Reports an error after getopt_long(3) has returned '?'. Either the option is unknown, or the
 * option has a value but must not have one. */
static int unknown(const struct option_rows *rows, const char *word)
{
	const char letter[] = {'-', optopt < FIRST_ROW ? (char)optopt : '\0', '\0'};

	if (optopt >= FIRST_ROW)
		return pk_usage_error("--%s has no value",
				      rows->items[optopt - FIRST_ROW].option->name);
	for (size_t i = 0; i < rows->count; i++)
		if (answers(rows->items[i].option, word, optopt))
			return answer(rows, rows->items[i].option, optopt ? letter : word);
	return optopt ? pk_usage_error("no option %s", letter) : unknown_name(rows, word);
}

static int without_value(const struct option_rows *rows)
{
	const struct pk_option *option = optopt >= FIRST_ROW
						 ? rows->items[optopt - FIRST_ROW].option
						 : find_letter(rows, optopt)->option;

	if (optopt >= FIRST_ROW)
		return pk_usage_error("--%s needs a value: --%s=%s", option->name, option->name,
				      option->value);
	return pk_usage_error("-%c needs a value: -%c %s", optopt, optopt, option->value);
}

/* Handles the option that getopt_long(3) has found. Its name can be abbreviated. If the given word
 * is the name of a PK_INSTEAD row, it is not an abbreviation. */
static int found(struct parser *parser, int c)
{
	const struct option_rows *rows = &parser->rows;
	const char *const *last = (const char *const *)*parser->argv + optind - 1;
	const char *word = optarg == *last ? last[-1] : *last;

	if (c < FIRST_ROW ||
	    strcspn(word + 2, "=") == strlen(rows->items[c - FIRST_ROW].option->name))
		return apply_option(parser, c);
	for (size_t i = 0; i < rows->count; i++)
		if (answers(rows->items[i].option, word, 0))
			return answer(rows, rows->items[i].option, word);
	return apply_option(parser, c);
}

static int parse_all(struct parser *parser)
{
	const struct pk_command *command = parser->command;
	int result = PK_CONTINUE, c;

	opterr = optind = 0;
	while (result < 0 && (c = getopt_long(*parser->argc, *parser->argv, parser->letters,
					      parser->names, NULL)) != -1) {
		if (c == 1 && command->operand)
			result = command->operand(parser->opts, optarg, parser->argc, parser->argv);
		else if (c == ':')
			result = without_value(&parser->rows);
		else if (c == '?')
			result = unknown(&parser->rows, (*parser->argv)[optind - 1]);
		else
			result = found(parser, c);
	}
	while (result < 0 && command->operand && optind < *parser->argc)
		result = command->operand(parser->opts, (*parser->argv)[optind++], parser->argc,
					  parser->argv);
	return result;
}

int pk_parse_options(const struct pk_command *command, void *opts, int *argc, char ***argv)
{
	struct parser parser = {.command = command, .opts = opts, .argc = argc, .argv = argv};
	int result;

	pk_option_rows_make(&parser.rows, command, opts);
	if (*argc == 2 && !strcmp((*argv)[1], "--list-options"))
		return pk_option_rows_list(&parser.rows);
	make_tables(&parser);
	result = parse_all(&parser);
	/* The operands that came from options of kind PK_OPERAND are written over the arguments
	 * before the first operand. There is enough room, because each of these operands came from
	 * an option among these arguments. */
	for (size_t i = parser.operands.count; i-- > 0;)
		(*argv)[--optind] = (char *)parser.operands.items[i];
	free(parser.operands.items);
	return result;
}
