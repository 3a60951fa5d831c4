// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"
#include "pkprivate.h"

/* ---- Lists of symbols, sources and arguments ---- */

/* SPEC 9.11, 9.14 */

static void dump_image(struct dump *dump)
{
	const struct pk_record_image *image = (const void *)dump->record->data;

	if (image->build_id_size > PK_BUILD_ID_MAX || image->id != dump->images + 1)
		dump_complain(dump, "an unexpected id, or a build-id that is too long");
	else
		dump->images++;
}

static void start_entry(struct dump *dump, const char *name, uint64_t i)
{
	snprintf(dump->prefix, sizeof(dump->prefix), "%s[%llu].", name, (unsigned long long)i);
}

/* Prints a text of an entry. In an entry, the texts follow the numbers. */
static void dump_entry_text(struct dump *dump, const char *what, uint64_t length)
{
	char name[sizeof(dump->prefix) + 16];
	const uint8_t *text = dump_read_bytes(dump, length);

	snprintf(name, sizeof(name), "%s%s", dump->prefix, what);
	if (text)
		dump_text(name, text, length);
}

/* Skips the padding after the texts of an entry. `texts` is the sum of the sizes of the texts, in
 * bytes. */
static void end_entry(struct dump *dump, uint64_t texts)
{
	uint64_t zeros = -texts % 8; /* The size of the numbers in an entry is a multiple of 8. */

	dump->prefix[0] = '\0';
	if (zeros && !dump->complained)
		dump_read_bytes(dump, zeros);
}

static void check_image(struct dump *dump, uint32_t image)
{
	if (!image || image > dump->images)
		dump_complain(dump, "the image is not defined");
}

static void dump_symbols(struct dump *dump)
{
	const struct pk_record_symbols *symbols = (const void *)dump->record->data;
	bool useless = false;

	for (uint64_t i = 0; i < symbols->count && !dump->complained; i++) {
		const struct pk_symbol_entry *entry = (const void *)dump->at;

		start_entry(dump, "symbol", i);
		dump_fields(dump, "ddc4", "start size flags length");
		if (dump->complained)
			break;
		dump_entry_text(dump, "name", entry->length);
		useless |=
			!entry->size || !entry->length || entry->start + entry->size < entry->start;
		end_entry(dump, entry->length);
	}
	dump->prefix[0] = '\0';
	if (useless && !dump->complained)
		dump_complain(dump, "a symbol without size or name");
	if (!dump->complained)
		check_image(dump, symbols->image);
}

static void dump_source(struct dump *dump)
{
	const struct pk_record_source *source = (const void *)dump->record->data;

	for (uint64_t i = 0; i < source->count && !dump->complained; i++) {
		const struct pk_source_entry *entry = (const void *)dump->at;

		start_entry(dump, "source", i);
		dump_fields(dump, "44c44....", "line column flags function_length file_length");
		if (dump->complained)
			break;
		dump_entry_text(dump, "function", entry->function_length);
		if (!dump->complained)
			dump_entry_text(dump, "file", entry->file_length);
		end_entry(dump, (uint64_t)entry->function_length + entry->file_length);
	}
	dump->prefix[0] = '\0';
	if (!dump->complained)
		check_image(dump, source->image);
}

static void dump_arguments(struct dump *dump)
{
	const struct pk_record_arguments *arguments = (const void *)dump->record->data;

	for (uint64_t i = 0; i < arguments->count && !dump->complained; i++) {
		const struct pk_argument_entry *entry = (const void *)dump->at;

		start_entry(dump, "argument", i);
		dump_fields(dump, "11a11111j",
			    "kind size flags base index scale shift length value");
		if (dump->complained)
			break;
		dump_entry_text(dump, "name", entry->length);
		end_entry(dump, entry->length);
	}
	dump->prefix[0] = '\0';
}

/* ---- Definitions ---- */

/* SPEC 9 */

/* Stores the content of SESSION. Reports no errors, because the reader has already reported them: a
 * second SESSION, or a newer version. */
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
			dump_complain(dump, "fewer strings than argc");
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

	DUMP_FLAGS("flags", dump_read_number(dump, 4), bits);
	dump_fields(dump, "....dd", "address symbol_start");
}

static void dump_loss_rest(struct dump *dump)
{
	static const char *const causes[] = {
		[PK_LOSS_RECORDS_LOST] = "records lost",
		[PK_LOSS_SAMPLES_LOST] = "samples lost",
		[PK_LOSS_RECORDS_BAD] = "bad records",
		[PK_LOSS_STACKS_TRUNCATED] = "stacks truncated",
		[PK_LOSS_FRAMES_UNRESOLVED] = "frames unresolved",
		[PK_LOSS_RECORDS_LATE] = "records late",
		[PK_LOSS_STACKS_UNMERGED] = "stacks unmerged",
		[PK_LOSS_RECORDS_UNSWAPPED] = "records unswapped",
		[PK_LOSS_DEFINITIONS_BAD] = "bad definitions",
		[PK_LOSS_SPANS_DROPPED] = "spans dropped",
		[PK_LOSS_SPANS_UNENDED] = "spans unended",
		[PK_LOSS_SPANS_UNSTARTED] = "spans unstarted",
		[PK_LOSS_SPANS_GAPS] = "spans with gaps",
		[PK_LOSS_SPANS_OPEN] = "spans open",
		[PK_LOSS_STACKS_CUT] = "stacks cut",
		[PK_LOSS_STACKS_TORN] = "stacks torn",
		[PK_LOSS_TRACES_CUT] = "traces cut",
	};

	_Static_assert(sizeof(causes) / sizeof(causes[0]) == PK_LOSS_CAUSE_MAX,
		       "each cause has a name");
	DUMP_NAMED("cause", dump_read_number(dump, 4), causes);
	dump_fields(dump, "88", "count total");
}

/* Prints the parts of a definition that its layout does not describe. */
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
	if (pk_dictionary_read(dump->dictionary, dump->record) != PK_OK)
		dump_complain(dump, "an unexpected id, or a reference to an undefined id");
}
