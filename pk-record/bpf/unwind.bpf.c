// SPDX-License-Identifier: BSD-2-Clause
/* The BPF programs of --call-graph unwind, see ../unwind_bpf.h. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/errno.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "interpreters_bpf.h"
#include "kernel_types.h"
#include "license.h"
#include "maps.h"
#include "unwind_files.h"
#include "unwind_shapes.h"
#include "unwind_window.h"

/* pk-record has no unwind rules for other machines, see load() in ../unwind_bpf.c. */
#if defined(HOST_x86_64) || defined(HOST_aarch64)

#define PK_UNWIND_READ(arg, address, to, size) unwind_window_read(arg, address, to, (size) / 8)
#if defined(HOST_aarch64)
#define PK_UNWIND_PC_MASK ((UINT64_C(1) << 48) - 1)
#endif
#include "unwind_rule.h"

#include "unwind_lines.h"

const volatile struct unwind_settings settings;

struct arena {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, UNWIND_ARENA_SIZE);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(key_size, sizeof(uint32_t));
	__uint(max_entries, UNWIND_ARENAS_MAX);
	__array(values, struct arena);
} arenas SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(struct pk_unwind_rule));
	__uint(max_entries, UNWIND_RULES_MAX);
	__uint(map_flags, BPF_F_MMAPABLE);
} rules SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint64_t));
	__uint(max_entries, UNWIND_CHUNKS_MAX);
	__uint(map_flags, BPF_F_MMAPABLE);
} chunks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(struct unwind_object_code));
	__uint(max_entries, UNWIND_OBJECTS_MAX);
	__uint(map_flags, BPF_F_MMAPABLE);
} objects SEC(".maps");

MAP(seen, HASH, sizeof(uint32_t), sizeof(struct unwind_seen), UNWIND_PROCESSES_MAX);

/* The pids of the recorded processes. Used if settings.known_only is set. */
MAP(processes, HASH, sizeof(uint32_t), sizeof(uint32_t), UNWIND_PROCESSES_MAX);

/* The ring with requests to pk-record (struct unwind_request). */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, UNWIND_REQUESTS_SIZE);
} requests SEC(".maps");

/* The bpf-output event of each CPU, to which the halves are written. */
MAP(outputs, PERF_EVENT_ARRAY, sizeof(uint32_t), sizeof(uint32_t), 1);

#define PAGE 4096u

/* The memory of a program while it unwinds a stack. The values are here and not in local variables,
 * because the verifier does not track values in a map. So it checks each instruction only a few
 * times. */
struct scratch {
	uint32_t busy;	 /* 1 while a program that can be interrupted uses this memory */
	uint32_t number; /* index of this memory among the UNWIND_SCRATCHES of the CPU */
	struct pk_unwind_state state, initial;
	struct {
		uint64_t start;
		uint32_t pages, chunk, offset, interpreter;
	} map; /* The map that contains the last address, or a part of this map (see use_map()).
		  `chunk` is the number of its first chunk, and `offset` is the offset of its start
		  in this chunk. */
	uint32_t at;		/* the current index of a binary search, see AT() */
	uint32_t end, unmapped; /* `end` is the value for unwind_half.end; `unmapped` is 1 if the
				   last address was in no map */
	uint32_t by_frame; /* UNWIND_BY_FRAME if the current address was found by the frame pointer;
			    * otherwise 0 */
	uint32_t unknown;  /* number of the file that contains the last address, if it is not loaded
			    * yet; otherwise 0 */
	uint32_t unmade; /* number of the chunk that contains the last address, plus 1, if it is not
			  * made yet; otherwise 0 */
	uint64_t trampoline; /* the address to which functions with a return probe return; 0 if no
			      * such function is running */
	const struct return_instance *returns; /* the calls with a return probe that were not
						* unwound yet, the innermost call first */
	struct unwind_seen maps;
	struct unwind_map tail[UNWIND_SEEN_MAX];
	struct interpreted_walk interpreted;
	struct unwind_half half;
	uint64_t tag; /* tag of the lines of this process in the cache, see unwind_line.tag; 0 if
		       * its maps are unknown */
	struct unwind_window window;
	uint8_t unused[PAGE]; /* The verifier does not know that a dump ends before these bytes. */
};

/* The memory of each CPU, see UNWIND_SCRATCHES. Entry 0 is for programs that cannot interrupt each
 * other: the kernel runs only one of them at a time on a CPU. The other entries are for programs of
 * probes. Such a program can be interrupted by these programs, and by other threads. */
MAP(scratches, PERCPU_ARRAY, sizeof(uint32_t), sizeof(struct scratch), UNWIND_SCRATCHES);

