// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cli.h"
#include "describe.h"
#include "event_line.h"
#include "lookups.h"

void describe_events(const struct event_list *events)
{
	struct buffer line = {0};

	for (size_t i = 0; i < events->count && pk_cli_verbose() > 0; i++) {
		const struct pk_event event = {.attr = events->items[i].attr,
					       .name = events->items[i].name};

		line.size = 0;
		pk_event_list_line(&line, &event);
		if (line.failed)
			break;
		pk_info("%.*s", (int)line.size - 1, line.data);
	}
	if (line.failed)
		pk_no_memory();
	free(line.data);
}
