/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records all instructions of a program by single steps, and prints a recording with the Intel PT
 * traces that processors would have written, for tests/assemble. Writes the branches that were
 * taken to a file, one per line: CPU, thread, source and target, 0 where the trace starts or stops.
 *
 *     pt_stepper BRANCHES COMPRESS GAP FILE [CPUS TIMING [PARTS]]
 *
 * COMPRESS is 1 if returns to the instruction after their call are compressed. If GAP is not 0, the
 * traces lose packets after each GAP branches, until 100 further branches.
 *
 * Without CPUS, one thread is traced. With CPUS, two processes with four threads run on these CPUs:
 * they are interrupted, switch at system calls, handle signals, and one of them executes other
 * programs at the same addresses. TIMING is tsc (a PSB packet with the time at each switch), mtc (a
 * time after each 128 ns) or cyc (mtc, and the time of each packet). If PARTS is 1, each
 * trace has three parts. If it is 2, one of them is missing.
 */
#define _GNU_SOURCE /* for process_vm_readv() */
#include <elf.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The function ---- */

static volatile unsigned int sink;

static unsigned int fibonacci(unsigned int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned int twice(unsigned int n)
{
	return 2 * n;
}

static unsigned int thrice(unsigned int n)
{
	return 3 * n;
}

static int compare(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static void on_signal(int number)
{
	sink += fibonacci((unsigned int)number % 4);
}

/* Recursion, indirect calls, callbacks, a table of jumps, calls of libraries and of the kernel. */
static void work(bool signals)
{
	unsigned int (*const functions[])(unsigned int) = {fibonacci, twice, thrice};
	int numbers[50];
	char text[64];

	for (unsigned int round = 0;; round++) {
		for (int i = 0; i < 50; i++)
			numbers[i] = (int)(round * 7919u + (unsigned int)i * 104729u) % 1000;
		qsort(numbers, 50, sizeof(numbers[0]), compare);
		snprintf(text, sizeof(text), "%u %s %.3f", round, "text", round / 7.0);
		if (signals)
			raise(SIGUSR1);
		switch (round % 7) {
		case 0: sink += (unsigned int)strlen(text); break;
		case 1: sink ^= 5; break;
		case 2: sink *= 3; break;
		case 3: sink += fibonacci(9); break;
		case 4: sink -= 1; break;
		case 5: sink += (unsigned int)getppid(); break;
		default: sink = ~sink; break;
		}
		sink += functions[round % 3](round % 11);
	}
}

static void *work_in_thread(void *unused)
{
	work(true);
	return unused;
}

/* ---- Programs at the same addresses ---- */

#define IMAGES	     3
#define IMAGE_START  0x400000
#define IMAGE_LOOPS  40
#define IMAGE_BLOCKS 20

static uint32_t random_state = 1;

static uint32_t random_number(uint32_t limit)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % limit;
}

struct code {
	uint8_t bytes[1024];
	size_t size;
};

static void put(struct code *code, const char *bytes, size_t size)
{
	memcpy(code->bytes + code->size, bytes, size);
	code->size += size;
}

static void put_u32(struct code *code, uint32_t number)
{
	memcpy(code->bytes + code->size, &number, sizeof(number));
	code->size += sizeof(number);
}

/* Writes blocks with a jump over 1 to 7 bytes, depending on a random bit. */
static void put_blocks(struct code *code, int count)
{
	while (count--) {
		const uint32_t size = 1 + random_number(7);
		char jump[2] = {(char)(0x72 + random_number(2)), (char)size};

		put(code, "\x69\xc0\x0d\x66\x19\x00\x05\x5f\xf3\x6e\x3c", 11); /* imul, add */
		put(code, "\x0f\xba\xe0", 3);				       /* bt */
		put(code, (char[]){(char)(8 + random_number(20))}, 1);
		put(code, jump, 2);
		put(code, "\x90\x90\x90\x90\x90\x90\x90", size);
	}
}

/* Writes a program that calls a function, repeats that some times, and executes the next program.
 */
static void write_image(int number)
{
	const char path[] = {'i', 'm', 'a', 'g', 'e', '.', (char)('0' + number), 0};
	const uint32_t base = IMAGE_START + sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
	struct code code = {.size = 0};
	Elf64_Ehdr header = {.e_ident = ELFMAG "\2\1\1",
			     .e_type = ET_EXEC,
			     .e_machine = EM_X86_64,
			     .e_version = 1,
			     .e_phoff = sizeof(header),
			     .e_ehsize = sizeof(header),
			     .e_phentsize = sizeof(Elf64_Phdr),
			     .e_phnum = 1};
	Elf64_Phdr segment = {.p_type = PT_LOAD,
			      .p_flags = PF_R | PF_X,
			      .p_vaddr = IMAGE_START,
			      .p_paddr = IMAGE_START,
			      .p_align = 4096};
	uint32_t name, function, loop;
	FILE *file = fopen(path, "w");

	name = base;
	put(&code, "image.", 6);
	put(&code, (char[]){(char)('0' + (number + 1) % IMAGES), 0}, 2);
	function = base + (uint32_t)code.size;
	put_blocks(&code, 2 + number);
	put(&code, "\xc3", 1); /* ret */
	header.e_entry = base + code.size;
	put(&code, "\xbb", 1); /* mov to ebx */
	put_u32(&code, IMAGE_LOOPS);
	loop = base + (uint32_t)code.size;
	put_blocks(&code, IMAGE_BLOCKS);
	put(&code, "\xb9", 1); /* mov to ecx */
	put_u32(&code, function);
	put(&code, "\xff\xd1", 2); /* call *%rcx */
	put(&code, "\xe8", 1);	   /* call */
	put_u32(&code, function - (base + (uint32_t)code.size + 4));
	put(&code, "\xff\xcb\x0f\x85", 4); /* dec, jne */
	put_u32(&code, loop - (base + (uint32_t)code.size + 4));
	put(&code, "\xbf", 1); /* mov to edi */
	put_u32(&code, name);
	put(&code, "\x31\xf6\x31\xd2\xb8\x3b\x00\x00\x00\x0f\x05", 11); /* execve */
	segment.p_filesz = segment.p_memsz = sizeof(header) + sizeof(segment) + code.size;
	if (!file || fwrite(&header, sizeof(header), 1, file) != 1 ||
	    fwrite(&segment, sizeof(segment), 1, file) != 1 ||
	    fwrite(code.bytes, code.size, 1, file) != 1 || fclose(file) || chmod(path, 0700))
		exit(1);
}

/* A process with three threads, and one that executes programs. */
static void work_in_parallel(void)
{
	const struct sigaction action = {.sa_handler = on_signal};
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	if (!fork()) {
		execl("image.0", "image.0", (char *)NULL);
		_exit(1);
	}
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread, NULL, work_in_thread, NULL))
			_exit(1);
	work(true);
}