#define INSIDE (UNWIND_ARENA_SIZE - 1)

/* ---- Lookups ---- */

static const uint8_t *arena_of(uint32_t place)
{
	const uint32_t arena = place >> UNWIND_ARENA_BITS, first = 0;
	void *map = bpf_map_lookup_elem(&arenas, &arena);

	return map ? bpf_map_lookup_elem(map, &first) : NULL;
}

static uint16_t u16_at(const uint8_t *arena, uint32_t at)
{
	return *(const uint16_t *)(arena + (at & INSIDE & ~1u));
}

/* Marks a function that the compiler must not inline. The verifier then checks the function once
 * for each program, and not once for each path that leads to it. */
#define FUNCTION __attribute__((noinline))

#define AT(s) (*(volatile uint32_t *)&(s)->at)

/* The argument of the loop that unwinds a stack. */
struct walk {
	struct scratch *s;
	const struct unwind_seen *seen; /* the known maps of the process; NULL if there are none */
	struct unwind_lines *cache;
};

/* Sets s->map for an address in the map `map`. s->map becomes the part of the map that has rules
 * and contains the address. If there is no such part, it becomes the whole map. */
static void use_map(struct scratch *s, const struct unwind_map *map, uint64_t address)
{
	const uint64_t place = map->place, start = UNWIND_MAP_START(place);
	const uint32_t number = UNWIND_MAP_OBJECT(place);
	const uint32_t page = map->first + (uint32_t)((address - start) >> 12);
	const uint32_t stop = map->first + map->pages;
	struct unwind_object_code *code;

	s->map.start = start;
	s->map.pages = map->pages;
	s->map.chunk = UNWIND_NO_CHUNK;
	s->map.interpreter = 0;
	code = number ? bpf_map_lookup_elem(&objects, &number) : NULL;
	if (!code)
		return;
	if (code->state != UNWIND_LOADED)
		s->unknown = number;
	s->map.interpreter = code->interpreter != 0;
	if (code->interpreter)
		interpreted_meet(&s->interpreted, code, number,
				 start - ((uint64_t)map->first << 12));
	for (uint32_t i = 0; i < UNWIND_LOADS_MAX; i++) {
		const struct unwind_load *load = &code->loads[i];
		const uint32_t first = load->first > map->first ? load->first : map->first;
		const uint32_t end = load->first + load->pages;

		if (page - load->first >= load->pages)
			continue;
		s->map.start = start + ((uint64_t)(first - map->first) << 12);
		s->map.pages = (end < stop ? end : stop) - first;
		s->map.offset = load->offset + ((first - load->first) << 12);
		s->map.chunk = load->chunk;
		break;
	}
}

static int has_address(const struct unwind_map *map, uint64_t address)
{
	return address - UNWIND_MAP_START(map->place) < (uint64_t)map->pages << 12;
}

/* Finds the map that contains an address among the known maps of the process. If there is such a
 * map, sets s->map and returns 1. Otherwise returns 0. */
static int find_seen(struct scratch *s, const struct unwind_seen *maps, uint64_t address)
{
	uint32_t at;

	if (!maps)
		return 0;
	AT(s) = 0;
	for (uint32_t step = UNWIND_SEEN_MAX / 2; step; step /= 2) {
		const uint32_t next = AT(s) + step;

		if (next < UNWIND_SEEN_MAX && next < maps->count &&
		    UNWIND_MAP_START(maps->maps[next].place) <= address)
			AT(s) = next;
	}
	at = AT(s);
	if (at >= UNWIND_SEEN_MAX || !has_address(&maps->maps[at], address))
		return 0;
	use_map(s, &maps->maps[at], address);
	return 1;
}

/* Sets s->map to the map that contains the address, see use_map(). Returns 0 if none of the known
 * maps contains it. maps can be NULL. */
FUNCTION int pk_unwind_find_map(struct scratch *s, const struct unwind_seen *maps, uint64_t address)
{
	if (!s)
		return 0;
	return find_seen(s, maps, address);
}

static int find_map(const struct walk *walk, uint64_t address)
{
	const struct scratch *s = walk->s;

	return address - s->map.start < (uint64_t)s->map.pages << 12 ||
	       pk_unwind_find_map(walk->s, walk->seen, address);
}

/* Returns the index in `rules` of the rule for an address in s->map. Returns 0, the rule
 * PK_UNWIND_NONE, if there is no rule. */
