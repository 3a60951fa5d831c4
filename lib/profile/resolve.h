/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RESOLVE_H
#define PK_RESOLVE_H

/* The resolver: from a location, an address of one of the session's images, to the symbols of the
 * object that the image is mapped from. */

#include "messages.h"
#include "session.h"
#include "symbols.h"

struct resolver;

/* Symbols and messages stay the caller's; options are those that symbols was made with. Messages
 * get the state of each object and warnings. NULL: out of memory. */
struct resolver *resolver_new(struct pk_symbols *symbols, const struct pk_symbols_options *options,
			      struct pk_messages *messages);
void resolver_free(struct resolver *resolver);
/*
 * To be called when a session begins: it has other images. What the running system alone knows (its
 * kernel's symbols, its vDSO, its processes' files) is used where the session was recorded on it,
 * or where a build-id proves it right.
 */
void resolver_start_session(struct resolver *resolver, const struct pk_session *session);
/* The object that an image's code comes from; NULL: none, or none that may be taken for it, or the
 * image has no code. Each image of the session is opened once; resolver_open() is for images that
 * the session does not have. */
struct pk_object *resolver_object(struct resolver *resolver, const struct pk_image *image);
struct pk_object *resolver_open(struct resolver *resolver, const struct pk_image *image);
/* Follows jitdumps. For every record, before the session decodes it or, if it is a SAMPLE, looks up
 * maps. */
enum pk_status resolver_record(struct resolver *resolver, struct pk_session *session,
			       const struct pk_record *record);
/* moved() is called for code that a jitdump has moved. */
void resolver_on_moves(struct resolver *resolver,
		       void (*moved)(void *arg, const struct pk_code_map *code), void *arg);
/* The object that names the location's address, or NULL; *address is the location's in it. */
struct pk_object *resolver_named_by(struct resolver *resolver, const struct pk_location *location,
				    uint64_t *address);
/* A process that has the image mapped, if it is one of this machine as it is; else 0. */
pid_t resolver_pid(const struct resolver *resolver, const struct pk_image *image);
/* The build-id of what an image is mapped from, looked up in the file, or in the running kernel if
 * the session was recorded under it. */
bool resolver_build_id(struct resolver *resolver, const struct pk_image *image,
		       struct pk_build_id *id);
/* A pk_resolve_fn; arg is the resolver. */
void resolver_resolve(void *arg, const struct pk_location *location, struct pk_resolved *resolved);

#endif
