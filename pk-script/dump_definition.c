// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"

/* SPEC 9 */

/* The reader has told of a second one, and of a version that is too new. */
static void note_session(struct dump *dump)
{
	const struct pk_record_session *session = (const void *)dump->record->data;

	if (pk_session_info_decode(dump->record, &dump->session) == PK_UNSUPPORTED)
		dump->session.version = session->version;
}

static void dump_stage_strings(struct dump *dump)
{
	static const char *const names[] = {"program", "version", "host"};
	const struct pk_record_stage *stage = (const void *)dump->record->data;
	const uint64_t argc = stage->argc;
	char name[32];

	for (uint64_t i = 0; i < 3 + argc && !dump->complained; i++) {
		size_t length = strnlen((const char *)dump->at, dump_left(dump));

		if (length == dump_left(dump)) {
			dump_complain(dump, "fewer strings than it says");
			return;
		}
		if (i < 3)
			snprintf(name, sizeof(name), "%s", names[i]);
		else
			snprintf(name, sizeof(name), "argv[%llu]", (unsigned long long)i - 3);
		dump_text(name, dump->at, length);
		dump->at += length + 1;
	}
}

static void dump_string_text(struct dump *dump)
{
	const struct pk_record_string *string = (const void *)dump->record->data;
	const uint32_t length = string->length;
	size_t field = ((size_t)length + 8) & ~(size_t)7;

	if (length >= dump_left(dump)) {
		dump_complain(dump, "longer than its record");
		return;
	}
	dump_text("text", dump->at, length);
	dump->at += field < dump_left(dump) ? field : dump_left(dump);
}

static void dump_frame_rest(struct dump *dump)
{
	static const char *const bits[] = {"kernel",	 "user",      "guest",
					   "hypervisor", "inlined",   "jit",
					   "unresolved", "truncated", "comm"};

	DUMP_FLAGS("flags", dump_take(dump, 4), bits);
	dump_fields(dump, "....dd", "address symbol_start");
}

static void dump_loss_rest(struct dump *dump)
{
	static const char *const causes[] = {
		NULL,
		"records lost",
		"samples lost",
		"bad records",
		"stacks truncated",
		"frames unresolved",
		"records late",
		"stacks unmerged",
		"records unswapped",
		"bad definitions",
	};

	DUMP_NAMED("cause", dump_take(dump, 4), causes);
	dump_fields(dump, "88", "count total");
}

/* Prints what the layout of a definition leaves open. */
static void dump_rest(struct dump *dump, unsigned int kind)
{
	switch (kind) {
	case PK_SESSION: note_session(dump); break;
	case PK_STAGE: dump_stage_strings(dump); break;
	case PK_STRING: dump_string_text(dump); break;
	case PK_FRAME: dump_frame_rest(dump); break;
	case PK_LOSS: dump_loss_rest(dump); break;
	case PK_IMAGE: dump_image(dump); break;
	case PK_SYMBOLS: dump_symbols(dump); break;
	case PK_SOURCE: dump_source(dump); break;
	case PK_FEATURE_PART: dump_feature_part(dump); break;
	case PK_ARGUMENTS: dump_arguments(dump); break;
	default: break;
	}
}

void dump_definition(struct dump *dump, unsigned int kind)
{
	const struct pk_record_layout *layout = pk_definition_layout(kind);

	if (!layout) {
		dump_decimal("definition", kind);
		return;
	}
	dump_name("definition", kind, layout->name);
	if (kind != PK_SESSION && dump->session.version > PK_FORMAT_VERSION)
		return;
	dump_fields(dump, layout->letters, layout->fields);
	if (!dump->complained)
		dump_rest(dump, kind);
	if (pk_dictionary_read(dump->dictionary, dump->record))
		dump_complain(dump, "an id out of turn, or one that is not defined");
}
