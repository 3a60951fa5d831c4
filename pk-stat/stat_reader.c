// SPDX-License-Identifier: BSD-2-Clause
#include "cli.h"
#include "stat.h"

int stat_read(struct stat_options *options)
{
	(void)options;
	pk_error("not yet");
	return 1;
}
