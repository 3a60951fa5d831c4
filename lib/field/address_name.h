/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ADDRESS_NAME_H
#define PK_ADDRESS_NAME_H

/* Names of addresses in samples that are not in their stacks: data, and ends of branches. The
 * session's maps have the objects. The names are looked up in the object files, like the code of
 * samples (PK_NEED_CODE), or in the symbols of the stream. */

#include "sample_view.h"

/* Sets *key to the number of a text in pk_context.texts: the symbol, with offset "name+0x10"; or
 * the address if there is no symbol. False: out of memory, which sets pk_context.failed. */
bool pk_view_name_address(struct pk_view *view, uint64_t address, bool offset, uint64_t *key);
/* Sets *key to the key of the object, for pk_object_text(). False: none, or out of memory, which
 * sets pk_context.failed. */
bool pk_view_object_of(struct pk_view *view, uint64_t address, uint64_t *key);
const char *pk_object_text(struct pk_context *context, uint64_t key, size_t *size);

/* For entries of the table of fields. */
#define OBJECT(name) .kind = PK_VALUE_TEXT, .key = name##_key, .text = pk_object_text

/* The names that are known, in pk_context.address_names. NULL: out of memory. */
struct pk_address_names *pk_address_names_new(void);
/* Call when numbers of pk_context.texts become invalid. */
void pk_address_names_clear(struct pk_address_names *names);
void pk_address_names_free(struct pk_address_names *names);

#endif