/* ---- Tasks and CPUs ---- */

#define TASKS_MAX 64
#define CPUS_MAX  4
#define FIRST_TID 100u

struct task {
	pid_t tid;	     /* of the system */
	unsigned int number; /* of the recording: threads are numbered from FIRST_TID */
	unsigned int process;
	uint64_t ip;
	int signal; /* to be delivered, or 0 */
	bool handles_signals, runs, ended;
};

struct cpu {
	FILE *trace;
	char *text;
	size_t size;
	struct task *task;	 /* NULL if the CPU is idle */
	uint64_t slice_end;	 /* in steps */
	unsigned int tnt, count; /* number of bits */
	bool lost;		 /* no packets are written */
	uint64_t stack[64];
	unsigned int depth;
	uint64_t branches, synchronized, next_gap, gap_end;
	uint64_t next_mtc, last_cyc; /* times */
};

enum timing { TSC, MTC, CYC };

static struct task tasks[TASKS_MAX];
static unsigned int tasks_count;
static struct cpu cpus[CPUS_MAX];
static unsigned int cpus_count; /* 0: one thread is traced, on any CPU */
static enum timing timing;
static uint64_t now = 1000, steps, branches, gap_length;
static bool compress;
static FILE *truth;

static int number_of(const struct cpu *cpu)
{
	return cpus_count ? (int)(cpu - cpus) : -1;
}

/* ---- Packets ---- */

enum { TIP = 0x0d, START = 0x11, STOP = 0x01, UPDATE = 0x1d };

