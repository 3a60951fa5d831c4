/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OPTIONS_H
#define PK_OPTIONS_H

/* The options of the programs. A table has a row for each option. The table is used to parse the
 * arguments, to print --help and --list-options (for completions in a shell), and to answer an
 * unknown option. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "vector.h"

/* What an option does with its value. "The member" means the member of the struct that the row
 * names with PK_AT(). A number is stored as an unsigned integer of the size of the member. */
enum pk_option_kind {
	PK_FLAG,  /* stores true */
	PK_CLEAR, /* stores false */
	PK_SET,	  /* stores the constant `set` */
	PK_BITS,  /* adds the bits of `set` to the member */
	PK_MORE,  /* adds 1 to the member */
	PK_TEXT,  /* stores the text in a const char *, without a copy */
	PK_INPUT, /* like PK_TEXT, for the path of an input file; no output may replace this file */
	PK_TEXTS, /* adds the text to a struct pk_text_list */
	PK_OPERAND, /* makes the text the first operand */
	PK_NUMBER,  /* stores a number from `least` to `most` */
	PK_SIZE,    /* like PK_NUMBER, for a size such as 64M, in bytes */
	PK_TIME,    /* like PK_NUMBER, for a time such as 10ms, in nanoseconds */
	PK_REAL,    /* stores a double from `least` to `most` */
	PK_PERCENT, /* stores a double from 0 to 100 */
	PK_WORD,    /* The member pk_option.value lists the allowed words, such as "start|end|both".
		     * Stores the index of the word that the user gave. */
	PK_CALL,    /* calls the function pk_option.parse, which handles the value */
	PK_PRESET,  /* inserts the options of a view; the member is a struct pk_presets */
	PK_SHOW_HELP,
	PK_SHOW_VERSION,
	PK_IGNORED, /* accepts the option because perf has it, and does nothing */
	PK_ALIAS,   /* another name for the option whose name is in pk_option.help */

	/* The following kinds are rows that are not options. */
	PK_HEADING, /* prints `name` as a heading in --help */
	PK_ROWS, /* includes all rows of the table `rows`; the member is the struct that belongs to
		  * that table */
	PK_INSTEAD, /* An option that the program does not have. `help` is the option to use, or a
		     * sentence that explains it. */
};

/* A row of a table of options. */
struct pk_option {
	char letter;	   /* 0 if the option has no letter */
	const char *name;  /* the name of the long option, or NULL */
	const char *value; /* The word for the value in --help. It is "[WORD]" if the value can be
			    * missing, and NULL if the option has no value. */
	enum pk_option_kind kind;
	const char *help;

	uint32_t at, size;  /* the offset and size of the member, which PK_AT() sets */
	double least, most; /* The limits of a number. If `most` is 0, the upper limit is the
			     * largest number that fits in the member. */
	uint64_t set;
	const char *without; /* the text that is used as the value if the user gives no value, or
			      * NULL */
	const char *wants; /* The text after "must be" in messages. If it is NULL, the text depends
			    * on the kind. */
	/* The function of a PK_CALL row. It gets the address of the member and the text. It returns
	 * PK_CONTINUE or an exit status. A row of kind PK_ROWS can also have this function. The
	 * function is then called for each option in `rows`, before the option itself is handled.
	 * It gets the address of the struct to which the PK_ROWS row belongs. */
	int (*parse)(const struct pk_option *option, void *at, const char *text);
	const struct pk_option *rows;
};

/* Sets the offset and size of a row's member. */
#define PK_AT(type, member) .at = offsetof(type, member), .size = sizeof(((type *)NULL)->member)
/* Macros for rows: a heading, an option that the program does not have, an alias, and the end of
 * the table. */
#define PK_TITLE(text)                                                                             \
	{                                                                                          \
		.name = (text), .kind = PK_HEADING                                                 \
	}
#define PK_ANSWER(letter_, name_, text)                                                            \
	{                                                                                          \
		.letter = (letter_), .name = (name_), .kind = PK_INSTEAD, .help = (text)           \
	}
#define PK_ALSO(letter_, name_, value_, other)                                                     \
	{                                                                                          \
		.letter = (letter_), .name = (name_), .value = (value_), .kind = PK_ALIAS,         \
		.help = (other)                                                                    \
	}
#define PK_OPTIONS_END                                                                             \
	{                                                                                          \
		.kind = PK_FLAG                                                                    \
	}

/* The texts and the table with which a program parses its arguments. */
struct pk_command {
	const char *usage;  /* the start of the text of --help, which ends with a newline */
	void (*list)(void); /* prints more text after `usage`; can be NULL */
	const struct pk_option *options; /* the table, which ends with PK_OPTIONS_END */
	const char *examples;		 /* the end of the text of --help, or NULL */
	bool stops;			 /* true if options end at the first operand */
	/* This function gets each operand. It is called in the order of the command line, between
	 * the options, and can replace the arguments. It returns the same values as
	 * pk_option.parse. If it is NULL, the operands remain at optind. */
	int (*operand)(void *opts, char *text, int *argc, char ***argv);
};

/* Parses the arguments, and stores the values in `opts`, the struct of the program's table. If the
 * user gives a view, replaces *argc and *argv. Afterwards the first operand is (*argv)[optind].
 * Returns PK_CONTINUE, or the exit status after a message, --help, --version or --list-options. */
int pk_parse_options(const struct pk_command *command, void *opts, int *argc, char ***argv);
/* Prints the message "must be ..." because the text is not a value of the option. Returns
 * PK_EXIT_USAGE. */
int pk_option_wrong(const struct pk_option *option, const char *text);
/* Like pk_option_wrong(), but the message is `error`. */
int pk_option_error(const struct pk_option *option, const char *text, const char *error);

/* Adds a pointer to the text to the list. Returns PK_CONTINUE, or an exit status after a message.
 */
int pk_text_list_add(struct pk_text_list *list, const char *text);

/* ---- Rows that programs share ---- */

/* The rows for -v, -q, -h and --version. */
extern const struct pk_option pk_message_rows[];
/* The rows of all programs that read streams, for struct pk_common. pk_common_unconfined_rows is
 * for programs that have no sandbox (sandbox.h). */
extern const struct pk_option pk_common_rows[], pk_common_unconfined_rows[];
/* The rows for options of the perf commands that read recordings. pk programs do not have these
 * options. They print what to use. */
extern const struct pk_option pk_perf_rows[];
/* The row for -i FILE, which the perf commands that read recordings have. */
extern const struct pk_option pk_input_rows[];

/* The values of the options in pk_common_rows. */
struct pk_common {
	struct pk_fail_on fail_on;
	const char *output; /* NULL for stdout */
};

/* Sets the members files, files_count and fail_on of `run`. Declares that the program wants a
 * sandbox, which pk_run() enters. Call it after the last option was parsed. */
void pk_common_apply(const struct pk_common *common, int argc, char *const *argv,
		     struct pk_run *run);

#endif
