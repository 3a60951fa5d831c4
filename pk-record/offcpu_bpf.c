// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <linux/membarrier.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf_program.h"
#include "offcpu_bpf.h"

#define OPTION	"--off-cpu"
#define INSTEAD "-e sched:sched_switch"
#define NAME	"pk_off_cpu" /* of the programs */

/* Limits for observed threads. THREADS_MAX is for a map whose memory is allocated on use. Kernels
 * before 6.1 refuse such a map for these programs: then all memory is allocated at once, for
 * THREADS_FEW. */
#define THREADS_MAX 65536
#define THREADS_FEW 8192

/* States of a task: blocked (TASK_INTERRUPTIBLE or TASK_UNINTERRUPTIBLE), and ended (TASK_DEAD). */
#define STATE_BLOCKED 3
#define STATE_DEAD    0x80

enum label { OUT, FOUND, KERNEL, MISSED, BLOCKED, DEAD, NEXT };

/* Offsets of map keys on the programs' stack. */
#define KEY_TASK  (-8)
#define KEY_FIRST (-12)

/* Increments the first value of the map; jumps to OUT if there is none. */
#define COUNT(fd)                                                                                  \
	STORE_VALUE(BPF_W, STACK, KEY_FIRST, 0), LOOK_UP(fd, KEY_FIRST),                           \
		JUMP_IF(BPF_JEQ, R0, 0, OUT), SET(R1, 1), ADD_SHARED(R0, R1)

#define FIELD(name) offsetof(struct offcpu_block, name)

/* This program runs in the context of the task that stops running. It skips kernel threads, which
 * have no user stack: they only wait for work. */
static int load_switch_out(const struct offcpu_bpf *b, bool print_log)
{
	struct bpf_insn program[] = {
		COPY(R6, R1),
		CALL(get_current_task),
		COPY(R8, R0),
		STORE(BPF_DW, STACK, KEY_TASK, R8),
		STORE_VALUE(BPF_W, STACK, KEY_FIRST, 0),
		LOOK_UP(b->stopping, KEY_FIRST),
		JUMP_IF(BPF_JEQ, R0, 0, OUT),
		LOAD(BPF_DW, R1, R0, 0),
		JUMP_IF_REG(BPF_JNE, R1, R8, OUT),
		STORE_VALUE(BPF_DW, R0, 0, 0),
		LOOK_UP(b->blocked, KEY_TASK),
		JUMP_IF(BPF_JNE, R0, 0, FOUND),
		LOOK_UP(b->blank, KEY_FIRST),
		JUMP_IF(BPF_JEQ, R0, 0, OUT),
		COPY(R3, R0),
		MAP(R1, b->blocked),
		COPY(R2, STACK),
		ADD(R2, KEY_TASK),
		SET(R4, BPF_ANY),
		CALL(map_update_elem),
		LOOK_UP(b->blocked, KEY_TASK),
		JUMP_IF(BPF_JEQ, R0, 0, MISSED),
		LABEL(FOUND),
		COPY(R7, R0),
		COPY(R1, R6),
		COPY(R2, R7),
		ADD(R2, FIELD(addresses)),
		SET(R3, b->stack_size),
		SET(R4, BPF_F_USER_STACK),
		CALL(get_stack),
		JUMP_IF(BPF_JSLE, R0, 0, OUT),
		JUMP_IF(BPF_JGT, R0, b->stack_size, OUT),
		STORE(BPF_W, R7, FIELD(user), R0),
		COPY(R1, R6),
		COPY(R2, R7),
		ADD_REG(R2, R0),
		ADD(R2, FIELD(addresses)),
		SET(R3, b->stack_size),
		SET(R4, 0),
		CALL(get_stack),
		JUMP_IF(BPF_JSGT, R0, 0, KERNEL),
		SET(R0, 0),
		LABEL(KERNEL),
		STORE(BPF_W, R7, FIELD(kernel), R0),
		CALL(get_current_pid_tgid),
		STORE(BPF_DW, R7, FIELD(ids), R0),
		CALL(ktime_get_ns),
		LOAD(BPF_DW, R1, R7, FIELD(since)),
		STORE(BPF_DW, R7, FIELD(since), R0),
		JUMP_IF(BPF_JEQ, R1, 0, OUT), /* else the end of its previous block was missed */
		LABEL(MISSED),
		COUNT(b->missed),
		LABEL(OUT),
		SET(R0, 0), /* no sample of this event itself */
		END,
	};

	return bpf_load(BPF_PROG_TYPE_PERF_EVENT, NAME, program, COUNT_OF(program), print_log);
}

