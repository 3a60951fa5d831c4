/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RESOLVE_H
#define PK_RESOLVE_H

/* The resolver finds the symbol for a location. A location is an address in an image of the
 * session. The resolver looks it up in the object from which the image is mapped. */

#include "locate.h"
#include "messages.h"
#include "session.h"
#include "symbols.h"

struct resolver;

/* The caller keeps symbols and messages. options must be the options with which symbols was
 * created. The state of each object and warnings are added to messages. Returns NULL if memory is
 * exhausted. */
struct resolver *pk_resolver_new(struct pk_symbols *symbols,
				 const struct pk_symbols_options *options,
				 struct pk_messages *messages);
void pk_resolver_free(struct resolver *resolver);
/* Call this function when a session starts. It adds the guests that the options name, and their
 * modules, to the session.
 *
 * Data of this system (symbols of its kernel, its vDSO, files of its processes) is used in three
 * cases:
 *   - The session was recorded on this system. For the kernel and its vDSO, a system with the
 *     same kernel release is enough.
 *   - A build-id proves that the data is equal to the data of the recorded system.
 *   - An option names the data (--symfs, --kallsyms, --vmlinux).
 * A file without a build-id is used if it has the recorded path, unless the recording is from
 * another kind of machine. If the recording is from another kernel release, a warning reports this.
 */
void pk_resolver_start_session(struct resolver *resolver, struct pk_session *session);
/* Returns the object of an image. Returns NULL if there is no object, if the object of this system
 * may not be used, or if the image is a file without executable maps. pk_resolver_object() opens
 * each image of the session only once. pk_resolver_open() is for images that are not in the
 * session. */
struct pk_object *pk_resolver_object(struct resolver *resolver, const struct pk_image *image);
struct pk_object *pk_resolver_open(struct resolver *resolver, const struct pk_image *image);
/* Returns the kernel of the session. Returns NULL if its symbols were not found, or were not needed
 * yet. */
struct pk_object *pk_resolver_kernel(const struct resolver *resolver);
/* Adds the code of jitdumps to the maps of the session, in the order of time. Call it for every
 * record, before the session evaluates the record. For a SAMPLE, call it before maps are looked up.
 */
enum pk_status pk_resolver_record(struct resolver *resolver, struct pk_session *session,
				  const struct pk_record *record);
/* Sets a callback that is called for code that a JIT compiler has moved, according to a jitdump. */
void pk_resolver_on_moves(struct resolver *resolver,
			  void (*moved)(void *arg, const struct pk_code_map *code), void *arg);
/* Looks up a location of a file in the perf map of the process. Precompiled images and code in
 * shared memory have no other names. A process adds such functions to its perf map before it runs
 * them. So addresses between known functions are looked up again. */
void pk_resolver_in_perf_map(struct resolver *resolver, const struct pk_location *location,
			     struct pk_resolved *resolved);
/* Returns true if the process runs on this machine, and has not written its perf map yet. */
bool pk_resolver_awaits_perf_map(struct resolver *resolver, uint32_t pid);
/* Says that the process has ended, so that its perf map is read again for names that it lacks. */
void pk_resolver_perf_map_is_final(struct resolver *resolver, uint32_t pid);
/* Returns the object that has the symbols for the location, or NULL. Sets *address to the address
 * of the location in that object. */
struct pk_object *pk_resolver_named_by(struct resolver *resolver,
				       const struct pk_location *location, uint64_t *address);
/* Returns the file of the image, and the process that mapped it. The pid is 0 unless the session
 * was recorded on this machine and --symfs is not given. The process may have ended. */
struct pk_mapped pk_resolver_mapped(const struct resolver *resolver, const struct pk_image *image);
/* Reads the build-id of an image from its file. If the session was recorded under the running
 * kernel, it can also be read from the kernel. Returns false if it is unknown. */
bool pk_resolver_build_id(struct resolver *resolver, const struct pk_image *image,
			  struct pk_build_id *id);
/* Returns true if the function is entered by exceptions or signals instead of calls. The next
 * address of a callchain is then the address of the interrupted instruction, not a return address.
 * flags are PK_FRAME_*. */
bool pk_resolver_interrupts(const char *function, uint32_t flags);
/* A function of type pk_resolve_fn. arg is the resolver. */
void pk_resolver_resolve(void *arg, const struct pk_location *location,
			 struct pk_resolved *resolved);

#endif
