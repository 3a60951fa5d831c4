// SPDX-License-Identifier: BSD-2-Clause
/* The format otlp. It is ProfilesData of opentelemetry-proto 1.11.0, profiles/v1development. There,
 * a profile has only one kind of values. So each event has its own profile, and the numbers of
 * samples are another profile. The size of a message precedes the message, so the samples of a
 * resource are encoded in memory first. */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "machine.h"
#include "otlp_tables.h"
#include "paths.h"
#include "protobuf.h"
#include "texts.h"
#include "vector.h"

/* ---- Resources ---- */

/* A resource is a recorded machine with its samples. All sessions of the same machine are one
 * resource. */

/* The resources of the output. A resource is a machine that was recorded. */
struct otlp_resources {
	struct otlp_resource {
		struct pk_machine_names machine;
		struct cells cells;
		uint64_t session; /* number of the first session of this resource; the times of this
				   * session are exported */
		uint64_t first, last, wall_offset;
	} * items;
	size_t count, capacity;
	/* Only the functions of this section use these members: */
	struct pk_texts names;
	uint64_t session; /* number of the session to which `current` belongs */
	uint32_t current; /* number of the current resource */
};

enum { RESOURCE_ATTRIBUTES = 1 };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE = 2 };
enum { VALUE_TEXT = 1 };

/* ---- Samples ---- */

/* Returns the number of the machine's resource, or 0 if memory is exhausted. */
static uint32_t resource_of(struct otlp_resources *resources,
			    const struct pk_machine_names *machine, uint64_t session)
{
	struct buffer key = {0};
	uint32_t number = 0;

	buffer_add(&key, machine->host, strlen(machine->host) + 1);
	buffer_add(&key, machine->release, strlen(machine->release) + 1);
	buffer_text(&key, machine->machine);
	buffer_char(&key, '\0');
	if (!key.failed)
		number = pk_texts_add(&resources->names, key.data, key.size);
	free(key.data);
	if (!number || number <= resources->count)
		return number;
	if (pk_vector_reserve(resources, 1) != PK_OK)
		return 0;
	resources->items[resources->count++] =
		(struct otlp_resource){.machine = *machine, .session = session};
	return number;
}

static void note_time(struct otlp_resource *resource, const struct export_samples *samples,
		      uint64_t time)
{
	if (!time || resource->session != samples->sessions)
		return;
	if (!resource->first || time < resource->first)
		resource->first = time;
	if (time > resource->last)
		resource->last = time;
	resource->wall_offset = samples->clock.known ? samples->clock.offset : 0;
}

/* Adds a sample to the resource of the current session. */
static enum pk_status otlp_resources_add(struct otlp_resources *resources,
					 const struct export_samples *samples,
					 const struct export_sample *sample)
{
	struct otlp_resource *resource;

	if (resources->session != samples->sessions) {
		resources->current = resource_of(
			resources,
			pk_session_machine(pk_context_session(&samples->tail.profile.context)),
			samples->sessions);
		if (!resources->current)
			return PK_NOMEM;
		resources->session = samples->sessions;
	}
	resource = &resources->items[resources->current - 1];
	note_time(resource, samples, sample->time);
	return cells_add_sample(&resource->cells, sample);
}

/* ---- Attributes ---- */

/* Returns the name that OpenTelemetry's semantic conventions give to an architecture (host.arch).
 */
static const char *architecture(const char *name)
{
	static const struct {
		uint16_t elf;
		const char *name;
	} known[] = {
		{EM_X86_64, "amd64"}, {EM_386, "x86"},	 {EM_AARCH64, "arm64"},
		{EM_ARM, "arm32"},    {EM_PPC, "ppc32"},
	};
	const struct pk_machine_kind *kind = pk_machine_named(name, strlen(name));

	for (size_t i = 0; kind && i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].elf == kind->elf)
			return known[i].name;
	return kind && kind->elf == EM_PPC64 ? "ppc64" : name;
}

static void add_attribute(struct buffer *out, const char *key, const char *text)
{
	struct buffer valid = {0}, value = {0}, pair = {0};

	if (*text) {
		buffer_valid(&valid, text, strlen(text), SIZE_MAX);
		protobuf_message(&value, VALUE_TEXT, &valid);
		protobuf_bytes(&pair, KEY_VALUE_KEY, key, strlen(key));
		protobuf_message(&pair, KEY_VALUE_VALUE, &value);
		protobuf_message(out, RESOURCE_ATTRIBUTES, &pair);
	}
	free(valid.data);
	free(value.data);
	free(pair.data);
}

/* Adds a message of type Resource. */
static void otlp_resource_message(const struct otlp_resource *resource, struct buffer *out)
{
	const struct pk_machine_names *machine = &resource->machine;

	add_attribute(out, "host.name", machine->host);
	add_attribute(out, "host.arch", architecture(machine->machine));
	add_attribute(out, "os.type", "linux");
	add_attribute(out, "os.version", machine->release);
}

