/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/event/probe_text.c */
/* Parses the text of a probe, which has a place and expressions. */
#include <stdlib.h>
#include <string.h>

#include "check_that.h"
#include "probe_text.h"
#include "usdt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_expression(const struct probe_expression *x)
{
	check_that(x->text && x->value && strstr(x->text, x->value));
	check_that(x->step_count <= PROBE_STEPS_MOST);
	check_that((x->variable != NULL) == (x->root <= PROBE_REGISTER));
	for (size_t i = 0; i < x->step_count; i++) {
		const struct probe_step *step = &x->steps[i];
		const bool named = step->kind == PROBE_MEMBER || step->kind == PROBE_ARROW ||
				   step->kind == PROBE_CAST;

		check_that(named == (step->name != NULL && *step->name));
		check_that(!named || strstr(x->value, step->name));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct probe_text probe;

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	if (!pk_probe_text_parse(&probe, text)) {
		check_that(probe.argument_count <= PK_PROBE_ARGUMENTS_MOST);
		check_that(!probe.file || probe.has_line);
		check_that(!probe.is_return || !probe.has_line);
		check_that(!probe.provider == !probe.marker);
		for (size_t i = 0; i < probe.argument_count; i++)
			check_expression(&probe.arguments[i]);
		pk_probe_text_free(&probe);
	}
	free(text);
	return 0;
}
