// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bpf_program.h"
#include "cli.h"
#include "lookups.h"
#include "perf_syscall.h"
#include "pkutil.h"
#include "procfs.h"
#include "strings_bpf.h"
#include "syscall_signatures.h"
#include "syscall_table.h"
#include "tracefs.h"

#define OPTION	"--strings"
#define INSTEAD "-e syscalls"
#define NAME	"pk_strings" /* of the programs */

#define CALLS_MAX   512u   /* numbers of system calls */
#define THREADS_MAX 65536u /* observed ones */

/* ---- What to read ---- */

enum kind { NOTHING, TEXT, BYTES, ARGV };

/* The arguments of a call that are read, in the order of their slots. An argv is always in slot
 * ARGV_SLOT, so that the kernel can prove the limit for the size of a record. */
#define SLOTS	  3u
#define ARGV_SLOT 1u

struct call {
	struct slot {
		uint8_t kind, argument;
		uint8_t size; /* the argument with the number of BYTES */
		uint8_t unused;
	} slots[SLOTS];
};

static enum kind kind_of(const char *kind, size_t size)
{
	static const struct {
		const char *name;
		enum kind kind;
	} kinds[] = {{"s", TEXT}, {"buf", BYTES}, {"sockaddr", BYTES}, {"argv", ARGV}};

	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (strlen(kinds[i].name) == size && !memcmp(kinds[i].name, kind, size))
			return kinds[i].kind;
	return NOTHING;
}

/* signature: "name:kind name:kind". The size of BYTES is in the next argument. */
static struct call describe_call(const char *signature)
{
	struct call call = {0};
	size_t count = 0;

	for (uint8_t i = 0; *signature && count < SLOTS; i++) {
		const char *kind = strchr(signature, ':') + 1;
		const size_t size = strcspn(kind, " ");
		const enum kind what = kind_of(kind, size);

		if (what && (what != ARGV || count == ARGV_SLOT))
			call.slots[count++] = (struct slot){
				.kind = (uint8_t)what, .argument = i, .size = (uint8_t)(i + 1)};
		signature = kind + size + (kind[size] == ' ');
	}
	return call;
}

static enum pk_abi own_abi(void)
{
#if defined(__x86_64__)
	return PK_ABI_X86_64;
#elif defined(__aarch64__)
	return PK_ABI_AARCH64;
#else
	return PK_ABI_UNKNOWN;
#endif
}

static bool fill_calls(const struct strings_bpf *bpf)
{
	for (uint32_t number = 0; number < CALLS_MAX; number++) {
		const char *name = pk_syscall_name(own_abi(), number);
		const char *signature = name ? pk_syscall_signature(name) : NULL;
		struct call call;

		if (!signature)
			continue;
		call = describe_call(signature);
		if (call.slots[0].kind &&
		    bpf_access_map(BPF_MAP_UPDATE_ELEM, bpf->calls, &number, &call) < 0)
			return false;
	}
	return true;
}

/* ---- The program at the start of a call ---- */

#define FIELD(name) ((int)offsetof(struct strings_record, name))

/* Offsets on the program's stack. */
enum { KEY = -4, LENGTH = -16, START = -24, ARRAY = -32, POINTER = -40 };

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

#define SLOT_AT(slot, field) ((int)((slot) * sizeof(struct slot) + offsetof(struct slot, field)))

/* Sets the bit of the slot's argument; changes R1 and R2. */
static void emit_flag(struct draft *draft, uint32_t slot, int field)
{
	EMIT(draft, NUMBER_OF(R2, SLOT_AT(slot, argument)), SET(R1, 1), SHIFT_REG(R1, R2),
	     LOAD(BPF_W, R2, R7, field), OR_REG(R1, R2), STORE(BPF_W, R7, field, R1));
}

