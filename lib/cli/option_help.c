// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "option_rows.h"

/* The layout of --help: the column where the text about an option starts, and the columns of a
 * line. */
#define TEXT_AT 28
#define COLUMNS 80

/* Prints words in lines that start at column TEXT_AT. `column` is the current column of the cursor.
 */
static void print_words(const char *text, size_t column)
{
	while (*text) {
		const size_t size = strcspn(text, " ");

		if (column > TEXT_AT && column + 1 + size > COLUMNS) {
			putchar('\n');
			column = 0;
		}
		column += (size_t)(column <= TEXT_AT ? printf("%*s%.*s", (int)(TEXT_AT - column),
							      "", (int)size, text)
						     : printf(" %.*s", (int)size, text));
		text += size;
		text += *text == ' ';
	}
	putchar('\n');
}

/* Makes the text of an option, such as "  -e, --event=GLOB", "      --debuginfod[=TIME]" or "  -g".
 */
static void option_text(const struct pk_option *option, char *text, size_t size)
{
	const char *value = option->value ? option->value : "";
	const bool optional = *value == '[';
	char letter[8] = "";

	if (option->letter)
		snprintf(letter, sizeof(letter), "-%c", option->letter);
	snprintf(text, size, "  %-2s%s%s%s%s%s", letter,
		 option->name ? option->letter ? ", --" : "  --" : "",
		 option->name ? option->name : "", optional ? "[" : "",
		 !*value	? ""
		 : option->name ? "="
				: " ",
		 value + optional);
}

static void print_option(const struct pk_option *option)
{
	char text[160], alias[160];
	int column;

	option_text(option, text, sizeof(text));
	column = printf("%s", text);
	if (column > TEXT_AT - 2) {
		putchar('\n');
		column = 0;
	}
	snprintf(alias, sizeof(alias), "the same as --%s", option->help);
	print_words(option->kind == PK_ALIAS ? alias : option->help, (size_t)column);
}

int pk_option_rows_help(const struct option_rows *rows, const struct pk_command *command)
{
	fputs(command->usage, stdout);
	if (command->list)
		command->list();
	for (size_t i = 0; i < rows->count; i++) {
		const struct pk_option *option = rows->items[i].option;

		if (option->kind == PK_HEADING)
			printf("\n%s:\n", option->name);
		else if (pk_option_row_is_option(option))
			print_option(option);
	}
	if (command->examples)
		printf("\n%s", command->examples);
	return pk_finish(PK_EXIT_OK);
}

/* Prints one line for each option. The columns are the letter, the name, whether the option has a
 * value, the word for the value, and the text of --help. There is a tab between columns. */
int pk_option_rows_list(const struct option_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct pk_option *option = rows->items[i].option;
		const char *value = option->value ? option->value : "";

		if (!pk_option_row_is_option(option))
			continue;
		if (option->letter)
			printf("-%c", option->letter);
		printf("\t%s%s\t%s\t%s\t%s%s\n", option->name ? "--" : "",
		       option->name ? option->name : "",
		       !*value	       ? "no"
		       : *value == '[' ? "optional"
				       : "required",
		       value, option->kind == PK_ALIAS ? "the same as --" : "", option->help);
	}
	return pk_finish(PK_EXIT_OK);
}
