/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-annotate/annotate_report.c pk-annotate/blocks.c pk-annotate/listing.c */
/* Tests a listing of sampled addresses of an ELF file. The input has a byte of options and a byte
 * with the number of places. For each place follow the start of its function, the sampled address
 * and the event. The rest is the file. Addresses can be anywhere. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check_that.h"
#include "cli.h"
#include "annotate_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLACE_SIZE = 9, PLACES_MAX = 16 };

struct listed {
	struct pk_places *places;
	struct pk_messages messages;
	struct code_hits *hits;
	struct blocks *blocks;
	uint32_t last; /* place of the previous sample */
	struct pk_code_objects *objects;
	uint32_t number;
};

/* Returns an offset in the file. Some offsets are larger than 32 bits. */
static uint64_t offset_of(const uint8_t *p)
{
	const uint32_t offset = pk_load_u32(p);

	return offset < 0xffff0000 ? offset : ~UINT64_C(0) - (offset & 0xffff);
}

static void sample(struct listed *l, const uint8_t *place)
{
	static const char *const names[] = {"a", "a.cold", "b", "c++(int) [clone .cold.3]"};
	static const char *const events[] = {"cycles", "faults", "x", "y"};
	const struct pk_place_function function = {
		.object = l->number, .start = offset_of(place), .name = names[place[8] % 4]};
	const uint32_t event = code_hits_event(l->hits, events[place[8] / 4 % 4]);
	const uint32_t at = pk_places_add(l->places, &function, offset_of(place + 4));

	check_that(event && at);
	check_that(code_hits_add(l->hits, event, at, 1 + place[8]) == PK_OK);
	check_that(blocks_add_one(l->blocks, l->last, at, pk_load_u32(place)) == PK_OK);
	l->last = at;
}

static void list(struct listed *l, unsigned int choice)
{
	const struct annotate_options options = {
		.group = choice & 1 ? GROUP_ALL : GROUP_RECORDED,
		.only_hot = choice & 2,
		.context = 2,
		.source = choice & 4,
		.by_line = (choice & 0x18) == 0x08,
		.type_profile = (choice & 0x18) == 0x10,
		.blocks = (choice & 0x18) == 0x18,
		.json = choice & 0x20,
		.types = choice & 0x40,
		.cache_line = 64,
		.arrows = !(choice & 0x80),
	};
	FILE *to = fopen("/dev/null", "w");

	check_that(to && code_hits_sort(l->hits) == PK_OK && blocks_sort(l->blocks) == PK_OK);
	report(l->hits, options.blocks ? l->blocks : NULL, l->objects, &l->messages, &options, to);
	fclose(to);
}

static void meet(struct listed *l, struct pk_session *session, const char *path)
{
	struct pk_code_use use = {.file = {.kind = PK_DSO_FILE, .path = path}};
	uint64_t shift;

	use.number = l->number = pk_places_object(l->places, &use.file);
	pk_code_objects_start_session(l->objects, session);
	check_that(l->number && pk_code_objects_meet(l->objects, &use, &shift) == PK_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pk_symbols_options options = {.no_cache = true, .cache_dir = "/nonexistent"};
	const size_t count = size > 1 ? data[1] % PLACES_MAX : 0;
	const size_t head = 2 + count * PLACE_SIZE;
	struct pk_symbols *symbols;
	struct pk_session *session;
	struct listed l = {0};
	struct pk_code_options code = {
		.names = &options, .messages = &l.messages, .intel = size && data[0] & 1};
	char path[64];
	int fd;

	if (size < head)
		return 0;
	pk_cli_init("fuzz");
	pk_cli_verbosity(-1);
	fd = memfd_create("annotate", MFD_CLOEXEC);
	check_that(fd >= 0 && write(fd, data + head, size - head) == (ssize_t)(size - head));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	symbols = code.symbols = pk_symbols_new(&options);
	session = pk_session_new();
	l.places = pk_places_new(NULL);
	l.hits = code_hits_new(l.places);
	l.blocks = blocks_new(l.places);
	l.objects = symbols ? pk_code_objects_new(&code) : NULL;
	check_that(session && l.places && l.hits && l.blocks && l.objects);
	meet(&l, session, path);
	for (size_t i = 0; i < count; i++)
		sample(&l, data + 2 + i * PLACE_SIZE);
	list(&l, data[0]);
	pk_code_objects_free(l.objects);
	blocks_free(l.blocks);
	code_hits_free(l.hits);
	pk_places_free(l.places);
	pk_session_free(session);
	pk_symbols_free(symbols);
	pk_messages_clear(&l.messages);
	close(fd);
	return 0;
}
