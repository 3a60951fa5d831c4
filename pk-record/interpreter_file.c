// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "interpreter_file.h"
#include "pkprivate.h"

bool interpreter_file_read(const struct pk_elf *elf, uint64_t address, void *to, size_t size)
{
	uint64_t offset;

	return pk_elf_offset_of(elf, address, &offset) && pk_elf_read(elf, offset, to, size);
}

/* ---- Functions without symbols ---- */

#define HEADER_SIZE 12

uint64_t interpreter_start(const struct interpreter_starts *starts, size_t i)
{
	return starts->base + (uint64_t)(int64_t)(int32_t)pk_load_u32(starts->table + 8 * i);
}

void interpreter_starts_read(const struct pk_elf *elf, struct interpreter_starts *starts)
{
	static const uint8_t encodings[] = {1, 0x1b, 0x03, 0x3b}; /* those that linkers write */
	const struct pk_elf_section *section = pk_elf_section(elf, ".eh_frame_hdr");

	*starts = (struct interpreter_starts){0};
	starts->header = section ? pk_elf_bytes(elf, section->offset, section->size) : NULL;
	if (!starts->header || section->size < HEADER_SIZE ||
	    memcmp(starts->header, encodings, sizeof(encodings)) != 0)
		return;
	starts->base = section->addr;
	starts->table = starts->header + HEADER_SIZE;
	starts->count = pk_load_u32(starts->header + 8);
	if (starts->count > (section->size - HEADER_SIZE) / 8)
		starts->count = 0;
}

size_t interpreter_starts_before(const struct interpreter_starts *starts, uint64_t address)
{
	size_t low = 0, high = starts->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (interpreter_start(starts, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct interpreter_range interpreter_range_of(const struct interpreter_starts *starts,
					      size_t number)
{
	struct interpreter_range range = {0};

	if (number && number < starts->count) {
		range.start = interpreter_start(starts, number - 1);
		range.size = interpreter_start(starts, number) - range.start;
	}
	return range;
}

#define JUMP		  0xe9
#define JUMP_IF		  0x0f /* the first byte of a conditional jump */
#define JUMP_IF_MASK	  0xf0
#define JUMP_IF_OPERATION 0x80 /* the second byte, without the condition */
#define DISTANCE_SIZE	  4
#define JUMPS_MIN	  2 /* other bytes can look like a jump */

/* Returns the size of the jump at the start of the code, without the distance. Returns 0 if there
 * is none. */
static size_t jump_at(const uint8_t *code)
{
	if (code[0] == JUMP)
		return 1;
	return code[0] == JUMP_IF && (code[1] & JUMP_IF_MASK) == JUMP_IF_OPERATION ? 2 : 0;
}

/* Adds up for each start how many jumps lead into the middle of its range. */
static void count_jumps(const struct interpreter_starts *starts, const uint8_t *code,
			uint64_t function, uint64_t size, uint32_t *counts)
{
	for (uint64_t i = 0; i + 2 + DISTANCE_SIZE <= size; i++) {
		const size_t jump = jump_at(code + i);
		const uint64_t next = function + i + jump + DISTANCE_SIZE;
		const uint64_t target =
			next + (uint64_t)(int64_t)(int32_t)pk_load_u32(code + i + jump);
		const size_t number = jump ? interpreter_starts_before(starts, target) : 0;

		if (number && target - function >= size &&
		    interpreter_start(starts, number - 1) != target)
			counts[number - 1]++;
	}
}

static struct interpreter_range most_jumps(const struct interpreter_starts *starts,
					   const uint8_t *code, uint64_t function, uint64_t size)
{
	uint32_t *counts = calloc(starts->count + 1, sizeof(*counts));
	struct interpreter_range range = {0};
	size_t best = 0;

	if (!counts)
		return range;
	count_jumps(starts, code, function, size, counts);
	/* The last range has no known end, and the jumps to all later addresses seem to be in it.
	 */
	for (size_t i = 0; i + 1 < starts->count; i++)
		best = counts[i] > counts[best] ? i : best;
	if (counts[best] >= JUMPS_MIN)
		range = interpreter_range_of(starts, best + 1);
	free(counts);
	return range;
}

struct interpreter_range interpreter_cold_part(const struct pk_elf *elf, uint64_t function,
					       uint64_t size)
{
	struct interpreter_range range = {0};
	struct interpreter_starts starts;
	uint64_t offset;
	uint8_t *code;

	if (!pk_elf_offset_of(elf, function, &offset))
		return range;
	interpreter_starts_read(elf, &starts);
	code = starts.count ? pk_elf_bytes(elf, offset, size) : NULL;
	if (code)
		range = most_jumps(&starts, code, function, size);
	free(code);
	free(starts.header);
	return range;
}