static void emit_text(struct draft *draft, const struct strings_bpf *bpf, int label)
{
	EMIT(draft, PLACE, SET(R2, room_of(bpf)), CALL(probe_read_user_str),
	     JUMP_IF(BPF_JSLE, R0, 0, label + FAULT),
	     JUMP_IF(BPF_JGT, R0, room_of(bpf), label + FAULT),
	     JUMP_IF(BPF_JLE, R0, bpf->size + 1, label + STORED), COPY(R1, R7), ADD_REG(R1, R9),
	     STORE_VALUE(BPF_B, R1, FIELD(bytes) + bpf->size, 0), SET(R0, bpf->size + 1),
	     JUMP(label + CUT));
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
	EMIT(draft, PLACE, SET(R2, room_of(bpf)), CALL(probe_read_user_str),
	     JUMP_IF(BPF_JSLE, R0, 0, label + ARGV_FAULT),
	     JUMP_IF(BPF_JGT, R0, room_of(bpf), label + ARGV_FAULT),
	     JUMP_IF(BPF_JLE, R0, bpf->size + 1, fits), COPY(R1, R7), ADD_REG(R1, R9),
	     STORE_VALUE(BPF_B, R1, FIELD(bytes) + bpf->size, 0), SET(R0, bpf->size + 1),
	     INCREMENT(COUNTER(cut)));
	emit_flag(draft, ARGV_SLOT, FIELD(cut));
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
	emit_flag(draft, ARGV_SLOT, FIELD(cut));
	EMIT(draft, INCREMENT(COUNTER(cut)), JUMP(label + ARGV_END), LABEL(label + ARGV_FAULT),
	     INCREMENT(COUNTER(unreadable)));
	emit_flag(draft, ARGV_SLOT, FIELD(unreadable));
	EMIT(draft, LABEL(label + ARGV_END), COPY(R0, R9), LOAD(BPF_DW, R1, STACK, START),
	     SUBTRACT_REG(R0, R1));
	emit_place(draft, ARGV_SLOT);
	EMIT(draft, JUMP(label + NEXT));
}

static void emit_slot(struct draft *draft, const struct strings_bpf *bpf, uint32_t slot)
{
	const int label = OF_SLOTS + (int)slot * OF_A_SLOT;

	EMIT(draft, LOAD(BPF_B, R4, R8, SLOT_AT(slot, kind)), JUMP_IF(BPF_JEQ, R4, 0, OUTPUT),
	     ARGUMENT(R3, SLOT_AT(slot, argument)), JUMP_IF(BPF_JEQ, R3, 0, label + NEXT),
	     STORE(BPF_DW, STACK, START, R9), JUMP_IF(BPF_JNE, R4, TEXT, label + IS_BYTES));
	emit_text(draft, bpf, label);
	EMIT(draft, LABEL(label + IS_BYTES));
	if (slot == ARGV_SLOT)
		EMIT(draft, JUMP_IF(BPF_JEQ, R4, ARGV, label + IS_ARGV));
	emit_bytes(draft, bpf, slot, label);
	if (slot == ARGV_SLOT) {
		EMIT(draft, LABEL(label + IS_ARGV));
		emit_argv(draft, bpf, label);
	}
	EMIT(draft, LABEL(label + FAULT), INCREMENT(COUNTER(unreadable)));
	emit_flag(draft, slot, FIELD(unreadable));
	EMIT(draft, JUMP(label + NEXT), LABEL(label + CUT), INCREMENT(COUNTER(cut)));
	emit_flag(draft, slot, FIELD(cut));
	EMIT(draft, LABEL(label + STORED));
	emit_place(draft, slot);
	EMIT(draft, ADD_REG(R9, R0), LABEL(label + NEXT));
}

