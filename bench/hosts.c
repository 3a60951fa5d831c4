/* SPDX-License-Identifier: BSD-2-Clause */
/* hosts FOLDER FIRST HOSTS SAMPLES SECONDS START SPREAD <SYMBOLIZED: writes FOLDER/NAME.pk.zst for
 * each of HOSTS hosts, with SAMPLES samples of SECONDS seconds. The samples start at a random
 * minute of the SPREAD minutes after START (seconds since 1970). They are drawn at random from the
 * samples of the input. Each service has a twentieth of the processes of the input. 70 % of the
 * samples of a host are from these processes, and the others are from all processes. One sample in
 * a hundred has a leaf that only this host has. There are twenty services in five regions. The
 * largest service has 28 % of the hosts, and the smallest has 1.4 %. Each service has two versions
 * (80 % and 20 % of its hosts). A file depends only on the input and on its host, and files that
 * exist are kept, so an interrupted run can be continued. */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "pkstream.h"

#define SERVICES 20
#define PIDS	 (1 << 22)

struct bytes {
	uint8_t *data;
	size_t size, capacity;
};

/* A list of numbers of samples. */
struct list {
	uint32_t *items;
	size_t count, capacity;
};

struct input {
	struct pk_reader *reader;
	struct pk_dictionary *names;
	struct bytes head, samples; /* bytes of records */
	struct list all, own[SERVICES];
	size_t *at; /* offset in samples.data of each sample */
	size_t at_capacity;
	uint8_t *comms[PIDS]; /* the last COMM record of each thread */
	uint8_t commed[PIDS];
	uint64_t wall, clock; /* times of CLOCK_DATA */
	uint32_t clockid;
};

struct output {
	struct pk_writer *writer;
	struct pk_dictionary *names;
	uint32_t *stacks, stacks_count; /* stack in the output, by id in the input */
	char name[32];
};

static uint64_t seed;

static uint32_t random_below(uint32_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(((seed & UINT32_MAX) * limit) >> 32);
}

static void *grown(void *data, size_t *capacity, size_t wanted, size_t unit)
{
	if (wanted <= *capacity)
		return data;
	while (*capacity < wanted)
		*capacity = *capacity ? *capacity * 2 : 4096;
	data = realloc(data, *capacity * unit);
	if (!data)
		err(EXIT_FAILURE, "hosts");
	return data;
}