static uint32_t find_rule(struct scratch *s, uint64_t address)
{
	const uint64_t relative = address - s->map.start + s->map.offset;
	const uint32_t chunk = s->map.chunk + (uint32_t)(relative >> UNWIND_CHUNK_BITS);
	const uint32_t low = relative & ((1u << UNWIND_CHUNK_BITS) - 1);
	const uint64_t *place;
	const uint8_t *arena;
	uint32_t at, last;

	if (s->map.chunk == UNWIND_NO_CHUNK)
		return 0;
	place = bpf_map_lookup_elem(&chunks, &chunk);
	if (place && *place >= UNWIND_ASKED_PLACE) {
		s->unmade = chunk + 1;
		return 0;
	}
	arena = place ? arena_of(*place) : NULL;
	if (!arena)
		return 0;
	at = *place + 2 * (low >> UNWIND_BLOCK_BITS);
	AT(s) = u16_at(arena, at);
	last = u16_at(arena, at + 2);
	at = *place + sizeof(struct unwind_chunk);
	for (uint32_t step = 1u << (UNWIND_BLOCK_BITS - 1); step; step /= 2) {
		const uint32_t next = AT(s) + step;

		if (next <= last && u16_at(arena, at + next * sizeof(struct unwind_row)) <= low)
			AT(s) = next;
	}
	return u16_at(arena, at + AT(s) * sizeof(struct unwind_row) + 2);
}

/* ---- Maps of the kernel ---- */

#define VM_EXEC 4u

/* What note_area() has found out about the memory area of an address. */
struct area {
	struct unwind_map map;
	uint64_t vdso;
	uint32_t is_code;
};

static long note_area(struct task_struct *task, const struct vm_area_struct *vma, struct area *area)
{
	const uint64_t start = BPF_CORE_READ(vma, vm_start);
	const struct inode *inode = BPF_CORE_READ(vma, vm_file, f_inode);
	uint32_t number = start == area->vdso ? UNWIND_VDSO : 0;

	(void)task;
	area->is_code = (BPF_CORE_READ(vma, vm_flags) & VM_EXEC) != 0;
	if (!area->is_code)
		return 0;
	if (inode)
		number = number_of(inode);
	area->map.place = start >> 12 << UNWIND_OBJECT_BITS | number;
	area->map.pages = (BPF_CORE_READ(vma, vm_end) - start) >> 12;
	area->map.first = inode ? BPF_CORE_READ(vma, vm_pgoff) : 0;
	return 0;
}

/* Adds a map to s->maps. If there is a map with the same start, replaces it. */
static void add_map(struct scratch *s, const struct unwind_map *map)
{
	struct unwind_seen *to = &s->maps;
	const uint64_t start = UNWIND_MAP_START(map->place);
	uint32_t at, size;

	if (to->count >= UNWIND_SEEN_MAX)
		to->count = 0;
	AT(s) = 0;
	for (uint32_t step = UNWIND_SEEN_MAX / 2; step; step /= 2) {
		const uint32_t next = AT(s) + step;
		const uint32_t last = (next - 1) & (UNWIND_SEEN_MAX - 1);

		if (next < UNWIND_SEEN_MAX && next <= to->count &&
		    UNWIND_MAP_START(to->maps[last].place) < start)
			AT(s) = next;
	}
	at = AT(s);
	if (at >= UNWIND_SEEN_MAX)
		return;
	if (at == to->count || UNWIND_MAP_START(to->maps[at].place) != start) {
		size = (to->count - at) * sizeof(*map);
		if (size > sizeof(s->tail))
			return;
		bpf_probe_read_kernel(s->tail, size, &to->maps[at]);
		bpf_probe_read_kernel(&to->maps[at] + 1, size, s->tail);
		to->count++;
	}
	to->maps[at] = *map;
}

enum see { SEE_NO_CODE, SEE_FOUND, SEE_BUSY };

/* Reads from the kernel the map that contains an address of the current process, and adds it to
 * s->maps. If interrupts are disabled, this succeeds only once in a run of the program, because the
 * kernel then releases the lock of the maps only after the program. */
FUNCTION int pk_unwind_see(struct scratch *s, uint64_t address)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct area area = {.is_code = 0};
	long error;

	if (!s)
		return SEE_BUSY;
	area.vdso = (uint64_t)BPF_CORE_READ(task, mm, context.vdso);
	error = bpf_find_vma(task, address, note_area, &area, 0);
	if (error)
		return error == -ENOENT ? SEE_NO_CODE : SEE_BUSY;
	if (!area.is_code)
		return SEE_NO_CODE;
	add_map(s, &area.map);
	return SEE_FOUND;
}

static void keep_maps(struct scratch *s, uint32_t pid)
{
	struct unwind_numbers *n = get_numbers();

	if (!n)
		return;
	s->maps.generation = __sync_fetch_and_add(&n->generation, 1) + 1;
	if (bpf_map_update_elem(&seen, &pid, &s->maps, BPF_ANY))
		count_full(&n->processes_full);
}