/* Skips tasks that are not observed. */
static void emit_selection(struct draft *draft, const struct strings_bpf *bpf)
{
	EMIT(draft, CALL(get_current_pid_tgid), STORE(BPF_W, STACK, KEY, R0),
	     LOOK_UP(bpf->observed, KEY), JUMP_IF(BPF_JEQ, R0, 0, OUT), LOAD(BPF_W, R1, R0, 0),
	     JUMP_IF(BPF_JEQ, R1, 0, OUT));
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

static int load_enter(const struct strings_bpf *bpf, uint64_t format, bool everywhere,
		      const struct bpf_log *log)
{
	struct draft *draft = calloc(1, sizeof(*draft));
	int program;

	if (!draft)
		return -1;
	EMIT(draft, COPY(R6, R1));
	if (!everywhere)
		emit_selection(draft, bpf);
	emit_head(draft, bpf, format);
	EMIT(draft, SET(R9, 0), LOAD(BPF_DW, R1, R7, FIELD(id)), STORE(BPF_W, STACK, KEY, R1),
	     LOOK_UP(bpf->calls, KEY), JUMP_IF(BPF_JEQ, R0, 0, OUTPUT), COPY(R8, R0));
	for (uint32_t slot = 0; slot < SLOTS; slot++)
		emit_slot(draft, bpf, slot);
	EMIT(draft, LABEL(OUTPUT), COPY(R5, R9), ADD(R5, FIELD(bytes)), COPY(R1, R6),
	     MAP(R2, bpf->outputs), SET64(R3, BPF_F_CURRENT_CPU), COPY(R4, R7),
	     CALL(perf_event_output), JUMP_IF(BPF_JNE, R0, -EBUSY, OUT), INCREMENT(COUNTER(missed)),
	     LABEL(OUT), SET(R0, 1), /* other recordings continue */
	     END);
	program = bpf_load(BPF_PROG_TYPE_TRACEPOINT, NAME, draft->instructions, draft->count, log);
	free(draft);
	return program;
}

/* ---- The programs that follow the observed tasks ---- */

/* Sets R0 to the value of the current task in the map; jumps to OUT if it is not observed. */
#define CURRENT                                                                                    \
	CALL(get_current_pid_tgid), STORE(BPF_W, STACK, KEY, R0), LOOK_UP(bpf->observed, KEY),     \
		JUMP_IF(BPF_JEQ, R0, 0, OUT)
#define FINISH LABEL(OUT), SET(R0, 1), END

/* child: the offset of the child's tid in the data of sched_process_fork. */
static int load_fork(const struct strings_bpf *bpf, int child, const struct bpf_log *log)
{
	struct bpf_insn program[] = {
		COPY(R6, R1),
		CURRENT,
		LOAD(BPF_W, R1, R0, 0),
		STORE(BPF_W, STACK, LENGTH, R1),
		LOAD(BPF_W, R1, R6, child),
		STORE(BPF_W, STACK, KEY, R1),
		MAP(R1, bpf->observed),
		COPY(R2, STACK),
		ADD(R2, KEY),
		COPY(R3, STACK),
		ADD(R3, LENGTH),
		SET(R4, BPF_ANY),
		CALL(map_update_elem),
		JUMP_IF(BPF_JEQ, R0, 0, OUT),
		STORE_VALUE(BPF_W, STACK, KEY, 0),
		LOOK_UP(bpf->scratch, KEY),
		JUMP_IF(BPF_JEQ, R0, 0, OUT),
		COPY(R7, R0),
		INCREMENT(COUNTER(unobserved)),
		FINISH,
	};

	return bpf_load(BPF_PROG_TYPE_TRACEPOINT, NAME, program, COUNT_OF(program), log);
}

static int load_exec(const struct strings_bpf *bpf, const struct bpf_log *log)
{
	struct bpf_insn program[] = {CURRENT, STORE_VALUE(BPF_W, R0, 0, 1), FINISH};

	return bpf_load(BPF_PROG_TYPE_TRACEPOINT, NAME, program, COUNT_OF(program), log);
}

static int load_exit(const struct strings_bpf *bpf, const struct bpf_log *log)
{
	struct bpf_insn program[] = {
		CURRENT,      MAP(R1, bpf->observed), COPY(R2, STACK),
		ADD(R2, KEY), CALL(map_delete_elem),  FINISH,
	};

	return bpf_load(BPF_PROG_TYPE_TRACEPOINT, NAME, program, COUNT_OF(program), log);
}

/* ---- Loading ---- */

/* The tracepoints of the programs, in the order of strings_bpf.events. */
static const struct {
	const char *system, *name;
} tracepoints[] = {{"raw_syscalls", "sys_enter"},
		   {"sched", "sched_process_fork"},
		   {"sched", "sched_process_exec"},
		   {"sched", "sched_process_exit"}};

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

	if (!tracefs_find(tracepoints[index].system, tracepoints[index].name, set_id, &id,
			  &bpf->messages))
		return 0;
	if (!id)
		pk_messages_error(&bpf->messages, OPTION ": this kernel has no tracepoint %s:%s",
				  tracepoints[index].system, tracepoints[index].name);
	return id;
}

