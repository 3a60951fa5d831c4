// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"

/* What the bodies of records end with: SPEC 3.5, 3.6. */

static void dump_chars(struct dump *dump, const char *name, size_t size)
{
	const uint8_t *text = dump_take_bytes(dump, size);

	if (text)
		dump_text(name, text, size);
}

void dump_text_poke(struct dump *dump)
{
	uint64_t old_size = dump_take(dump, 2), new_size = dump_take(dump, 2);
	const uint8_t *bytes;

	bytes = dump_take_bytes(dump, old_size);
	if (bytes)
		dump_bytes("old", bytes, old_size);
	bytes = dump_take_bytes(dump, new_size);
	if (bytes)
		dump_bytes("new", bytes, new_size);
}

void dump_event_type(struct dump *dump)
{
	dump_chars(dump, "name", dump_left(dump) < 64 ? dump_left(dump) : 64);
}

void dump_build_id(struct dump *dump)
{
	const uint8_t *id = dump_take_bytes(dump, PK_BUILD_ID_MAX);
	uint64_t size = dump_take(dump, 1);

	if (!id || dump->complained)
		return;
	if (!(dump->record->misc & PERF_RECORD_MISC_BUILD_ID_SIZE) || size > PK_BUILD_ID_MAX)
		size = PK_BUILD_ID_MAX;
	dump_bytes("build_id", id, size);
	dump_fields(dump, "...s", "filename");
}

void dump_id_index(struct dump *dump)
{
	const struct perf_record_id_index *index = (const void *)dump->record->data;
	const uint64_t nr = index->nr;

	if (nr && dump_left(dump) / 16 >= nr)
		dump_items(dump, nr, 16, "guest", "jj", "machine_pid vcpu");
}

void dump_auxtrace_error(struct dump *dump)
{
	const struct perf_record_auxtrace_error *error = (const void *)dump->record->data;
	size_t size = sizeof(error->message);

	if (error->fmt >= 1)
		dump_fields(dump, "8", "time");
	size = dump_left(dump) < size ? dump_left(dump) : size;
	dump_text("msg", dump->at, size);
	dump_take_bytes(dump, size);
	if (error->fmt >= 2 && dump_left(dump) >= 8)
		dump_fields(dump, "ii", "machine_pid vcpu");
}

/* nr entries of numbers and texts of fixed size. */
static bool has_room(struct dump *dump, uint64_t nr, size_t each)
{
	if (nr <= dump_left(dump) / each)
		return true;
	dump_complain(dump, "a count that the record has no room for");
	return false;
}

void dump_bpf_metadata(struct dump *dump)
{
	char name[48];
	uint64_t nr;

	dump_chars(dump, "prog_name", 512);
	nr = dump_take(dump, 8);
	dump_decimal("nr", nr);
	if (!has_room(dump, nr, 64 + 256))
		return;
	for (uint64_t i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "entry[%llu].key", (unsigned long long)i);
		dump_chars(dump, name, 64);
		snprintf(name, sizeof(name), "entry[%llu].value", (unsigned long long)i);
		dump_chars(dump, name, 256);
	}
}

static void dump_mask(struct dump *dump)
{
	uint64_t nr = dump_take(dump, 2), word = dump_take(dump, 2);

	dump_decimal("nr", nr);
	dump_decimal("long_size", word);
	if (word == 8)
		dump_fields(dump, "....", "");
	if (dump->complained)
		return;
	if (word == 8)
		dump_items(dump, nr, 8, "mask", "d", "");
	else if (word == 4)
		dump_items(dump, nr, 4, "mask", "c", "");
	else
		dump_complain(dump, "words of neither 4 nor 8 bytes");
}

void dump_cpu_map_data(struct dump *dump)
{
	static const char *const kinds[] = {"cpus", "mask", "range"};
	uint64_t kind = dump_take(dump, 2), nr;

	DUMP_NAMED("kind", kind, kinds);
	switch (kind) {
	case PERF_CPUS_LIST:
		nr = dump_take(dump, 2);
		dump_decimal("nr", nr);
		dump_items(dump, nr, 2, "cpu", "2", "");
		break;
	case PERF_CPUS_MASK: dump_mask(dump); break;
	case PERF_CPUS_RANGE: dump_fields(dump, "1.22", "any_cpu first last"); break;
	default: dump_complain(dump, "a cpu map of unknown kind"); break;
	}
}

void dump_event_update(struct dump *dump)
{
	const struct perf_record_event_update *update = (const void *)dump->record->data;
	unsigned int kind = pk_definition_of(dump->record);
	double scale;

	if (kind) {
		dump_definition(dump, kind);
		return;
	}
	switch (update->type) {
	case PERF_EVENT_UPDATE_UNIT: dump_fields(dump, "s", "unit"); break;
	case PERF_EVENT_UPDATE_SCALE:
		if (dump_left(dump) < sizeof(scale)) {
			dump_complain(dump, "too short for its fields");
			break;
		}
		memcpy(&scale, dump_take_bytes(dump, sizeof(scale)), sizeof(scale));
		dump_real("scale", scale);
		break;
	case PERF_EVENT_UPDATE_NAME: dump_fields(dump, "s", "name"); break;
	case PERF_EVENT_UPDATE_CPUS: dump_cpu_map_data(dump); break;
	default: break;
	}
}
