/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DATA_LINES_H
#define PK_DATA_LINES_H

/* The data files of the programs. They consist of lines of the form
 *
 *   GROUP NAME: WORDS  # about
 *
 * docs/views.md describes the syntax. The file that comes with the programs is in share/pk. The
 * user can have a file of the same name in ~/.config/pk or $XDG_CONFIG_HOME/pk. */

#include <stdbool.h>
#include <stddef.h>

/* A line of a data file: GROUP NAME: WORDS  # about. */
struct data_line {
	const char *group, *name;
	char *text;	   /* the words after the colon */
	const char *about; /* the comment, or "" if there is no comment */
};

/* The lines of the programs' file and of the user's file. If two lines have the same group and
 * name, the later line replaces the earlier line. At first, all members are zero. */
struct data_lines {
	struct data_line *items;
	size_t count, capacity;
	char *contents[2]; /* the texts of the files; the items point into them */
	bool failed;	   /* true if the search for the file of the programs failed */
};

/* Reads the file of the programs and the file of the user with this name, if they exist. Returns 0,
 * or an exit status after a message. */
int pk_data_lines_read(struct data_lines *lines, const char *name);
/* Returns the line with this group and name, or NULL if there is no such line. */
struct data_line *pk_data_lines_find(const struct data_lines *lines, const char *group,
				     const char *name);
void pk_data_lines_free(struct data_lines *lines);

/* Returns the most words that this text can have. */
size_t pk_data_words_most(const char *text);
/* Splits the text of a line into words without quotes. Changes the text. Returns the number of
 * words. */
int pk_data_words_split(char *text, char **words);

/* Finds a file or folder that comes with the programs. It is in the folder share/pk of the
 * installation or, if the program runs from a build folder, of the sources. Returns false if it
 * does not exist, or if its path is too long. */
bool pk_shared_path(const char *name, char *path, size_t size);
/* Finds the folder of the running program. Returns false if the path of the folder is too long, or
 * if it cannot be found. In the second case it also counts a failed lookup. */
bool pk_program_folder(char *folder, size_t size);

#endif
