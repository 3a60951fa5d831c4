/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PIPELINE_H
#define PIPELINE_H

/* A pipeline of programs and their arguments. It is made from a line of share/pk/commands and the
 * arguments of the user. No shell is used: each argument of the user becomes exactly one word. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "buffer.h"
#include "data_lines.h"

/* ---- Pipelines ---- */

/* A program of a pipeline. */
struct stage {
	char **words; /* name and arguments of the program, with a NULL at the end (argv) */
	char *path;   /* path of the program; pipeline_run() sets it */
	pid_t pid;    /* pid of the program while it runs; otherwise 0 */
	int status;   /* status of the program from waitpid(2) */
};

/* A pipeline that contains only zero bytes is empty. */
struct pipeline {
	struct stage *stages;
	size_t count;
	const char *output;  /* path of the file that the pipeline writes; NULL selects stdout */
	bool opens;	     /* the file is to be shown to the user when it is complete */
	size_t arguments_at; /* Number of the program that has the placeholder $@ in its words. The
			      * first program is number 0. If no program has it, 0. */
	char *text;	     /* memory of the words that come from the line */
	char **line_words;
	char **words; /* the words of all stages */
	size_t words_count, words_capacity;
};

/* A word that is added after the words of one program. `program` is the number of this program in
 * the line. The first program is number 0. */
struct pipeline_option {
	size_t program;
	char *word;
};

/* The words that the user gave. They must stay valid as long as the pipeline. */
struct pipeline_words {
	char *const *arguments; /* the words that replace the placeholder $@ */
	size_t count, leading;	/* number of words; number of those before the first operand */
	char *const *files;	/* paths of recordings, which are read instead of the output of the
				 * first program */
	size_t files_count;
	const struct pipeline_option *options; /* words for the programs after the first one */
	size_t options_count;
	const char *output; /* the value of the option -o; NULL if it is not given */
};

/* Makes the pipeline of a line. If there are files, the second program of the line reads them, and
 * the first one is left out. In this case, the arguments go to the last program, unless another
 * program has a placeholder for them. The line must stay valid as long as the pipeline. Returns 0,
 * or prints a message with the name of the line and returns the exit status. */
int pipeline_make(struct pipeline *pipeline, const struct data_line *line,
		  const struct pipeline_words *words);
/* Adds the text of the pipeline in the form in which a shell reads it. */
void pipeline_text(const struct pipeline *pipeline, struct buffer *text);
void pipeline_free(struct pipeline *pipeline);

/* ---- Running ---- */

/* Starts all programs, and waits until they end. Ctrl-C, and signals to pk, end only the first
 * program, and the other programs finish their work. A second signal also ends the other programs.
 * When the last program ends, the first program is ended. Returns the exit status of the last
 * program that failed, or 0 if none failed. If a program is not found, prints a message and returns
 * 127. If it cannot be run, returns 126. */
int pipeline_run(struct pipeline *pipeline);

#endif