/* The clock of MTC packets has a tick each 16 ns, and there is a packet for each 8 ticks. */
#define TICK	   16u
#define MTC_PERIOD (8 * TICK)
#define RATIO	   10
#define STEP_TIME  3
/* The time in the kernel has an MTC packet. */
#define KERNEL_TIME (MTC_PERIOD + 32)

static void bytes(struct cpu *cpu, uint64_t value, unsigned int width)
{
	for (; width--; value >>= 8)
		fprintf(cpu->trace, "%02x", (unsigned int)(value & 0xff));
}

/* Writes the time since the last CYC packet. */
static void cycles(struct cpu *cpu, uint64_t time)
{
	uint64_t left = time - cpu->last_cyc;

	if (timing != CYC)
		return;
	cpu->last_cyc = time;
	bytes(cpu, (left & 31) << 3 | (left > 31 ? 4 : 0) | 3, 1);
	for (left >>= 5; left; left >>= 7)
		bytes(cpu, (left & 127) << 1 | (left > 127), 1);
}

static void flush(struct cpu *cpu)
{
	if (cpu->count) {
		cycles(cpu, now);
		bytes(cpu, (1u << cpu->count | cpu->tnt) << 1, 1);
	}
	cpu->tnt = cpu->count = 0;
}

static void taken(struct cpu *cpu, bool is)
{
	if (cpu->lost)
		return;
	cpu->tnt = cpu->tnt << 1 | is;
	if (++cpu->count == 6)
		flush(cpu);
}

static void address(struct cpu *cpu, unsigned int packet, uint64_t ip)
{
	if (cpu->lost)
		return;
	flush(cpu);
	cycles(cpu, now);
	bytes(cpu, packet | (ip ? 3u << 5 : 0), 1);
	if (ip)
		bytes(cpu, ip, 6);
}

static void clock_packets(struct cpu *cpu)
{
	bytes(cpu, 0x19, 1);
	bytes(cpu, now, 7);
	if (timing == TSC)
		return;
	bytes(cpu, 0x7302, 2);
	bytes(cpu, now / TICK, 2);
	bytes(cpu, now % TICK << 8, 3);
	cpu->next_mtc = (now / MTC_PERIOD + 1) * MTC_PERIOD;
	cpu->last_cyc = now;
}

static void periodic_packets(struct cpu *cpu)
{
	for (; timing != TSC && cpu->next_mtc <= now; cpu->next_mtc += MTC_PERIOD)
		if (!cpu->lost) {
			cycles(cpu, cpu->next_mtc);
			bytes(cpu, 0x59, 1);
			bytes(cpu, cpu->next_mtc / MTC_PERIOD, 1);
		}
}

static void synchronize(struct cpu *cpu, uint64_t ip)
{
	if (cpu->lost)
		return;
	flush(cpu);
	cycles(cpu, now);
	for (int i = 0; i < 8; i++)
		bytes(cpu, 0x8202, 2);
	clock_packets(cpu);
	bytes(cpu, RATIO << 16 | 0x0302, 4);
	bytes(cpu, 0x0199, 2); /* 64-bit mode */
	if (ip)
		address(cpu, UPDATE, ip);
	bytes(cpu, 0x2302, 2);
	cpu->depth = 0;
	cpu->synchronized = cpu->branches;
}

static void pass_time(uint64_t ns)
{
	now += ns;
	for (unsigned int i = 0; i < (cpus_count ? cpus_count : 1); i++)
		periodic_packets(&cpus[i]);
}

/* ---- Instructions ---- */

enum class { OTHER, CONDITIONAL, DIRECT_CALL, DIRECT_JUMP, CALL, JUMP, RETURN, SYSCALL };

/* Returns the class of an instruction, and the number of bytes of those whose number is needed. */
static enum class classify(const uint8_t *code, unsigned int *size) {
	const uint8_t *at = code;

