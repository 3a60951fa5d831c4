/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PIPELINE_H
#define PIPELINE_H

/* A pipeline: programs with their arguments, made from a line of share/pk/commands and the
 * arguments of the user. No shell is involved: an argument is always one word. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "buffer.h"
#include "data_lines.h"

/* ---- Pipelines ---- */

struct stage {
	char **words; /* argv, with a NULL at the end */
	char *path;   /* of the program; set by pipeline_run() */
	pid_t pid;    /* 0: not started, or ended */
	int status;   /* from waitpid(2) */
};

/* All zero at first. */
struct pipeline {
	struct stage *stages;
	size_t count;
	const char *output; /* the file that it writes; NULL: stdout */
	char *text;	    /* memory of the words of the line */
	char **line_words;
	char **words; /* of all stages */
	size_t words_count, words_capacity;
};

/* What the user gave. It must stay valid as long as the pipeline. */
struct pipeline_words {
	char *const *arguments; /* for $@ */
	size_t count;
	char *const *files; /* recordings, which replace the first program */
	size_t files_count;
	const char *output; /* of -o, or NULL */
};

/* Makes the pipeline of a line. With files, the program after the first one reads them, and the
 * arguments go to the last one if no other has a place for them. The line must stay valid, too.
 * Returns 0, or the exit status after a message with the name of the line. */
int pipeline_make(struct pipeline *pipeline, const struct data_line *line,
		  const struct pipeline_words *words);
/* Adds the pipeline as a shell would read it. */
void pipeline_text(const struct pipeline *pipeline, struct buffer *text);
void pipeline_free(struct pipeline *pipeline);

/* ---- Running ---- */

/* Starts all programs and waits for their ends. Ctrl-C and signals to pk end the first program
 * only: the others finish. A second signal ends them, too. When the last program ends, the first
 * one is ended. Returns the exit status of the last program that failed, or 0 if none has. If a
 * program is not found or cannot be run, it is 127 or 126 after a message. */
int pipeline_run(struct pipeline *pipeline);

#endif
