// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "palette.h"
#include "plot_options.h"

/* ---- Options ---- */

int plot_parse_number(const char *option, double least, double most, double *number)
{
	char *end;

	*number = strtod(optarg, &end);
	if (end != optarg && !*end && *number >= least && *number <= most)
		return -1;
	return pk_usage_error("--%s=%s: not a number from %g to %g", option, optarg, least, most);
}

int plot_parse_count(const char *option, unsigned int least, unsigned int most, unsigned int *count)
{
	uint64_t number;

	if (!pk_parse_u64(optarg, &number) || number < least || number > most)
		return pk_usage_error("--%s=%s: not a number from %u to %u", option, optarg, least,
				      most);
	*count = (unsigned int)number;
	return -1;
}

static int parse_background(const char **background)
{
	static const struct {
		const char *name, *colour;
	} colours[] = {{"yellow", "#eeeeb0"}, {"blue", "#e0e0ff"}, {"green", "#e0ffe0"},
		       {"grey", "#e8e8e8"},   {"gray", "#e8e8e8"}, {"white", "#ffffff"}};
	const size_t digits = strspn(optarg + 1, "0123456789abcdefABCDEF");

	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++) {
		if (!strcmp(optarg, colours[i].name)) {
			*background = colours[i].colour;
			return -1;
		}
	}
	if (*optarg != '#' || optarg[1 + digits] || (digits != 3 && digits != 6))
		return pk_usage_error("--bgcolors=%s: must be #rgb, #rrggbb, yellow, blue, green, "
				      "grey or white",
				      optarg);
	*background = optarg;
	return -1;
}

/* Fonts are a part of a style sheet: letters, digits, blanks, commas and '-'. */
static int parse_font(const char **font)
{
	*font = optarg;
	for (const char *c = optarg; *c; c++)
		if (!((*c | 0x20) >= 'a' && (*c | 0x20) <= 'z') && !strchr("0123456789 ,-", *c))
			return pk_usage_error("--fonttype=%s: must be the name of a font", optarg);
	return -1;
}

static int parse_encoding(void)
{
	if (!strcasecmp(optarg, "utf-8") || !strcasecmp(optarg, "utf8"))
		return -1;
	return pk_usage_error("--encoding=%s: pictures are always UTF-8", optarg);
}

int plot_option(struct plot_options *plot, int c)
{
	switch (c) {
	case PLOT_OPT_TITLE: plot->title = optarg; return -1;
	case PLOT_OPT_SUBTITLE: plot->subtitle = optarg; return -1;
	case PLOT_OPT_NOTES: plot->notes = optarg; return -1;
	case PLOT_OPT_WIDTH: return plot_parse_count("width", 100, 100000, &plot->width);
	case PLOT_OPT_FONT: return parse_font(&plot->font);
	case PLOT_OPT_FONT_SIZE: return plot_parse_number("fontsize", 1, 100, &plot->font_size);
	case PLOT_OPT_BACKGROUND: return parse_background(&plot->background);
	case PLOT_OPT_HTML: plot->html = true; return -1;
	case PLOT_OPT_ENCODING: return parse_encoding();
	default: return 0;
	}
}

int palette_option(struct palette *palette)
{
	if (palette_find(palette, optarg))
		return -1;
	return pk_usage_error("--colors=%s: must be one of %s", optarg, palette_names());
}

/* ---- Kinds ---- */

int plot_parse(const struct plot_command *command, int argc, char **argv)
{
	int c, result;

	while ((c = pk_getopt(argc, argv, PK_COMMON_SHORT, command->options, NULL)) != -1) {
		result = command->option(command->arg, c);
		if (!result)
			result = pk_common_option(command->common, c);
		if (result >= 0)
			return result;
	}
	return -1;
}

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

int plot_start(const struct plot_command *command, int argc, char **argv, struct pk_run *run)
{
	pk_common_apply(command->common, argc, argv, run);
	pk_protect_inputs(run->files, run->files_count);
	return pk_output_text(command->common->output);
}