	while (*at == 0xf2 || *at == 0xf3 || *at == 0x3e || *at == 0x2e || *at == 0x66) at++;
	if ((*at & 0xf0) == 0x40) at++;
	*size = (unsigned int)(at - code);
	if ((*at & 0xf0) == 0x70 || (*at & 0xfc) == 0xe0) return *size += 2, CONDITIONAL;
	if (*at == 0x0f && (at[1] & 0xf0) == 0x80) return *size += 6, CONDITIONAL;
	if (*at == 0xe8) return *size += 5, DIRECT_CALL;
	if (*at == 0xe9 || *at == 0xeb) return DIRECT_JUMP;
	if (*at == 0xc3 || *at == 0xc2) return RETURN;
	if (*at == 0x0f && at[1] == 0x05) return SYSCALL;
	if (*at == 0xff && (at[1] >> 3 & 7) == 4) return JUMP;
	if (*at != 0xff || (at[1] >> 3 & 7) != 2) return OTHER;
		/* An indirect call: ModRM, perhaps SIB, and a displacement. */
			*size += 2;
	if (at[1] >> 6 != 3 && (at[1] & 7) == 4) *size +=
	1 + (at[1] >> 6 == 0 && (at[2] & 7) == 5 ? 4 : 0);
	if (at[1] >> 6 == 0 && (at[1] & 7) == 5) *size += 4;
	*size += at[1] >> 6 == 1   ? 1
		 : at[1] >> 6 == 2 ? 4
				   : 0;
	return CALL;
}

static enum class classify_at(const struct task *task, unsigned int *size) {
	uint8_t code[32] = {0}; const struct iovec to = {code, 16};
	const struct iovec from = {(void *)(uintptr_t)task->ip, 16}; /* NOLINT: of the task */

	if (process_vm_readv(task->tid, &to, 1, &from, 1, 0) < 1) exit(1);
	return classify(code, size);
}

static void branch(struct cpu *cpu, uint64_t from, uint64_t to)
{
	branches++;
	cpu->branches++;
	if (!cpu->lost)
		fprintf(truth, "%d %u %lx %lx\n", number_of(cpu), cpu->task->number,
			(unsigned long)from, (unsigned long)to);
}

static void push(struct cpu *cpu, uint64_t address_after)
{
	if (cpu->depth == 64)
		memmove(cpu->stack, cpu->stack + 1, --cpu->depth * sizeof(cpu->stack[0]));
	cpu->stack[cpu->depth++] = address_after;
}

static void return_to(struct cpu *cpu, uint64_t to)
{
	if (compress && cpu->depth && cpu->stack[cpu->depth - 1] == to)
		taken(cpu, true);
	else
		address(cpu, TIP, to);
	cpu->depth -= cpu->depth > 0;
}

/* The trace stops after a system call, or before an instruction that is interrupted. A return is
 * not compressed if the trace has stopped since its call. */
static void stop(struct cpu *cpu, bool interrupted)
{
	if (interrupted)
		address(cpu, UPDATE, cpu->task->ip);
	address(cpu, STOP, 0);
	branch(cpu, cpu->task->ip, 0);
	cpu->depth = 0;
}

static void start(struct cpu *cpu)
{
	address(cpu, START, cpu->task->ip);
	branch(cpu, 0, cpu->task->ip);
}

static void lose_packets(struct cpu *cpu, enum class class)
{
	/* Packets get lost from a branch on that has a packet. */
	if (!gap_length || cpu->lost || cpu->branches < cpu->next_gap ||
	    (class != CONDITIONAL && class != JUMP))
		return;
	flush(cpu);
	cpu->lost = true;
	cpu->gap_end = cpu->branches + 100;
}

static void stop_losing(struct cpu *cpu, uint64_t ip)
{
	if (!cpu->lost || cpu->branches < cpu->gap_end)
		return;
	cpu->lost = false;
	cpu->tnt = cpu->count = cpu->depth = 0;
	bytes(cpu, 0xf302, 2);
	if (cpus_count)
		clock_packets(cpu);
	address(cpu, UPDATE, ip);
	cpu->next_gap = cpu->branches + gap_length;
}

/* Writes the packets of an instruction that is no system call, and whose successor is `to`. */
static void step(struct cpu *cpu, enum class class, unsigned int size, uint64_t to)
{
	const uint64_t from = cpu->task->ip;

	lose_packets(cpu, class);
	if (class == CALL || class == DIRECT_CALL)
		push(cpu, from + size);
	switch (class) {
	case OTHER: return;
	case CONDITIONAL: taken(cpu, to != from + size); break;
	case RETURN: return_to(cpu, to); break;
	case CALL:
	case JUMP: address(cpu, TIP, to); break;
	default: break;
	}
	if (class != CONDITIONAL || to != from + size)
		branch(cpu, from, to);
	stop_losing(cpu, to);
}

