// SPDX-License-Identifier: BSD-2-Clause
#include "kind.h"

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
