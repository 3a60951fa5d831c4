// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"

/* SPEC 9 */

struct layout {
	const char *name, *letters, *names;
	void (*rest)(struct dump *dump);
};

/* The reader has told of a second one, and of a version that is too new. */
static void note_session(struct dump *dump)
{
	if (pk_session_info_decode(dump->record, &dump->session) == PK_UNSUPPORTED)
		dump->session.version = pk_load_u16(dump->record->data + 24);
}

static void dump_stage_strings(struct dump *dump)
{
	static const char *const names[] = {"program", "version", "host"};
	uint64_t argc = pk_load_u32(dump->record->data + 40);
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
	uint32_t length = pk_load_u32(dump->record->data + 28);
	size_t field = ((size_t)length + 8) & ~(size_t)7;

	if (length >= dump_left(dump)) {
		dump_complain(dump, "longer than its record");
		return;
	}
	dump_text("text", dump->at, length);
	dump->at += field < dump_left(dump) ? field : dump_left(dump);
}

static void dump_dso_build_id(struct dump *dump)
{
	uint32_t size = pk_load_u32(dump->record->data + 36);
	const uint8_t *id = dump_take_bytes(dump, PK_BUILD_ID_MAX);

	if (id)
		dump_bytes("build_id", id, size < PK_BUILD_ID_MAX ? size : PK_BUILD_ID_MAX);
	dump_fields(dump, "....", "");
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

static const struct layout layouts[] = {
	[PK_SESSION] = {"SESSION", "211cc....", "version byte_order word_size trailers e_machine",
			note_session},
	[PK_STAGE] = {"STAGE", "4484....", "id parent time argc", dump_stage_strings},
	[PK_ORDER] = {"ORDER", "4i", "kind clockid", NULL},
	[PK_STRING] = {"STRING", "44", "id length", dump_string_text},
	[PK_DSO] = {"DSO", "4444", "id kind path build_id_size", dump_dso_build_id},
	[PK_FRAME] = {"FRAME", "444444", "id dso function file line column", dump_frame_rest},
	[PK_STACK] = {"STACK", "444....", "id parent frame", NULL},
	[PK_LOSS] = {"LOSS", "4", "stage", dump_loss_rest},
	[PK_RESET] = {"RESET", "c....", "what", NULL},
	[PK_FINISH] = {"END", "88", "records samples", NULL},
	[PK_IMAGE] = {"IMAGE", "4444", "id kind pid build_id_size", dump_image},
	[PK_SYMBOLS] = {"SYMBOLS", "44", "image count", dump_symbols},
	[PK_SOURCE] = {"SOURCE", "44d", "image count address", dump_source},
	[PK_FORGET] = {"FORGET", "........", "", NULL},
	[PK_FEATURE_PART] = {"FEATURE_PART", "", "", dump_feature_part},
	[PK_ARGUMENTS] = {"ARGUMENTS", "8411..", "event count stack byte_order", dump_arguments},
};

void dump_definition(struct dump *dump, unsigned int kind)
{
	const struct layout *layout;

	if (kind >= COUNT(layouts) || !layouts[kind].name) {
		dump_decimal("definition", kind);
		return;
	}
	layout = &layouts[kind];
	dump_name("definition", kind, layout->name);
	if (kind != PK_SESSION && dump->session.version > PK_FORMAT_VERSION)
		return;
	dump_fields(dump, layout->letters, layout->names);
	if (layout->rest && !dump->complained)
		layout->rest(dump);
	if (pk_dictionary_read(dump->dictionary, dump->record))
		dump_complain(dump, "an id out of turn, or one that is not defined");
}