/* Adds the map that contains an address to the known maps of the process. Returns an enum see. */
static int see(struct scratch *s, uint32_t pid, uint64_t address)
{
	const struct unwind_seen *before = bpf_map_lookup_elem(&seen, &pid);
	int found;

	s->maps.count = 0;
	if (before)
		bpf_probe_read_kernel(&s->maps, sizeof(s->maps), before);
	found = pk_unwind_see(s, address);
	if (found == SEE_FOUND)
		keep_maps(s, pid);
	return found;
}

/* ---- Return probes ---- */

/* If a function has a return probe, the kernel replaces its return address by the address of a
 * trampoline. */
#if defined(HOST_x86_64)
#define RETURN_ADDRESS_SIZE 8 /* in bytes; a call stores the address on the stack */
#else
#define RETURN_ADDRESS_SIZE 0
#endif

#define RETURNS_MAX 64

/* Called if the thread runs in the memory that the kernel adds to a process for probes. The thread
 * executes there a copied instruction of a probe, or the trampoline, which has pushed registers to
 * the stack. Sets the registers to those that the program has outside of this memory. */
static void leave_probe(struct scratch *s, const struct uprobe_task *utask)
{
	const struct return_instance *from = s->returns;

	if (BPF_CORE_READ(utask, active_uprobe)) {
		s->state.pc += BPF_CORE_READ(utask, vaddr) - BPF_CORE_READ(utask, xol_vaddr);
	} else if (from) {
		s->state.pc = BPF_CORE_READ(from, orig_ret_vaddr);
		s->state.sp = BPF_CORE_READ(from, stack) + RETURN_ADDRESS_SIZE;
		s->returns = BPF_CORE_READ(from, next);
	}
}

/* Finds out whether functions with return probes are on the stack, and whether the thread is in the
 * memory for probes. */
FUNCTION int pk_unwind_start_probed(struct scratch *s)
{
	const struct task_struct *task = (const void *)bpf_get_current_task();
	const struct uprobe_task *utask;
	uint64_t area;

	if (!s)
		return 0;
	s->trampoline = 0;
	if (!bpf_core_field_exists(task->utask))
		return 0;
	utask = BPF_CORE_READ(task, utask);
	area = utask ? BPF_CORE_READ(task, mm, uprobes_state.xol_area, vaddr) : 0;
	if (!area)
		return 0;
	s->returns = BPF_CORE_READ(utask, return_instances);
	s->trampoline = s->returns ? area : 0;
	if (s->state.pc - area < PAGE)
		leave_probe(s, utask);
	return 0;
}

/* Called if s->state.pc is the address of the trampoline. Replaces it by the original return
 * address. Returns 0 if the original return address is unknown. */
FUNCTION int pk_unwind_find_return(struct scratch *s)
{
	for (int i = 0; s && s->returns && i < RETURNS_MAX; i++) {
		const struct return_instance *from = s->returns;

		s->returns = BPF_CORE_READ(from, next);
		if (BPF_CORE_READ(from, stack) + RETURN_ADDRESS_SIZE != s->state.sp)
			continue;
		s->state.pc = BPF_CORE_READ(from, orig_ret_vaddr);
		return 1;
	}
	return 0;
}

/* Writes the original return addresses into a dump, in place of the trampoline's address. On
 * machines with a link register, it is unknown where the trampoline's address is in the stack, so
 * nothing is written. */
FUNCTION int pk_unwind_mend_dump(struct scratch *s)
{
	const struct return_instance *from;

	if (!s || !s->trampoline || !RETURN_ADDRESS_SIZE)
		return 0;
	from = BPF_CORE_READ((const struct task_struct *)bpf_get_current_task(), utask,
			     return_instances);
	for (int i = 0; from && i < RETURNS_MAX; i++) {
		const uint64_t at = BPF_CORE_READ(from, stack) - s->initial.sp;
		const uint64_t address = BPF_CORE_READ(from, orig_ret_vaddr);

		if (at <= UNWIND_STACK_MAX - sizeof(address))
			bpf_probe_read_kernel(s->half.dump.stack + at, sizeof(address), &address);
		from = BPF_CORE_READ(from, next);
	}
	return 0;
}

/* ---- Frames ---- */

static void add_address(struct scratch *s, uint64_t address)
{
	const uint32_t count = s->half.count;

	if (count < UNWIND_FRAMES_MAX) {
		s->half.addresses[count] = address;
		s->half.count = count + 1;
	}
}

/* Returns the rule for an address according to the maps and tables. Returns NULL if the address is
 * in no known map, or if the file or the chunk is not loaded yet. */