/* The offset of the child's tid in the data of sched_process_fork; 0 after a message. */
static int offset_of_child(struct strings_bpf *bpf)
{
	static const char format[] = "events/sched/sched_process_fork/format";
	const char *root = tracefs_path(&bpf->messages);
	char path[128], *text, *field;
	size_t size;
	int offset = 0;

	snprintf(path, sizeof(path), "%s/%s", root ? root : TRACEFS_PLACE, format);
	text = procfs_read_file(path, 1 << 16, &size, &bpf->messages.failures);
	field = text ? strstr(text, " child_pid;") : NULL;
	field = field ? strstr(field, "offset:") : NULL;
	if (!field || sscanf(field, "offset:%d", &offset) != 1 || offset < 8 || offset % 4) {
		pk_messages_error(&bpf->messages, OPTION ": %s: no field child_pid", path);
		offset = 0;
	}
	free(text);
	return offset;
}

static void explain(struct strings_bpf *bpf, int error)
{
	bpf_explain(&bpf->messages, OPTION, INSTEAD, error);
}

/* The number of CPUs that the kernel can have: per-CPU values are arrays of that size. 0: unknown.
 */
static uint32_t possible_cpus(struct strings_bpf *bpf)
{
	char line[256];
	unsigned int last = 0;
	const char *end;

	if (!procfs_read_line("/sys/devices/system/cpu/possible", line, sizeof(line),
			      &bpf->messages.failures))
		return 0;
	end = line + strlen(line);
	while (end > line && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return sscanf(end, "%u", &last) == 1 && last < 1u << 20 ? last + 1 : 0;
}

static bool make_maps(struct strings_bpf *bpf)
{
	const uint32_t word = sizeof(uint32_t),
		       scratch = counters_at(bpf) + (uint32_t)sizeof(struct strings_counts);

	bpf->calls = bpf_make_map(BPF_MAP_TYPE_ARRAY, word, sizeof(struct call), CALLS_MAX, 0);
	bpf->scratch = bpf_make_map(BPF_MAP_TYPE_PERCPU_ARRAY, word, scratch, 1, 0);
	bpf->outputs = bpf_make_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, word, sizeof(int), bpf->cpus, 0);
	bpf->observed = bpf_make_map(BPF_MAP_TYPE_HASH, word, word, THREADS_MAX, 0);
	return bpf->calls >= 0 && bpf->scratch >= 0 && bpf->outputs >= 0 && bpf->observed >= 0 &&
	       fill_calls(bpf);
}

static bool load_programs(struct strings_bpf *bpf, uint64_t format, int child, bool everywhere,
			  const struct bpf_log *log)
{
	bpf->enter = load_enter(bpf, format, everywhere, log);
	if (bpf->enter < 0 || everywhere)
		return bpf->enter >= 0;
	bpf->fork = load_fork(bpf, child, log);
	bpf->exec = load_exec(bpf, log);
	bpf->exit = load_exit(bpf, log);
	return bpf->fork >= 0 && bpf->exec >= 0 && bpf->exit >= 0;
}

#define LOG_SIZE (1 << 20)

