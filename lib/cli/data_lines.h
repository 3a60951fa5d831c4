/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DATA_LINES_H
#define PK_DATA_LINES_H

/* Data files of the programs: lines of the form
 *
 *     GROUP NAME: WORDS  # about
 *
 * docs/views.md describes the syntax. A file is in share/pk, beside the programs; the user's file
 * of the same name is in ~/.config/pk or $XDG_CONFIG_HOME/pk. */

#include <stdbool.h>
#include <stddef.h>

struct data_line {
	const char *group, *name;
	char *text;	   /* the words */
	const char *about; /* "": none */
};

/* A later line replaces one with the same group and name. All zero at first. */
struct data_lines {
	struct data_line *items;
	size_t count, capacity;
	char *contents[2]; /* of the files; the items point into them */
	bool failed;	   /* the file of the programs could not be looked up */
};

/* Reads both files of a name, as far as they exist. 0, or the exit status after a message. */
int pk_data_lines_read(struct data_lines *lines, const char *name);
/* The line of this group and name, or NULL. */
struct data_line *pk_data_lines_find(const struct data_lines *lines, const char *group,
				     const char *name);
void pk_data_lines_free(struct data_lines *lines);

/* The most words that the text of a line can have. */
size_t pk_data_words_most(const char *text);
/* Splits the text of a line, which it changes, into words without quotes. Returns their number. */
int pk_data_words_split(char *text, char **words);

/* Finds the folder of the running program. Returns false if it is too long or, after counting the
 * failure, it could not be looked up. */
bool pk_program_folder(char *folder, size_t size);

#endif
