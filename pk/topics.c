// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "pipeline.h"
#include "texts.h"
#include "topics.h"

static bool is_topic(const struct data_line *line)
{
	return !strcmp(line->group, "topic");
}

const struct data_line *command_find(const struct data_lines *lines, const char *name)
{
	for (size_t i = lines->count; i-- > 0;)
		if (!is_topic(&lines->items[i]) && !strcmp(lines->items[i].name, name))
			return &lines->items[i];
	return NULL;
}

/* Returns true if the line is a command of the topic, and if no command of another topic replaces
 * it. */
static bool is_of(const struct data_lines *lines, const struct data_line *line, const char *topic)
{
	return !is_topic(line) && !strcmp(line->group, topic) &&
	       command_find(lines, line->name) == line;
}

/* Returns true if the line is the first line of its topic. This is a question, or a command if the
 * topic has no question. */
static bool is_first(const struct data_lines *lines, const struct data_line *line)
{
	if (is_topic(line))
		return true;
	if (pk_data_lines_find(lines, "topic", line->group))
		return false;
	for (const struct data_line *other = lines->items; other < line; other++)
		if (!strcmp(other->group, line->group))
			return false;
	return true;
}

static const char *question(const struct data_lines *lines, const char *topic)
{
	const struct data_line *line = pk_data_lines_find(lines, "topic", topic);

	return line && *line->about ? line->about : topic;
}

static void print_commands(const struct data_lines *lines, const char *topic)
{
	printf("%s (%s)\n", question(lines, topic), topic);
	for (size_t i = 0; i < lines->count; i++)
		if (is_of(lines, &lines->items[i], topic))
			printf("  pk %-14s %s\n", lines->items[i].name, lines->items[i].about);
}

void topics_print(const struct data_lines *lines)
{
	puts("Each command runs a pipeline of programs, and prints it:");
	puts("  pk flame -- ./app     pk top     pk syscalls -p PID     pk offcpu -a --for 10s");
	for (size_t i = 0; i < lines->count; i++) {
		const struct data_line *line = &lines->items[i];

		if (is_first(lines, line))
			print_commands(lines, is_topic(line) ? line->name : line->group);
	}
	puts("Recordings of many hosts: pk fleet");
	puts("pk help TOPIC and pk help COMMAND show the pipelines, pk -n COMMAND ... prints one.");
}

/* Prints the pipeline of a line, and adds its programs to `programs`. Returns 0, or prints a
 * message and returns the exit status. */
static int print_pipeline(const struct data_line *line, struct pk_texts *programs)
{
	static char arguments[] = "ARGUMENT...";
	char *const words[] = {arguments};
	struct pipeline pipeline = {0};
	struct buffer text = {0};
	const int result = pipeline_make(&pipeline, line,
					 &(struct pipeline_words){.arguments = words, .count = 1});
	bool ok = true;

	if (!result)
		pipeline_text(&pipeline, &text);
	for (size_t i = 0; !result && ok && i < pipeline.count; i++) {
		const char *program = pipeline.stages[i].words[0];

		ok = pk_texts_add(programs, program, strlen(program));
	}
	if (!result && ok && !text.failed)
		printf("\npk %s: %s\n    %.*s\n", line->name, line->about, (int)text.size,
		       text.data);
	free(text.data);
	pipeline_free(&pipeline);
	return result || (ok && !text.failed) ? result : pk_no_memory();
}

/* Prints what the arguments can be. */
static void print_arguments(const struct data_line *command, const struct pk_texts *programs)
{
	const char *first = pk_texts_get(programs, 1, NULL), *last = first, *program;
	const char *name = command->name;

	for (uint32_t i = 2; (program = pk_texts_get(programs, i, NULL)); i++)
		last = program;
	if (!strcmp(first, "pk-record"))
		printf("\nARGUMENT is what to record, with options of pk-record and of %s:\n"
		       "    pk %s -- ./app\n"
		       "    pk %s -p PID --for 10s\n"
		       "or recordings of pk or perf, with options of %s:\n"
		       "    pk %s FILE\n",
		       last, name, name, last, name);
	else if (!strcmp(first, "pk-stat"))
		printf("\nARGUMENT is what to count, with options of %s:\n"
		       "    pk %s -- ./app\n"
		       "    pk %s -a --for 10s\n",
		       last, name, name);
	else
		printf("\nARGUMENT is recordings of pk or perf, with options of %s:\n"
		       "    pk %s %s\n",
		       last, name, strstr(command->text, "--diff") ? "BEFORE AFTER" : "FILE");
	puts("-o FILE, -n (print the pipeline, do not run it), -v and -q are those of pk.");
}

static void print_programs(const struct pk_texts *programs)
{
	const char *program;

	printf("\nManual pages: pk(1)");
	for (uint32_t i = 1; (program = pk_texts_get(programs, i, NULL)); i++)
		printf(", %s(1)", program);
	putchar('\n');
}

int topic_print(const struct data_lines *lines, const char *name)
{
	struct pk_texts programs = {0};
	const struct data_line *command = command_find(lines, name);
	bool found = false;
	int result = PK_EXIT_OK;

	for (size_t i = 0; !result && i < lines->count; i++) {
		const struct data_line *line = &lines->items[i];

		if (!is_of(lines, line, name) && line != command)
			continue;
		if (!found)
			puts(question(lines, line->group));
		found = true;
		result = print_pipeline(line, &programs);
	}
	if (found && !result && command)
		print_arguments(command, &programs);
	if (found && !result)
		print_programs(&programs);
	pk_texts_free(&programs);
	return found ? result : -1;
}
