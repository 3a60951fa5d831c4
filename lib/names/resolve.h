/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RESOLVE_H
#define PK_RESOLVE_H

/* The resolver: finds the symbols for a location, an address in one of the session's images, in the
 * object that the image is mapped from. */

#include "locate.h"
#include "messages.h"
#include "session.h"
#include "symbols.h"

struct resolver;

/* Symbols and messages stay the caller's. options are those that symbols was created with. Messages
 * get the state of each object and warnings. NULL: out of memory. */
struct resolver *pk_resolver_new(struct pk_symbols *symbols,
				 const struct pk_symbols_options *options,
				 struct pk_messages *messages);
void pk_resolver_free(struct resolver *resolver);
/* Call it when a session starts, which then gets the guests of the options, and their modules. Data
 * of the running system (symbols of its kernel, its vDSO, files of its processes) is used in three
 * cases: if the session was recorded on this system (for its kernel and vDSO: on one with the same
 * kernel release), if a build-id proves that the data is that of the recording, or if an option
 * names it (--symfs, --kallsyms, --vmlinux). A file without a build-id is used if it has the
 * recorded path, unless the recording is from another kind of machine. If it is from another kernel
 * release, a warning reports this. */
void pk_resolver_start_session(struct resolver *resolver, struct pk_session *session);
/* The object of an image. Returns NULL if none is available, the one of this system may not be
 * used, or the image is a file without executable maps. pk_resolver_object() opens each image of
 * the session once; pk_resolver_open() is for images that are not in the session. */
struct pk_object *pk_resolver_object(struct resolver *resolver, const struct pk_image *image);
struct pk_object *pk_resolver_open(struct resolver *resolver, const struct pk_image *image);
/* Adds the code of jitdumps to the session's maps, in time order. Call it for every record, before
 * the session evaluates the record or, for a SAMPLE, before maps are looked up. */
enum pk_status pk_resolver_record(struct resolver *resolver, struct pk_session *session,
				  const struct pk_record *record);
/* moved() is called for code that a jitdump has moved. */
void pk_resolver_on_moves(struct resolver *resolver,
			  void (*moved)(void *arg, const struct pk_code_map *code), void *arg);
/* Looks up a location in a file in the perf map of the process: precompiled images and code in
 * shared memory have no other names. A process names such functions before it runs them: addresses
 * between them are looked up again. */
void pk_resolver_in_perf_map(struct resolver *resolver, const struct pk_location *location,
			     struct pk_resolved *resolved);
/* The object with the symbols for the location, or NULL. *address is the location's address in
 * it. */
struct pk_object *pk_resolver_named_by(struct resolver *resolver,
				       const struct pk_location *location, uint64_t *address);
/* The process that mapped the image, and the file. The pid is 0 unless the session was recorded on
 * this machine and --symfs is not given. The process can have ended since. */
struct pk_mapped pk_resolver_mapped(const struct resolver *resolver, const struct pk_image *image);
/* The build-id of an image, read from its file or, if the session was recorded under the running
 * kernel, from the kernel. Returns false if it is unknown. */
bool pk_resolver_build_id(struct resolver *resolver, const struct pk_image *image,
			  struct pk_build_id *id);
/* Returns true if exceptions or signals enter this function, not calls. In a callchain, the address
 * after it is then that of the interrupted instruction, not a return address. The flags are
 * PK_FRAME_*. */
bool pk_resolver_interrupts(const char *function, uint32_t flags);
/* A pk_resolve_fn; arg is the resolver. */
void pk_resolver_resolve(void *arg, const struct pk_location *location,
			 struct pk_resolved *resolved);

#endif
