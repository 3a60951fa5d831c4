// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "lookups.h"
#include "nearest.h"
#include "presets.h"
#include "vector.h"

#define DEPTH_MAX 16 /* the most presets in a command line, because a preset can contain itself */

/* The name of the last preset, and the text of its "needs" line. Both are empty if there is no
 * preset. last_needs is also empty if there is no such line, or if it was printed. */
static char last_preset[64], last_needs[512];

/* Keeps the block until pk_presets_free() is called, and returns it. Returns NULL if memory is
 * exhausted or if the block is NULL. */
static void *keep(struct pk_presets *presets, void *block)
{
	if (!block || pk_reserve(&presets->blocks, &presets->capacity, presets->count, 1,
				 sizeof(*presets->blocks)) != PK_OK) {
		free(block);
		return NULL;
	}
	presets->blocks[presets->count++] = block;
	return block;
}

void pk_presets_free(struct pk_presets *presets)
{
	for (size_t i = 0; i < presets->count; i++)
		free(presets->blocks[i]);
	free(presets->blocks);
	pk_data_lines_free(&presets->lines);
	*presets = (struct pk_presets){0};
}

/* Returns 0, or an exit status after a message. */
static int read_once(struct pk_presets *presets)
{
	if (presets->read)
		return PK_EXIT_OK;
	presets->read = true;
	return pk_data_lines_read(&presets->lines, "views");
}

static int print_list(const struct data_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		if (!strcmp(lines->items[i].group, pk_cli_program()))
			printf("%-14s %s\n%-14s %s\n", lines->items[i].name, lines->items[i].about,
			       "", lines->items[i].text);
	return pk_finish(PK_EXIT_OK);
}

/* Splits a copy of the text into words. The array has `before` empty entries before the words.
 * After the words it has `after` empty entries and a NULL. Returns NULL if memory is exhausted. */
static char **words_of(struct pk_presets *presets, const char *text, size_t before, size_t after,
		       int *count)
{
	char *copy = keep(presets, strdup(text));
	char **words = copy ? keep(presets, calloc(before + pk_data_words_most(text) + after + 1,
						   sizeof(*words)))
			    : NULL;

	if (words)
		*count = pk_data_words_split(copy, words + before);
	return words;
}

static void note_needs(const struct data_lines *lines, const char *name)
{
	const struct data_line *needs;
	char own[128]; /* The text PROGRAM.PRESET. If a "needs" line has this name, it has priority
			* over the line with the name PRESET. */

	snprintf(own, sizeof(own), "%s.%s", pk_cli_program(), name);
	needs = pk_data_lines_find(lines, "needs", own);
	if (!needs)
		needs = pk_data_lines_find(lines, "needs", name);
	snprintf(last_preset, sizeof(last_preset), "%s", name);
	snprintf(last_needs, sizeof(last_needs), "%s", needs ? needs->text : "");
}

void pk_preset_report_needs(void)
{
	const size_t own = strlen(pk_cli_program());
	char *end = last_needs + strlen(last_needs);

	/* The programs before this program in the pipeline make its input. */
	for (char *bar = last_needs; (bar = strstr(bar, " | ")); bar++)
		if (!strncmp(bar + 3, pk_cli_program(), own))
			end = bar;
	if (*last_needs)
		pk_warn("%s reads the output of: %.*s", last_preset, (int)(end - last_needs),
			last_needs);
	*last_needs = '\0';
}

/* Inserts the options of the preset into the arguments. Returns -1, or an exit status after a
 * message. */
static int insert(struct pk_presets *presets, const char *options, int *argc, char ***argv)
{
	const size_t before = (size_t)optind, after = (size_t)(*argc - optind);
	int count;
	char **words = words_of(presets, options, before, after, &count);

	if (!words)
		return pk_no_memory();
	memcpy(words, *argv, before * sizeof(*words));
	memcpy(words + optind + count, *argv + optind, after * sizeof(*words));
	*argv = words;
	*argc += count;
	return -1;
}

/* The file of presets that comes with the programs was not found. So the name can be a preset that
 * is unknown now. */
static int unknown_preset(const char *text)
{
	pk_error("%s: neither a file nor a known view", text);
	return PK_EXIT_FAILED;
}

/* Tries all names of a group as the nearest name. The group is the name of a program, or "events".
 */
static void find_nearest(const struct pk_presets *presets, const char *group,
			 struct pk_nearest *nearest)
{
	for (size_t i = 0; i < presets->lines.count; i++)
		if (!strcmp(presets->lines.items[i].group, group))
			pk_nearest_try(nearest, presets->lines.items[i].name);
}

static int find_preset(struct pk_presets *presets, const char *text, int *argc, char ***argv,
		       bool *is_preset)
{
	const int result = read_once(presets);
	const struct data_line *preset =
		result ? NULL : pk_data_lines_find(&presets->lines, pk_cli_program(), text);

	*is_preset = preset || !strcmp(text, "list");
	if (result)
		return result;
	if (!preset && !strcmp(text, "list"))
		return print_list(&presets->lines);
	if (!preset)
		return presets->lines.failed && access(text, F_OK) ? unknown_preset(text) : -1;
	if (presets->depth++ == DEPTH_MAX)
		return pk_usage_error("--view=%s: too many views", text);
	note_needs(&presets->lines, text);
	return insert(presets, preset->text, argc, argv);
}

