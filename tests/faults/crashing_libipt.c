/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library in place of libipt. It returns 3 blocks, and then crashes in the way that the
 * environment variable CRASH names. The file is empty if the header of libipt is missing.
 */
#if __has_include(<intel-pt.h>)

#include <intel-pt.h>

#include "crash_as.h"

static int decoder, image, cache;
static uint64_t blocks;

int pt_cpu_errata(struct pt_errata *errata, const struct pt_cpu *cpu)
{
	(void)errata, (void)cpu;
	return 0;
}

struct pt_block_decoder *pt_blk_alloc_decoder(const struct pt_config *config)
{
	(void)config;
	return (struct pt_block_decoder *)&decoder;
}

void pt_blk_free_decoder(struct pt_block_decoder *freed)
{
	(void)freed;
}

struct pt_image *pt_blk_get_image(struct pt_block_decoder *of)
{
	(void)of;
	return (struct pt_image *)&image;
}

int pt_blk_set_image(struct pt_block_decoder *of, struct pt_image *other)
{
	(void)of, (void)other;
	return 0;
}

int pt_image_set_callback(struct pt_image *of, read_memory_callback_t *callback, void *context)
{
	(void)of, (void)callback, (void)context;
	return 0;
}

struct pt_image *pt_image_alloc(const char *name)
{
	(void)name;
	return (struct pt_image *)&image;
}

void pt_image_free(struct pt_image *freed)
{
	(void)freed;
}

int pt_image_add_cached(struct pt_image *to, struct pt_image_section_cache *from, int isid,
			const struct pt_asid *asid)
{
	(void)to, (void)from, (void)isid, (void)asid;
	return 0;
}

struct pt_image_section_cache *pt_iscache_alloc(const char *name)
{
	(void)name;
	return (struct pt_image_section_cache *)&cache;
}

void pt_iscache_free(struct pt_image_section_cache *freed)
{
	(void)freed;
}

int pt_iscache_set_limit(struct pt_image_section_cache *of, uint64_t limit)
{
	(void)of, (void)limit;
	return 0;
}

int pt_iscache_add_file(struct pt_image_section_cache *to, const char *file, uint64_t offset,
			uint64_t size, uint64_t address)
{
	(void)to, (void)file, (void)offset, (void)size, (void)address;
	return 1;
}

int pt_iscache_read(struct pt_image_section_cache *from, uint8_t *buffer, uint64_t size, int isid,
		    uint64_t address)
{
	(void)from, (void)isid, (void)address;
	memset(buffer, 0, size);
	return (int)size;
}

int pt_blk_sync_forward(struct pt_block_decoder *of)
{
	(void)of;
	return blocks > 3 ? -pte_eos : 0;
}

int pt_blk_get_offset(const struct pt_block_decoder *of, uint64_t *offset)
{
	(void)of;
	*offset = blocks;
	return 0;
}

int pt_blk_time(struct pt_block_decoder *of, uint64_t *time, uint32_t *mtc, uint32_t *cyc)
{
	(void)of, (void)mtc, (void)cyc;
	*time = 1000 + blocks;
	return 0;
}

int pt_blk_event(struct pt_block_decoder *of, struct pt_event *event, size_t size)
{
	(void)of, (void)event, (void)size;
	return -pte_bad_query;
}

int pt_blk_next(struct pt_block_decoder *of, struct pt_block *block, size_t size)
{
	(void)of;
	if (blocks == 3)
		crash();
	memset(block, 0, size);
	if (blocks > 3)
		return -pte_eos;
	block->ip = 0x401000 + 16 * blocks;
	block->end_ip = block->ip + 8;
	block->ninsn = 3;
	block->iclass = ptic_jump;
	block->mode = ptem_64bit;
	blocks++;
	return 0;
}

#endif
