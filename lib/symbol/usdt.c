// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "elf_image.h"
#include "pkstream.h"
#include "usdt.h"

/*
 * A note of .note.stapsdt, of the type 3 and the name "stapsdt": three addresses (the probe, where
 * .stapsdt.base was when the object was linked, the semaphore), then provider, name and arguments.
 */
#define NOTE_NAME   "stapsdt"
#define NOTE_TYPE   3
#define NOTE_HEADER 12

#define NOTES_MAX (64u << 20) /* bytes; libraries with thousands of probes have some 100 KiB */

struct notes {
	const struct pk_elf *elf;
	const uint8_t *at, *end;
	size_t word;   /* bytes of an address */
	uint64_t base; /* of .stapsdt.base now; 0 without one */
};

static uint32_t number(const struct notes *notes, const uint8_t *p)
{
	const uint32_t value = pk_load_u32(p);

	return pk_elf_swapped(notes->elf) ? __builtin_bswap32(value) : value;
}

static uint64_t address(const struct notes *notes, const uint8_t *p)
{
	uint64_t value;

	if (notes->word == 4)
		return number(notes, p);
	value = pk_load_u64(p);
	return pk_elf_swapped(notes->elf) ? __builtin_bswap64(value) : value;
}

/* A text that ends before end; NULL if it does not. */
static const char *take_text(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *start = *at, *zero = memchr(start, 0, (size_t)(end - start));

	if (!zero)
		return NULL;
	*at = zero + 1;
	return (const char *)start;
}

static bool read_probe(const struct notes *notes, const uint8_t *at, const uint8_t *end,
		       struct pk_usdt *usdt)
{
	uint64_t pc, base, semaphore;

	if ((size_t)(end - at) < 3 * notes->word)
		return false;
	pc = address(notes, at);
	base = address(notes, at + notes->word);
	semaphore = address(notes, at + 2 * notes->word);
	at += 3 * notes->word;
	usdt->provider = take_text(&at, end);
	usdt->name = usdt->provider ? take_text(&at, end) : NULL;
	usdt->arguments = usdt->name ? take_text(&at, end) : NULL;
	if (!usdt->arguments)
		return false;
	/* What prelink has moved. */
	if (notes->base && base) {
		pc += notes->base - base;
		semaphore += semaphore ? notes->base - base : 0;
	}
	usdt->semaphore = 0;
	return pk_elf_offset_of(notes->elf, pc, &usdt->offset) &&
	       (!semaphore || pk_elf_offset_of(notes->elf, semaphore, &usdt->semaphore));
}

/* The next probe; false at the end, or where nothing can be made of the rest. */
static bool next_probe(struct notes *notes, struct pk_usdt *usdt)
{
	while ((size_t)(notes->end - notes->at) >= NOTE_HEADER) {
		const uint8_t *note = notes->at + NOTE_HEADER;
		const uint64_t name = number(notes, notes->at), size = number(notes, notes->at + 4);
		const uint32_t type = number(notes, notes->at + 8);
		const uint64_t left = (uint64_t)(notes->end - note);
		const uint64_t name_room = (name + 3) & ~UINT64_C(3);
		const uint64_t room = name_room + ((size + 3) & ~UINT64_C(3));

		if (name_room + size > left)
			return false;
		notes->at = room < left ? note + room : notes->end;
		if (type == NOTE_TYPE && name == sizeof(NOTE_NAME) &&
		    !memcmp(note, NOTE_NAME, sizeof(NOTE_NAME)) &&
		    read_probe(notes, note + name_room, note + name_room + size, usdt))
			return true;
	}
	return false;
}

void pk_usdt_each_of(const struct pk_elf *elf, void (*each)(void *arg, const struct pk_usdt *usdt),
		     void *arg)
{
	const struct pk_elf_section *section = pk_elf_section(elf, ".note.stapsdt");
	const struct pk_elf_section *base = pk_elf_section(elf, ".stapsdt.base");
	const bool swapped = pk_elf_swapped(elf);
	struct notes notes = {.elf = elf, .word = pk_elf_is_64(elf) ? 8 : 4};
	struct pk_usdt usdt = {.machine = pk_elf_machine(elf),
			       .word = (uint8_t)notes.word,
			       .big_endian = swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)};
	uint8_t *data = NULL;

	if (section && section->size <= NOTES_MAX)
		data = pk_elf_bytes(elf, section->offset, section->size);
	if (!data)
		return;
	notes.base = base ? base->addr : 0;
	notes.at = data;
	notes.end = data + section->size;
	while (next_probe(&notes, &usdt))
		each(arg, &usdt);
	free(data);
}

bool pk_usdt_each(const char *path, void (*each)(void *arg, const struct pk_usdt *usdt), void *arg)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pk_elf *elf = fd < 0 ? NULL : pk_elf_open(fd, path, NULL);

	if (!elf)
		return false;
	pk_usdt_each_of(elf, each, arg);
	pk_elf_close(elf);
	return true;
}
