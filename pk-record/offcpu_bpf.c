// SPDX-License-Identifier: BSD-2-Clause
#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf_call.h"
#include "offcpu_bpf.h"

#define OPTION	"--off-cpu"
#define INSTEAD "-e sched:sched_switch"

/* Limits for observed threads. THREADS_MAX is for a map whose memory is allocated on use. Kernels
 * before 6.1 refuse such a map for these programs: then all memory is allocated at once, for
 * THREADS_FEW. */
#define THREADS_MAX 65536
#define THREADS_FEW 8192

#define OBJECT "offcpu"
#define OWNER  (&(struct bpf_owner){OPTION, NULL, INSTEAD})

static uint32_t block_size(const struct offcpu_bpf *bpf)
{
	return (uint32_t)sizeof(struct offcpu_block) + 2 * bpf->stack_size;
}

/* growing: allocates the memory for threads on use, which the kernel can refuse. */
static bool load(struct offcpu_bpf *bpf, uint32_t cpus, uint64_t threshold, bool growing)
{
	const struct offcpu_settings settings = {.threshold = threshold,
						 .stack_size = bpf->stack_size};

	bpf_library_close(bpf->object);
	bpf->object = bpf_library_open_own(OBJECT, OWNER, &bpf->messages);
	if (!bpf->object)
		return false;
	bpf_library_set(bpf->object, &settings, sizeof(settings));
	bpf_library_shape_map(bpf->object, "blocked", block_size(bpf),
			      growing ? THREADS_MAX : THREADS_FEW, growing ? BPF_F_NO_PREALLOC : 0);
	bpf_library_shape_map(bpf->object, "blank", block_size(bpf), 1, 0);
	bpf_library_shape_map(bpf->object, "outputs", 0, cpus, 0);
	return bpf_library_start(bpf->object, &bpf->messages);
}

bool offcpu_bpf_open(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus, uint64_t threshold)
{
	if (!bpf_outside_of_namespaces(&bpf->messages, OPTION, INSTEAD))
		return false;
	if (frames > OFFCPU_STACK_MAX)
		frames = OFFCPU_STACK_MAX;
	bpf->stack_size = frames * (uint32_t)sizeof(uint64_t);
	if (!load(bpf, cpus, threshold, true)) {
		pk_messages_clear(&bpf->messages);
		if (!load(bpf, cpus, threshold, false))
			return false;
	}
	bpf->switch_out = bpf_library_program(bpf->object, "pk_off_cpu_out");
	bpf->blocked = bpf_library_map(bpf->object, "blocked");
	bpf->outputs = bpf_library_map(bpf->object, "outputs");
	bpf->missed = bpf_library_map(bpf->object, "missed");
	return true;
}

void offcpu_bpf_free(struct offcpu_bpf *bpf)
{
	bpf_library_close(bpf->object);
	bpf->object = NULL;
	pk_messages_clear(&bpf->messages);
}

/* ---- Use ---- */

bool offcpu_bpf_output(const struct offcpu_bpf *bpf, uint32_t cpu, int fd)
{
	return bpf_access_map(BPF_MAP_UPDATE_ELEM, bpf->outputs, &cpu, &fd) == 0;
}

bool offcpu_bpf_start(struct offcpu_bpf *bpf)
{
	return bpf_library_attach(bpf->object, &bpf->messages);
}

void offcpu_bpf_end(struct offcpu_bpf *bpf)
{
	bpf_library_detach(bpf->object);
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

uint64_t offcpu_bpf_missed(const struct offcpu_bpf *bpf)
{
	const uint32_t first = 0;
	uint64_t missed = 0;

	bpf_access_map(BPF_MAP_LOOKUP_ELEM, bpf->missed, &first, &missed);
	return missed;
}

void offcpu_bpf_each_blocked(const struct offcpu_bpf *bpf,
			     void (*each)(void *arg, struct offcpu_block *block), void *arg)
{
	struct offcpu_block *block = malloc(block_size(bpf));
	uint64_t key, *before = NULL;
	uint32_t count = 0;

	/* If a task is removed meanwhile, the kernel starts the iteration again. */
	while (block && count++ < THREADS_MAX &&
	       bpf_access_map(BPF_MAP_GET_NEXT_KEY, bpf->blocked, before, &key) == 0) {
		before = &key;
		if (bpf_access_map(BPF_MAP_LOOKUP_ELEM, bpf->blocked, &key, block) == 0 &&
		    block->since)
			each(arg, block);
	}
	free(block);
}