static const struct pk_unwind_rule *look_up(struct walk *walk, uint64_t address)
{
	struct scratch *s = walk->s;
	uint32_t number;

	if (!find_map(walk, address)) {
		s->unmapped = 1;
		return NULL;
	}
	if (s->unknown)
		return NULL;
	if (s->interpreted.layout)
		pk_unwind_interpreted(&s->interpreted);
	number = find_rule(s, address);
	if (s->unmade)
		return NULL;
	return bpf_map_lookup_elem(&rules, &number);
}

/* Returns the rule for an address, from the cache if it is there. For the first address in the file
 * of an interpreter, calls look_up() even if the cache has its rule, because look_up() reads the
 * frames of the interpreter. */
static const struct pk_unwind_rule *find(struct walk *walk, uint64_t address)
{
	struct scratch *s = walk->s;
	struct unwind_line *line = unwind_line(walk->cache, address);
	const struct pk_unwind_rule *rule;

	if (line->address == address && s->tag &&
	    (line->tag == s->tag || (line->tag == s->tag + 1 && s->interpreted.object)))
		return &line->rule;
	rule = look_up(walk, address);
	if (!rule || !walk->seen || walk->seen->generation * 2 != s->tag)
		return rule; /* the maps have changed since use_maps(), so the tag is not valid any
			      * more */
	line->address = address;
	line->tag = s->tag + s->map.interpreter;
	line->rule = *rule;
	return &line->rule;
}

/* Marks the last native frame if it belongs to the interpreter. It has the address pc, and starts
 * at sp. */
FUNCTION int pk_unwind_mark(struct scratch *s, uint64_t pc, uint64_t sp)
{
	uint32_t last = s ? s->half.count - 1 : 0;

	if (!s || last >= UNWIND_FRAMES_MAX)
		return 0;
	s->half.addresses[last] |= interpreted_mark(&s->interpreted.found, pc, sp, s->state.sp);
	return 0;
}

/* Adds the frames of the interpreter after the native frames. */
FUNCTION int pk_unwind_add_words(struct scratch *s)
{
	uint32_t first, last, at, size, end;

	if (!s || !s->interpreted.found.marks)
		return 0;
	end = s->end & 0xff;
	/* The outermost native frame of a fiber has no caller, but has the rule of a frame with
	 * a caller. The memory after this frame cannot be read. */
	interpreted_match(&s->interpreted.found,
			  end == PK_UNWIND_COMPLETE || (end == PK_UNWIND_UNREADABLE &&
							s->interpreted.found.places.evaluator_size),
			  &first, &last);
	at = s->half.count;
	if (first >= last || first >= INTERPRETED_WORDS_MAX || at >= UNWIND_FRAMES_MAX)
		return 0;
	size = (last - first) * sizeof(uint64_t);
	if (size > INTERPRETED_WORDS_MAX * sizeof(uint64_t))
		return 0;
	bpf_probe_read_kernel(s->half.addresses + at, size, s->interpreted.found.words + first);
	s->half.count = at + size / sizeof(uint64_t);
	return 0;
}

/* A callback of bpf_loop(): adds the address of the current frame, and goes to its caller. Returns
 * 1 after the last frame. */
static long unwind_frame(uint32_t index, struct walk *walk)
{
	struct scratch *s = walk->s;
	const uint64_t sp = s->state.sp;
	const struct pk_unwind_rule *rule;
	uint64_t pc, in_call;
	uint32_t end;

	(void)index;
	if (s->half.count >= (s->interpreted.object ? UNWIND_FRAMES_MAX : settings.frames))
		return 1;
	if (s->state.pc == s->trampoline && s->trampoline && !pk_unwind_find_return(s))
		return 1;
	pc = s->state.pc;
	in_call = pc - !s->state.interrupted;
	rule = find(walk, in_call);
	if (!rule)
		return 1;
	add_address(s, rule->interrupted ? pc : in_call);
	s->end |= s->by_frame;
	s->by_frame = rule->cfa == PK_UNWIND_NONE ? UNWIND_BY_FRAME : 0;
	end = s->by_frame ? pk_unwind_step_by_frame(&s->state, &s->window)
			  : pk_unwind_step(rule, &s->state, &s->window);
	s->end |= end;
	if (!end && interpreted_expects(&s->interpreted.found))
		pk_unwind_mark(s, in_call, sp);
	return end != PK_UNWIND_GOES_ON;
}

/* Fills the half with a dump. Copies the stack page by page, up to the first page that cannot be
 * read. */
