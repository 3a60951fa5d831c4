// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf_program.h"
#include "pkutil.h"
#include "procfs.h"
#include "strings_bpf.h"
#include "syscall_signatures.h"
#include "syscall_table.h"
#include "tracefs.h"

#define OPTION	"--strings"
#define INSTEAD "-e syscalls"
#define NAME	"pk_strings" /* of the programs */

#define CALLS_MAX 512u /* numbers of system calls */

/* ---- What to read ---- */

/* The arguments of a call that are read, in the order of their slots. An argv is always in slot
 * ARGV_SLOT, so that the kernel can prove the limit for the size of a record. */
#define SLOTS	  3u
#define ARGV_SLOT 1u

struct call {
	struct slot {
		uint8_t target; /* enum pk_target; PK_TARGET_NONE: no slots follow */
		uint8_t argument;
		uint8_t size; /* the argument with the number of bytes */
		uint8_t unused;
	} slots[SLOTS];
};

static struct call describe_call(const char *signature)
{
	struct pk_signature_part part;
	struct call call = {0};
	size_t count = 0;

	for (uint8_t i = 0; count < SLOTS && pk_signature_next(&signature, &part); i++) {
		const enum pk_target target = pk_target_of(part.kind, part.kind_size);

		if (target && (target != PK_TARGET_ARGV || count == ARGV_SLOT))
			call.slots[count++] = (struct slot){
				.target = (uint8_t)target, .argument = i, .size = (uint8_t)(i + 1)};
	}
	return call;
}

/* The calls of this machine, and how the kernel marks those of 32-bit programs, whose numbers and
 * arguments are others: by a bit of struct thread_info, which is the first member of a task. */
static const struct machine {
	enum pk_abi abi;
	int compat_at; /* offset of 4 bytes */
	int32_t compat_bit;
} machine = {
#if defined(__x86_64__)
	PK_ABI_X86_64, 16, 0x2 /* status & TS_COMPAT, since Linux 5.11 */
#elif defined(__aarch64__)
	PK_ABI_AARCH64, 0, 1 << 22 /* flags & _TIF_32BIT */
#else
	PK_ABI_UNKNOWN, 0, 0
#endif
};

static bool fill_calls(const struct strings_bpf *bpf)
{
	for (uint32_t number = 0; number < CALLS_MAX; number++) {
		const char *name = pk_syscall_name(machine.abi, number);
		const char *signature = name ? pk_syscall_signature(name) : NULL;
		struct call call;

		if (!signature)
			continue;
		call = describe_call(signature);
		if (call.slots[0].target &&
		    bpf_access_map(BPF_MAP_UPDATE_ELEM, bpf->calls, &number, &call) < 0)
			return false;
	}
	return true;
}

/* ---- The program at the start of a call ---- */

#define FIELD(name) ((int)offsetof(struct strings_record, name))

/* Offsets on the program's stack. */
enum { KEY = -4, VALUE = -8, LENGTH = -16, START = -24, ARRAY = -32, POINTER = -40 };

enum { IS_BYTES, IS_ARGV, ALL_BYTES, ARGV_FAULT, ARGV_END, STORED, CUT, FAULT, NEXT, OF_A_SLOT };

/* Labels: two, then those of each slot, then those of each text of an argv. */
enum { OUT, OUTPUT, OF_SLOTS, OF_ARGV = OF_SLOTS + SLOTS * OF_A_SLOT };

struct draft {
	struct bpf_insn instructions[2048];
	size_t count;
};

#define EMIT(draft, ...)                                                                           \
	emit(draft, (const struct bpf_insn[]){__VA_ARGS__},                                        \
	     sizeof((const struct bpf_insn[]){__VA_ARGS__}) / sizeof(struct bpf_insn))

static void emit(struct draft *draft, const struct bpf_insn *instructions, size_t count)
{
	assert(draft->count + count <= COUNT_OF(draft->instructions));
	memcpy(draft->instructions + draft->count, instructions, count * sizeof(*instructions));
	draft->count += count;
}

/* Bytes that a text can take, with its NUL and one more, by which a longer one is recognised. */
static uint32_t room_of(const struct strings_bpf *bpf)
{
	return bpf->size + 2;
}

/* The counters of a CPU come after the largest record. */
static uint32_t counters_at(const struct strings_bpf *bpf)
{
	return PK_ALIGN8((uint32_t)FIELD(bytes) + (SLOTS - 1 + STRINGS_ARGV_MAX) * room_of(bpf));
}

