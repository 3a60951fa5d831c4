/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OPTIONS_H
#define PK_OPTIONS_H

/* The options of the programs: a table with a row for each option, from which come parsing, --help,
 * --list-options for completions, and the answer to an unknown option. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "vector.h"

/* What an option does with its value. Numbers are stored as an unsigned integer of the size of the
 * member. */
enum pk_option_kind {
	PK_FLAG,    /* stores true */
	PK_CLEAR,   /* stores false */
	PK_SET,	    /* stores the constant `set` */
	PK_BITS,    /* adds the bits of `set` to the member */
	PK_MORE,    /* adds 1 */
	PK_TEXT,    /* stores the text, which is not copied, in a const char * */
	PK_INPUT,   /* the same for a file that the program reads, and that no output may replace */
	PK_TEXTS,   /* adds the text to a struct pk_text_list */
	PK_OPERAND, /* the text becomes an operand, before all others */
	PK_NUMBER,  /* stores a number from `least` to `most` */
	PK_SIZE,    /* the same of bytes: 64M */
	PK_TIME,    /* the same of ns: 10ms */
	PK_REAL,    /* stores a double from `least` to `most` */
	PK_PERCENT, /* stores a double from 0 to 100 */
	PK_WORD,    /* stores the index of the word in `value`, "start|end|both" */
	PK_CALL,    /* calls `parse` */
	PK_PRESET,  /* the options of a view, for a struct pk_presets */
	PK_SHOW_HELP,
	PK_SHOW_VERSION,
	PK_IGNORED, /* is accepted as in perf, and does nothing */
	PK_ALIAS,   /* another name of the option `help` */

	/* Rows that are no options: */
	PK_HEADING, /* `name` is a line of --help */
	PK_ROWS,    /* the rows of `rows`, whose members are in the struct at the member */
	PK_INSTEAD, /* an option that the program does not have; `help` is the option or the
		     * sentence that answers it */
};

struct pk_option {
	char letter;	   /* 0: none */
	const char *name;  /* of the long option; NULL: none */
	const char *value; /* the word for the value; "[WORD]": it can be missing; NULL: no value */
	enum pk_option_kind kind;
	const char *help;

	uint32_t at, size;  /* of the member in the struct of the table: PK_AT() */
	double least, most; /* most 0: as much as the member can store */
	uint64_t set;
	const char *without; /* the value if it is missing; NULL: the text is NULL */
	const char *wants;   /* for messages: "must be ..."; NULL: by kind */
	/* Gets the address of the member and the text. Returns PK_CONTINUE or an exit status. A row
	 * of PK_ROWS can have it, too: it gets each option of the rows first, and the address of
	 * the struct of its own table. */
	int (*parse)(const struct pk_option *option, void *at, const char *text);
	const struct pk_option *rows;
};

/* The member of a row. */
#define PK_AT(type, member) .at = offsetof(type, member), .size = sizeof(((type *)NULL)->member)
/* Rows that are no options, an alias, and the last row. */
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

struct pk_command {
	const char *usage;		 /* the start of --help, with its newline */
	void (*list)(void);		 /* prints more of it; NULL: nothing */
	const struct pk_option *options; /* ends with PK_OPTIONS_END */
	const char *examples;		 /* the end of --help; NULL: none */
	bool stops;			 /* options end at the first operand */
	/* Gets each operand in its order between the options, and can replace the arguments. With
	 * NULL, operands remain at optind. Returns like pk_option.parse. */
	int (*operand)(void *opts, char *text, int *argc, char ***argv);
};

/* Parses the arguments into opts, the struct of the program's table. A view replaces *argc and
 * *argv. The first operand is (*argv)[optind]. Returns PK_CONTINUE, or an exit status: after a
 * message, --help, --version, --list-options. */
int pk_parse_options(const struct pk_command *command, void *opts, int *argc, char ***argv);
/* The text is not a value of the option: prints the message "must be ...". Returns PK_EXIT_USAGE.
 */
int pk_option_wrong(const struct pk_option *option, const char *text);
/* The same with a reason instead. */
int pk_option_error(const struct pk_option *option, const char *text, const char *error);

/* Adds a text, which is not copied. Returns PK_CONTINUE, or an exit status after a message. */
int pk_text_list_add(struct pk_text_list *list, const char *text);

/* ---- Rows that programs share ---- */

/* -v, -q, -h, --version */
extern const struct pk_option pk_message_rows[];
/* The rows of all programs that read streams, for struct pk_common. The second ones are for
 * programs without a sandbox (sandbox.h). */
extern const struct pk_option pk_common_rows[], pk_common_unconfined_rows[];
/* Options of the perf commands that read recordings. */
extern const struct pk_option pk_perf_rows[];
/* -i FILE, as in these commands. */
extern const struct pk_option pk_input_rows[];

/* The values of pk_common_rows. */
struct pk_common {
	struct pk_fail_on fail_on;
	const char *output; /* NULL: stdout */
};

/* Sets files, files_count and fail_on of run, and wants a sandbox, which pk_run() enters. Call it
 * after the last option was parsed. */
void pk_common_apply(const struct pk_common *common, int argc, char *const *argv,
		     struct pk_run *run);

#endif