/* With -v, loads the program again to get the verifier's log, and prints its end. */
static void report_log(struct strings_bpf *bpf, uint64_t format, int child, bool everywhere)
{
	const struct bpf_log log = {calloc(1, LOG_SIZE), LOG_SIZE};
	char *cursor = log.text, *line;

	if (log.text && pk_cli_verbose() > 0 &&
	    !load_programs(bpf, format, child, everywhere, &log))
		while ((line = strsep(&cursor, "\n")))
			pk_info("bpf: %s", line);
	free(log.text);
}

void strings_bpf_init(struct strings_bpf *bpf)
{
	*bpf = (struct strings_bpf){.calls = -1,
				    .scratch = -1,
				    .outputs = -1,
				    .observed = -1,
				    .enter = -1,
				    .fork = -1,
				    .exec = -1,
				    .exit = -1,
				    .events = {-1, -1, -1, -1}};
}

bool strings_bpf_open(struct strings_bpf *bpf, uint32_t size, bool everywhere)
{
	const uint64_t format = id_of(bpf, 0);
	const int child = format ? offset_of_child(bpf) : 0;
	const struct bpf_log none = {0};

	if (!child)
		return false;
	if (own_abi() == PK_ABI_UNKNOWN)
		return pk_messages_error(&bpf->messages, OPTION ": not supported on this machine");
	bpf->size = size;
	bpf->cpus = possible_cpus(bpf);
	if (!bpf->cpus)
		return pk_messages_error(&bpf->messages, OPTION ": the number of CPUs is unknown");
	if (make_maps(bpf) && load_programs(bpf, format, child, everywhere, &none))
		return true;
	explain(bpf, errno);
	report_log(bpf, format, child, everywhere);
	return false;
}

/* Opens a tracepoint, and attaches the program, which then runs for it on all CPUs. The event
 * itself stays disabled. */
static int attach(uint64_t id, int cpu, int program)
{
	const struct perf_attr attr = {.type = PERF_TYPE_TRACEPOINT,
				       .size = sizeof(attr),
				       .config = id,
				       .sample_period = 1,
				       .flags = PERF_ATTR_DISABLED};
	const int fd = perf_event_open(&attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	int error;

	if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

bool strings_bpf_start(struct strings_bpf *bpf, int cpu)
{
	const int programs[] = {bpf->enter, bpf->fork, bpf->exec, bpf->exit};

	/* The first one last: the others must not miss a task. */
	for (size_t i = COUNT_OF(programs); i-- > 0;) {
		const uint64_t id = programs[i] >= 0 ? id_of(bpf, i) : 0;

		if (programs[i] < 0)
			continue;
		bpf->events[i] = id ? attach(id, cpu, programs[i]) : -1;
		if (bpf->events[i] >= 0)
			continue;
		if (id)
			explain(bpf, errno);
		return false;
	}
	return true;
}

void strings_bpf_free(struct strings_bpf *bpf)
{
	int *const fds[] = {&bpf->events[0], &bpf->events[1], &bpf->events[2], &bpf->events[3],
			    &bpf->enter,     &bpf->fork,      &bpf->exec,      &bpf->exit,
			    &bpf->calls,     &bpf->scratch,   &bpf->outputs,   &bpf->observed};

	for (size_t i = 0; i < COUNT_OF(fds); i++)
		bpf_close(fds[i]);
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

struct strings_counts strings_bpf_counts(const struct strings_bpf *bpf)
{
	const size_t size = counters_at(bpf) + sizeof(struct strings_counts);
	struct strings_counts sum = {0}, one;
	const uint32_t first = 0;
	uint8_t *values = bpf->scratch >= 0 ? calloc(bpf->cpus, PK_ALIGN8(size)) : NULL;

	if (values && bpf_access_map(BPF_MAP_LOOKUP_ELEM, bpf->scratch, &first, values) == 0) {
		for (size_t cpu = 0; cpu < bpf->cpus; cpu++) {
			memcpy(&one, values + cpu * PK_ALIGN8(size) + counters_at(bpf),
			       sizeof(one));
			sum.unreadable += one.unreadable;
			sum.cut += one.cut;
			sum.missed += one.missed;
			sum.unobserved += one.unobserved;
		}
	}
	free(values);
	return sum;
}