#define COUNTER(name) ((int)(counters_at(bpf) + offsetof(struct strings_counts, name)))

/* R7 is the record of the CPU, R8 the struct call, R9 the number of bytes of texts so far. */

/* Sets R1 to the place of the next text. */
#define PLACE COPY(R1, R7), ADD_REG(R1, R9), ADD(R1, FIELD(bytes))
/* Sets a register to the number of the slot's argument, and to that argument. */
#define NUMBER_OF(to, offset) LOAD(BPF_B, to, R8, offset), AND(to, 7)
#define ARGUMENT(to, offset)                                                                       \
	NUMBER_OF(to, offset), SHIFT(to, 3), ADD_REG(to, R7), LOAD(BPF_DW, to, to, FIELD(args))
/* Adds 1 to a counter; changes R1. */
#define INCREMENT(counter) LOAD(BPF_DW, R1, R7, counter), ADD(R1, 1), STORE(BPF_DW, R7, counter, R1)
/* Sets R0 to the value of the current task in the map; jumps to OUT if it is not observed. */
#define CURRENT                                                                                    \
	CALL(get_current_pid_tgid), STORE(BPF_W, STACK, KEY, R0), LOOK_UP(bpf->observed, KEY),     \
		JUMP_IF(BPF_JEQ, R0, 0, OUT)

#define SLOT_AT(index, field) ((int)((index) * sizeof(struct slot) + offsetof(struct slot, field)))

/* Sets the bit of the slot's argument in a field, and adds 1 to the counter of the same name;
 * changes R1 and R2. */
#define MARK(draft, slot, name) emit_mark(draft, slot, FIELD(name), COUNTER(name))

static void emit_mark(struct draft *draft, uint32_t slot, int field, int counter)
{
	EMIT(draft, INCREMENT(counter), NUMBER_OF(R2, SLOT_AT(slot, argument)), SET(R1, 1),
	     SHIFT_REG(R1, R2), LOAD(BPF_W, R2, R7, field), OR_REG(R1, R2),
	     STORE(BPF_W, R7, field, R1));
}

/* Reads the text at R3, and sets R0 to its size with the NUL. Jumps to a label if it cannot be
 * read, or if it fits. Else it is cut. */
static void emit_text(struct draft *draft, const struct strings_bpf *bpf, int fault, int fits)
{
	EMIT(draft, PLACE, SET(R2, room_of(bpf)), CALL(probe_read_user_str),
	     JUMP_IF(BPF_JSLE, R0, 0, fault), JUMP_IF(BPF_JGT, R0, room_of(bpf), fault),
	     JUMP_IF(BPF_JLE, R0, bpf->size + 1, fits), COPY(R1, R7), ADD_REG(R1, R9),
	     STORE_VALUE(BPF_B, R1, FIELD(bytes) + bpf->size, 0), SET(R0, bpf->size + 1));
}

static void emit_bytes(struct draft *draft, const struct strings_bpf *bpf, uint32_t slot, int label)
{
	EMIT(draft, ARGUMENT(R2, SLOT_AT(slot, size)), JUMP_IF(BPF_JEQ, R2, 0, label + NEXT),
	     JUMP_IF(BPF_JLE, R2, bpf->size, label + ALL_BYTES), SET(R2, bpf->size),
	     LABEL(label + ALL_BYTES), STORE(BPF_DW, STACK, LENGTH, R2), PLACE,
	     CALL(probe_read_user), JUMP_IF(BPF_JNE, R0, 0, label + FAULT),
	     LOAD(BPF_DW, R0, STACK, LENGTH), JUMP_IF(BPF_JGT, R0, bpf->size, label + FAULT),
	     ARGUMENT(R2, SLOT_AT(slot, size)), JUMP_IF(BPF_JGT, R2, bpf->size, label + CUT),
	     JUMP(label + STORED));
}

/* Stores the place of the slot's text: R0 bytes from START on. Changes R1 to R3. */
static void emit_place(struct draft *draft, uint32_t slot)
{
	EMIT(draft, LOAD(BPF_DW, R1, STACK, START), ADD(R1, FIELD(bytes)), COPY(R3, R0),
	     SHIFT(R3, 16), OR_REG(R1, R3), NUMBER_OF(R2, SLOT_AT(slot, argument)), SHIFT(R2, 2),
	     ADD_REG(R2, R7), STORE(BPF_W, R2, FIELD(texts), R1));
}

