// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "bpf_code.h"
#include "vector.h"

/* The offsets of the fields of struct bpf_prog_info (include/uapi/linux/bpf.h) that are used here.
 * In the recording, a pointer in this struct is an offset in the data that follows the struct. */
enum {
	INFO_CODE_SIZE = 16,
	INFO_CODE = 24,
	INFO_ADDRESSES_COUNT = 104,
	INFO_SIZES_COUNT = 108,
	INFO_ADDRESSES = 112,
	INFO_SIZES = 120,
	INFO_LEAST = 128,
};

/* The bits of program.arrays. A bit is set if the pointer in the info is valid. */
enum {
	HAS_CODE = 1 << 0,
	HAS_ADDRESSES = 1 << 3,
	HAS_SIZES = 1 << 4,
};

struct program {
	const uint8_t *info, *data;
	uint32_t info_size, data_size;
	uint64_t arrays;
};

static enum pk_status add_piece(struct bpf_code *code, uint64_t address, const uint8_t *bytes,
				size_t size)
{
	struct bpf_piece *pieces;

	PK_TRY(pk_reserve(&code->pieces, &code->capacity, code->count, 1, sizeof(*pieces)));
	pieces = &code->pieces[code->count];
	*pieces = (struct bpf_piece){address, malloc(size + 1), size};
	if (!pieces->bytes)
		return PK_NOMEM;
	memcpy(pieces->bytes, bytes, size);
	code->count++;
	return PK_OK;
}

/* Returns the address of an array in the data, or NULL if the data do not contain the whole array.
 */
static const uint8_t *array(const struct program *p, unsigned int pointer, uint64_t size)
{
	const uint64_t at = pk_load_u64(p->info + pointer);

	return at <= p->data_size && size <= p->data_size - at ? p->data + at : NULL;
}

/* Adds the functions of a program: the main function and its subprograms. Their code is in the data
 * one after another. */
static enum pk_status take_program(struct bpf_code *code, const struct program *p)
{
	const uint64_t wanted = HAS_CODE | HAS_ADDRESSES | HAS_SIZES;
	uint32_t functions, code_size, at = 0;
	const uint8_t *bytes, *addresses, *sizes;

	if ((p->arrays & wanted) != wanted || p->info_size < INFO_LEAST)
		return PK_OK;
	code_size = pk_load_u32(p->info + INFO_CODE_SIZE);
	functions = pk_load_u32(p->info + INFO_ADDRESSES_COUNT);
	bytes = array(p, INFO_CODE, code_size);
	addresses = array(p, INFO_ADDRESSES, 8 * (uint64_t)functions);
	sizes = array(p, INFO_SIZES, 4 * (uint64_t)functions);
	if (!bytes || !addresses || !sizes || pk_load_u32(p->info + INFO_SIZES_COUNT) != functions)
		return PK_OK;
	for (uint32_t i = 0; i < functions; i++) {
		const uint32_t size = pk_load_u32(sizes + 4 * (size_t)i);

		if (size > code_size - at)
			return PK_OK;
		PK_TRY(add_piece(code, pk_load_u64(addresses + 8 * (size_t)i), bytes + at, size));
		at += size;
	}
	return PK_OK;
}

static int by_address(const void *left, const void *right)
{
	const struct bpf_piece *a = left, *b = right;

	return (a->address > b->address) - (a->address < b->address);
}

static enum pk_status take_programs(struct bpf_code *code, const uint8_t *at, const uint8_t *end,
				    uint32_t count)
{
	while (count-- && end - at >= 16) {
		struct program p = {.info_size = pk_load_u32(at),
				    .data_size = pk_load_u32(at + 4),
				    .arrays = pk_load_u64(at + 8)};

		at += 16;
		if (p.info_size > (size_t)(end - at) ||
		    p.data_size > (size_t)(end - at) - p.info_size)
			break;
		p.info = at;
		p.data = at + p.info_size;
		PK_TRY(take_program(code, &p));
		at = p.data + p.data_size;
	}
	return PK_OK;
}

enum pk_status pk_bpf_code_read(struct bpf_code *code, const struct pk_feature_content *feature)
{
	enum pk_status status = PK_OK;

	pk_bpf_code_clear(code);
	if (feature->size >= 4)
		status = take_programs(code, feature->data + 4, feature->data + feature->size,
				       pk_load_u32(feature->data));
	if (code->count)
		qsort(code->pieces, code->count, sizeof(*code->pieces), by_address);
	return status;
}

const struct bpf_piece *pk_bpf_code_at(const struct bpf_code *code, uint64_t address)
{
	size_t low = 0, high = code->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (code->pieces[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - code->pieces[low - 1].address >= code->pieces[low - 1].size)
		return NULL;
	return &code->pieces[low - 1];
}

void pk_bpf_code_clear(struct bpf_code *code)
{
	for (size_t i = 0; i < code->count; i++)
		free(code->pieces[i].bytes);
	free(code->pieces);
	*code = (struct bpf_code){0};
}