/* ---- Records ---- */

static void print_trailer(const struct task *task, int cpu)
{
	printf(" trailer.pid=%u trailer.tid=%u trailer.time=%lu trailer.cpu=%d\n", task->process,
	       task->number, (unsigned long)now, cpu);
}

static void print_maps(const struct task *task)
{
	char path[64], line[4096], file[4096], rights[8];
	unsigned long start_address, end, offset;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)task->tid);
	maps = fopen(path, "r");
	if (!maps)
		exit(1);
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %4095s", &start_address, &end, rights,
			   &offset, file) == 5 &&
		    rights[2] == 'x') {
			printf("MMAP misc=(user) pid=%u tid=%u addr=%#lx len=%#lx pgoff=%#lx "
			       "filename=\"%s\"",
			       task->process, task->number, start_address, end - start_address,
			       offset, file);
			print_trailer(task, 0);
		}
	fclose(maps);
}

static void print_comm(const struct task *task, const char *name, const char *misc)
{
	printf("COMM misc=%s pid=%u tid=%u comm=\"%s\"", misc, task->process, task->number, name);
	print_trailer(task, 0);
}

static void print_switch(const struct cpu *cpu, const struct task *task, const struct task *other,
			 const char *misc)
{
	printf("SWITCH_CPU_WIDE misc=%s next_prev_pid=%u next_prev_tid=%u", misc, other->process,
	       other->number);
	print_trailer(task, number_of(cpu));
}

/* ---- Running ---- */

static uint64_t ip_of(pid_t tid)
{
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, tid, NULL, &registers))
		exit(1);
	return registers.rip;
}

static void wait_for(pid_t tid, int *status)
{
	if (waitpid(tid, status, __WALL) != tid)
		exit(1);
}

static struct task *add_task(pid_t tid, const struct task *parent, bool thread)
{
	struct task *task = &tasks[tasks_count];
	int status;

	if (tasks_count == TASKS_MAX)
		exit(1);
	wait_for(tid, &status);
	if (!WIFSTOPPED(status))
		exit(1);
	*task = (struct task){.tid = tid, .number = FIRST_TID + tasks_count++};
	task->process = thread ? parent->process : task->number;
	task->ip = ip_of(tid);
	if (!parent)
		return task;
	task->handles_signals = parent->handles_signals;
	printf("FORK pid=%u ppid=%u tid=%u ptid=%u time=%lu", task->process, parent->process,
	       task->number, parent->number, (unsigned long)now);
	print_trailer(parent, 0);
	return task;
}

/* Executes a step. Evaluates the events of the kernel: new threads and programs. Returns false if
 * the task has ended. */
static bool execute(struct task *task, bool *is_exec)
{
	unsigned long other;
	int status;

	*is_exec = false;
	if (ptrace(PTRACE_SINGLESTEP, task->tid, NULL, (void *)(uintptr_t)task->signal))
		exit(1);
	wait_for(task->tid, &status);
	task->signal = 0;
	if (!WIFSTOPPED(status)) {
		task->ended = true;
		return false;
	}
	switch (status >> 16) {
	case PTRACE_EVENT_CLONE:
	case PTRACE_EVENT_FORK:
		ptrace(PTRACE_GETEVENTMSG, task->tid, NULL, &other);
		add_task((pid_t)other, task, status >> 16 == PTRACE_EVENT_CLONE);
		break;
	case PTRACE_EVENT_EXEC:
		*is_exec = true;
		task->handles_signals = false;
		break;
	default:
		if (WSTOPSIG(status) != SIGTRAP)
			task->signal = WSTOPSIG(status);
	}
	return true;
}

/* The code of new maps is known to the recording before the task continues. */
static void print_changes(const struct task *task, long call, bool is_exec)
{
	if (is_exec)
		print_comm(task, "image", "0x2000");
	if (is_exec || call == SYS_mmap || call == SYS_munmap || call == SYS_mprotect)
		print_maps(task);
}

/* Returns the next task that no CPU runs, or NULL. */
static struct task *next_task(const struct task *after)
{
	const unsigned int from = after ? (unsigned int)(after - tasks) : 0;

