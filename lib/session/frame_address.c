// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "frame_address.h"
#include "pkprivate.h"
#include "pkutil.h"

/* ---- The addresses of a sample ---- */

/* Finds the callchain of a sample. Returns PK_END if it has none. If the sample has other
 * fields, the whole sample is checked. */
static enum pk_status find_chain(const struct pk_event *event, const struct pk_record *record,
				 struct pk_u64s *chain)
{
	const uint64_t simple = PERF_SAMPLE_ID_ALL | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR |
				PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;

	if (event->attr.sample_type & ~simple)
		PK_TRY(pk_sample_check(event, record));
	return pk_sample_callchain(event, record, chain);
}

static bool is_unmerged(const struct pk_u64s *chain)
{
	return chain->count >= 2 &&
	       pk_u64s_at(chain, chain->count - 2) == PERF_CONTEXT_USER_DEFERRED;
}

/* Returns true if the ip is an address that can be located. */
static bool has_own(const struct pk_record *record, uint64_t ip)
{
	return ip && ip < PERF_CONTEXT_MAX &&
	       (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_CPUMODE_UNKNOWN;
}

enum pk_status pk_sample_addresses(const struct pk_event *event, const struct pk_record *record,
				   struct pk_addresses *addresses)
{
	const uint16_t at = event->layout.ip;
	uint64_t first, ip, i = 0;
	enum pk_status status;

	*addresses = (struct pk_addresses){.chain = {record->data, 0}, .own = PK_NO_ADDRESS};
	status = find_chain(event, record, &addresses->chain);
	if (pk_unlikely(status < 0))
		return status;
	addresses->unmerged = is_unmerged(&addresses->chain);
	/* Removes the marker and the cookie of the deferred user addresses. The cookie is different
	 * for each sample, so callchains with cookies would fill the cache. */
	if (pk_unlikely(addresses->unmerged))
		addresses->chain.count -= 2;
	if (pk_unlikely(!at))
		return PK_OK;
	first = pk_chain_next_ip(&addresses->chain, &i);
	ip = pk_load_u64(record->data + at);
	addresses->bare = first == PK_NO_ADDRESS;
	if (pk_unlikely(addresses->bare))
		addresses->chain = (struct pk_u64s){record->data + at, 1};
	else if (pk_unlikely(first != ip) && has_own(record, ip))
		addresses->own = ip;
	return PK_OK;
}

uint64_t pk_chain_next_ip(const struct pk_u64s *chain, uint64_t *i)
{
	while (*i < chain->count) {
		const uint64_t ip = pk_u64s_at(chain, (*i)++);

		if (ip < PERF_CONTEXT_MAX)
			return ip;
		if (ip == PERF_CONTEXT_USER_DEFERRED)
			(*i)++; /* skips the cookie */
	}
	return PK_NO_ADDRESS;
}

bool pk_chain_is_bare(const struct pk_u64s *chain)
{
	for (uint64_t i = 0; i < chain->count; i++) {
		const uint64_t ip = pk_u64s_at(chain, i);

		if (ip < PERF_CONTEXT_MAX || ip == PERF_CONTEXT_USER_DEFERRED)
			return false;
	}
	return true;
}

static int64_t count_addresses(const struct pk_u64s *chain)
{
	int64_t count = 0;

	for (uint64_t i = 0; pk_chain_next_ip(chain, &i) != PK_NO_ADDRESS;)
		count++;
	return count;
}

/* Returns the number of frames with an address of their own, which are those that are not inlined.
 */
static int64_t count_functions(const struct pk_dictionary *dictionary, uint32_t id)
{
	struct pk_stack_walk walk = pk_stack_walk(dictionary, id);
	int64_t count = 0;

	while (pk_stack_next(&walk))
		count += pk_is_function(&walk);
	return count;
}

/* Returns the number of addresses of the callchain that precede the callers in the stack. It is 0
 * if the stack starts with the first address of the callchain, or with an own address in the same
 * function. It is -1 if the function of the own address is not in the callchain. */
static int64_t count_inner(const struct pk_addresses *addresses,
			   const struct pk_dictionary *dictionary, uint32_t stack)
{
	int64_t inner;

	if (pk_likely(addresses->own == PK_NO_ADDRESS))
		return 0;
	inner = count_addresses(&addresses->chain) - count_functions(dictionary, stack);
	return inner < 0 ? -1 : inner;
}

/* ---- Frames with addresses ---- */

struct pk_address_walk pk_address_walk(const struct pk_dictionary *dictionary, uint32_t stack,
				       const struct pk_addresses *addresses)
{
	struct pk_address_walk walk = {.at = pk_stack_walk(dictionary, stack),
				       .chain = addresses->chain};

	if (pk_likely(addresses->own == PK_NO_ADDRESS))
		return walk;
	/* If the function of the own address is in the callchain, the own address replaces the
	 * address there. */
	for (int64_t inner = count_inner(addresses, dictionary, stack); inner >= 0; inner--)
		pk_chain_next_ip(&walk.chain, &walk.i);
	walk.next = addresses->own;
	walk.pending = true;
	return walk;
}

/* Returns true if the sample has no own address. This is a fast path for most samples, which needs
 * no other fields. */
static bool starts_with_ip(const struct pk_record *record, const struct pk_u64s *chain)
{
	const uint16_t at = record->event->layout.ip;
	uint64_t i = 0;

	return !at || pk_chain_next_ip(chain, &i) == pk_load_u64(record->data + at);
}

struct pk_address_walk pk_callchain_walk(const struct pk_dictionary *dictionary, uint32_t stack,
					 const struct pk_record *record,
					 const struct pk_u64s *chain, struct pk_u64s *inner)
{
	struct pk_address_walk walk = {.at = pk_stack_walk(dictionary, stack), .chain = *chain};
	struct pk_addresses addresses;
	int64_t count = 0;

	if (!starts_with_ip(record, chain) &&
	    pk_sample_addresses(record->event, record, &addresses) == PK_OK)
		count = count_inner(&addresses, dictionary, stack);
	if (count < 0)
		while (pk_stack_next(&walk.at) && walk.at.frame->flags & PK_FRAME_INLINED)
			;
	for (; count > 0; count--)
		pk_chain_next_ip(&walk.chain, &walk.i);
	*inner = (struct pk_u64s){chain->data, walk.i};
	return walk;
}

bool pk_address_next(struct pk_address_walk *walk)
{
	const uint64_t before = walk->i;

	walk->ip = PK_NO_ADDRESS;
	if (!pk_stack_next(&walk->at))
		return false;
	if (walk->at.kind != PK_FRAME_IS_CODE)
		return true;
	if (!walk->pending) {
		walk->next = pk_chain_next_ip(&walk->chain, &walk->i);
		walk->follows = before && walk->i - before == 1;
	}
	walk->ip = walk->next;
	walk->pending = walk->at.frame->flags & PK_FRAME_INLINED;
	return true;
}

/* ---- Locations ---- */

static uint16_t mode_of(const struct pk_frame *frame)
{
	const bool kernel = frame->flags & PK_FRAME_KERNEL;

	if (frame->flags & PK_FRAME_GUEST)
		return kernel ? PERF_RECORD_MISC_GUEST_KERNEL : PERF_RECORD_MISC_GUEST_USER;
	return kernel			      ? PERF_RECORD_MISC_KERNEL
	       : frame->flags & PK_FRAME_USER ? PERF_RECORD_MISC_USER
					      : PERF_RECORD_MISC_HYPERVISOR;
}

struct pk_location pk_frame_locate(const struct pk_frame *frame, const struct pk_session *session,
				   const struct pk_thread *thread, uint64_t ip)
{
	return pk_session_locate(session, thread, ip, mode_of(frame));
}

bool pk_frame_has(const struct pk_frame *frame, const struct pk_dictionary *dictionary,
		  const struct pk_location *location)
{
	const struct pk_dso *dso;
	const char *path;

	if ((frame->flags ^ location->flags) & (PK_FRAME_KERNEL | PK_FRAME_USER))
		return false;
	if (frame->flags & PK_FRAME_KERNEL)
		return true;
	dso = pk_dictionary_get_dso(dictionary, frame->dso);
	path = dso ? pk_dictionary_get_string(dictionary, dso->path, NULL) : NULL;
	return path ? location->image && !strcmp(location->image->name, path) : !location->image;
}

bool pk_frame_address(const struct pk_frame *frame, const struct pk_dictionary *dictionary,
		      const struct pk_session *session, const struct pk_thread *thread, uint64_t ip,
		      uint64_t *address)
{
	struct pk_location location;

	*address = frame->address;
	if (!(frame->flags & PK_FRAME_FUNCTION) || ip == PK_NO_ADDRESS)
		return !(frame->flags & PK_FRAME_FUNCTION);
	location = pk_frame_locate(frame, session, thread, ip);
	*address = location.address;
	return pk_frame_has(frame, dictionary, &location);
}

/* ---- Texts ---- */

struct pk_frame_info pk_frame_info(const struct pk_dictionary *dictionary,
				   const struct pk_frame *frame)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(dictionary, frame->dso);
	struct pk_frame_info info = {
		.in_file = dso && dso->kind != PK_DSO_KERNEL,
		.inlined = frame->flags & PK_FRAME_INLINED,
		.file = pk_dictionary_get_string(dictionary, frame->file, NULL),
		.line = frame->line,
	};

	info.function = pk_dictionary_get_string(dictionary, frame->function, &info.function_size);
	if (dso)
		info.dso = pk_dictionary_get_string(dictionary, dso->path, NULL);
	else if (info.function)
		info.dso = pk_kernel_name(frame->flags);
	return info;
}
