// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "options.h"

static void help(void)
{
	puts("Usage: pk-filter [OPTION...] [FILE...]\n"
	     "\n"
	     "Reads perf.data files and streams of perf or pk, and writes each as a pk stream: out "
	     "of\n"
	     "zstd, from either byte order, with every record that was readable. Conditions are\n"
	     "still to come.\n"
	     "Without FILE, or where it is -, stdin is read.\n"
	     "\n" PK_COMMON_HELP "\n"
	     "  pk-filter < perf.data > recording.pk\n"
	     "  zstd -dc old.pk.zst | pk-filter | pk-script --dump");
}

static const struct option long_options[] = {
	PK_COMMON_LONG,
};

static enum pk_status pass(struct pk_run *run, const struct pk_record *record)
{
	return record->type == PK_RECORD_BEGIN ? PK_OK : pk_run_pass(run, record);
}

int main(int argc, char **argv)
{
	struct pk_stage_options stage = {.program = "pk-filter", .argc = argc, .argv = argv};
	struct pk_common common = {.help = help};
	struct pk_run run = {.record = pass};
	int option, result;

	pk_cli_init(stage.program);
	while ((option = getopt_long(argc, argv, PK_COMMON_SHORT, long_options, NULL)) != -1) {
		result = pk_common_option(&common, option);
		if (result >= 0)
			return result;
	}
	pk_common_apply(&common, argc, argv, &run);
	return pk_run_stage(&run, &stage, common.output, "pk-fold");
}
