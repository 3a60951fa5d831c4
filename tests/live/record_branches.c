// SPDX-License-Identifier: BSD-2-Clause
/* record_branches [-g | -k DISTANCE] PERIOD PROGRAM [ARG...] >STREAM: runs a program with one
 * thread, one instruction after the other, and writes a stream as pk-record -b does on a processor
 * that records branches. After each PERIOD taken branches, there is a sample with the last 32 of
 * them. The records are exact: no branch is lost. The output of the program goes to stderr. With
 * -g, samples also have callchains. With -k, the code of the program becomes that of a kernel,
 * whose addresses are higher by DISTANCE. Exits with 77 on another machine than x86-64. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pkstream.h"

#ifdef __x86_64__

enum { ENTRIES = 32, CHAIN_MAX = 64, MAPS_MAX = 256, PATH_SIZE = 512 };

struct PERF_RECORD_TYPE entry {
	uint64_t from, to, flags;
};

/* A sample. Its callchain and its branches follow. */
struct PERF_RECORD_TYPE sample {
	struct perf_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time, period;
};

/* What is recorded. */
static struct recording {
	struct pk_writer *writer;
	pid_t pid;
	uint64_t period, time, branches;
	bool stacks;		    /* samples have callchains */
	uint64_t distance;	    /* what is added to all addresses; 0 without -k */
	struct entry ring[ENTRIES]; /* branch number n is ring[n % ENTRIES] */
	uint64_t maps[MAPS_MAX];    /* the starts of the maps that were written */
	unsigned int maps_count;
} r;

static void die(const char *what)
{
	fprintf(stderr, "record_branches: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ---- Maps ---- */

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
	return pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

/* Finds the build-id in a segment of notes. Returns its size. */
static uint8_t build_id_of_notes(int fd, const Elf64_Phdr *phdr, uint8_t id[20])
{
	Elf64_Nhdr note;

	for (uint64_t at = 0; at + sizeof(note) < phdr->p_filesz;) {
		const uint64_t data = at + sizeof(note);

		if (!read_at(fd, &note, sizeof(note), phdr->p_offset + at))
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz <= 20)
			return read_at(fd, id, note.n_descsz, phdr->p_offset + data + 4)
				       ? (uint8_t)note.n_descsz
				       : 0;
		at = data + (note.n_namesz + 3) / 4 * 4 + (note.n_descsz + 3) / 4 * 4;
	}
	return 0;
}

/* Returns the size of the build-id of a file, or 0 if it has none. */
static uint8_t read_build_id(const char *path, uint8_t id[20])
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t size = 0;
	Elf64_Ehdr head;
	Elf64_Phdr phdr;

	if (fd < 0)
		return 0;
	if (read_at(fd, &head, sizeof(head), 0))
		for (unsigned int i = 0; i < head.e_phnum && !size; i++)
			if (read_at(fd, &phdr, sizeof(phdr), head.e_phoff + i * sizeof(phdr)) &&
			    phdr.p_type == PT_NOTE)
				size = build_id_of_notes(fd, &phdr, id);
	close(fd);
	return size;
}

static uint16_t mode(void)
{
	return r.distance ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

static void write_map(uint64_t start, uint64_t end, uint64_t pgoff, const char *path)
{
	const size_t text = (strlen(path) + 8) / 8 * 8;
	uint8_t id[20] = {0};
	const uint8_t id_size = read_build_id(path, id);
	uint8_t *data = pk_writer_append(r.writer, PERF_RECORD_MMAP2,
					 PERF_RECORD_MISC_USER |
						 (id_size ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0),
					 sizeof(struct perf_record_mmap2) + text);
	struct perf_record_mmap2 *map = (struct perf_record_mmap2 *)data;

	if (!map)
		return;
	memset(data + sizeof(map->header), 0, sizeof(*map) - sizeof(map->header) + text);
	map->pid = map->tid = (uint32_t)r.pid;
	map->addr = start;
	map->len = end - start;
	map->pgoff = pgoff;
	map->build_id_size = id_size;
	memcpy(map->build_id, id, sizeof(id));
	map->prot = 5;
	map->flags = 2;
	memcpy(data + sizeof(*map), path, strlen(path));
}

/* Writes the map of a kernel. Its symbol _text is at the start of the map. */
static void write_kernel(uint64_t start, uint64_t end)
{
	static const char name[24] = "[kernel.kallsyms]_text";
	uint8_t *data = pk_writer_append(r.writer, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL,
					 sizeof(struct perf_record_mmap) + sizeof(name));
	struct perf_record_mmap *map = (struct perf_record_mmap *)data;

	if (!map)
		return;
	map->pid = UINT32_MAX;
	map->tid = 0;
	map->addr = map->pgoff = start + r.distance;
	map->len = end - start;
	memcpy(data + sizeof(*map), name, sizeof(name));
}

/* Writes the maps with code that were not written yet. */
static void write_maps(void)
{
	char line[PATH_SIZE + 128], path[PATH_SIZE], name[64], access[8];
	uint64_t start, end, pgoff;
	unsigned int i;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/maps", r.pid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %511s", &start,
			   &end, access, &pgoff, path) != 5 ||
		    access[2] != 'x')
			continue;
		for (i = 0; i < r.maps_count && r.maps[i] != start; i++)
			;
		if (i < r.maps_count || i == MAPS_MAX)
			continue;
		r.maps[r.maps_count++] = start;
		if (!r.distance)
			write_map(start, end, pgoff, path);
		else if (*path == '/')
			write_kernel(start, end);
	}
	if (file)
		fclose(file);
}