	for (unsigned int i = 1; i <= tasks_count; i++) {
		struct task *task = &tasks[(from + i) % tasks_count];

		if (!task->runs && !task->ended)
			return task;
	}
	return NULL;
}

/* Another task continues on the CPU, whose trace has stopped. */
static void switch_task(struct cpu *cpu)
{
	static const struct task idle;
	struct task *before = cpu->task, *next = next_task(before);

	cpu->slice_end = steps + 200 + random_number(1000);
	pass_time(KERNEL_TIME);
	if (!next && before && !before->ended) {
		if (timing == TSC)
			synchronize(cpu, 0);
		return;
	}
	print_switch(cpu, before ? before : &idle, next ? next : &idle, "0x2000");
	if (before)
		before->runs = false;
	cpu->task = next;
	if (!next)
		return;
	next->runs = true;
	pass_time(20);
	print_switch(cpu, next, before ? before : &idle, "0");
	pass_time(KERNEL_TIME + random_number(100));
	if (timing == TSC)
		synchronize(cpu, 0);
}

/* Executes a system call. The CPU can switch to another task. */
static void call_system(struct cpu *cpu)
{
	struct task *task = cpu->task;
	struct user_regs_struct registers;
	bool is_exec, alive;

	if (ptrace(PTRACE_GETREGS, task->tid, NULL, &registers))
		exit(1);
	stop(cpu, false);
	pass_time(KERNEL_TIME);
	alive = execute(task, &is_exec);
	if (alive) {
		task->ip = ip_of(task->tid);
		print_changes(task,
			      (long)registers.orig_rax < 0 ? (long)registers.rax
							   : (long)registers.orig_rax,
			      is_exec);
	}
	if (registers.rax == SYS_rt_sigaction)
		task->handles_signals = cpus_count > 0;
	pass_time(KERNEL_TIME);
	if (!alive || is_exec || (cpus_count && !random_number(3)))
		switch_task(cpu);
	if (cpu->task)
		start(cpu);
}

/* The task is interrupted: another task continues, or the task handles a signal. */
static void interrupt(struct cpu *cpu)
{
	struct task *task = cpu->task;
	bool is_exec;

	stop(cpu, true);
	pass_time(KERNEL_TIME);
	if (task->signal) {
		execute(task, &is_exec);
		task->ip = ip_of(task->tid);
	} else {
		switch_task(cpu);
	}
	pass_time(KERNEL_TIME);
	start(cpu);
}

static void run(struct cpu *cpu)
{
	struct task *task = cpu->task;
	enum class class;
	unsigned int size;
	uint64_t to;
	bool is_exec;

	if (cpus_count && task->handles_signals && !random_number(5000))
		task->signal = SIGUSR2;
	if (task->signal || (cpus_count && steps >= cpu->slice_end)) {
		interrupt(cpu);
		return;
	}
	class = classify_at(task, &size);
	if (class == SYSCALL) {
		call_system(cpu);
		return;
	}
	if (!execute(task, &is_exec))
		exit(1);
	to = ip_of(task->tid);
	/* An instruction with the prefix REP has a step for each repetition. */
	if (to != task->ip)
		step(cpu, class, size, to);
	task->ip = to;
	if (!cpu->lost && cpu->branches > cpu->synchronized + 1000)
		synchronize(cpu, to);
}

static void run_all(uint64_t count)
{
	const unsigned int all = cpus_count ? cpus_count : 1;
	bool lost = false;

	cpus[0].task = &tasks[0];
	tasks[0].runs = true;
	for (unsigned int i = 0; i < all; i++) {
		struct cpu *cpu = &cpus[i];

		cpu->trace = open_memstream(&cpu->text, &cpu->size);
		cpu->next_gap = gap_length;
		synchronize(cpu, 0);
	}
	if (cpus_count)
		print_switch(&cpus[0], &tasks[0], &tasks[0], "0");
	pass_time(MTC_PERIOD);
	start(&cpus[0]);
	while (branches < count || lost) {
		lost = false;
		for (unsigned int i = 0; i < all; i++) {
			if (cpus[i].task) {
				run(&cpus[i]);
			} else {
				switch_task(&cpus[i]);
				if (cpus[i].task)
					start(&cpus[i]);
			}
			lost |= cpus[i].lost;
		}
		pass_time(STEP_TIME);
		steps++;
	}
	for (unsigned int i = 0; i < all; i++) {
		if (cpus[i].task)
			stop(&cpus[i], true);
		flush(&cpus[i]);
	}
}