/* Reads one text of an argv; fits: a label. */
static void emit_argv_text(struct draft *draft, const struct strings_bpf *bpf, int label, int fits)
{
	emit_text(draft, bpf, label + ARGV_FAULT, fits);
	MARK(draft, ARGV_SLOT, cut);
	EMIT(draft, LABEL(fits), ADD_REG(R9, R0));
}

/* Reads the texts one after the other, each with its NUL. */
static void emit_argv(struct draft *draft, const struct strings_bpf *bpf, int label)
{
	EMIT(draft, STORE(BPF_DW, STACK, ARRAY, R3));
	for (uint32_t i = 0; i <= STRINGS_ARGV_MAX; i++) {
		EMIT(draft, COPY(R1, STACK), ADD(R1, POINTER), SET(R2, 8),
		     LOAD(BPF_DW, R3, STACK, ARRAY), ADD(R3, 8 * i), CALL(probe_read_user),
		     JUMP_IF(BPF_JNE, R0, 0, label + ARGV_FAULT), LOAD(BPF_DW, R3, STACK, POINTER),
		     JUMP_IF(BPF_JEQ, R3, 0, label + ARGV_END));
		if (i < STRINGS_ARGV_MAX)
			emit_argv_text(draft, bpf, label, OF_ARGV + (int)i);
	}
	MARK(draft, ARGV_SLOT, cut);
	EMIT(draft, JUMP(label + ARGV_END), LABEL(label + ARGV_FAULT));
	MARK(draft, ARGV_SLOT, unreadable);
	EMIT(draft, LABEL(label + ARGV_END), COPY(R0, R9), LOAD(BPF_DW, R1, STACK, START),
	     SUBTRACT_REG(R0, R1));
	emit_place(draft, ARGV_SLOT);
	EMIT(draft, JUMP(label + NEXT));
}

static void emit_slot(struct draft *draft, const struct strings_bpf *bpf, uint32_t slot)
{
	const int label = OF_SLOTS + (int)slot * OF_A_SLOT;

	EMIT(draft, LOAD(BPF_B, R4, R8, SLOT_AT(slot, target)), JUMP_IF(BPF_JEQ, R4, 0, OUTPUT),
	     ARGUMENT(R3, SLOT_AT(slot, argument)), JUMP_IF(BPF_JEQ, R3, 0, label + NEXT),
	     STORE(BPF_DW, STACK, START, R9),
	     JUMP_IF(BPF_JNE, R4, PK_TARGET_TEXT, label + IS_BYTES));
	emit_text(draft, bpf, label + FAULT, label + STORED);
	EMIT(draft, JUMP(label + CUT), LABEL(label + IS_BYTES));
	if (slot == ARGV_SLOT)
		EMIT(draft, JUMP_IF(BPF_JEQ, R4, PK_TARGET_ARGV, label + IS_ARGV));
	emit_bytes(draft, bpf, slot, label);
	if (slot == ARGV_SLOT) {
		EMIT(draft, LABEL(label + IS_ARGV));
		emit_argv(draft, bpf, label);
	}
	EMIT(draft, LABEL(label + FAULT));
	MARK(draft, slot, unreadable);
	EMIT(draft, JUMP(label + NEXT), LABEL(label + CUT));
	MARK(draft, slot, cut);
	EMIT(draft, LABEL(label + STORED));
	emit_place(draft, slot);
	EMIT(draft, ADD_REG(R9, R0), LABEL(label + NEXT));
}

/* Copies the fields of the kernel's sample, and clears the rest. format: the id of the format. */
static void emit_head(struct draft *draft, const struct strings_bpf *bpf, uint64_t format)
{
	EMIT(draft, STORE_VALUE(BPF_W, STACK, KEY, 0), LOOK_UP(bpf->scratch, KEY),
	     JUMP_IF(BPF_JEQ, R0, 0, OUT), COPY(R7, R0));
	for (int at = FIELD(id); at < FIELD(texts); at += 8)
		EMIT(draft, LOAD(BPF_DW, R1, R6, at), STORE(BPF_DW, R7, at, R1));
	for (int at = FIELD(texts); at < FIELD(bytes); at += 8)
		EMIT(draft, STORE_VALUE(BPF_DW, R7, at, 0));
	EMIT(draft, STORE_VALUE(BPF_W, R7, FIELD(common_type), 0),
	     STORE_VALUE(BPF_H, R7, FIELD(common_type), format), CALL(get_current_pid_tgid),
	     STORE(BPF_W, R7, FIELD(common_pid), R0));
}

