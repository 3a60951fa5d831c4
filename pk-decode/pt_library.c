// SPDX-License-Identifier: BSD-2-Clause
#include "pt_library.h"

#if __has_include(<intel-pt.h>)

#include <dlfcn.h>
#include <errno.h>
#include <intel-pt.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) #number
#define SONAME(number)	"libipt.so." TEXT_OF(number)

/* The code can have a loop of jumps, for which the trace has no packets. So the number of
 * instructions is limited: to WORK_START, and to WORK_BYTE for each byte of the trace until then. A
 * byte has up to 8 branches. After the limit, the decoder continues at the next PSB packet. */
#define WORK_START UINT64_C(1000000)
#define WORK_BYTE  UINT64_C(1024)
/* The position in the trace is read after so many instructions. */
#define WORK_CHECK UINT64_C(65536)

static struct {
	typeof(pt_cpu_errata) *errata;
	typeof(pt_blk_alloc_decoder) *alloc;
	typeof(pt_blk_free_decoder) *free;
	typeof(pt_blk_get_image) *image;
	typeof(pt_image_set_callback) *callback;
	typeof(pt_blk_sync_forward) *sync;
	typeof(pt_blk_get_offset) *offset;
	typeof(pt_blk_time) *time;
	typeof(pt_blk_next) *next;
	typeof(pt_blk_event) *event;
} ipt;

struct pt_decoder {
	struct pt_block_decoder *blocks;
	pt_read_fn *read;
	void *arg;
	int status; /* flags of the last call, or an error */
	bool synced;
	uint64_t work;	  /* number of instructions */
	uint64_t checked; /* the same when it was last compared with the limit */
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

/* ---- Crashes ---- */

static sigjmp_buf before_crash;
static volatile sig_atomic_t guarded;

static void on_crash(int number)
{
	if (guarded) {
		guarded = 0;
		siglongjmp(before_crash, 1);
	}
	signal(number, SIG_DFL);
	raise(number);
}

/* The handlers stay installed. Outside of the library, they do what the system does by default. */
static void catch_crashes(void)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	const struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_NODEFER};
	static bool done;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]) && !done; i++)
		sigaction(numbers[i], &action, NULL);
	done = true;
}

/* ---- Decoders ---- */

static int read_code(uint8_t *to, size_t size, const struct pt_asid *asid, uint64_t ip,
		     void *context)
{
	struct pt_decoder *decoder = context;
	const size_t got = decoder->read(decoder->arg, ip, to, size);

	(void)asid;
	return got ? (int)got : -pte_nomap;
}

struct pt_decoder *pt_decoder_new(const struct pt_settings *settings, uint8_t *trace, size_t size,
				  pt_read_fn *read, void *arg)
{
	struct pt_decoder *decoder = calloc(1, sizeof(*decoder));
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
	catch_crashes();
	decoder->read = read;
	decoder->arg = arg;
	decoder->blocks = ipt.alloc(&config);
	if (!decoder->blocks || ipt.callback(ipt.image(decoder->blocks), read_code, decoder) < 0) {
		pt_decoder_free(decoder);
		return NULL;
	}
	return decoder;
}

void pt_decoder_free(struct pt_decoder *decoder)
{
	if (!decoder)
		return;
	if (decoder->blocks)
		ipt.free(decoder->blocks);
	free(decoder);
}

static const enum pt_class classes[] = {
	[ptic_error] = PT_OTHER,      [ptic_other] = PT_OTHER,
	[ptic_call] = PT_CALL,	      [ptic_return] = PT_RETURN,
	[ptic_jump] = PT_JUMP,	      [ptic_cond_jump] = PT_CONDITIONAL,
	[ptic_far_call] = PT_SYSCALL, [ptic_far_return] = PT_SYSRET,
	[ptic_far_jump] = PT_JUMP,    [ptic_ptwrite] = PT_OTHER,
};

/* Returns false for events that do not change the flow. */
static bool set_event(struct pt_step *step, const struct pt_event *event)
{
	const uint64_t hidden = event->ip_suppressed ? 0 : UINT64_MAX;

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

static void set_error(struct pt_decoder *decoder, struct pt_step *step)
{
	const enum pt_error_code code = pt_errcode(decoder->status);

	decoder->synced = false;
	step->no_code = code == pte_nomap;
	step->kind = code == pte_eos	 ? PT_STEP_END
		     : code == pte_nomem ? PT_STEP_NO_MEMORY
					 : PT_STEP_ERROR;
}

static bool is_over_limit(struct pt_decoder *decoder, uint16_t instructions)
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

static void next_block(struct pt_decoder *decoder, struct pt_step *step)
{
	struct pt_block block = {0};

	decoder->status = ipt.next(decoder->blocks, &block, sizeof(block));
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
	step->is_64 = block.mode == ptem_64bit;
}

static void decode_step(struct pt_decoder *decoder, struct pt_step *step)
{
	struct pt_event event;

	for (;;) {
		if (!decoder->synced) {
			decoder->status = ipt.sync(decoder->blocks);
			decoder->synced = decoder->status >= 0;
		}
		if (decoder->status < 0) {
			set_error(decoder, step);
			return;
		}
		if (decoder->status & pts_event_pending) {
			decoder->status = ipt.event(decoder->blocks, &event, sizeof(event));
			if (decoder->status >= 0 && set_event(step, &event))
				return;
		} else if (decoder->status & pts_eos) {
			step->kind = PT_STEP_END;
			return;
		} else {
			next_block(decoder, step);
			return;
		}
	}
}

void pt_decoder_next(struct pt_decoder *decoder, struct pt_step *step)
{
	memset(step, 0, sizeof(*step));
	if (sigsetjmp(before_crash, 0)) {
		memset(step, 0, sizeof(*step));
		step->kind = PT_STEP_CRASH;
		return;
	}
	guarded = 1;
	decode_step(decoder, step);
	step->has_tsc = ipt.time(decoder->blocks, &step->tsc, NULL, NULL) == 0;
	guarded = 0;
}

#else

enum pk_status pt_library_load(void)
{
	return PK_UNSUPPORTED;
}

struct pt_decoder *pt_decoder_new(const struct pt_settings *settings, uint8_t *trace, size_t size,
				  pt_read_fn *read, void *arg)
{
	(void)settings, (void)trace, (void)size, (void)read, (void)arg;
	return NULL;
}

void pt_decoder_free(struct pt_decoder *decoder)
{
	(void)decoder;
}

void pt_decoder_next(struct pt_decoder *decoder, struct pt_step *step)
{
	(void)decoder;
	*step = (struct pt_step){.kind = PT_STEP_END};
}

#endif
