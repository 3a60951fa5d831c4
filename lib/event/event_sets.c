// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "event_parser.h"
#include "vector.h"

/* Sets of events: the option -e NAME. docs/views.md describes the words of a set. */

#define ARGUMENT "$1" /* a part of a word that is replaced by the text after NAME= */

/* The state while a set of events is added. */
struct set {
	struct event_list *list;
	enum pk_status (*parse)(struct event_list *list, const char *text);
	const char *text; /* the text of the option -e */
	/* The text after NAME=, which replaces "$1"; NULL if it is not given. */
	const char *argument;
	const char *object; /* the object of the following probes; NULL for the kernel */
	bool argument_used, failed;
	struct buffer lacking; /* names of events that this kernel does not have */
	/* The first name in lacking, and its object. If no event of the set exists, this event is
	 * parsed again to repeat its error message. */
	char *first, *first_object;
	bool first_is_probe;
	bool no_dumps; /* true if the events that are added from now on get no stack dumps */
};

/* ---- Libraries ---- */

/* A search for a library that this program has loaded. */
struct library {
	const char *name;
	char *path; /* the path of the library; NULL if it was not found */
};

static int compare_library(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct library *library = arg;
	const char *slash = strrchr(info->dlpi_name, '/');

	(void)size;
	if (slash && !strcmp(slash + 1, library->name))
		library->path = strdup(info->dlpi_name);
	return library->path != NULL;
}

/* Returns the path of a library. A name without a slash is searched in the libraries that this
 * program has loaded. */
static char *find_library(const char *name)
{
	struct library library = {.name = name};

	if (!strchr(name, '/'))
		dl_iterate_phdr(compare_library, &library);
	return library.path ? library.path : strdup(name);
}

/* ---- Events ---- */

static enum pk_status no_memory(struct set *set)
{
	set->failed = true;
	return pk_messages_no_memory(&set->list->messages);
}

static enum pk_status add_one(const struct set *set, const char *object, const char *text,
			      bool is_probe)
{
	return is_probe ? pk_event_list_add_probe(set->list, object, text)
			: set->parse(set->list, text);
}

/* Copies the event that finish() parses again if no event of the set exists. */
static enum pk_status keep_first(struct set *set, const char *text, bool is_probe)
{
	set->first = strdup(text);
	set->first_object = set->object ? strdup(set->object) : NULL;
	set->first_is_probe = is_probe;
	if (!set->first)
		return PK_NOMEM;
	return set->first_object || !set->object ? PK_OK : PK_NOMEM;
}

/* Adds an event if it exists. If it does not exist, drops its error messages. */
static void add_if_any(struct set *set, const char *text, bool is_probe)
{
	struct event_list *list = set->list;
	const size_t count = list->count;
	const size_t said = list->messages.text.size, omitted = list->messages.omitted;
	const enum pk_status status = add_one(set, set->object, text, is_probe);

	for (size_t i = count; i < list->count; i++)
		list->items[i].no_dump = set->no_dumps;
	set->failed |= list->messages.no_memory;
	if (status == PK_OK || set->failed)
		return;
	pk_event_list_cut(list, count);
	list->messages.text.size = said;
	list->messages.omitted = omitted;
	if (!set->first && keep_first(set, text, is_probe) != PK_OK)
		no_memory(set);
	if (set->lacking.size)
		buffer_text(&set->lacking, ", ");
	buffer_text(&set->lacking, text);
	if (set->lacking.failed)
		no_memory(set);
}

/* Returns a copy of the word in which "$1" is replaced by the argument. The caller frees it.
 * Returns NULL if memory is exhausted. */
static char *put_argument(struct set *set, const char *word)
{
	struct buffer text = {0};
	const char *mark = strstr(word, ARGUMENT);
	char *whole;

	if (mark) {
		set->argument_used = true;
		buffer_add(&text, word, (size_t)(mark - word));
		buffer_text(&text, set->argument ? set->argument : "");
		word = mark + strlen(ARGUMENT);
	}
	buffer_text(&text, word);
	whole = buffer_take(&text);
	if (!whole)
		no_memory(set);
	return whole;
}