/* ---- Records ---- */

static void write_event(void)
{
	const uint64_t id = 1;
	struct perf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_HARDWARE;
	attr.size = sizeof(attr);
	attr.sample_period = r.period;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			   PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK |
			   (r.stacks ? PERF_SAMPLE_CALLCHAIN : 0);
	attr.flags = (r.distance ? 0 : PERF_ATTR_EXCLUDE_KERNEL) | PERF_ATTR_MMAP2;
	attr.branch_sample_type = 1 << !!r.distance | PERF_SAMPLE_BRANCH_ANY; /* user or kernel */
	pk_writer_attr(r.writer, &attr, &id, 1);
}

static void write_comm(const char *program)
{
	const char *slash = strrchr(program, '/');
	uint8_t *data = pk_writer_append(r.writer, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC,
					 sizeof(struct perf_record_comm) + 16);
	struct perf_record_comm *comm = (struct perf_record_comm *)data;

	if (!comm)
		return;
	comm->pid = comm->tid = (uint32_t)r.pid;
	memset(data + sizeof(*comm), 0, 16);
	strncpy((char *)data + sizeof(*comm), slash ? slash + 1 : program, 15);
}

static uint64_t read_word(uint64_t address)
{
	uint64_t word = 0;
	struct iovec to = {&word, sizeof(word)}, from = {(void *)(uintptr_t)address, sizeof(word)};

	return process_vm_readv(r.pid, &to, 1, &from, 1, 0) == sizeof(word) ? word : 0;
}

/* Stores the callchain, which follows the frame pointers. After a call, the function has not
 * stored the frame pointer yet. Returns the number of addresses. */
static uint64_t make_chain(const struct user_regs_struct *regs, bool called, uint64_t *chain)
{
	uint64_t count = 0, frame = regs->rbp, next;

	chain[count++] = PERF_CONTEXT_USER;
	chain[count++] = regs->rip;
	if (called)
		chain[count++] = read_word(regs->rsp);
	while (count < CHAIN_MAX && (next = read_word(frame + sizeof(frame)))) {
		chain[count++] = next;
		next = read_word(frame);
		if (next <= frame)
			break;
		frame = next;
	}
	return count;
}

static void write_sample(const struct user_regs_struct *regs, bool called)
{
	uint8_t record[sizeof(struct sample) + (CHAIN_MAX + 2) * sizeof(uint64_t) +
		       ENTRIES * sizeof(struct entry)] = {0};
	struct sample *sample = (struct sample *)record;
	uint64_t chain[1 + CHAIN_MAX];
	const uint64_t count = r.branches < ENTRIES ? r.branches : ENTRIES;
	uint8_t *at = record + sizeof(*sample);

	if (r.stacks) {
		chain[0] = make_chain(regs, called, chain + 1);
		at = mempcpy(at, chain, (1 + chain[0]) * sizeof(*chain));
	}
	at = mempcpy(at, &count, sizeof(count));
	for (uint64_t i = 0; i < count; i++)
		at = mempcpy(at, &r.ring[(r.branches - 1 - i) % ENTRIES], sizeof(struct entry));
	sample->header = (struct perf_header){PERF_RECORD_SAMPLE, mode(), (uint16_t)(at - record)};
	sample->ip = regs->rip + r.distance;
	sample->pid = sample->tid = (uint32_t)r.pid;
	sample->time = ++r.time * 1000;
	sample->period = r.period;
	pk_writer_record(r.writer, record, (size_t)(at - record));
}