static void otlp_resources_free(struct otlp_resources *resources)
{
	for (size_t i = 0; i < resources->count; i++)
		cells_free(&resources->items[i].cells);
	free(resources->items);
	pk_texts_free(&resources->names);
}

/* ---- Profiles ---- */

enum { DATA_RESOURCE = 1, DATA_DICTIONARY = 2 };
enum { RESOURCE_RESOURCE = 1, RESOURCE_SCOPE = 2 };
enum { SCOPE_SCOPE = 1, SCOPE_PROFILE = 2 };
enum { INSTRUMENTATION_NAME = 1, INSTRUMENTATION_VERSION = 2 };
enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_TIME = 3,
	PROFILE_DURATION = 4,
	PROFILE_PERIOD_TYPE = 5,
	PROFILE_PERIOD = 6,
};
enum { TYPE_NAME = 1, TYPE_UNIT = 2 };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES = 2, SAMPLE_VALUES = 4 };

struct otlp {
	struct exporter base;
	struct otlp_resources resources;
	struct otlp_tables tables;
	uint64_t values[VALUES_MAX];	    /* values of the current sample */
	struct buffer profiles[VALUES_MAX]; /* for each type of values, the profile of the current
					     * resource */
	struct buffer message, part,
		attributes; /* `attributes` has the attributes of the row attributes_row */
	uint32_t attributes_row;
};

/* ---- Attributes ---- */