static void add_bytes(struct bytes *bytes, const void *data, size_t size)
{
	bytes->data = grown(bytes->data, &bytes->capacity, bytes->size + size, 1);
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

static void add_item(struct list *list, uint32_t item)
{
	list->items = grown(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = item;
}

/* ---- Input ---- */

static void keep_comm(struct input *in, const struct pk_record *record)
{
	const struct perf_record_comm *comm = (const struct perf_record_comm *)record->data;

	if (comm->tid >= PIDS)
		return;
	free(in->comms[comm->tid]);
	in->comms[comm->tid] = malloc(record->size);
	if (!in->comms[comm->tid])
		err(EXIT_FAILURE, "hosts");
	memcpy(in->comms[comm->tid], record->data, record->size);
}

static void keep_sample(struct input *in, const struct pk_record *record)
{
	const struct pk_event *event = pk_reader_event_of(in->reader, record);
	const struct perf_task *task;

	if (!event || !event->layout.time || !event->layout.tid ||
	    !pk_stack_trailer(record->data, record->size))
		return;
	task = pk_record_task(record, event->layout.tid);
	in->at = grown(in->at, &in->at_capacity, in->all.count + 1, sizeof(*in->at));
	in->at[in->all.count] = in->samples.size;
	add_item(&in->own[task->pid * UINT32_C(2654435761) % SERVICES], (uint32_t)in->all.count);
	add_item(&in->all, (uint32_t)in->all.count);
	add_bytes(&in->samples, record->data, record->size);
}

static void keep_feature(struct input *in, const struct pk_record *record)
{
	struct pk_feature_content clock;

	switch (pk_feature_id(record)) {
	case PERF_FEATURE_CLOCK_DATA:
		if (!pk_reader_feature(in->reader, record, &clock) || clock.size < 24)
			return;
		in->clockid = pk_load_u32(clock.data + 4);
		in->wall = pk_load_u64(clock.data + 8);
		in->clock = pk_load_u64(clock.data + 16);
		return;
	case PERF_FEATURE_HOSTNAME: return;
	default: add_bytes(&in->head, record->data, record->size);
	}
}

static void keep_definition(struct input *in, const struct pk_record *record)
{
	switch (pk_definition_of(record)) {
	case PK_STRING:
	case PK_DSO:
	case PK_FRAME:
	case PK_STACK:
		if (pk_dictionary_read(in->names, record) != PK_OK)
			errx(EXIT_FAILURE, "stdin: a definition is not valid");
		return;
	case PK_RESET: errx(EXIT_FAILURE, "stdin: RESET: use pk-symbolize --dictionary-size");
	case PK_LABEL:
	case PK_LOSS:
	case PK_FINISH: return;
	default: add_bytes(&in->head, record->data, record->size);
	}
}

static void read_input(struct input *in)
{
	struct pk_record record;
	enum pk_status status;

	in->names = pk_dictionary_new(NULL);
	if (!in->names ||
	    pk_reader_new(&(struct pk_reader_options){.fd = STDIN_FILENO}, &in->reader) != PK_OK)
		errx(EXIT_FAILURE, "out of memory");
	while (!(status = pk_reader_next(in->reader, &record))) {
		switch (record.type) {
		case PERF_RECORD_SAMPLE: keep_sample(in, &record); break;
		case PERF_RECORD_COMM: keep_comm(in, &record); break;
		case PERF_RECORD_HEADER_FEATURE: keep_feature(in, &record); break;
		case PERF_RECORD_EVENT_UPDATE: keep_definition(in, &record); break;
		case PERF_RECORD_HEADER_ATTR:
		case PERF_RECORD_CGROUP: add_bytes(&in->head, record.data, record.size); break;
		default: break;
		}
	}
	if (status != PK_END)
		errx(EXIT_FAILURE, "stdin: %s", pk_reader_error(in->reader));
	if (!in->all.count || !in->clock)
		errx(EXIT_FAILURE, "stdin: no samples with stacks, or no time of day");
}

/* ---- Definitions ---- */

static uint32_t string_of(struct input *in, struct output *out, uint32_t id)
{
	size_t size;
	const char *text = pk_dictionary_get_string(in->names, id, &size);

	return text ? pk_dictionary_string(out->names, text, size) : 0;
}

static struct pk_frame frame_of(struct input *in, struct output *out, uint32_t id)
{
	struct pk_frame frame = *pk_dictionary_get_frame(in->names, id);
	const struct pk_dso *known = pk_dictionary_get_dso(in->names, frame.dso);
	struct pk_dso dso;

	if (known) {
		dso = *known;
		dso.path = string_of(in, out, dso.path);
		frame.dso = pk_dictionary_dso(out->names, &dso);
	}
	frame.function = string_of(in, out, frame.function);
	frame.file = string_of(in, out, frame.file);
	return frame;
}

static uint32_t stack_of(struct input *in, struct output *out, uint32_t id)
{
	const struct pk_stack *stack = pk_dictionary_get_stack(in->names, id);
	struct pk_frame frame;
	uint32_t parent;

	if (!stack || out->stacks[id])
		return stack ? out->stacks[id] : 0;
	parent = stack_of(in, out, stack->parent);
	frame = frame_of(in, out, stack->frame);
	out->stacks[id] =
		pk_dictionary_stack(out->names, parent, pk_dictionary_frame(out->names, &frame));
	return out->stacks[id];
}

/* Returns the id of a stack that has another leaf. */
static uint32_t own_stack_of(struct input *in, struct output *out, uint32_t id)
{
	const struct pk_stack *stack = pk_dictionary_get_stack(in->names, id);
	struct pk_frame frame = frame_of(in, out, stack->frame);
	char name[64];

	frame.address += 1 + random_below(1 << 20);
	snprintf(name, sizeof(name), "%s_%u", out->name, random_below(1 << 20));
	if (frame.function)
		frame.function = pk_dictionary_string(out->names, name, strlen(name));
	return pk_dictionary_stack(out->names, stack_of(in, out, stack->parent),
				   pk_dictionary_frame(out->names, &frame));
}

/* ---- Output ---- */

static void put_label(struct output *out, const char *name, const char *value)
{
	const uint32_t name_size = (uint32_t)strlen(name) / 8 * 8 + 8,
		       value_size = (uint32_t)strlen(value) / 8 * 8 + 8;
	const size_t size = sizeof(struct pk_record_label) + 8 + name_size + value_size;
	uint8_t *record = pk_writer_append(out->writer, PERF_RECORD_EVENT_UPDATE, 0, size);
	struct pk_record_label *label = (struct pk_record_label *)record;

	if (!record)
		return;
	memset(record + sizeof(struct perf_header), 0, size - sizeof(struct perf_header));
	label->head.subtype = PK_SUBTYPE_BASE + PK_LABEL;
	pk_store_u32(label->strings, name_size);
	memcpy(label->strings + 4, name, strlen(name));
	pk_store_u32(label->strings + 4 + name_size, value_size);
	memcpy(label->strings + 8 + name_size, value, strlen(value));
}

static void put_features(struct input *in, struct output *out, uint64_t start)
{
	static struct pk_feature feature;

	pk_feature_start(&feature, PERF_FEATURE_HOSTNAME);
	pk_feature_string(&feature, out->name);
	pk_feature_write(&feature, out->writer);
	pk_feature_start(&feature, PERF_FEATURE_CLOCK_DATA);
	pk_feature_u32(&feature, 1);
	pk_feature_u32(&feature, in->clockid);
	pk_feature_u64(&feature, start * 1000000000);
	pk_feature_u64(&feature, in->clock);
	pk_feature_write(&feature, out->writer);
}

static void put_sample(struct input *in, struct output *out, uint32_t number, uint64_t time)
{
	struct pk_record record = pk_record_at(in->samples.data + in->at[number]);
	const struct pk_event *event = pk_reader_event_of(in->reader, &record);
	const uint32_t tid = pk_record_task(&record, event->layout.tid)->tid,
		       stack = pk_stack_trailer(record.data, record.size);
	uint32_t id;
	uint8_t *at;

	if (tid < PIDS && in->comms[tid] && !in->commed[tid]) {
		in->commed[tid] = 1;
		pk_writer_record(out->writer, in->comms[tid], pk_load_u16(in->comms[tid] + 6));
	}
	id = random_below(100) ? stack_of(in, out, stack) : own_stack_of(in, out, stack);
	at = pk_writer_append(out->writer, record.type, record.misc, record.size);
	if (!at)
		return;
	memcpy(at, record.data, record.size);
	pk_store_u64(at + event->layout.time, time);
	pk_trailer_put(at + record.size - PK_STACK_TRAILER_SIZE, PK_STACK_TRAILER_TAG, id);
}

static ssize_t add_output(void *arg, const void *data, size_t size)
{
	add_bytes(arg, data, size);
	return (ssize_t)size;
}

static void write_file(const char *path, const struct bytes *plain)
{
	char part[4096 + 8];
	const size_t limit = ZSTD_compressBound(plain->size);
	uint8_t *data = malloc(limit);
	const size_t size = data ? ZSTD_compress(data, limit, plain->data, plain->size, 1) : 0;
	int fd;

	snprintf(part, sizeof(part), "%s.part", path);
	fd = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (!data || ZSTD_isError(size) || fd < 0 || write(fd, data, size) != (ssize_t)size ||
	    close(fd) || rename(part, path))
		err(EXIT_FAILURE, "%s", path);
	free(data);
}

/* Selects the service of a host. The shares of the services decrease like 1, 1/2, 1/3 ... */
static unsigned int service_of(uint32_t host)
{
	double left = (double)(host * UINT32_C(2654435761)) / 4294967296.0, all = 0;
	unsigned int service = 0;

	for (unsigned int i = 0; i < SERVICES; i++)
		all += 1.0 / (i + 1);
	for (left *= all; service < SERVICES - 1 && left >= 1.0 / (service + 1); service++)
		left -= 1.0 / (service + 1);
	return service;
}

static void put_samples(struct input *in, struct output *out, unsigned int service, uint32_t count,
			uint32_t seconds)
{
	const struct list *own = &in->own[service];

	memset(in->commed, 0, sizeof(in->commed));
	for (uint32_t i = 0; i < count; i++) {
		const struct list *from = own->count && random_below(10) < 7 ? own : &in->all;

		put_sample(in, out, from->items[random_below((uint32_t)from->count)],
			   in->clock + (uint64_t)i * seconds * 1000000000 / count);
	}
}

static void put_head(struct input *in, struct output *out, unsigned int service, uint32_t host,
		     uint64_t start)
{
	char text[32];

	pk_writer_header(out->writer);
	pk_writer_bytes(out->writer, in->head.data, in->head.size, 0, 0);
	snprintf(text, sizeof(text), "service-%u", service);
	put_label(out, "service", text);
	snprintf(text, sizeof(text), "%u.%u", service, host % 5 == 0);
	put_label(out, "version", text);
	snprintf(text, sizeof(text), "region-%u", host / 5 % 5);
	put_label(out, "region", text);
	put_features(in, out, start);
}

static void put_end(struct output *out)
{
	struct pk_record_finish *end = (struct pk_record_finish *)pk_writer_append(
		out->writer, PERF_RECORD_EVENT_UPDATE, 0, sizeof(*end));

	if (!end)
		return;
	memset(&end->head.subtype, 0, sizeof(*end) - sizeof(end->head.header));
	end->head.subtype = PK_SUBTYPE_BASE + PK_FINISH;
}

static void write_host(struct input *in, const char *folder, uint32_t host, uint32_t samples,
		       uint32_t seconds, uint64_t start)
{
	struct bytes plain = {0};
	struct output out = {0};
	const unsigned int service = service_of(host);
	char path[4096];

	snprintf(out.name, sizeof(out.name), "host-%04u", host);
	snprintf(path, sizeof(path), "%s/%s-%llu.pk.zst", folder, out.name,
		 (unsigned long long)start);
	if (!access(path, F_OK))
		return;
	out.stacks_count = pk_dictionary_stacks(in->names).count + 1;
	out.stacks = calloc(out.stacks_count, sizeof(*out.stacks));
	if (!out.stacks ||
	    pk_writer_new(&(struct pk_writer_options){.write = add_output, .arg = &plain},
			  &out.writer) != PK_OK ||
	    !(out.names = pk_dictionary_new(out.writer)))
		errx(EXIT_FAILURE, "out of memory");
	put_head(in, &out, service, host, start);
	put_samples(in, &out, service, samples, seconds);
	put_end(&out);
	if (pk_writer_flush(out.writer) != PK_OK)
		errx(EXIT_FAILURE, "%s", pk_writer_error(out.writer));
	write_file(path, &plain);
	pk_dictionary_free(out.names);
	pk_writer_free(out.writer);
	free(out.stacks);
	free(plain.data);
}

int main(int argc, char **argv)
{
	static struct input in;
	uint32_t numbers[6];

	if (argc != 8)
		errx(2, "usage: hosts FOLDER FIRST HOSTS SAMPLES SECONDS START SPREAD <SYMBOLIZED");
	for (int i = 0; i < 6; i++)
		numbers[i] = (uint32_t)strtoul(argv[i + 2], NULL, 10);
	read_input(&in);
	for (uint32_t host = numbers[0]; host < numbers[0] + numbers[1]; host++) {
		seed = UINT64_C(88172645463325252) + host * UINT64_C(1000003);
		write_host(&in, argv[1], host, numbers[2], numbers[3],
			   numbers[4] + 60 * random_below(numbers[5]));
	}
	return EXIT_SUCCESS;
}
