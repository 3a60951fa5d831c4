// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "frame_address.h"
#include "pkprivate.h"

uint64_t pk_chain_next_ip(const struct pk_u64s *chain, uint64_t *i)
{
	while (*i < chain->count) {
		const uint64_t ip = pk_u64s_at(chain, (*i)++);

		if (ip < PERF_CONTEXT_MAX)
			return ip;
		if (ip == PERF_CONTEXT_USER_DEFERRED)
			(*i)++; /* its cookie */
	}
	return UINT64_MAX;
}

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
