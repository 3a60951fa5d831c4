// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE /* for memfd_create() */
#include "pt_library.h"

#if __has_include(<intel-pt.h>)

#include <dlfcn.h>
#include <errno.h>
#include <intel-pt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hash.h"
#include "pt_guard.h"

#define TEXT_OF(number) #number
#define SONAME(number)	"libipt.so." TEXT_OF(number)

/* The code can have a loop of jumps, for which the trace has no packets. So the number of
 * instructions is limited: to WORK_START, and to WORK_BYTE for each byte of the trace until then. A
 * byte has up to 8 branches. After the limit, the decoder continues at the next PSB packet. */
#define WORK_START UINT64_C(1000000)
#define WORK_BYTE  UINT64_C(1024)
/* The library can follow code without end within one call. A block has at most 65,535 instructions,
 * each of which is read once or twice. */
#define READS_MAX (UINT64_C(1) << 18)
/* The position in the trace is read after so many instructions. */
#define WORK_CHECK UINT64_C(65536)
/* So many blocks are decoded at once. */
#define STEPS_OF_CALL 64

/* If the library reads code with a callback, it decodes each instruction again whenever the trace
 * executes it. It remembers the instructions of sections, which must be ranges of a file. So ranges
 * that the trace executes often are copied to a file in memory. Its size is limited. */
#define SECTIONS_SIZE (UINT64_C(64) << 20)
#define RANGES_MAX    1024
/* The library searches the sections of a space, and all sections, one after another. */
#define SECTIONS_OF_SPACE_MAX 256
#define SECTIONS_MAX	      4096
#define SPACES_MAX	      256
/* The first range of a space is copied after so many reads. */
#define READS_FIRST 16u

static struct {
	typeof(pt_cpu_errata) *errata;
	typeof(pt_blk_alloc_decoder) *alloc;
	typeof(pt_blk_free_decoder) *free;
	typeof(pt_blk_get_image) *image;
	typeof(pt_image_set_callback) *callback;
	typeof(pt_image_alloc) *image_alloc;
	typeof(pt_image_free) *image_free;
	typeof(pt_image_add_cached) *image_add;
	typeof(pt_iscache_alloc) *cache_alloc;
	typeof(pt_iscache_free) *cache_free;
	typeof(pt_iscache_set_limit) *cache_limit;
	typeof(pt_iscache_add_file) *cache_add;
	typeof(pt_iscache_read) *cache_read;
	typeof(pt_blk_set_image) *set_image;
	typeof(pt_blk_sync_forward) *sync;
	typeof(pt_blk_get_offset) *offset;
	typeof(pt_blk_time) *time;
	typeof(pt_blk_next) *next;
	typeof(pt_blk_event) *event;
} ipt;

struct ipt_decoder {
	struct pt_decoder base;
	struct pt_step steps[STEPS_OF_CALL];
	struct pt_block_decoder *blocks;
	struct pt_source source;
	struct pt_sections *sections; /* can be NULL */
	struct pt_image *image;	      /* of the space; NULL if code is not kept */
	size_t *sections_of_space;    /* number of sections of the image */
	uint64_t missed;	      /* the last address that was read */
	uint64_t reads_of_call;	      /* number of reads of the current call of the library */
	unsigned int reads, limit;    /* a range is copied when `reads` reaches `limit` */
	int status;		      /* flags of the last call, or an error */
	bool synced;
	uint64_t work;	  /* number of instructions */
	uint64_t checked; /* the same when it was last compared with the limit */
};

struct pt_sections {
	struct pt_image_section_cache *cache;
	uint8_t *bytes; /* the file; NULL if it cannot be made: no code is kept */
	int fd;
	char path[32];
	size_t used;
	struct {
		uint64_t hash;
		size_t at, size;
	} ranges[RANGES_MAX];
	struct {
		struct pt_space space;
		struct pt_image *image;
		size_t sections_count;
	} spaces[SPACES_MAX];
	size_t ranges_count, spaces_count, sections_count;
	struct ipt_decoder *running; /* the decoder that reads code */
};

/* ---- Loading ---- */

static bool find_symbol(void *library, const char *name, void *function)
{
	void *symbol = dlsym(library, name);

	memcpy(function, &symbol, sizeof(symbol));
	return symbol;
}