/* ---- Instructions ---- */

/* Returns whether an instruction after which the program continued at `next` is a taken branch. A
 * branch to the next instruction is a branch. */
static bool is_branch(const uint8_t code[16], uint64_t ip, uint64_t next)
{
	size_t n = 0;

	while (n < 8 && (code[n] == 0xf2 || code[n] == 0xf3 || code[n] == 0x2e || code[n] == 0x3e ||
			 code[n] == 0x66 || (code[n] & 0xf0) == 0x40))
		n++;
	if ((code[n] & 0xf0) == 0x70 || (code[n] >= 0xe0 && code[n] <= 0xe3))
		return next != ip + n + 2;
	if (code[n] == 0x0f && (code[n + 1] & 0xf0) == 0x80)
		return next != ip + n + 6;
	switch (code[n]) {
	case 0xe8:
	case 0xe9:
	case 0xeb:
	case 0xc2:
	case 0xc3: return true;
	case 0xff: return (code[n + 1] >> 3 & 7) == 2 || (code[n + 1] >> 3 & 7) == 4;
	default: return false;
	}
}

/* Reads the bytes of the instruction. At the end of a map, the bytes after it are 0. */
static void read_code(uint64_t ip, uint8_t code[16])
{
	for (size_t size = 16; size; size--) {
		struct iovec to = {code, size}, from = {(void *)(uintptr_t)ip, size};

		memset(code, 0, 16);
		if (process_vm_readv(r.pid, &to, 1, &from, 1, 0) == (ssize_t)size)
			return;
	}
}

static void note_branch(uint64_t ip, const struct user_regs_struct *regs, bool called)
{
	const uint64_t predicted = 2;

	r.ring[r.branches++ % ENTRIES] =
		(struct entry){ip + r.distance, regs->rip + r.distance, predicted};
	if (r.branches % r.period == 0)
		write_sample(regs, called);
}

/* The last instructions, by address. Most instructions run many times. */
static struct cached {
	uint64_t ip;
	uint8_t code[16];
} cache[1 << 16];

static int run(void)
{
	struct user_regs_struct regs;
	uint64_t ip, before;
	int status, number = 0;

	if (ptrace(PTRACE_GETREGS, r.pid, NULL, &regs) < 0)
		die("ptrace");
	for (;;) {
		struct cached *cached = &cache[(ip = regs.rip) & 0xffff];

		if (cached->ip != ip)
			read_code(cached->ip = ip, cached->code);
		before = regs.rsp;
		if (ptrace(PTRACE_SINGLESTEP, r.pid, NULL, number) < 0 ||
		    waitpid(r.pid, &status, 0) < 0)
			die("step");
		if (!WIFSTOPPED(status))
			return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
		number = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		if (ptrace(PTRACE_GETREGS, r.pid, NULL, &regs) < 0)
			die("ptrace");
		if (is_branch(cached->code, ip, regs.rip))
			note_branch(ip, &regs, regs.rsp + sizeof(ip) == before);
		else if (cached->code[0] == 0x0f && cached->code[1] == 0x05)
			write_maps();
	}
}

int main(int argc, char **argv)
{
	struct pk_writer_options options;
	int status;

	if (argc > 1 && !strcmp(argv[1], "-g")) {
		r.stacks = true;
		argv++;
		argc--;
	}
	if (argc > 2 && !strcmp(argv[1], "-k")) {
		r.distance = strtoull(argv[2], NULL, 0);
		argv += 2;
		argc -= 2;
	}
	if (argc < 3)
		return 2;
	memset(&options, 0, sizeof(options));
	options.fd = STDOUT_FILENO;
	if (pk_writer_new(&options, &r.writer) != PK_OK)
		die("writer");
	r.period = strtoull(argv[1], NULL, 10);
	r.pid = fork();
	if (!r.pid) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (r.pid < 0 || waitpid(r.pid, &status, 0) < 0 || !WIFSTOPPED(status))
		die(argv[2]);
	pk_writer_header(r.writer);
	write_event();
	write_comm(argv[2]);
	write_maps();
	status = run();
	if (pk_writer_flush(r.writer) != PK_OK)
		die("write");
	pk_writer_free(r.writer);
	return status;
}

#else

int main(void)
{
	return 77;
}

#endif
