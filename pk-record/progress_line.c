// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <unistd.h>

#include "cli.h"
#include "progress_line.h"
#include "record_time.h"

#define SECOND UINT64_C(1000000000)

void progress_line_start(struct progress_line *line, bool alone)
{
	*line = (struct progress_line){.start = record_now()};
	line->wanted = alone && pk_cli_verbose() >= 0 && isatty(STDERR_FILENO);
	line->next = line->start + SECOND;
}

void progress_line_update(struct progress_line *line, const struct progress_numbers *numbers)
{
	const uint64_t now = line->wanted ? record_now() : 0;
	char samples[32], lost[32];

	if (!line->wanted || now < line->next)
		return;
	line->next = now + SECOND;
	line->shown = true;
	fprintf(stderr, "\r%s: %.0f s, %s samples, %.1f MB, %s lost\033[K", pk_cli_program(),
		(double)(now - line->start) / (double)SECOND, pk_number(samples, numbers->samples),
		(double)numbers->bytes / 1e6, pk_number(lost, numbers->lost));
}

void progress_line_end(struct progress_line *line)
{
	if (line->shown)
		fputs("\r\033[K", stderr);
	line->shown = line->wanted = false;
}

void progress_line_summary(const struct progress_numbers *numbers, const char *file)
{
	char samples[32];

	if (isatty(STDERR_FILENO))
		pk_warn("captured %s sample%s in %.3f MB%s%s", pk_number(samples, numbers->samples),
			numbers->samples == 1 ? "" : "s", (double)numbers->bytes / 1e6,
			file ? " to " : "", file ? file : "");
}