enum pk_status pt_library_load(void)
{
	static bool tried, loaded;
	const struct {
		const char *name;
		void *function;
	} symbols[] = {
		{"pt_cpu_errata", &ipt.errata},
		{"pt_blk_alloc_decoder", &ipt.alloc},
		{"pt_blk_free_decoder", &ipt.free},
		{"pt_blk_get_image", &ipt.image},
		{"pt_image_set_callback", &ipt.callback},
		{"pt_image_alloc", &ipt.image_alloc},
		{"pt_image_free", &ipt.image_free},
		{"pt_image_add_cached", &ipt.image_add},
		{"pt_iscache_alloc", &ipt.cache_alloc},
		{"pt_iscache_free", &ipt.cache_free},
		{"pt_iscache_set_limit", &ipt.cache_limit},
		{"pt_iscache_add_file", &ipt.cache_add},
		{"pt_iscache_read", &ipt.cache_read},
		{"pt_blk_set_image", &ipt.set_image},
		{"pt_blk_sync_forward", &ipt.sync},
		{"pt_blk_get_offset", &ipt.offset},
		{"pt_blk_time", &ipt.time},
		{"pt_blk_next", &ipt.next},
		{"pt_blk_event", &ipt.event},
	};
	void *library;

	if (tried)
		return loaded ? PK_OK : PK_UNSUPPORTED;
	errno = 0;
	library = dlopen(SONAME(2), RTLD_NOW);
	loaded = library;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]) && loaded; i++)
		loaded = find_symbol(library, symbols[i].name, symbols[i].function);
	tried = loaded || errno != ENOMEM;
	if (loaded)
		return PK_OK;
	return tried ? PK_UNSUPPORTED : PK_NOMEM;
}

/* ---- Code ---- */

static int read_code(uint8_t *to, size_t size, const struct pt_asid *asid, uint64_t ip,
		     void *context)
{
	struct ipt_decoder *decoder = context;
	const size_t got = ++decoder->reads_of_call > READS_MAX
				   ? 0
				   : decoder->source.read(decoder->source.arg, ip, to, size);

	(void)asid;
	decoder->missed = ip;
	decoder->reads++;
	return got ? (int)got : -pte_nomap;
}

static int read_running(uint8_t *to, size_t size, const struct pt_asid *asid, uint64_t ip,
			void *context)
{
	const struct pt_sections *sections = context;

	return read_code(to, size, asid, ip, sections->running);
}

/* Makes the file. Its size is fixed, because the library refuses files that have changed. */
static void make_file(struct pt_sections *sections)
{
	void *bytes;

	sections->fd = memfd_create("code", MFD_CLOEXEC);
	if (sections->fd < 0 || ftruncate(sections->fd, (off_t)SECTIONS_SIZE))
		return;
	bytes = mmap(NULL, SECTIONS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, sections->fd, 0);
	snprintf(sections->path, sizeof(sections->path), "/proc/self/fd/%d", sections->fd);
	if (bytes != MAP_FAILED && !access(sections->path, R_OK))
		sections->bytes = bytes;
	else if (bytes != MAP_FAILED)
		munmap(bytes, SECTIONS_SIZE);
}

struct pt_sections *pt_sections_new(void)
{
	struct pt_sections *sections = calloc(1, sizeof(*sections));

	if (!sections)
		return NULL;
	make_file(sections);
	sections->cache = ipt.cache_alloc(NULL);
	if (sections->cache && ipt.cache_limit(sections->cache, UINT64_MAX) >= 0)
		return sections;
	pt_sections_free(sections);
	return NULL;
}

void pt_sections_free(struct pt_sections *sections)
{
	if (!sections)
		return;
	for (size_t i = 0; i < sections->spaces_count; i++)
		ipt.image_free(sections->spaces[i].image);
	if (sections->cache)
		ipt.cache_free(sections->cache);
	if (sections->bytes)
		munmap(sections->bytes, SECTIONS_SIZE);
	if (sections->fd >= 0)
		close(sections->fd);
	free(sections);
}

/* Returns the image of the space, or NULL if there are too many spaces. Sets *count to the number
 * of its sections. */