/* Finds the slots of the call. Without any, as in calls of 32-bit programs, jumps to OUTPUT. */
static void emit_call(struct draft *draft, const struct strings_bpf *bpf)
{
	EMIT(draft, LOAD(BPF_DW, R1, R7, FIELD(id)), STORE(BPF_W, STACK, KEY, R1),
	     LOOK_UP(bpf->calls, KEY), JUMP_IF(BPF_JEQ, R0, 0, OUTPUT), COPY(R8, R0),
	     LOAD(BPF_B, R1, R8, SLOT_AT(0, target)), JUMP_IF(BPF_JEQ, R1, 0, OUTPUT),
	     CALL(get_current_task), COPY(R3, R0), ADD(R3, machine.compat_at), COPY(R1, STACK),
	     ADD(R1, VALUE), SET(R2, sizeof(uint32_t)), CALL(probe_read_kernel),
	     LOAD(BPF_W, R1, STACK, VALUE), JUMP_IF(BPF_JSET, R1, machine.compat_bit, OUTPUT));
}

static int load_enter(const struct strings_bpf *bpf, uint64_t format, bool everywhere)
{
	struct draft *draft = calloc(1, sizeof(*draft));
	int program;

	if (!draft)
		return -1;
	EMIT(draft, COPY(R6, R1));
	if (!everywhere)
		EMIT(draft, CURRENT, LOAD(BPF_W, R1, R0, 0), JUMP_IF(BPF_JEQ, R1, 0, OUT));
	emit_head(draft, bpf, format);
	EMIT(draft, SET(R9, 0));
	emit_call(draft, bpf);
	for (uint32_t slot = 0; slot < SLOTS; slot++)
		emit_slot(draft, bpf, slot);
	EMIT(draft, LABEL(OUTPUT), COPY(R5, R9), ADD(R5, FIELD(bytes)), COPY(R1, R6),
	     MAP(R2, bpf->outputs), SET64(R3, BPF_F_CURRENT_CPU), COPY(R4, R7),
	     CALL(perf_event_output), JUMP_IF(BPF_JNE, R0, -EBUSY, OUT), INCREMENT(COUNTER(missed)),
	     LABEL(OUT), SET(R0, 1), /* other recordings continue */
	     END);
	program = bpf_load(BPF_PROG_TYPE_TRACEPOINT, NAME, draft->instructions, draft->count, true);
	free(draft);
	return program;
}

/* ---- The programs that follow the observed tasks ---- */

#define FINISH LABEL(OUT), SET(R0, 1), END
/* Removes the task of KEY from the map. */
#define FORGET MAP(R1, bpf->observed), COPY(R2, STACK), ADD(R2, KEY), CALL(map_delete_elem)
/* Observes the task of KEY, with VALUE, and returns. If the map is full, counts the task. */
#define OBSERVE                                                                                    \
	MAP(R1, bpf->observed), COPY(R2, STACK), ADD(R2, KEY), COPY(R3, STACK), ADD(R3, VALUE),    \
		SET(R4, BPF_ANY), CALL(map_update_elem), JUMP_IF(BPF_JEQ, R0, 0, OUT),             \
		STORE_VALUE(BPF_W, STACK, KEY, 0), LOOK_UP(bpf->scratch, KEY),                     \
		JUMP_IF(BPF_JEQ, R0, 0, OUT), COPY(R7, R0), INCREMENT(COUNTER(unobserved)), FINISH

/* child: the offset of the child's tid in the data of sched_process_fork. */
static int load_fork(const struct strings_bpf *bpf, int child)
{
	struct bpf_insn program[] = {
		COPY(R6, R1),
		CURRENT,
		LOAD(BPF_W, R1, R0, 0),
		STORE(BPF_W, STACK, VALUE, R1),
		LOAD(BPF_W, R1, R6, child),
		STORE(BPF_W, STACK, KEY, R1),
		OBSERVE,
	};

	return bpf_load(BPF_PROG_TYPE_TRACEPOINT, NAME, program, COUNT_OF(program), true);
}