static void dump(struct scratch *s, const struct unwind_seen *maps)
{
	const uint64_t sp = s->initial.sp;
	uint32_t size = 0;

	s->half.dump.seen.count = 0;
	if (maps)
		bpf_probe_read_kernel(&s->half.dump.seen, sizeof(*maps), maps);
	s->half.dump.pid = bpf_get_current_pid_tgid() >> 32;
	s->half.dump.pc = s->initial.pc;
	s->half.dump.sp = sp;
	s->half.dump.fp = s->initial.fp;
	s->half.dump.lr = s->initial.lr;
	s->half.dump.base = s->initial.base;
	s->half.dump.argument = s->initial.argument;
	for (uint32_t i = 0; i <= UNWIND_STACK_MAX / PAGE; i++) {
		uint32_t bytes = PAGE - ((sp + size) & (PAGE - 1));

		if (size >= UNWIND_STACK_MAX)
			break;
		if (bytes > UNWIND_STACK_MAX - size)
			bytes = UNWIND_STACK_MAX - size;
		/* The verifiers of older kernels need the check of `bytes`. Without the asm
		 * statement, the compiler would remove this check. */
		__asm__ volatile("" : "+r"(bytes));
		if (bytes > PAGE)
			break;
		if (bpf_probe_read_user(s->half.dump.stack + size, bytes, (void *)(sp + size)))
			break;
		size += bytes;
	}
	s->half.count = size;
	pk_unwind_mend_dump(s);
}

/* Asks pk-record to load the file with this number. `address` is an address in a map of the file.
 */
static void ask_for_file(uint32_t pid, uint32_t number, uint64_t address)
{
	struct unwind_object_code *code = bpf_map_lookup_elem(&objects, &number);
	const struct unwind_request request = {pid, number, UNWIND_NO_CHUNK, 0, address};

	if (!code || code->state != UNWIND_UNKNOWN)
		return;
	code->state = UNWIND_ASKED;
	if (bpf_ringbuf_output(&requests, (void *)&request, sizeof(request), 0))
		code->state = UNWIND_UNKNOWN;
}

static void ask_for_chunk(uint32_t pid, uint32_t chunk)
{
	uint64_t *place = bpf_map_lookup_elem(&chunks, &chunk);
	const struct unwind_request request = {.pid = pid, .chunk = chunk};

	if (!place || !__sync_bool_compare_and_swap(place, UNWIND_UNMADE_PLACE, UNWIND_ASKED_PLACE))
		return;
	if (bpf_ringbuf_output(&requests, (void *)&request, sizeof(request), 0))
		__sync_bool_compare_and_swap(place, UNWIND_ASKED_PLACE, UNWIND_UNMADE_PLACE);
}

#define SEE_TRIES 4

/* Returns false if the current process has no memory any more. A process that ends releases its
 * memory before its last thread has left the kernel. */
static int has_memory(void)
{
	const struct task_struct *task = (const void *)bpf_get_current_task();

	return BPF_CORE_READ(task, mm) != NULL;
}

/* Adds the frames of the interpreter, and marks the stack if frames are missing. If
 * interpreted_tell() requests it, wakes pk-record, so that it reads the code objects of the frames
 * before the process ends. */
static void end_interpreted(struct scratch *s, uint32_t pid)
{
	const struct unwind_request request = {.pid = 0, .chunk = UNWIND_NO_CHUNK};

	pk_unwind_add_words(s);
	if (s->interpreted.found.torn)
		s->end |= UNWIND_TORN;
	if (s->interpreted.found.marks && interpreted_tell(&s->interpreted, pid))
		bpf_ringbuf_output(&requests, (void *)&request, sizeof(request), 0);
}

static void use_maps(struct walk *walk, uint32_t pid)
{
	walk->seen = bpf_map_lookup_elem(&seen, &pid);
	walk->s->tag = walk->seen ? walk->seen->generation * 2 : 0;
}

static void unwind(struct scratch *s, uint32_t pid)
{
	const uint32_t place = bpf_get_smp_processor_id() * UNWIND_SCRATCHES + s->number;
	struct walk walk = {.s = s, .cache = bpf_map_lookup_elem(&lines, &place)};
	int found = SEE_BUSY;

	if (!walk.cache)
		return;
	use_maps(&walk, pid);
	s->map.pages = s->unmapped = s->unknown = s->unmade = s->by_frame = 0;
	s->window.limit = 0;
	pk_unwind_start_probed(s);
	s->initial = s->state;
	interpreted_start(&s->interpreted);
	for (int tries = 0; tries < SEE_TRIES; tries++) {
		s->unmapped = 0;
		bpf_loop(UNWIND_FRAMES_MAX, unwind_frame, &walk, 0);
		if (!s->unmapped)
			break;
		found = see(s, pid, s->state.pc - !s->state.interrupted);
		if (found != SEE_FOUND)
			break;
		use_maps(&walk, pid);
	}
	if (s->unknown || s->unmade || s->unmapped)
		if (!s->half.count)
			add_address(s, s->state.pc);
	if (s->unknown || s->unmade || (s->unmapped && found != SEE_NO_CODE)) {
		s->end = PK_UNWIND_NOT_LOADED | UNWIND_DUMP;
		s->end |= s->interpreted.found.groups ? UNWIND_TORN : 0;
		dump(s, walk.seen);
		if (s->unknown)
			ask_for_file(pid, s->unknown, s->state.pc - !s->state.interrupted);
		else if (s->unmade)
			ask_for_chunk(pid, s->unmade - 1);
	} else {
		if (!(s->end & 0xff))
			s->end |= s->unmapped ? PK_UNWIND_NO_RULE : PK_UNWIND_TOO_DEEP;
		end_interpreted(s, pid);
	}
}

