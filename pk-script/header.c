// SPDX-License-Identifier: BSD-2-Clause
#include "script.h"

void header_begin(struct script *script)
{
	(void)script;
}
void header_record(struct script *script, const struct pk_record *record)
{
	(void)script;
	(void)record;
}