/* Offsets of the tracepoint's arguments. */
enum { PREEMPTED = 0, PREVIOUS = 8, FOLLOWING = 16, STATE = 24 };

/* This program runs before the other one, on the same CPU. First it checks whether the task that
 * stops running is blocked: a runnable task is not, and an ended one is removed from the map. Then
 * it checks whether the next task was blocked, and writes its sample. */
static int load_switch_in(const struct offcpu_bpf *b, uint64_t threshold, bool print_log)
{
	struct bpf_insn program[] = {
		COPY(R6, R1),
		LOAD(BPF_DW, R7, R6, PREVIOUS),
		LOAD(BPF_DW, R8, R6, STATE),
		LOAD(BPF_DW, R9, R6, PREEMPTED),
		STORE_VALUE(BPF_W, STACK, KEY_FIRST, 0),
		LOOK_UP(b->stopping, KEY_FIRST),
		JUMP_IF(BPF_JEQ, R0, 0, OUT),
		STORE_VALUE(BPF_DW, R0, 0, 0),
		JUMP_IF(BPF_JSET, R9, 1, NEXT),
		JUMP_IF(BPF_JSET, R8, STATE_DEAD, DEAD),
		JUMP_IF(BPF_JSET, R8, STATE_BLOCKED, BLOCKED),
		JUMP(NEXT),
		LABEL(BLOCKED),
		STORE(BPF_DW, R0, 0, R7),
		JUMP(NEXT),
		LABEL(DEAD),
		STORE(BPF_DW, STACK, KEY_TASK, R7),
		MAP(R1, b->blocked),
		COPY(R2, STACK),
		ADD(R2, KEY_TASK),
		CALL(map_delete_elem),
		LABEL(NEXT),
		LOAD(BPF_DW, R1, R6, FOLLOWING),
		STORE(BPF_DW, STACK, KEY_TASK, R1),
		LOOK_UP(b->blocked, KEY_TASK),
		JUMP_IF(BPF_JEQ, R0, 0, OUT),
		COPY(R9, R0),
		LOAD(BPF_DW, R7, R9, FIELD(since)),
		JUMP_IF(BPF_JEQ, R7, 0, OUT),
		CALL(ktime_get_ns),
		SUBTRACT_REG(R0, R7),
		STORE(BPF_DW, R9, FIELD(time), R0),
		STORE_VALUE(BPF_DW, R9, FIELD(since), 0),
		SET64(R1, threshold),
		JUMP_IF_REG(BPF_JGT, R1, R0, OUT),
		LOAD(BPF_W, R5, R9, FIELD(user)),
		JUMP_IF(BPF_JGT, R5, b->stack_size, OUT),
		LOAD(BPF_W, R1, R9, FIELD(kernel)),
		JUMP_IF(BPF_JGT, R1, b->stack_size, OUT),
		ADD_REG(R5, R1),
		ADD(R5, FIELD(addresses)),
		COPY(R1, R6),
		MAP(R2, b->outputs),
		SET64(R3, BPF_F_CURRENT_CPU),
		COPY(R4, R9),
		CALL(perf_event_output),
		JUMP_IF(BPF_JEQ, R0, 0, OUT),
		JUMP_IF(BPF_JEQ, R0, -ENOSPC, OUT), /* the event counts these itself */
		COUNT(b->missed),
		LABEL(OUT),
		SET(R0, 0),
		END,
	};

	return bpf_load(BPF_PROG_TYPE_RAW_TRACEPOINT, NAME, program, COUNT_OF(program), print_log);
}

/* ---- Maps ---- */