/* ---- Registers ---- */

#if defined(HOST_x86_64)
#define IP(from)	 ((from)->rip)
#define SP(from)	 ((from)->rsp)
#define FP(from)	 ((from)->rbp)
#define LR(from)	 0
#define BASE(from)	 ((from)->rbx)
#define ARGUMENT(from)	 ((from)->rdi)
#define IS_USER(from)	 (((from)->cs & 3) == 3)
#define IS_64_BITS(from) (((from)->cs & 0xffff) == 0x33)
#elif defined(HOST_aarch64)
#define IP(from)	 ((from)->pc)
#define SP(from)	 ((from)->sp)
#define FP(from)	 ((from)->regs[29])
#define LR(from)	 ((from)->regs[30])
#define BASE(from)	 0
#define ARGUMENT(from)	 0
#define IS_USER(from)	 (((from)->pstate & 15) == 0)
#define IS_64_BITS(from) (((from)->pstate & 16) == 0)
#endif

#define START(s, from)                                                                             \
	do {                                                                                       \
		(s)->state.pc = IP(from);                                                          \
		(s)->state.sp = SP(from);                                                          \
		(s)->state.fp = FP(from);                                                          \
		(s)->state.lr = LR(from);                                                          \
		(s)->state.base = BASE(from);                                                      \
		(s)->state.argument = ARGUMENT(from);                                              \
		(s)->state.base_at = 0;                                                            \
		(s)->state.fp_known = (s)->state.interrupted = 1;                                  \
		if (!IS_64_BITS(from))                                                             \
			(s)->end = PK_UNWIND_NOT_64_BITS;                                          \
	} while (0)

/* Sets the registers to those that the thread had when it entered the kernel. Returns 0 if the
 * thread has no registers of user mode. */
static int start_at_entry(struct scratch *s)
{
	const bpf_user_pt_regs_t *regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());

	if (!IS_USER(regs))
		return 0;
	START(s, regs);
	return s->state.pc != 0;
}

static void write(struct scratch *s, void *context, void *to)
{
	uint32_t size = s->half.count;

	if (s->end & UNWIND_DUMP)
		size += __builtin_offsetof(struct unwind_half, dump.stack);
	else
		size = __builtin_offsetof(struct unwind_half, addresses) + 8 * size;
	if (size > sizeof(s->half))
		return;
	/* An error is not handled here, because pk-record counts the samples without a half. */
	bpf_perf_event_output(context, to, BPF_F_CURRENT_CPU, &s->half, size);
}

/* ---- The programs of the events ---- */

static void start_half(struct scratch *s, uint64_t ip)
{
	s->end = 0;
	s->half.count = 0;
	s->interpreted.stamp = s->interpreted.when = 0;
	s->half.ip = ip;
	s->half.tid = (uint32_t)bpf_get_current_pid_tgid();
}

/* Unwinds the user stack, and completes the half. has_registers is 0 if the registers of the first
 * frame are unknown. In this case, the half has no addresses. */
static void make_half(struct scratch *s, int has_registers)
{
	if (has_registers && !has_memory())
		s->end = PK_UNWIND_UNREADABLE;
	if (has_registers && s->end)
		add_address(s, s->state.pc);
	else if (has_registers)
		unwind(s, (uint32_t)(bpf_get_current_pid_tgid() >> 32));
	s->half.end = s->end;
	s->half.stamp = s->interpreted.stamp;
	s->half.when = s->interpreted.when;
}

static void finish_half(struct scratch *s, void *context, int has_registers)
{
	make_half(s, has_registers);
	write(s, context, &outputs);
}

SEC("perf_event")
int pk_unwind_sample(struct bpf_perf_event_data *event)
{
	const uint32_t first = 0;
	struct scratch *s = bpf_map_lookup_elem(&scratches, &first);
	int has_registers = 1;

	if (!s)
		return 1;
	start_half(s, IP(&event->regs));
	if (IS_USER(&event->regs))
		START(s, &event->regs);
	else
		has_registers = start_at_entry(s);
	finish_half(s, event, has_registers);
	return 1;
}

