// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "options.h"

int pk_common_option(struct pk_common *common, int option)
{
	switch (option) {
	case PK_OPT_FAIL_ON:
		if (!pk_parse_fail_on(optarg, &common->fail_on))
			return pk_usage_error("--fail-on=%s: unknown", optarg);
		return -1;
	case 'o': common->output = optarg; return -1;
	case 'v': pk_cli_verbosity(++common->verbose); return -1;
	case 'q': pk_cli_verbosity(common->verbose = -1); return -1;
	case PK_OPT_HELP: common->help(); return pk_finish(PK_EXIT_OK);
	case PK_OPT_VERSION:
		printf("%s %s\n", pk_cli_program(), pk_version());
		return pk_finish(PK_EXIT_OK);
	default: return pk_usage_hint(); /* getopt has printed the error */
	}
}

void pk_common_apply(const struct pk_common *common, int argc, char *const *argv,
		     struct pk_run *run)
{
	run->files = argv + optind;
	run->files_count = argc - optind;
	run->fail_on = common->fail_on;
}