/* Returns the key for a label. OpenTelemetry's semantic conventions have names for some fields. */
static const char *key_of(const char *label)
{
	static const char *const names[][2] = {
		{"comm", "thread.name"},
		{"pid", "process.pid"},
		{"tid", "thread.id"},
		{"cpu", "cpu.logical_number"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(label, names[i][0]))
			return names[i][1];
	return label;
}

static uint32_t attribute_of(struct otlp *o, uint32_t row, unsigned int column)
{
	const struct pk_row_value value = pk_rows_value(&o->base.samples.rows, row, column);
	const char *key = key_of(samples_label(&o->base.samples, column)), *text;
	size_t size;

	switch (value.kind) {
	case PK_VALUE_NONE: return 0;
	case PK_VALUE_TEXT:
		text = pk_texts_get(&o->base.samples.rows.texts, (uint32_t)value.number, &size);
		return otlp_text_attribute(&o->tables, key, text, size);
	default:
		return otlp_number_attribute(
			&o->tables, key, value.number,
			value.kind == PK_VALUE_TIME || value.kind == PK_VALUE_DURATION ? "ns" : "");
	}
}

static void add_attributes(struct otlp *o, uint32_t row)
{
	if (row != o->attributes_row) {
		o->attributes.size = 0;
		for (unsigned int i = 0; i < o->base.samples.rows.columns_count; i++) {
			const uint32_t attribute = attribute_of(o, row, i);

			if (attribute)
				protobuf_varint(&o->attributes, attribute);
		}
		o->attributes_row = row;
	}
	if (o->attributes.size)
		protobuf_bytes(&o->message, SAMPLE_ATTRIBUTES, o->attributes.data,
			       o->attributes.size);
}

/* ---- Samples ---- */

/* Replaces the stack of each cell by the index of the stack. Then several cells can be equal. They
 * become adjacent here, and add_samples() adds them up. */
static void number_stacks(struct otlp *o, struct cells *cells)
{
	bool cut;

	for (size_t i = 0; i < cells->count && !o->base.tables.failed; i++) {
		cells->items[i].stack = otlp_stack(&o->tables, cells->items[i].stack, &cut);
		o->base.cut += cut ? cells->items[i].samples : 0;
	}
	cells_sort(cells);
}

static void add_sample(struct otlp *o, const struct cell *cell, unsigned int type)
{
	protobuf_number(&o->message, SAMPLE_STACK, cell->stack);
	add_attributes(o, cell->row);
	protobuf_varint(&o->part, o->values[type]);
	protobuf_message(&o->message, SAMPLE_VALUES, &o->part);
	protobuf_message(&o->profiles[type], PROFILE_SAMPLE, &o->message);
}

static void add_samples(struct otlp *o, const struct cells *cells)
{
	const struct cell *cell = cells->items, *const end = cell + cells->count, *first;

	while (cell < end) {
		first = cell;
		cell = value_types_sum(&o->base.types, first, end, o->values);
		if (o->values[0])
			add_sample(o, first, 0);
		for (unsigned int type = first->series + 1;
		     type <= cell[-1].series + 1 && type < o->base.types.count; type++)
			if (o->values[type])
				add_sample(o, first, type);
	}
}

/* ---- Profiles ---- */

static void put_type(struct otlp *o, struct buffer *out, unsigned int field, unsigned int type)
{
	const struct value_type *names = &o->base.types.types[type];

	protobuf_number(&o->part, TYPE_NAME,
			profile_string(&o->base.tables, names->name, strlen(names->name)));
	protobuf_number(&o->part, TYPE_UNIT,
			profile_string(&o->base.tables, names->unit, strlen(names->unit)));
	protobuf_message(out, field, &o->part);
}

/* Writes the fields of a profile that follow its samples. The samples must already be written. */
static void end_profile(struct otlp *o, const struct otlp_resource *resource, unsigned int type)
{
	struct buffer *out = &o->profiles[type];
	const unsigned int period = type ? type : 1; /* type 0 has the period of the first event */

	put_type(o, out, PROFILE_TYPE, type);
	if (resource->first && resource->wall_offset)
		protobuf_fixed64(out, PROFILE_TIME, resource->first + resource->wall_offset);
	protobuf_number(out, PROFILE_DURATION, resource->last - resource->first);
	if (period < o->base.types.count) {
		put_type(o, out, PROFILE_PERIOD_TYPE, period);
		protobuf_number(out, PROFILE_PERIOD,
				value_types_period(&o->base.samples.series[period - 1]));
	}
}

static void put_scope(struct otlp *o)
{
	protobuf_bytes(&o->part, INSTRUMENTATION_NAME, "pk-export", strlen("pk-export"));
	protobuf_bytes(&o->part, INSTRUMENTATION_VERSION, PK_VERSION, strlen(PK_VERSION));
	protobuf_message(&o->message, SCOPE_SCOPE, &o->part);
}

/* Writes the profiles of a resource, and empties their buffers. The profiles of the events come
 * first, because viewers show the first profile. */
static void write_resource(struct otlp *o, const struct otlp_resource *resource)
{
	struct buffer *text = &o->base.out.text;
	size_t scope;

	put_scope(o);
	scope = o->message.size;
	for (unsigned int i = 0; i < o->base.types.count; i++)
		if (o->profiles[i].size) {
			end_profile(o, resource, i);
			scope += protobuf_size(SCOPE_PROFILE, o->profiles[i].size);
		}
	otlp_resource_message(resource, &o->part);
	protobuf_start(text, DATA_RESOURCE,
		       protobuf_size(RESOURCE_RESOURCE, o->part.size) +
			       protobuf_size(RESOURCE_SCOPE, scope));
	protobuf_message(text, RESOURCE_RESOURCE, &o->part);
	protobuf_start(text, RESOURCE_SCOPE, scope);
	buffer_add(text, o->message.data, o->message.size);
	o->message.size = 0;
	for (unsigned int i = 1; i <= o->base.types.count; i++) {
		struct buffer *profile = &o->profiles[i % o->base.types.count];

		if (profile->size)
			protobuf_message(text, SCOPE_PROFILE, profile);
		output_part(&o->base.out);
	}
}

static void write_all(void *format)
{
	struct otlp *o = format;
	struct otlp_resources *resources = &o->resources;

	o->tables.shared = &o->base.tables;
	o->tables.stacks.allowance = &o->base.samples.allowance;
	value_types_init(&o->base.types, &o->base.samples);
	for (size_t i = 0; i < resources->count && !o->base.tables.failed; i++) {
		number_stacks(o, &resources->items[i].cells);
		add_samples(o, &resources->items[i].cells);
		write_resource(o, &resources->items[i]);
	}
	otlp_tables_write(&o->tables, DATA_DICTIONARY, &o->base.out);
	o->base.failed |= o->message.failed || o->part.failed || o->attributes.failed;
}

static enum pk_status count_sample(void *format, const struct export_sample *sample)
{
	struct otlp *o = format;

	return otlp_resources_add(&o->resources, &o->base.samples, sample);
}

static int end(void *format, int result)
{
	struct otlp *o = format;

	otlp_resources_free(&o->resources);
	otlp_tables_free(&o->tables);
	for (unsigned int i = 0; i < VALUES_MAX; i++)
		free(o->profiles[i].data);
	free(o->message.data);
	free(o->part.data);
	free(o->attributes.data);
	return result;
}

#define AT(member) PK_AT(struct otlp, member)

static const struct pk_option rows[] = {
	PK_TITLE("The profile"),
	{0, "by", "FIELD,...", PK_CALL, "attributes of samples (default: comm,pid,tid,cpu); none",
	 AT(base.options.tail), .parse = pk_set_by},
	{.kind = PK_ROWS, .rows = export_sample_rows},
	PK_OPTIONS_END,
};

const struct export_format export_otlp = {
	.name = "otlp",
	.description = "OpenTelemetry profiles (v1development of 1.11.0)",
	.by = "comm,pid,tid,cpu",
	.command = {.usage = "Usage: pk-export otlp [OPTION...] [FILE...]\n\n"
			     "Writes OpenTelemetry profiles: ProfilesData of opentelemetry-proto "
			     "1.11.0.\n",
		    .options = rows,
		    .examples = "  pk-record -F 999 -g -- ./app | pk-symbolize --lines | pk-export "
				"otlp -o app.otlp\n"
				"  pk-export otlp -o app.otlp.gz app.pk\n"},
	.size = sizeof(struct otlp),
	.output = OUTPUT_BINARY,
	.next = "gzip",
	.sample = count_sample,
	.write = write_all,
	.end = end,
};