static struct pt_image *image_of(struct pt_sections *sections, const struct pt_space *space,
				 size_t **count)
{
	struct pt_image *image;

	for (size_t i = sections->spaces_count; i--;)
		if (!memcmp(&sections->spaces[i].space, space, sizeof(*space))) {
			*count = &sections->spaces[i].sections_count;
			return sections->spaces[i].image;
		}
	if (!sections->bytes || sections->spaces_count == SPACES_MAX)
		return NULL;
	image = ipt.image_alloc(NULL);
	if (!image || ipt.callback(image, read_running, sections) < 0) {
		ipt.image_free(image);
		return NULL;
	}
	*count = &sections->spaces[sections->spaces_count].sections_count;
	sections->spaces[sections->spaces_count].space = *space;
	sections->spaces[sections->spaces_count++].image = image;
	return image;
}

static void enter_space(struct pt_decoder *base, const struct pt_space *space)
{
	struct ipt_decoder *decoder = (struct ipt_decoder *)base;

	decoder->image = decoder->sections
				 ? image_of(decoder->sections, space, &decoder->sections_of_space)
				 : NULL;
	decoder->reads = 0;
	decoder->limit = READS_FIRST;
	if (ipt.set_image(decoder->blocks, decoder->image) < 0)
		decoder->image = NULL;
}

/* Keeps the bytes after `used`. Returns their place, which is that of equal bytes if there are any,
 * or SIZE_MAX if there are too many ranges. */
static size_t keep_bytes(struct pt_sections *sections, size_t size)
{
	const uint64_t hash = pk_hash(sections->bytes + sections->used, size, 0);
	size_t at = sections->used;

	for (size_t i = 0; i < sections->ranges_count; i++)
		if (sections->ranges[i].hash == hash && sections->ranges[i].size == size &&
		    !memcmp(sections->bytes + sections->ranges[i].at, sections->bytes + at, size))
			return sections->ranges[i].at;
	if (sections->ranges_count == RANGES_MAX)
		return SIZE_MAX;
	sections->ranges[sections->ranges_count].hash = hash;
	sections->ranges[sections->ranges_count].at = at;
	sections->ranges[sections->ranges_count++].size = size;
	sections->used += size;
	return at;
}

/* Makes a section of the range that contains the address that was read last. */
static bool add_section(struct ipt_decoder *decoder)
{
	struct pt_sections *sections = decoder->sections;
	const struct pt_source *source = &decoder->source;
	uint64_t start, end;
	size_t size, at;
	uint8_t byte;
	int id;

	if (sections->used + PT_RANGE_MAX > SECTIONS_SIZE ||
	    sections->sections_count == SECTIONS_MAX ||
	    *decoder->sections_of_space == SECTIONS_OF_SPACE_MAX ||
	    !source->range(source->arg, decoder->missed, &start, &end))
		return false;
	size = source->read(source->arg, start, sections->bytes + sections->used, end - start);
	if (size <= decoder->missed - start)
		return false;
	at = keep_bytes(sections, size);
	if (at == SIZE_MAX)
		return false;
	sections->sections_count++;
	++*decoder->sections_of_space;
	id = ipt.cache_add(sections->cache, sections->path, at, size, start);
	/* The library refuses to map a file that was modified after the section was made. So the
	 * section is mapped now, before other bytes are written to the file. */
	return id > 0 && ipt.cache_read(sections->cache, &byte, 1, id, start) == 1 &&
	       ipt.image_add(decoder->image, sections->cache, id, NULL) >= 0;
}

/* Keeps code if much of it was read. If it cannot be kept, further attempts are rare. */
static void keep_code(struct ipt_decoder *decoder)
{
	if (!decoder->image || decoder->reads < decoder->limit)
		return;
	if (!add_section(decoder) && decoder->limit <= UINT32_MAX / 2)
		decoder->limit *= 2;
	decoder->reads = 0;
}

/* ---- Decoders ---- */

static const enum pt_class classes[] = {
	[ptic_error] = PT_UNKNOWN,    [ptic_other] = PT_OTHER,
	[ptic_call] = PT_CALL,	      [ptic_return] = PT_RETURN,
	[ptic_jump] = PT_JUMP,	      [ptic_cond_jump] = PT_CONDITIONAL,
	[ptic_far_call] = PT_SYSCALL, [ptic_far_return] = PT_SYSRET,
	[ptic_far_jump] = PT_JUMP,    [ptic_ptwrite] = PT_OTHER,
};

