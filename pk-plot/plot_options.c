// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "palette.h"
#include "plot_options.h"
#include "where.h"

/* ---- Options ---- */

static int set_background(const struct pk_option *option, void *at, const char *text)
{
	static const struct {
		const char *name, *colour;
	} colours[] = {{"yellow", "#eeeeb0"}, {"blue", "#e0e0ff"}, {"green", "#e0ffe0"},
		       {"grey", "#e8e8e8"},   {"gray", "#e8e8e8"}, {"white", "#ffffff"}};
	const size_t digits = *text ? strspn(text + 1, "0123456789abcdefABCDEF") : 0;

	const char **background = at;

	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++) {
		if (!strcmp(text, colours[i].name)) {
			*background = colours[i].colour;
			return PK_CONTINUE;
		}
	}
	if (*text != '#' || text[1 + digits] || (digits != 3 && digits != 6))
		return pk_option_wrong(option, text);
	*background = text;
	return PK_CONTINUE;
}

/* The font becomes a part of a style sheet. So only letters, digits, blanks, commas and '-' are
 * accepted. */
static int set_font(const struct pk_option *option, void *at, const char *text)
{
	*(const char **)at = text;
	for (const char *c = text; *c; c++)
		if (!((*c | 0x20) >= 'a' && (*c | 0x20) <= 'z') && !strchr("0123456789 ,-", *c))
			return pk_option_wrong(option, text);
	return PK_CONTINUE;
}

static int check_encoding(const struct pk_option *option, void *at, const char *text)
{
	(void)at;
	return !strcasecmp(text, "utf-8") || !strcasecmp(text, "utf8")
		       ? PK_CONTINUE
		       : pk_option_error(option, text, "pictures are always UTF-8");
}

int palette_set(const struct pk_option *option, void *at, const char *text)
{
	char error[512];

	if (palette_find(at, text))
		return PK_CONTINUE;
	snprintf(error, sizeof(error), "must be one of %s", palette_names());
	return pk_option_error(option, text, error);
}

#define AT(member) PK_AT(struct plot_options, member)

const struct pk_option plot_rows[] = {
	PK_TITLE("The picture"),
	{0, "title", "TEXT", PK_TEXT, "the first line", AT(title)},
	{0, "subtitle", "TEXT", PK_TEXT, "the line below it", AT(subtitle)},
	{0, "notes", "TEXT", PK_TEXT, "a line below the picture", AT(notes)},
	{0, "width", "PIXELS", PK_NUMBER, "the width of the picture (1200)", AT(width),
	 .least = 100, .most = 100000},
	{0, "fonttype", "FONT", PK_CALL, "the name of the font", AT(font), .parse = set_font,
	 .wants = "the name of a font"},
	{0, "fontsize", "PIXELS", PK_REAL, "the size of the font (12)", AT(font_size), .least = 1,
	 .most = 100},
	{0, "bgcolors", "COLOR", PK_CALL, "#rrggbb, yellow, blue, green, grey or white",
	 AT(background), .parse = set_background,
	 .wants = "#rgb, #rrggbb, yellow, blue, green, grey or white"},
	{0, "html", NULL, PK_FLAG, "write an HTML page", AT(html)},
	{0, "encoding", "UTF-8", PK_CALL, "accepted as in flamegraph.pl", .parse = check_encoding},
	PK_OPTIONS_END,
};

#undef AT
#define AT(member) PK_AT(struct pk_tail_options, member)

const struct pk_option plot_sample_rows[] = {
	PK_TITLE("Samples that are drawn"),
	{0, "event", "GLOB", PK_CALL, "samples of these events", AT(weigh), .parse = pk_add_event},
	{.kind = PK_ROWS, .rows = pk_where_row},
	{.kind = PK_ROWS, .rows = pk_function_rows, AT(symbols)},
	PK_OPTIONS_END,
};

/* ---- Kinds ---- */

int plot_report(const struct pk_tail *tail)
{
	pk_tail_report_samples(tail);
	pk_tail_report_lacking(tail);
	return pk_tail_report_event(tail) | pk_tail_report_where(tail);
}

int plot_nothing(const char *reason)
{
	pk_error("%s", reason);
	pk_outputs_drop();
	return PK_EXIT_FAILED;
}

int plot_start(const struct pk_common *common, int argc, char **argv, struct pk_run *run)
{
	pk_common_apply(common, argc, argv, run);
	pk_protect_inputs(run->files, run->files_count);
	return pk_output_text(common->output);
}