/* ---- The recording ---- */

static void print_head(void)
{
	/* Bits of the config: TSC, MTC with its period, CYC. */
	static const unsigned int configs[] = {0x400, 0x400 | 0x200 | 3 << 14,
					       0x400 | 0x200 | 3 << 14 | 2};

	printf("BEGIN\n"
	       "HEADER_ATTR attr_type=8 config=%#x sample_period=1 id=1\n"
	       "  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)\n"
	       "HEADER_ATTR attr_type=1 config=9 sample_period=1 id=2\n"
	       "  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all%s)\n"
	       "HEADER_FEATURE feature=(NRCPUS) available=%u online=%u\n"
	       "TIME_CONV shift=0 mult=1 zero=0\n"
	       "AUXTRACE_INFO aux_type=1 priv[0]=8 priv[1]=0 priv[2]=1 priv[3]=0 priv[4]=1 "
	       "priv[5]=0x400\n"
	       "  priv[6]=0x800 priv[7]=%d priv[8]=0 priv[9]=%d priv[10]=0x200 priv[11]=0x3c000\n"
	       "  priv[12]=%u priv[13]=%u priv[14]=2 priv[15]=%d priv[16]=0\n",
	       configs[timing], cpus_count ? " context_switch" : "", cpus_count ? cpus_count : 1,
	       cpus_count ? cpus_count : 1, cpus_count ? 3 : 0, cpus_count > 0,
	       timing == TSC ? 0 : TICK, timing != TSC, timing == TSC ? 0 : RATIO);
}

/* Prints the bytes of a trace, or parts of them, which do not end with a packet. */
static void print_trace(struct cpu *cpu, int parts)
{
	const size_t all = cpu->size / 2, part = parts ? all / 24 * 8 + 8 : all;

	for (size_t at = 0, size; at < all; at += size) {
		size = part < all - at ? part : all - at;
		if (parts == 2 && at == part)
			continue;
		printf("AUXTRACE reference=1000 aux_offset=%zu payload_size=%zu payload=%.*s "
		       "idx=%d "
		       "cpu=%d tid=%d\n",
		       at, size, (int)(2 * size), cpu->text + 2 * at, (int)(cpu - cpus),
		       number_of(cpu), cpus_count ? -1 : (int)FIRST_TID);
	}
	free(cpu->text);
}

static bool parse(int argc, char **argv)
{
	static const char *const timings[] = {"tsc", "mtc", "cyc"};

	if (argc < 5 || argc == 6 || argc > 8)
		return false;
	compress = atoi(argv[2]);
	gap_length = strtoull(argv[3], NULL, 10);
	if (argc == 5)
		return true;
	cpus_count = (unsigned int)atoi(argv[5]);
	while (timing < CYC && strcmp(timings[timing], argv[6]))
		timing++;
	return cpus_count > 0 && cpus_count <= CPUS_MAX;
}

/* A step is several times faster if no other CPU must be woken up for it. */
static void stay_on_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	pid_t child;

	if (!parse(argc, argv))
		return 2;
	stay_on_cpu();
	truth = fopen(argv[4], "w");
	for (int i = 0; i < IMAGES && cpus_count; i++)
		write_image(i);
	child = fork();
	if (child < 0 || !truth)
		return 1;
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		if (cpus_count)
			work_in_parallel();
		work(false);
	}
	print_head();
	add_task(child, NULL, false);
	if (ptrace(PTRACE_SETOPTIONS, child, NULL,
		   (void *)(uintptr_t)(PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
				       PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)))
		return 1;
	print_comm(&tasks[0], "prog", "0");
	print_maps(&tasks[0]);
	run_all(strtoull(argv[1], NULL, 10));
	for (unsigned int i = 0; i < tasks_count; i++)
		kill(tasks[i].tid, SIGKILL);
	for (unsigned int i = 0; i < (cpus_count ? cpus_count : 1); i++) {
		if (fclose(cpus[i].trace))
			return 1;
		print_trace(&cpus[i], argc == 8 ? atoi(argv[7]) : 0);
	}
	return fclose(truth) != 0;
}