/* The exec of a thread ends the other threads, and gives it the tid of the first one. old: the
 * offset of the tid before exec in the data of sched_process_exec. */
static int load_exec(const struct strings_bpf *bpf, int old)
{
	struct bpf_insn program[] = {
		LOAD(BPF_W, R1, R1, old),
		STORE(BPF_W, STACK, KEY, R1),
		LOOK_UP(bpf->observed, KEY),
		JUMP_IF(BPF_JEQ, R0, 0, OUT),
		FORGET,
		CALL(get_current_pid_tgid),
		STORE(BPF_W, STACK, KEY, R0),
		STORE_VALUE(BPF_W, STACK, VALUE, 1),
		OBSERVE,
	};

	return bpf_load(BPF_PROG_TYPE_TRACEPOINT, NAME, program, COUNT_OF(program), true);
}

static int load_exit(const struct strings_bpf *bpf)
{
	struct bpf_insn program[] = {CURRENT, FORGET, FINISH};

	return bpf_load(BPF_PROG_TYPE_TRACEPOINT, NAME, program, COUNT_OF(program), true);
}

/* ---- Loading ---- */

/* The tracepoints of the programs, in the order of strings_bpf.events. */
enum { ENTER, FORK, EXEC, EXIT };

static const struct {
	const char *system, *name;
} tracepoints[] = {[ENTER] = {"raw_syscalls", "sys_enter"},
		   [FORK] = {"sched", "sched_process_fork"},
		   [EXEC] = {"sched", "sched_process_exec"},
		   [EXIT] = {"sched", "sched_process_exit"}};

static bool set_id(void *arg, const char *system, const char *name, uint64_t id)
{
	(void)system;
	(void)name;
	*(uint64_t *)arg = id;
	return true;
}

/* 0 after a message. */
static uint64_t id_of(struct strings_bpf *bpf, size_t index)
{
	uint64_t id = 0;

	if (!pk_tracefs_find(tracepoints[index].system, tracepoints[index].name, set_id, &id,
			     &bpf->messages))
		return 0;
	if (!id)
		pk_messages_error(&bpf->messages, OPTION ": this kernel has no tracepoint %s:%s",
				  tracepoints[index].system, tracepoints[index].name);
	return id;
}

/* The offset of a tid in the data of a tracepoint; 0 after a message. field: " name;" */
static int offset_of_tid(struct strings_bpf *bpf, size_t index, const char *field)
{
	const char *root = pk_tracefs_path(&bpf->messages);
	char path[600], *text, *found;
	size_t size;
	int offset = 0;

	snprintf(path, sizeof(path), "%s/events/%s/%s/format", root ? root : TRACEFS_PLACE,
		 tracepoints[index].system, tracepoints[index].name);
	text = pk_procfs_read_file(path, 1 << 16, &size, &bpf->messages.failures);
	found = text ? strstr(text, field) : NULL;
	found = found ? strstr(found, "offset:") : NULL;
	if (!found || sscanf(found, "offset:%d", &offset) != 1 || offset < 8 || offset % 4) {
		pk_messages_error(&bpf->messages, OPTION ": %s: no field%s", path, field);
		offset = 0;
	}
	free(text);
	return offset;
}

static void explain(struct strings_bpf *bpf, int error)
{
	bpf_explain(&bpf->messages, OPTION, INSTEAD, error);
}

static bool make_maps(struct strings_bpf *bpf)
{
	const uint32_t word = sizeof(uint32_t),
		       scratch = counters_at(bpf) + (uint32_t)sizeof(struct strings_counts);

	bpf->calls = bpf_make_map(BPF_MAP_TYPE_ARRAY, word, sizeof(struct call), CALLS_MAX, 0);
	bpf->scratch = bpf_make_map(BPF_MAP_TYPE_PERCPU_ARRAY, word, scratch, 1, 0);
	bpf->outputs = bpf_make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, word, sizeof(int), bpf->cpus, 0);
	bpf->observed = bpf_make_map(BPF_MAP_TYPE_HASH, word, word, STRINGS_TASKS_MAX, 0);
	return bpf->calls >= 0 && bpf->scratch >= 0 && bpf->outputs >= 0 && bpf->observed >= 0 &&
	       fill_calls(bpf);
}

