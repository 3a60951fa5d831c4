/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tep_texts PAYLOAD...: for every format in payloads of TRACING_DATA, generates samples with valid
 * offsets and lengths and random values, and prints them with libtraceevent and with lib/trace.
 * Reports different texts, "EVENT", "- libtraceevent's", "+ ours", and their number at the end.
 *
 * tep_texts --payload FORMAT...: writes a payload of these files of tracefs to stdout.
 * tep_texts --speed=tep|pk EVENT ROUNDS PAYLOAD: prints samples of one event that often; for
 * measuring.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "pkstream.h"
#include "tracepoint.h"

#define SAMPLES	    12
#define SAMPLE_SIZE 4096
#define SAMPLE_USED 1024 /* the bytes after it are zero */

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *data = NULL;

	*size = 0;
	if (!file) {
		perror(path);
		exit(2);
	}
	do {
		data = realloc(data, *size + (1 << 20));
		*size += fread(data + *size, 1, (1 << 20) - 1, file);
	} while (!feof(file) && !ferror(file));
	data[*size] = 0;
	fclose(file);
	return data;
}

/* ---- Samples ---- */

static uint64_t state;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Few bits, single bits, and any. */
static void fill(uint8_t *bytes, size_t size)
{
	unsigned int kind = draw() % 4;

	for (size_t i = 0; i < size; i++)
		bytes[i] = kind == 0   ? 0
			   : kind == 1 ? (i % 4 == 0 ? draw() % 12 : 0)
			   : kind == 2 ? (draw() % 3 ? 0 : 1u << draw() % 8)
				       : (uint8_t)draw();
}

static void fill_text(uint8_t *bytes, size_t size)
{
	size_t length = draw() % size;

	memset(bytes, 0, size);
	for (size_t i = 0; i < length; i++)
		bytes[i] = (uint8_t)(' ' + draw() % 95);
}

static void store(uint8_t *at, uint64_t value, size_t size, bool big_endian)
{
	for (size_t i = 0; i < size; i++)
		at[big_endian ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

/* Bytes of a dynamic field follow all others, at *tail. */
static void make_dynamic(uint8_t *raw, const struct tep_format_field *field, size_t *tail,
			 bool big_endian)
{
	size_t element = strstr(field->type, "mask_t") ? 8
			 : field->elementsize	       ? field->elementsize
						       : 1;
	size_t size = element * (1 + draw() % 6);
	size_t at = (*tail + 7) & ~(size_t)7;
	size_t offset = field->flags & TEP_FIELD_IS_RELATIVE ? at - (size_t)field->offset - 4 : at;

	if (field->flags & TEP_FIELD_IS_STRING)
		fill_text(raw + at, size += 8);
	else
		fill(raw + at, size);
	store(raw + field->offset, size << 16 | offset, 4, big_endian);
	*tail = at + size;
}

static void make_sample(uint8_t *raw, const struct tep_event *event, unsigned int number,
			bool big_endian)
{
	size_t tail = 8;

	state = UINT64_C(0x9e3779b97f4a7c15) * (number + 1) + (uint64_t)event->id + 1;
	memset(raw, 0, SAMPLE_SIZE);
	store(raw, (uint64_t)event->id, 2, big_endian);
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		if ((size_t)f->offset + (size_t)f->size > tail)
			tail = (size_t)f->offset + (size_t)f->size;
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		if (f->flags & TEP_FIELD_IS_DYNAMIC)
			make_dynamic(raw, f, &tail, big_endian);
		else if (f->flags & TEP_FIELD_IS_ARRAY && f->flags & TEP_FIELD_IS_STRING)
			fill_text(raw + f->offset, (size_t)f->size);
		else
			fill(raw + f->offset, (size_t)f->size);
	}
}

/* ---- Formats ---- */

struct both {
	struct tep_handle *tep;
	struct pk_tracepoints *ours;
	bool big_endian;
	unsigned int events, same, different, refused, beyond;
};

static uint64_t number_at(const struct both *both, const char *p, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)(uint8_t)p[both->big_endian ? size - 1 - i : i] << 8 * i;
	return value;
}

/* libtraceevent divides by fields that are 0, for example. */
static sigjmp_buf died;

static void die(int number)
{
	siglongjmp(died, number);
}