static void add_formats(struct set *set, char *pattern)
{
	struct event_list *list = set->list;

	if (pk_reserve(&list->formats, &list->formats_capacity, list->formats_count, 1,
		       sizeof(*list->formats)) == PK_OK) {
		list->formats[list->formats_count++] = pattern;
		return;
	}
	free(pattern);
	no_memory(set);
}

/* Sets the object of the set. The object of the option -x, if it was given, has precedence. */
static void set_object(struct set *set, const char *name, char **path)
{
	if (set->list->object)
		return;
	free(*path);
	*path = find_library(name);
	set->object = *path;
	if (!*path)
		no_memory(set);
}

/* Marks the set as complete only in recordings of all tasks. */
static void set_everywhere(struct set *set)
{
	struct event_list *list = set->list;

	if (list->everywhere)
		return;
	list->everywhere = strndup(set->text, strcspn(set->text, "="));
	if (!list->everywhere)
		no_memory(set);
}

static void add_words(struct set *set, const char *const *words)
{
	char *path = NULL, *text;

	set->object = set->list->object;
	for (; *words && !set->failed; words++) {
		const char *option;

		if (!strcmp(*words, "-a")) {
			set_everywhere(set);
			continue;
		}
		if (!strcmp(*words, "--no-dumps")) {
			set->no_dumps = true;
			continue;
		}
		option = **words == '-' && words[1] ? *words++ : "";
		text = put_argument(set, *words);
		if (!text)
			break;
		if (!strcmp(option, "--formats")) {
			add_formats(set, text);
			continue;
		}
		if (!strcmp(option, "-x"))
			set_object(set, text, &path);
		else
			add_if_any(set, text, !strcmp(option, "--probe"));
		free(text);
	}
	free(path);
	set->object = NULL;
}

/* Reports events and arguments that are missing. */
static enum pk_status finish(struct set *set, const struct event_parser *parser, size_t first)
{
	struct event_list *list = set->list;
	const int name = (int)strcspn(set->text, "=");

	if (set->failed)
		return PK_FAILED;
	if (set->argument_used && !set->argument)
		return pk_event_parser_complain(parser, parser->at, "%.*s=ARGUMENT is expected",
						name, set->text);
	if (set->argument && !set->argument_used)
		return pk_event_parser_complain(parser, parser->at, "the set %.*s has no argument",
						name, set->text);
	if (list->count == first && set->first)
		return add_one(set, set->first_object, set->first, set->first_is_probe);
	if (list->count == first)
		return pk_event_parser_complain(parser, parser->at, "the set %.*s has no events",
						name, set->text);
	if (set->lacking.size)
		pk_messages_warn(&list->messages, "-e %s: this machine does not have %.*s",
				 set->text, (int)set->lacking.size, set->lacking.data);
	return PK_OK;
}

bool pk_event_set_add(struct event_parser *parser, const char *text,
		      enum pk_status (*parse)(struct event_list *list, const char *text), bool *ok)
{
	struct event_list *list = parser->list;
	struct set set = {
		.list = list, .parse = parse, .text = text, .argument = strchr(text, '=')};
	const size_t first = list->count;
	bool (*const find)(void *, const char *, const char *const **) = list->find_set;
	const char *const *words = NULL;
	char *name = strndup(text, strcspn(text, "="));

	if (set.argument)
		set.argument++;
	*ok = name && find && find(list->find_arg, name, &words);
	if (!name)
		pk_event_parser_no_memory(parser);
	free(name);
	if (!words)
		return find && !*ok;
	list->find_set = NULL; /* a set cannot contain sets */
	add_words(&set, words);
	*ok = finish(&set, parser, first) == PK_OK;
	list->find_set = find;
	free(set.lacking.data);
	free(set.first);
	free(set.first_object);
	return true;
}
