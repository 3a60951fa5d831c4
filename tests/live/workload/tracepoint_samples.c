/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracepoint_samples PAYLOAD PREFIX prints a stream as text (tests/assemble/main.c). PAYLOAD is the
 * payload of its TRACING_DATA. For each format in the payload whose name starts with PREFIX, the
 * stream has samples with valid offsets and lengths and with random values.
 *
 * tracepoint_samples --names PAYLOAD prints the names of the formats in PAYLOAD. tracepoint_samples
 * --payload FORMAT... writes a payload to stdout, which contains these `format` files of tracefs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pkstream.h"
#include "tracepoint_format.h"

#define SAMPLES	    12
#define SAMPLE_SIZE 65536

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

/* Fills the bytes with zeros, with small numbers, with single bits, or with any values. */
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
	size_t length = size ? draw() % size : 0;

	memset(bytes, 0, size);
	for (size_t i = 0; i < length; i++)
		bytes[i] = (uint8_t)(' ' + draw() % 95);
}

static void store(uint8_t *at, uint64_t value, size_t size, bool big_endian)
{
	for (size_t i = 0; i < size; i++)
		at[big_endian ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

/* Makes a dynamic field. Its bytes are stored after all other fields, at *tail. */
static void make_dynamic(uint8_t *raw, const struct pk_tracepoint_field *field, size_t *tail,
			 bool big_endian)
{
	const size_t element = memmem(field->type, field->type_size, "mask_t", 6) ? 8
			       : field->element_size ? field->element_size
						     : 1;
	const size_t at = (*tail + 7) & ~(size_t)7;
	const size_t offset = field->is_relative ? at - (size_t)field->offset - 4 : at;
	size_t size = element * (1 + draw() % 6);

	if (field->is_string)
		fill_text(raw + at, size += 8);
	else
		fill(raw + at, size);
	store(raw + field->offset, size << 16 | offset, 4, big_endian);
	*tail = at + size;
}

/* Returns the size of the sample. */
static size_t make_sample(uint8_t *raw, const struct pk_tracepoint *t, unsigned int number,
			  bool big_endian)
{
	const struct pk_tracepoint_field *f;
	size_t tail = 8;

	state = UINT64_C(0x9e3779b97f4a7c15) * (number + 1) + t->id + 1;
	memset(raw, 0, SAMPLE_SIZE);
	store(raw, t->id, 2, big_endian);
	for (size_t i = t->common_count; (f = pk_tracepoint_field_at(t, i)); i++)
		if ((size_t)f->offset + f->size > tail)
			tail = (size_t)f->offset + f->size;
	for (size_t i = t->common_count; (f = pk_tracepoint_field_at(t, i)); i++) {
		if (f->is_dynamic)
			make_dynamic(raw, f, &tail, big_endian);
		else if (f->is_array && f->is_string)
			fill_text(raw + f->offset, f->size);
		else
			fill(raw + f->offset, f->size);
	}
	return (tail + 4 + 7) / 8 * 8 - 4;
}

/* ---- Streams ---- */

/* Returns the format with the index if its name starts with the prefix, otherwise NULL. */
static struct pk_tracepoint *wanted(struct pk_tracepoints *all, size_t i, const char *prefix)
{
	struct pk_tracepoint *t = pk_tracepoints_find(all, all->list[i].id);

	return t == &all->list[i] && !strncmp(pk_tracepoint_name(t), prefix, strlen(prefix)) ? t
											     : NULL;
}

static void print_sample(const struct pk_tracepoint *t, unsigned int number, bool big_endian)
{
	static uint8_t raw[SAMPLE_SIZE];
	const size_t size = make_sample(raw, t, number, big_endian);

	printf("SAMPLE id=%llu ip=1 pid=1 tid=1 time=%llu\n  raw=", (unsigned long long)t->id + 1,
	       (unsigned long long)t->id * SAMPLES + number);
	for (size_t i = 0; i < size; i++)
		printf("%02x", raw[i]);
	putchar('\n');
}

static struct pk_tracepoints *load(const char *path, size_t *size)
{
	struct pk_tracepoints *all = pk_tracepoints_new();
	char *data = read_file(path, size);

	if (pk_tracepoints_load(all, (const uint8_t *)data, *size) != PK_OK)
		fprintf(stderr, "%s: damaged\n", path);
	free(data);
	return all;
}

static int print_names(const char *path)
{
	size_t size;
	struct pk_tracepoints *all = load(path, &size);

	for (size_t i = 0; i < all->count; i++)
		if (wanted(all, i, ""))
			puts(pk_tracepoint_name(&all->list[i]));
	pk_tracepoints_free(all);
	return 0;
}

static int print_stream(const char *path, const char *prefix)
{
	size_t size;
	struct pk_tracepoints *all = load(path, &size);
	struct pk_tracepoint *t;

	puts("BEGIN");
	for (size_t i = 0; i < all->count; i++) {
		const unsigned long long id = all->list[i].id;

		if (wanted(all, i, prefix))
			printf("HEADER_ATTR attr_type=2 config=%llu sample_period=1 id=%llu\n"
			       "  sample_type=(IDENTIFIER IP TID TIME RAW)\n",
			       id, id + 1);
	}
	/* TRACING_DATA follows the HEADER_ATTR records, whose events get their names from it. */
	printf("TRACING_DATA payload_size=%zu payload=@%s\n", size, path);
	for (size_t i = 0; i < all->count; i++)
		if ((t = wanted(all, i, prefix)))
			for (unsigned int n = 0; n < SAMPLES; n++)
				print_sample(t, n, all->big_endian);
	pk_tracepoints_free(all);
	return 0;
}

/* ---- The option --payload ---- */

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
	if (argc > 1 && !strcmp(argv[1], "--payload"))
		return write_payload(argc - 2, argv + 2);
	if (argc != 3)
		return 2;
	return !strcmp(argv[1], "--names") ? print_names(argv[2]) : print_stream(argv[1], argv[2]);
}
