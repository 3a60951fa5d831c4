// SPDX-License-Identifier: BSD-2-Clause
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"
#include "terminal.h"

bool pk_uses_colour(enum pk_colour colour)
{
	const char *no_color = getenv("NO_COLOR");

	if (colour != PK_COLOUR_AUTO)
		return colour == PK_COLOUR_ALWAYS;
	return isatty(STDOUT_FILENO) && (!no_color || !*no_color);
}

const char *pk_share_colour(double percent)
{
	return percent >= PK_SHARE_HOT ? "\033[31m" : percent >= PK_SHARE_WARM ? "\033[32m" : "";
}

size_t pk_terminal_columns(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t number;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (columns && pk_parse_u64(columns, &number) && number && number <= UINT16_MAX)
		return number;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

bool pk_locale_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8 = locale && !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");

	if (locale)
		freelocale(locale);
	return utf8;
}