/* Returns false for events that do not change the flow. */
static bool set_event(struct pt_step *step, const struct pt_event *event)
{
	const uint64_t hidden = event->ip_suppressed ? 0 : UINT64_MAX;

	step->has_tsc = event->has_tsc;
	step->tsc = event->tsc;
	switch (event->type) {
	case ptev_enabled:
		step->kind = PT_STEP_START;
		step->to = event->variant.enabled.ip;
		return true;
	case ptev_disabled:
		step->kind = PT_STEP_STOP;
		step->to = event->variant.disabled.ip & hidden;
		return true;
	case ptev_async_disabled:
		step->kind = PT_STEP_ASYNC;
		step->from = event->variant.async_disabled.at;
		step->to = event->variant.async_disabled.ip & hidden;
		return true;
	case ptev_async_branch:
		step->kind = PT_STEP_ASYNC;
		step->from = event->variant.async_branch.from;
		step->to = event->variant.async_branch.to & hidden;
		return true;
	case ptev_overflow: step->kind = PT_STEP_OVERFLOW; return true;
	default: return false;
	}
}

static void set_error(struct ipt_decoder *decoder, struct pt_step *step)
{
	const enum pt_error_code code = pt_errcode(decoder->status);

	decoder->synced = false;
	step->no_code = code == pte_nomap;
	step->kind = code == pte_eos	 ? PT_STEP_END
		     : code == pte_nomem ? PT_STEP_NO_MEMORY
					 : PT_STEP_ERROR;
}

static bool is_over_limit(struct ipt_decoder *decoder, uint16_t instructions)
{
	uint64_t offset = 0;

	decoder->work += instructions;
	if (decoder->work - decoder->checked < WORK_CHECK)
		return false;
	if (ipt.offset(decoder->blocks, &offset) < 0 ||
	    decoder->work <= WORK_START + WORK_BYTE * offset) {
		decoder->checked = decoder->work;
		return false;
	}
	return true; /* and again at the next block, until the trace has more bytes */
}

static void read_time(struct ipt_decoder *decoder)
{
	decoder->base.has_tsc = ipt.time(decoder->blocks, &decoder->base.tsc, NULL, NULL) == 0;
}

/* The library reads an event before it returns the step before it, and has the time of the event
 * from then on. This can be much later: the next event after the end of a time slice is the start
 * of the next one. So the time is that of the step before, until the event is returned. */
static void read_time_of_step(struct ipt_decoder *decoder)
{
	if (decoder->status < 0 || !(decoder->status & pts_event_pending))
		read_time(decoder);
}

static void set_time(const struct ipt_decoder *decoder, struct pt_step *step)
{
	step->has_tsc = decoder->base.has_tsc;
	step->tsc = decoder->base.tsc;
}

static void synchronize(struct ipt_decoder *decoder, struct pt_step *step)
{
	decoder->status = ipt.sync(decoder->blocks);
	decoder->synced = decoder->status >= 0;
	if (!decoder->synced) {
		set_error(decoder, step);
		return;
	}
	read_time(decoder);
	step->kind = PT_STEP_SYNC;
	set_time(decoder, step);
}

/* Returns false if the event is no step. */
static bool next_event(struct ipt_decoder *decoder, struct pt_step *step)
{
	struct pt_event event;

	decoder->status = ipt.event(decoder->blocks, &event, sizeof(event));
	if (decoder->status < 0)
		return false;
	decoder->base.has_tsc = event.has_tsc;
	decoder->base.tsc = event.tsc;
	read_time_of_step(decoder);
	return set_event(step, &event);
}

static void next_block(struct ipt_decoder *decoder, struct pt_step *step)
{
	struct pt_block block;

	block.ninsn = 0;
	set_time(decoder, step);
	decoder->status = ipt.next(decoder->blocks, &block, sizeof(block));
	read_time_of_step(decoder);
	if (decoder->status >= 0 && is_over_limit(decoder, block.ninsn))
		decoder->status = -pte_bad_query;
	/* A block before an error is complete. The next call reports the error. */
	if (decoder->status < 0 && !block.ninsn) {
		set_error(decoder, step);
		return;
	}
	step->kind = PT_STEP_BLOCK;
	step->from = block.ip;
	step->last = block.end_ip;
	step->class = classes[block.iclass <= ptic_ptwrite ? block.iclass : ptic_error];
	step->count = block.ninsn;
	step->isa = block.mode == ptem_64bit ? PT_X86_64 : PT_X86_32;
}

