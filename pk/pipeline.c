// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "data_lines.h"
#include "lookups.h"
#include "pipeline.h"
#include "shell_word.h"
#include "vector.h"

/* What stands for the places of a line. */
struct values {
	char *const *arguments;
	size_t count;
	const char *output;
	bool output_used;
};

static bool add_words(struct pipeline *pipeline, char *const *words, size_t count)
{
	if (!pk_reserve(&pipeline->words, &pipeline->words_capacity, pipeline->words_count, count,
			sizeof(*pipeline->words)))
		return false;
	if (count)
		memcpy(pipeline->words + pipeline->words_count, words, count * sizeof(*words));
	pipeline->words_count += count;
	return true;
}

static bool add_word(struct pipeline *pipeline, const char *word)
{
	char *copy = (char *)word;

	return add_words(pipeline, &copy, 1);
}

/* Whether the word is $NAME or ${NAME:-DEFAULT}. *otherwise: DEFAULT, which is cut out of the word,
 * or NULL. */
static bool is_place(char *word, const char *name, const char **otherwise)
{
	const size_t size = strlen(name);
	char *end = word + strlen(word) - 1;

	*otherwise = NULL;
	if (*word++ != '$')
		return false;
	if (!strcmp(word, name))
		return true;
	if (*word != '{' || strncmp(word + 1, name, size) != 0 ||
	    strncmp(word + 1 + size, ":-", 2) != 0 || *end != '}')
		return false;
	*end = '\0';
	*otherwise = word + size + 3;
	return true;
}

/* Adds a word of the line, or what it stands for. */
static bool expand(struct pipeline *pipeline, char *word, struct values *values)
{
	const char *otherwise;

	if (!strcmp(word, "|"))
		return add_word(pipeline, NULL);
	if (is_place(word, "@", &otherwise)) {
		if (values->count || !otherwise)
			return add_words(pipeline, values->arguments, values->count);
		return add_word(pipeline, otherwise);
	}
	if (!is_place(word, "output", &otherwise))
		return add_word(pipeline, word);
	values->output_used = true;
	pipeline->output = values->output ? values->output : otherwise;
	return add_word(pipeline, pipeline->output ? pipeline->output : "-");
}

/* Without a place for the output, the last program gets -o. */
static bool add_output(struct pipeline *pipeline, const struct values *values)
{
	if (!values->output || values->output_used)
		return true;
	pipeline->output = values->output;
	return add_word(pipeline, "-o") && add_word(pipeline, values->output);
}

static bool expand_line(struct pipeline *pipeline, const char *line, struct values *values)
{
	int count;

	pipeline->text = strdup(line);
	pipeline->line_words = calloc(pk_data_words_most(line), sizeof(*pipeline->line_words));
	if (!pipeline->text || !pipeline->line_words)
		return false;
	count = pk_data_words_split(pipeline->text, pipeline->line_words);
	for (int i = 0; i < count; i++)
		if (!expand(pipeline, pipeline->line_words[i], values))
			return false;
	return add_output(pipeline, values) && add_word(pipeline, NULL);
}

/* Sets the stages: each ends at a NULL of the words. */
static bool split_stages(struct pipeline *pipeline)
{
	char **start = pipeline->words;

	pipeline->stages = calloc(pipeline->words_count, sizeof(*pipeline->stages));
	for (size_t i = 0; pipeline->stages && i < pipeline->words_count; i++) {
		if (pipeline->words[i])
			continue;
		pipeline->stages[pipeline->count++].words = start;
		start = pipeline->words + i + 1;
	}
	return pipeline->stages;
}

int pipeline_make(struct pipeline *pipeline, const char *name, const char *line,
		  char *const *arguments, size_t count, const char *output)
{
	struct values values = {arguments, count, output, false};

	if (!expand_line(pipeline, line, &values) || !split_stages(pipeline))
		return pk_no_memory();
	for (size_t i = 0; i < pipeline->count; i++) {
		const char *program = pipeline->stages[i].words[0];

		if (program && *program)
			continue;
		pk_error("%s: a program is missing in the pipeline", name);
		return PK_EXIT_USAGE;
	}
	if (pipeline->output && !strcmp(pipeline->output, "-"))
		pipeline->output = NULL;
	return PK_EXIT_OK;
}

void pipeline_text(const struct pipeline *pipeline, struct buffer *text)
{
	for (size_t i = 0; i < pipeline->count; i++) {
		if (i)
			buffer_text(text, " | ");
		for (char *const *word = pipeline->stages[i].words; *word; word++) {
			if (word != pipeline->stages[i].words)
				buffer_char(text, ' ');
			shell_word(text, *word);
		}
	}
}

void pipeline_free(struct pipeline *pipeline)
{
	for (size_t i = 0; i < pipeline->count; i++)
		free(pipeline->stages[i].path);
	free(pipeline->stages);
	free(pipeline->words);
	free(pipeline->line_words);
	free(pipeline->text);
	*pipeline = (struct pipeline){0};
}