int pk_preset_operand(struct pk_presets *presets, const char *text, int *argc, char ***argv,
		      bool *is_preset)
{
	struct pk_nearest nearest = {.wanted = text};
	const int result = find_preset(presets, text, argc, argv, is_preset);

	if (result >= 0 || *is_preset || !strcmp(text, "-") || !access(text, F_OK))
		return result;
	find_nearest(presets, pk_cli_program(), &nearest);
	return nearest.name ? pk_usage_error("%s: neither a file nor a known view%s", text,
					     pk_nearest_hint(&nearest))
			    : result;
}

int pk_preset_option(struct pk_presets *presets, const char *text, int *argc, char ***argv)
{
	struct pk_nearest nearest = {.wanted = text};
	bool is_preset;
	const int result = find_preset(presets, text, argc, argv, &is_preset);

	if (result >= 0 || is_preset)
		return result;
	find_nearest(presets, pk_cli_program(), &nearest);
	return pk_usage_error("--view=%s: no such view%s; --view=list prints all", text,
			      pk_nearest_hint(&nearest));
}

/* ---- Programs that make the input ---- */

/* Finds the command with this index in last_needs. Returns NULL if there is none. */
static const char *find_command(const char *program, size_t index, size_t *size)
{
	const size_t name = strlen(program);

	for (const char *at = last_needs; (at = strstr(at, " | ")); at++) {
		const char *word = at + 3, *end = strstr(word, " | ");

		if (strncmp(word, program, name) != 0 || word[name] != ' ' || index--)
			continue;
		*size = end ? (size_t)(end - word) : strlen(word);
		return word;
	}
	return NULL;
}

/* Replaces `used` words at the index `at` by the options of the preset whose name is the last of
 * them. If there is no such preset, sets *argv to NULL. */
static enum pk_status replace(struct pk_presets *presets, int at, int used, int *argc, char ***argv)
{
	const struct data_line *preset =
		pk_data_lines_find(&presets->lines, (*argv)[0], (*argv)[at + used - 1]);
	const size_t after = (size_t)(*argc - at - used);
	char **words, **const old = *argv;
	int count;

	*argv = NULL;
	if (!preset || presets->depth++ == DEPTH_MAX)
		return PK_OK;
	words = words_of(presets, preset->text, (size_t)at, after, &count);
	if (!words)
		return PK_NOMEM;
	memcpy(words, old, (size_t)at * sizeof(*words));
	memcpy(words + at + count, old + at + used, after * sizeof(*words));
	*argv = words;
	*argc += count - used;
	return PK_OK;
}

enum pk_status pk_preset_needs(struct pk_presets *presets, const char *program, size_t index,
			       int *argc, char ***argv)
{
	size_t size = 0;
	const char *command = find_command(program, index, &size);
	char *text;

	*argv = NULL;
	if (!command)
		return PK_OK;
	if (read_once(presets))
		return PK_FAILED;
	text = keep(presets, strndup(command, size));
	*argv = text ? words_of(presets, text, 0, 0, argc) : NULL;
	if (!*argv)
		return PK_NOMEM;
	if (*argc < 2)
		*argv = NULL;
	else
		PK_TRY(replace(presets, 1, 1, argc, argv));
	for (int i = 1; *argv && i < *argc - 1;) {
		if (strcmp((*argv)[i], "--view") != 0)
			i++;
		else
			PK_TRY(replace(presets, i, 2, argc, argv));
	}
	return PK_OK;
}

/* ---- Sets of events ---- */

bool pk_event_set(void *arg, const char *name, const char *const **words)
{
	struct pk_presets *presets = arg;
	const struct data_line *set = NULL;
	int count;

	presets->status = read_once(presets);
	if (!presets->status)
		set = pk_data_lines_find(&presets->lines, "events", name);
	*words = set ? (const char *const *)words_of(presets, set->text, 0, 0, &count) : NULL;
	if (set && !*words)
		presets->status = pk_no_memory();
	return !presets->status;
}

void pk_event_sets_try(void *arg, struct pk_nearest *nearest)
{
	find_nearest(arg, "events", nearest);
}

enum pk_status pk_event_sets(void (*show)(void *arg, const char *name, const char *about),
			     void *arg)
{
	struct data_lines lines = {0};
	const bool ok = pk_data_lines_read(&lines, "views") == PK_EXIT_OK;

	for (size_t i = 0; ok && i < lines.count; i++)
		if (!strcmp(lines.items[i].group, "events"))
			show(arg, lines.items[i].name, lines.items[i].about);
	pk_data_lines_free(&lines);
	return ok ? PK_OK : PK_FAILED;
}