/* NULL: it crashed on the sample. */
static const char *text_by_tep(struct both *both, uint8_t *raw, struct trace_seq *seq)
{
	struct tep_record record = {.data = raw, .size = SAMPLE_USED};

	if (sigsetjmp(died, 1))
		return NULL;
	trace_seq_reset(seq);
	tep_print_event(both->tep, seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(seq);
	return seq->buffer;
}

static void compare(struct both *both, struct tep_event *event)
{
	struct pk_tracepoint *ours = pk_tracepoints_find(both->ours, (uint64_t)event->id);
	static uint8_t raw[SAMPLE_SIZE];
	const struct pk_bytes bytes = {raw, SAMPLE_USED};
	struct trace_seq seq;
	bool told = false;

	both->events++;
	if (!ours) {
		printf("%s:%s\nnot known to us\n", event->system, event->name);
		both->refused++;
		return;
	}
	trace_seq_init(&seq);
	for (unsigned int i = 0; i < SAMPLES; i++) {
		const char *theirs, *text;
		size_t size;

		make_sample(raw, event, i, both->big_endian);
		theirs = text_by_tep(both, raw, &seq);
		text = pk_tracepoint_text(ours, &bytes, &size);
		if (!theirs) {
			printf("%s:%s kills libtraceevent\n", event->system, event->name);
			trace_seq_init(&seq);
			both->beyond++;
			continue;
		}
		if (text && !strcmp(theirs, text)) {
			both->same++;
			continue;
		}
		/* Ours are equal to those of later versions: tests/corpus. */
		if (text && !strncmp(theirs, "[FAILED", 7) && strncmp(text, "[FAILED", 7)) {
			both->beyond++;
			continue;
		}
		both->different++;
		if (!told)
			printf("%s:%s\n- %s\n+ %s\n", event->system, event->name, theirs,
			       text ? text : "nothing");
		told = true;
	}
	trace_seq_destroy(&seq);
}

/* Payload: magic, version, order, size of long, page size, two headers, formats of ftrace, of
 * systems. */
static char *find_systems(struct both *both, char *p)
{
	p += 10;
	p += strlen(p) + 1;
	both->big_endian = *p;
	tep_set_file_bigendian(both->tep, both->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(both->tep, TEP_LITTLE_ENDIAN);
	tep_set_long_size(both->tep, p[1]);
	p += 6;
	for (int i = 0; i < 2; i++) {
		p += strlen(p) + 1;
		p += 8 + number_at(both, p, 8);
	}
	for (uint64_t i = number_at(both, p, 4), size = (uint64_t)(p += 4, 0); i > 0; i--) {
		size = number_at(both, p, 8);
		p += 8 + size;
	}
	return p;
}

static void each_format(struct both *both, char *p,
			void (*call)(struct both *, char *, size_t, const char *))
{
	for (uint64_t systems = number_at(both, p, 4), first = 1; systems > 0;
	     systems--, first = 0) {
		const char *system = first ? (p += 4) : p;

		p += strlen(p) + 1;
		uint64_t count = number_at(both, p, 4);

		for (p += 4; count > 0; count--) {
			uint64_t size = number_at(both, p, 8);

			call(both, p + 8, size, system);
			p += 8 + size;
		}
	}
}

static void learn(struct both *both, char *format, size_t size, const char *system)
{
	tep_parse_event(both->tep, format, size, system);
}

static void check_format(struct both *both, char *format, size_t size, const char *system)
{
	char *id = memmem(format, size, "\nID: ", 5);
	struct tep_event *event = id ? tep_find_event(both->tep, atoi(id + 5)) : NULL;

	(void)system;
	if (event)
		compare(both, event);
}

static bool open_payload(struct both *both, const char *path, char **systems)
{
	size_t size;
	char *data = read_file(path, &size);

	both->tep = tep_alloc();
	both->ours = pk_tracepoints_new();
	tep_set_loglevel(TEP_LOG_NONE);
	*systems = find_systems(both, data);
	each_format(both, *systems, learn);
	return !pk_tracepoints_load(both->ours, (const uint8_t *)data, size);
}

/* ---- --speed ---- */

static int speed(bool ours, const char *name, int rounds, const char *path)
{
	struct both both = {0};
	static uint8_t raw[SAMPLE_SIZE];
	const struct pk_bytes bytes = {raw, SAMPLE_USED};
	char *systems, *colon = strchr(name, ':');
	struct trace_seq seq;
	struct tep_event *event;
	size_t size = 0;

	if (!open_payload(&both, path, &systems) || !colon)
		return 2;
	*colon = 0;
	event = tep_find_event_by_name(both.tep, name, colon + 1);
	if (!event)
		return 2;
	trace_seq_init(&seq);
	make_sample(raw, event, 1, both.big_endian);
	for (int i = 0; i < rounds; i++) {
		if (ours)
			pk_tracepoint_text(pk_tracepoints_find(both.ours, (uint64_t)event->id),
					   &bytes, &size);
		else
			text_by_tep(&both, raw, &seq);
	}
	return 0;
}

/* ---- --payload ---- */

static void put_number(uint64_t value, int size)
{
	for (int i = 0; i < size; i++)
		putchar((int)(value >> 8 * i & 255));
}

static void put_system(const char *path)
{
	const char *end = strrchr(path, '/'), *begin;

	while (*--end != '/')
		;
	for (begin = end; begin[-1] != '/'; begin--)
		;
	fwrite(begin, 1, (size_t)(end - begin), stdout);
	putchar(0);
}

static int write_payload(int count, char **paths)
{
	fwrite("\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0header_page\0\0\0\0\0\0\0\0\0header_"
	       "event\0\0\0\0\0\0\0\0\0",
	       1, 61, stdout);
	put_number(0, 4);
	put_number((uint64_t)count, 4);
	for (int i = 0; i < count; i++) {
		size_t size;
		char *format = read_file(paths[i], &size);

		put_system(paths[i]);
		put_number(1, 4);
		put_number(size, 8);
		fwrite(format, 1, size, stdout);
		free(format);
	}
	put_number(0, 4);
	put_number(0, 4);
	put_number(0, 8);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int different = 0;

	if (argc > 1 && !strcmp(argv[1], "--payload"))
		return write_payload(argc - 2, argv + 2);
	if (argc == 5 && !strncmp(argv[1], "--speed=", 8))
		return speed(argv[1][8] == 'p', argv[2], atoi(argv[3]), argv[4]);
	signal(SIGFPE, die);
	signal(SIGSEGV, die);
	for (int i = 1; i < argc; i++) {
		struct both both = {0};
		char *systems;

		if (!open_payload(&both, argv[i], &systems))
			printf("%s: damaged\n", argv[i]);
		each_format(&both, systems, check_format);
		printf("SUM %s: %u events, %u samples the same, %u beyond libtraceevent, %u "
		       "different, %u events "
		       "not known\n",
		       argv[i], both.events, both.same, both.beyond, both.different, both.refused);
		different += both.different + both.refused;
		tep_free(both.tep);
		pk_tracepoints_free(both.ours);
	}
	return different != 0;
}