static void decode_step(struct ipt_decoder *decoder, struct pt_step *step)
{
	if (!decoder->synced) {
		synchronize(decoder, step);
		return;
	}
	while (decoder->status >= 0 && decoder->status & pts_event_pending)
		if (next_event(decoder, step))
			return;
	if (decoder->status < 0)
		set_error(decoder, step);
	else if (decoder->status & pts_eos)
		step->kind = PT_STEP_END;
	else
		next_block(decoder, step);
}

static void free_decoder(struct pt_decoder *base)
{
	struct ipt_decoder *decoder = (struct ipt_decoder *)base;

	if (decoder->blocks)
		ipt.free(decoder->blocks);
	free(decoder);
}

/* Returns true if nothing that happens until the end of the next block can change its code. */
static bool can_continue(const struct ipt_decoder *decoder, const struct pt_step *step)
{
	return step->kind == PT_STEP_BLOCK && decoder->base.count < STEPS_OF_CALL &&
	       decoder->status >= 0 && !(decoder->status & (pts_event_pending | pts_eos)) &&
	       step->tsc == decoder->base.tsc && step->has_tsc == decoder->base.has_tsc &&
	       !decoder->reads_of_call;
}

static void call_library(void *arg)
{
	struct ipt_decoder *decoder = arg;
	struct pt_step *step;

	do {
		step = &decoder->steps[decoder->base.count];
		*step = (struct pt_step){.tid = UINT32_MAX};
		decode_step(decoder, step);
		decoder->base.count++;
	} while (can_continue(decoder, step));
}

static void decode_steps(struct pt_decoder *base)
{
	struct ipt_decoder *decoder = (struct ipt_decoder *)base;

	keep_code(decoder);
	if (decoder->sections)
		decoder->sections->running = decoder;
	decoder->reads_of_call = 0;
	base->count = base->returned = 0;
	if (!pt_guard(call_library, decoder))
		decoder->steps[base->count++] = (struct pt_step){.kind = PT_STEP_CRASH};
}

static const struct pt_library library = {enter_space, decode_steps, free_decoder};

struct pt_decoder *pt_decoder_new(const struct pt_settings *settings, uint8_t *trace, size_t size,
				  const struct pt_source *source, struct pt_sections *sections)
{
	struct ipt_decoder *decoder = calloc(1, sizeof(*decoder));
	struct pt_config config;

	if (!decoder)
		return NULL;
	pt_config_init(&config);
	config.begin = trace;
	config.end = trace + size;
	config.flags.variant.block.end_on_call = 1;
	config.flags.variant.block.end_on_jump = 1;
	config.cpuid_0x15_eax = settings->tsc_denominator;
	config.cpuid_0x15_ebx = settings->tsc_numerator;
	config.mtc_freq = settings->mtc_frequency;
	config.nom_freq = settings->nominal_ratio;
	if (settings->intel) {
		config.cpu = (struct pt_cpu){.vendor = pcv_intel,
					     .family = settings->family,
					     .model = settings->model,
					     .stepping = settings->stepping};
		/* Newer models than those of the library have no known errata. */
		if (ipt.errata(&config.errata, &config.cpu) < 0)
			memset(&config.errata, 0, sizeof(config.errata));
	}
	decoder->base.library = &library;
	decoder->base.steps = decoder->steps;
	decoder->source = *source;
	decoder->sections = sections;
	decoder->blocks = ipt.alloc(&config);
	if (!decoder->blocks || ipt.callback(ipt.image(decoder->blocks), read_code, decoder) < 0) {
		pt_decoder_free(&decoder->base);
		return NULL;
	}
	return &decoder->base;
}

#else

enum pk_status pt_library_load(void)
{
	return PK_UNSUPPORTED;
}

struct pt_sections *pt_sections_new(void)
{
	return NULL;
}

void pt_sections_free(struct pt_sections *sections)
{
	(void)sections;
}

struct pt_decoder *pt_decoder_new(const struct pt_settings *settings, uint8_t *trace, size_t size,
				  const struct pt_source *source, struct pt_sections *sections)
{
	(void)settings, (void)trace, (void)size, (void)source, (void)sections;
	return NULL;
}

#endif
