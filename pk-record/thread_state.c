// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "kallsyms.h"
#include "lookups.h"
#include "procfs.h"
#include "thread_state.h"

#define PATH_SIZE 80

static void make_path(char path[PATH_SIZE], pid_t pid, pid_t tid, const char *name)
{
	snprintf(path, PATH_SIZE, "/proc/%d/task/%d/%s", pid, tid, name);
}

/* ---- State ---- */

/* The number of fields between the state and the number of the processor in /proc/PID/stat. */
#define FIELDS_BEFORE_CPU 36

/* Parses a line of /proc/PID/stat, such as "12 (name) S 1 12 ...". The name can contain parentheses
 * and blanks. */
static bool parse_stat(const char *line, struct thread_state *state)
{
	const char *name = strchr(line, '('), *end = strrchr(line, ')');
	size_t size;

	if (!name || !end || end < name || end[1] != ' ' || !end[2])
		return false;
	size = (size_t)(end - name - 1);
	if (size >= sizeof(state->comm))
		size = sizeof(state->comm) - 1;
	memcpy(state->comm, name + 1, size);
	state->comm[size] = '\0';
	state->state = end[2];
	end += 2;
	for (int i = 0; i < FIELDS_BEFORE_CPU && end; i++)
		end = strchr(end + 1, ' ');
	state->cpu = end ? (uint32_t)strtoul(end, NULL, 10) : 0;
	return true;
}

bool thread_state_read(pid_t pid, pid_t tid, struct thread_state *state)
{
	char path[PATH_SIZE], line[1024];

	*state = (struct thread_state){.call = -1};
	make_path(path, pid, tid, "stat");
	if (!pk_procfs_read_line(path, line, sizeof(line), NULL) || !parse_stat(line, state))
		return false;
	make_path(path, pid, tid, "wchan");
	if (!pk_procfs_read_line(path, state->wait_channel, sizeof(state->wait_channel), NULL) ||
	    !strcmp(state->wait_channel, "0"))
		state->wait_channel[0] = '\0';
	return true;
}

/* The file contains one of three texts. It is "running", or "-1 SP PC" for a thread that is blocked
 * outside of a system call. For a thread that is blocked in a system call, it is the number of the
 * call, the six arguments, SP and PC. */
void thread_state_read_call(pid_t pid, pid_t tid, struct thread_state *state)
{
	char path[PATH_SIZE], line[256];
	uint64_t *args = state->args;

	make_path(path, pid, tid, "syscall");
	if (!pk_procfs_read_line(path, line, sizeof(line), NULL))
		return;
	state->has_call = sscanf(line,
				 "%" SCNd64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
				 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64,
				 &state->call, &args[0], &args[1], &args[2], &args[3], &args[4],
				 &args[5], &state->sp, &state->pc) == 9;
	if (state->has_call || sscanf(line, "-1 %" SCNx64 " %" SCNx64, &state->sp, &state->pc) != 2)
		return;
	state->has_call = true;
	memset(args, 0, sizeof(state->args));
}

/* ---- Kernel stacks ---- */

#define KALLSYMS_LIMIT (256u << 20)
#define STACK_LIMIT    (64u << 10)

void kernel_stacks_open(struct kernel_stacks *stacks)
{
	size_t size;
	char *own = pk_procfs_read_file("/proc/self/stack", STACK_LIMIT, &size, NULL), *text;

	stacks->refused = true;
	free(own);
	if (!own)
		return;
	text = pk_procfs_read_file("/proc/kallsyms", KALLSYMS_LIMIT, &size, pk_lookups());
	stacks->symbols = pk_need(pk_lookups(), calloc(1, sizeof(*stacks->symbols)));
	if (!text || !stacks->symbols) {
		free(text);
		return;
	}
	if (pk_need_room(pk_lookups(), pk_kallsyms_parse(stacks->symbols, text, size)) == PK_OK)
		stacks->refused = stacks->symbols->hidden;
}

/* Returns the address of a function of the kernel. Searches all symbols, because there are few
 * searches, and making a table of the names would take longer. If several functions have this name,
 * prefers one of this size. Returns 0 if there is no such function. */
static uint64_t search(const struct kernel_stacks *stacks, const char *name, uint64_t size)
{
	const struct pk_symtable *table = &stacks->symbols->table;
	uint64_t found = 0;

	for (size_t i = 0; i < table->count; i++) {
		const struct pk_symtable_entry *entry = &table->entries[i];

		if (entry->info & (PK_ENTRY_SHOWN | PK_ENTRY_DATA) || entry->back ||
		    strcmp(table->names + entry->name, name) != 0)
			continue;
		if (!found || entry->size == size)
			found = entry->at;
		if (entry->size == size)
			break;
	}
	return found;
}

static uint64_t address_of(struct kernel_stacks *stacks, const char *name, uint64_t size)
{
	const uint64_t key = pk_hash(name, strlen(name), pk_table_secret(&stacks->known)) ^ size;
	uint64_t known = pk_table_get_u64(&stacks->known, key);

	if (known)
		return known - 1;
	known = search(stacks, name, size);
	pk_need_room(pk_lookups(), pk_table_set_u64(&stacks->known, key, known + 1));
	return known;
}

/* Parses a line such as "[<0>] futex_wait_queue+0x66/0x90 [module]". Returns 0 if the function is
 * unknown. */
static uint64_t parse_line(struct kernel_stacks *stacks, const char *line)
{
	uint64_t offset, size, start;
	char name[128];

	if (sscanf(line, "[<%*[^>]>] %127[^+]+0x%" SCNx64 "/0x%" SCNx64, name, &offset, &size) != 3)
		return 0;
	start = address_of(stacks, name, size);
	return start ? start + offset : 0;
}

size_t kernel_stacks_read(struct kernel_stacks *stacks, pid_t pid, pid_t tid,
			  uint64_t addresses[KERNEL_STACK_MAX])
{
	char path[PATH_SIZE], *text, *rest = NULL;
	size_t size, count = 0;

	if (stacks->refused)
		return 0;
	make_path(path, pid, tid, "stack");
	text = pk_procfs_read_file(path, STACK_LIMIT, &size, NULL);
	for (char *line = text ? strtok_r(text, "\n", &rest) : NULL;
	     line && count < KERNEL_STACK_MAX; line = strtok_r(NULL, "\n", &rest)) {
		addresses[count] = parse_line(stacks, line);
		count += addresses[count] != 0;
	}
	free(text);
	return count;
}

void kernel_stacks_free(struct kernel_stacks *stacks)
{
	if (stacks->symbols)
		pk_kallsyms_clear(stacks->symbols);
	free(stacks->symbols);
	pk_table_free(&stacks->known);
}
