// SPDX-License-Identifier: BSD-2-Clause
/* Converts an address in memory to an address in an image. */
#include "locate.h"
#include "pkutil.h"
#include "session.h"

/* JIT code is only in memory that has no file. If a file is mapped at the address, its map is used.
 */
const struct pk_map *pk_process_find(const struct pk_process *process, uint64_t ip)
{
	const struct pk_map *map = pk_space_find(process->space, ip), *code;

	if (pk_likely(!process->code))
		return map;
	if (map && map->image->kind != PK_DSO_JIT && map->image->kind != PK_DSO_ANON)
		return map;
	code = pk_space_find(process->code, ip);
	return code ? code : map;
}

/* Returns true if the map is memory that has no file and belongs to no jitdump or memfd. */
static bool is_anonymous(const struct pk_map *map)
{
	return map->image->kind == PK_DSO_JIT && !map->image->dump &&
	       map->image->path[1] != 'm'; /* the path of a memfd is "/memfd:..."; other paths
					    * ("/tmp/perf-PID.map", "[anon:") have no 'm' here */
}

/* Returns the next map before or after a map that is not anonymous, if there is no gap between
 * them. */
static const struct pk_map *beside(const struct pk_space *space, const struct pk_map *map,
				   bool above)
{
	enum { ANONYMOUS_MAX = 64 };

	for (int i = 0; map && is_anonymous(map) && i < ANONYMOUS_MAX; i++) {
		if (!above && !map->start)
			return NULL;
		map = pk_space_find(space, above ? map->end : map->start - 1);
	}
	return map;
}

const struct pk_map *pk_moved_from(const struct pk_space *space, const struct pk_map *map)
{
	const struct pk_map *below, *above;

	if (!is_anonymous(map))
		return NULL;
	below = beside(space, map, false);
	above = below && below->image->kind == PK_DSO_FILE ? beside(space, map, true) : NULL;
	return above && above->image == below->image &&
			       above->start - above->pgoff == below->start - below->pgoff
		       ? below
		       : NULL;
}

/* Returns the result of pk_moved_from(). JIT code has many addresses in one map, so the result for
 * the last map is cached. */
static const struct pk_map *moved_from(struct pk_process *process, const struct pk_map *map)
{
	uint64_t serial;

	if (pk_likely(!map || map->image->kind != PK_DSO_JIT))
		return NULL;
	serial = pk_space_serial(process->space);
	if (process->moved.map != map || process->moved.serial != serial)
		process->moved = (struct pk_moved){serial, map, pk_moved_from(process->space, map)};
	return process->moved.from;
}

/* Finds the map of an address of a guest. Listed modules have precedence over the map of the
 * kernel, because a recorded map of the kernel can include its modules. */
static const struct pk_map *find_guest(const struct pk_guest *guest, uint64_t ip)
{
	const struct pk_map *map = guest->space ? pk_space_find(guest->space, ip) : NULL;
	const struct pk_map *listed = guest->listed ? pk_space_find(guest->listed, ip) : NULL;

	return listed && (!map || map->image->kind == PK_DSO_KERNEL) ? listed : map;
}

struct pk_location pk_session_locate(const struct pk_session *session,
				     const struct pk_thread *thread, uint64_t ip, uint16_t mode)
{
	struct pk_location location = {.ip = ip, .address = ip};
	const struct pk_guest *guest;
	const struct pk_map *map = NULL, *from = NULL;

	switch (mode) {
	case PERF_RECORD_MISC_KERNEL:
		location.flags = PK_FRAME_KERNEL;
		map = pk_space_find(pk_session_kernel(session), ip);
		break;
	case PERF_RECORD_MISC_USER:
		location.flags = PK_FRAME_USER;
		map = pk_process_find(thread->process, ip);
		from = moved_from(thread->process, map);
		break;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		location.flags = PK_FRAME_GUEST | PK_FRAME_KERNEL;
		guest = pk_session_guest(session, thread->process);
		map = find_guest(guest, ip);
		/* The symbols of the guest's kernel are also used for its code outside of all maps,
		 * which was moved by the same distance. */
		location.image = guest->kernel;
		break;
	case PERF_RECORD_MISC_GUEST_USER: location.flags = PK_FRAME_GUEST | PK_FRAME_USER; break;
	case PERF_RECORD_MISC_HYPERVISOR: location.flags = PK_FRAME_HYPERVISOR; break;
	default: break;
	}
	if (map) {
		location.image = map->image;
		location.address = pk_map_address(map, ip);
		location.map_start = map->start;
		location.map_end = map->end;
		location.offset = ip - map->start + map->pgoff;
		location.pid = map->pid;
	}
	if (from) {
		location.image = from->image;
		location.address = pk_map_address(from, ip);
		location.moved = true;
	}
	return location;
}

const char *pk_kernel_name(uint32_t flags)
{
	switch (flags & (PK_FRAME_KERNEL | PK_FRAME_USER | PK_FRAME_GUEST | PK_FRAME_HYPERVISOR)) {
	case PK_FRAME_KERNEL: return "[kernel.kallsyms]";
	case PK_FRAME_KERNEL | PK_FRAME_GUEST: return PK_GUEST_KERNEL;
	default: return NULL;
	}
}

uint16_t pk_context_mode(uint64_t marker, uint16_t mode)
{
	switch (marker) {
	case PERF_CONTEXT_HV: return PERF_RECORD_MISC_HYPERVISOR;
	case PERF_CONTEXT_KERNEL: return PERF_RECORD_MISC_KERNEL;
	case PERF_CONTEXT_USER: return PERF_RECORD_MISC_USER;
	case PERF_CONTEXT_GUEST_KERNEL: return PERF_RECORD_MISC_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_USER: return PERF_RECORD_MISC_GUEST_USER;
	case PERF_CONTEXT_USER_DEFERRED: return mode;
	default: return PERF_RECORD_MISC_CPUMODE_UNKNOWN;
	}
}
