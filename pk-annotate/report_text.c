// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>

#include "annotate_report.h"

/* Appends a note about the type that an instruction accesses, in the format of perf annotate
 * --code-with-type. */
static void put_place(const struct flow_access *a, const struct pk_access_type *typed,
		      struct buffer *text)
{
	buffer_text(text, "\t\t# data-type: ");
	buffer_harmless(text, typed->type, strlen(typed->type));
	if (*typed->type == '(')
		return;
	if (a->offset > 0)
		buffer_format(text, " +0x%" PRIx64, (uint64_t)a->offset);
	else
		buffer_text(text, " +0");
	if (*typed->member) {
		buffer_text(text, " (");
		buffer_harmless(text, typed->member, strlen(typed->member));
		buffer_char(text, ')');
	}
	if (a->found == FLOW_PER_CPU)
		buffer_text(text, " per-CPU");
}

void type_note_text(const struct pk_function_types *f, uint32_t row, struct buffer *text)
{
	const struct flow_access *a = pk_access_of(f, row);
	struct pk_access_type typed;

	if (!a)
		return;
	pk_access_describe(f, a, false, &typed);
	if (*typed.type)
		put_place(a, &typed, text);
	else if (a->found == FLOW_PER_CPU)
		buffer_text(text, "\t\t# data-type: (per-CPU variable)");
}

void type_note_json(const struct pk_function_types *f, uint32_t row, struct json *json)
{
	const struct flow_access *a = pk_access_of(f, row);
	struct pk_access_type typed;
	char access[3];

	if (!a)
		return;
	pk_access_describe(f, a, false, &typed);
	if (a->found == FLOW_PER_CPU)
		json_bool(json, "per_cpu", true);
	snprintf(access, sizeof(access), "%s%s", a->read ? "r" : "", a->written ? "w" : "");
	json_text(json, "access", access);
	if (!*typed.type) {
		json_word(json, "type", "null");
		json_text(json, "reason", typed.reason);
		return;
	}
	json_text(json, "type", typed.type);
	if (*typed.type == '(')
		return;
	json_signed(json, "type_offset", a->offset);
	json_text(json, "member", typed.member);
}

void report_head(struct report *report, const uint32_t *events, unsigned int columns,
		 const char *what)
{
	struct buffer *out = &report->out;

	buffer_format(out, "%-*s | %s", SHARE_WIDTH * (int)columns, " Percent", what);
	for (unsigned int c = 0; c < columns; c++) {
		const char *name = code_hits_event_name(report->hits, events[c]);

		buffer_text(out, ", ");
		buffer_harmless(out, name, strlen(name));
	}
	buffer_char(out, '\n');
	for (int i = 0; i < 80; i++)
		buffer_char(out, '-');
	buffer_char(out, '\n');
}