static uint32_t block_size(const struct offcpu_bpf *b)
{
	return (uint32_t)FIELD(addresses) + 2 * b->stack_size;
}

static bool make_maps(struct offcpu_bpf *b)
{
	b->stopping =
		bpf_make_map(BPF_MAP_TYPE_PERCPU_ARRAY, sizeof(uint32_t), sizeof(uint64_t), 1, 0);
	b->missed = bpf_make_map(BPF_MAP_TYPE_ARRAY, sizeof(uint32_t), sizeof(uint64_t), 1, 0);
	b->blank = bpf_make_map(BPF_MAP_TYPE_ARRAY, sizeof(uint32_t), block_size(b), 1, 0);
	b->outputs = bpf_make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, sizeof(uint32_t), sizeof(int),
				  b->cpus, 0);
	return b->stopping >= 0 && b->missed >= 0 && b->blank >= 0 && b->outputs >= 0;
}

/* growing: allocates the memory for threads on use; which the kernel can refuse. */
static bool load_programs(struct offcpu_bpf *b, uint64_t threshold, bool growing)
{
	bpf_close(&b->blocked);
	bpf_close(&b->switch_out);
	bpf_close(&b->switch_in);
	b->blocked =
		bpf_make_map(BPF_MAP_TYPE_HASH, sizeof(uint64_t), block_size(b),
			     growing ? THREADS_MAX : THREADS_FEW, growing ? BPF_F_NO_PREALLOC : 0);
	if (b->blocked < 0)
		return false;
	b->switch_out = load_switch_out(b, !growing);
	if (b->switch_out < 0)
		return false;
	b->switch_in = load_switch_in(b, threshold, !growing);
	return b->switch_in >= 0;
}

/* ---- Loading ---- */

static void explain(struct offcpu_bpf *bpf, int error)
{
	bpf_explain(&bpf->messages, OPTION, INSTEAD, error);
}

void offcpu_bpf_init(struct offcpu_bpf *bpf)
{
	*bpf = (struct offcpu_bpf){.blocked = -1,
				   .stopping = -1,
				   .blank = -1,
				   .outputs = -1,
				   .missed = -1,
				   .switch_out = -1,
				   .switch_in = -1,
				   .switches = -1};
}

bool offcpu_bpf_open(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus)
{
	if (!bpf_outside_of_namespaces(&bpf->messages, OPTION, INSTEAD))
		return false;
	if (frames > OFFCPU_STACK_MAX)
		frames = OFFCPU_STACK_MAX;
	bpf->stack_size = frames * (uint32_t)sizeof(uint64_t);
	bpf->cpus = cpus;
	if (make_maps(bpf))
		return true;
	explain(bpf, errno);
	return false;
}

bool offcpu_bpf_load(struct offcpu_bpf *bpf, uint64_t threshold)
{
	if (load_programs(bpf, threshold, true) || load_programs(bpf, threshold, false))
		return true;
	explain(bpf, errno);
	return false;
}

void offcpu_bpf_free(struct offcpu_bpf *bpf)
{
	int *const fds[] = {&bpf->blocked, &bpf->stopping,   &bpf->blank,     &bpf->outputs,
			    &bpf->missed,  &bpf->switch_out, &bpf->switch_in, &bpf->switches};

	for (size_t i = 0; i < COUNT_OF(fds); i++)
		bpf_close(fds[i]);
	pk_messages_clear(&bpf->messages);
}

/* ---- Use ---- */

bool offcpu_bpf_output(const struct offcpu_bpf *bpf, uint32_t cpu, int fd)
{
	return bpf_access_map(BPF_MAP_UPDATE_ELEM, bpf->outputs, &cpu, &fd) == 0;
}

bool offcpu_bpf_start(struct offcpu_bpf *bpf)
{
	bpf->switches = bpf_attach_raw("sched_switch", bpf->switch_in);
	if (bpf->switches < 0)
		explain(bpf, errno);
	return bpf->switches >= 0;
}

void offcpu_bpf_end(struct offcpu_bpf *bpf)
{
	bpf_close(&bpf->switches);
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