/* False with errno. child, old: as in load_fork() and load_exec(). */
static bool load_programs(struct strings_bpf *bpf, uint64_t format, bool everywhere, int child,
			  int old)
{
	int *const programs = bpf->programs;

	programs[ENTER] = load_enter(bpf, format, everywhere);
	if (programs[ENTER] < 0 || everywhere)
		return programs[ENTER] >= 0;
	programs[FORK] = load_fork(bpf, child);
	if (programs[FORK] < 0)
		return false;
	programs[EXEC] = load_exec(bpf, old);
	if (programs[EXEC] < 0)
		return false;
	programs[EXIT] = load_exit(bpf);
	return programs[EXIT] >= 0;
}

void strings_bpf_init(struct strings_bpf *bpf)
{
	*bpf = (struct strings_bpf){.calls = -1,
				    .scratch = -1,
				    .outputs = -1,
				    .observed = -1,
				    .programs = {-1, -1, -1, -1},
				    .events = {-1, -1, -1, -1}};
}

bool strings_bpf_open(struct strings_bpf *bpf, uint32_t size, bool everywhere)
{
	uint64_t format;
	int child, old;

	if (machine.abi == PK_ABI_UNKNOWN)
		return pk_messages_error(&bpf->messages, OPTION ": not supported on this machine");
	if (!bpf_outside_of_namespaces(&bpf->messages, OPTION, INSTEAD) ||
	    !(format = id_of(bpf, ENTER)) || !(child = offset_of_tid(bpf, FORK, " child_pid;")) ||
	    !(old = offset_of_tid(bpf, EXEC, " old_pid;")))
		return false;
	bpf->size = size;
	bpf->cpus = bpf_possible_cpus(&bpf->messages.failures);
	if (!bpf->cpus)
		return pk_messages_error(&bpf->messages, OPTION ": the number of CPUs is unknown");
	if (make_maps(bpf) && load_programs(bpf, format, everywhere, child, old))
		return true;
	explain(bpf, errno);
	return false;
}

bool strings_bpf_start(struct strings_bpf *bpf, int cpu)
{
	uint64_t id;

	/* The first one last: the others must not miss a task. */
	for (size_t i = STRINGS_PROGRAMS; i-- > 0;) {
		if (bpf->programs[i] < 0)
			continue;
		id = id_of(bpf, i);
		if (!id)
			return false;
		bpf->events[i] = bpf_attach(id, cpu, bpf->programs[i]);
		if (bpf->events[i] < 0) {
			explain(bpf, errno);
			return false;
		}
	}
	return true;
}

void strings_bpf_free(struct strings_bpf *bpf)
{
	int *const maps[] = {&bpf->calls, &bpf->scratch, &bpf->outputs, &bpf->observed};

	for (size_t i = 0; i < STRINGS_PROGRAMS; i++) {
		bpf_close(&bpf->events[i]);
		bpf_close(&bpf->programs[i]);
	}
	for (size_t i = 0; i < COUNT_OF(maps); i++)
		bpf_close(maps[i]);
	pk_messages_clear(&bpf->messages);
}

/* ---- Use ---- */

bool strings_bpf_output(const struct strings_bpf *bpf, uint32_t cpu, int fd)
{
	return bpf_access_map(BPF_MAP_UPDATE_ELEM, bpf->outputs, &cpu, &fd) == 0;
}

bool strings_bpf_observe(const struct strings_bpf *bpf, pid_t tid, bool from_exec)
{
	const uint32_t value = !from_exec;

	return bpf_access_map(BPF_MAP_UPDATE_ELEM, bpf->observed, &tid, &value) == 0;
}

bool strings_bpf_counts(const struct strings_bpf *bpf, struct strings_counts *counts)
{
	const size_t size = PK_ALIGN8(counters_at(bpf) + sizeof(*counts));
	const uint32_t first = 0;
	uint8_t *values = calloc(bpf->cpus, size);
	struct strings_counts one;
	bool ok;

	*counts = (struct strings_counts){0};
	if (!values)
		return false;
	ok = bpf_access_map(BPF_MAP_LOOKUP_ELEM, bpf->scratch, &first, values) == 0;
	for (size_t cpu = 0; ok && cpu < bpf->cpus; cpu++) {
		memcpy(&one, values + cpu * size + counters_at(bpf), sizeof(one));
		counts->unreadable += one.unreadable;
		counts->cut += one.cut;
		counts->missed += one.missed;
		counts->unobserved += one.unobserved;
	}
	free(values);
	return ok;
}