/* Returns true if the current process is recorded. This must be checked because the kernel runs the
 * programs of tracepoints and probes for all processes. */
static int is_observed(void)
{
	const uint32_t pid = bpf_get_current_pid_tgid() >> 32;

	return !settings.known_only || bpf_map_lookup_elem(&processes, &pid);
}

SEC("tracepoint")
int pk_unwind_tracepoint(void *context)
{
	const uint32_t first = 0;
	struct scratch *s = bpf_map_lookup_elem(&scratches, &first);

	if (!s || !is_observed())
		return 1;
	start_half(s, 0);
	finish_half(s, context, start_at_entry(s));
	return 1;
}

static struct scratch *reserve(void)
{
#pragma clang loop unroll(full) /* makes the keys constants, as the verifier needs */
	for (uint32_t i = 1; i < UNWIND_SCRATCHES; i++) {
		const uint32_t key = i;
		struct scratch *s = bpf_map_lookup_elem(&scratches, &key);

		if (!s || __sync_lock_test_and_set(&s->busy, 1))
			continue;
		s->number = i;
		return s;
	}
	return NULL;
}

SEC("kprobe")
int pk_unwind_probe(bpf_user_pt_regs_t *regs)
{
	struct scratch *s = is_observed() ? reserve() : NULL;
	int has_registers = 1;

	if (!s)
		return 1;
	start_half(s, 0);
	if (IS_USER(regs))
		START(s, regs);
	else
		has_registers = start_at_entry(s);
	finish_half(s, regs, has_registers);
	__sync_lock_test_and_set(&s->busy, 0);
	return 1;
}

/* ---- The programs of --off-cpu ---- */

#define OFFCPU_SETTINGS settings.off_cpu
#include "offcpu_programs.h"

#include "unwind_offcpu.h"

/* ---- The programs that follow processes ---- */

static uint32_t pid_of(uint64_t task)
{
	return BPF_CORE_READ((struct task_struct *)task, tgid);
}

/* Copies the known maps of the parent, because a new process has the same maps. */
SEC("raw_tp/sched_process_fork")
int pk_unwind_fork(struct bpf_raw_tracepoint_args *args)
{
	const uint32_t parent = pid_of(args->args[0]), child = pid_of(args->args[1]);
	const struct unwind_seen *maps = bpf_map_lookup_elem(&seen, &parent);
	const uint32_t *known = bpf_map_lookup_elem(&processes, &parent);

	if (child == parent)
		return 0;
	interpreted_fork(parent, child);
	if (known)
		bpf_map_update_elem(&processes, &child, known, BPF_ANY);
	if (maps)
		bpf_map_update_elem(&seen, &child, maps, BPF_ANY);
	else
		bpf_map_delete_elem(&seen, &child);
	return 0;
}

/* Reads the maps that a process needs at its start: the map of the program, of the vDSO, and of the
 * first instruction, which is in the dynamic loader if there is one. */
static void see_program(struct scratch *s, uint32_t pid)
{
	const struct task_struct *task = (const void *)bpf_get_current_task();

	s->maps.count = 0;
	pk_unwind_see(s, BPF_CORE_READ(task, mm, start_code));
	pk_unwind_see(s, (uint64_t)BPF_CORE_READ(task, mm, context.vdso));
	if (start_at_entry(s))
		pk_unwind_see(s, s->state.pc);
	keep_maps(s, pid);
}

SEC("raw_tp/sched_process_exec")
int pk_unwind_exec(struct bpf_raw_tracepoint_args *args)
{
	const uint32_t pid = bpf_get_current_pid_tgid() >> 32;
	struct scratch *s;

	(void)args;
	bpf_map_delete_elem(&seen, &pid);
	bpf_map_delete_elem(&interpreted, &pid);
	s = is_observed() ? reserve() : NULL;
	if (!s)
		return 0;
	see_program(s, pid);
	__sync_lock_test_and_set(&s->busy, 0);
	return 0;
}

/* When the last thread of a process ends, removes what is known of the process. */
SEC("raw_tp/sched_process_exit")
int pk_unwind_exit(struct bpf_raw_tracepoint_args *args)
{
	const struct task_struct *task = (const void *)args->args[0];
	const uint32_t pid = bpf_get_current_pid_tgid() >> 32;

	if (BPF_CORE_READ(task, signal, live.counter))
		return 0;
	bpf_map_delete_elem(&processes, &pid);
	bpf_map_delete_elem(&seen, &pid);
	return 0;
}

#endif
