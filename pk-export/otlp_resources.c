// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "otlp_resources.h"
#include "protobuf.h"
#include "vector.h"

enum { RESOURCE_ATTRIBUTES = 1 };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE = 2 };
enum { VALUE_TEXT = 1 };

/* ---- Samples ---- */

/* The number of the machine's resource. 0: out of memory. */
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
	if (!pk_vector_reserve(resources, 1))
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

bool otlp_resources_add(struct otlp_resources *resources, const struct export_samples *samples,
			const struct export_sample *sample)
{
	struct otlp_resource *resource;

	if (resources->session != samples->sessions) {
		resources->current =
			resource_of(resources, pk_session_machine(samples->profile.context.session),
				    samples->sessions);
		if (!resources->current)
			return false;
		resources->session = samples->sessions;
	}
	resource = &resources->items[resources->current - 1];
	note_time(resource, samples, sample->time);
	return cells_add_sample(&resource->cells, sample);
}

/* ---- Attributes ---- */

/* The names of the semantic conventions for host.arch. */
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

void otlp_resource_message(const struct otlp_resource *resource, struct buffer *out)
{
	const struct pk_machine_names *machine = &resource->machine;

	add_attribute(out, "host.name", machine->host);
	add_attribute(out, "host.arch", architecture(machine->machine));
	add_attribute(out, "os.type", "linux");
	add_attribute(out, "os.version", machine->release);
}

void otlp_resources_free(struct otlp_resources *resources)
{
	for (size_t i = 0; i < resources->count; i++)
		cells_free(&resources->items[i].cells);
	free(resources->items);
	pk_texts_free(&resources->names);
}
