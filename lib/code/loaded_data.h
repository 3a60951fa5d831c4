/* SPDX-License-Identifier: BSD-2-Clause */
/* What the loader writes to an object's data: the addresses of variables and functions that code
 * reads from there (the global offset table), and the offset of its thread-local memory. Addresses
 * are those of the file. Only for x86-64 and arm64. */
#ifndef PK_LOADED_DATA_H
#define PK_LOADED_DATA_H

#include "symbols.h"

struct pk_loaded_data;

enum pk_slot_kind {
	PK_SLOT_ADDRESS, /* the address `value` in the object; another one if another object also
			  * defines the symbol */
	PK_SLOT_SYMBOL,	 /* the address of the symbol `name`, which is in another object */
	PK_SLOT_THREAD,	 /* the distance from the thread pointer to offset `value` of the object's
			  * thread-local memory */
	PK_SLOT_COPY,	 /* not an address: the variable name of another object is copied there */
};

struct pk_slot {
	uint64_t address;
	uint64_t value;
	const char *name; /* or NULL; valid until pk_loaded_data_free() */
	enum pk_slot_kind kind;
};

/* NULL: the object is not a file, the file was not found, or out of memory. */
struct pk_loaded_data *pk_loaded_data_new(struct pk_object *o);
void pk_loaded_data_free(struct pk_loaded_data *d);

/* Finds the slot at an address; for COPY, the address can be anywhere in the variable, and value is
 * the offset in it. False: the loader writes nothing of these kinds there. */
bool pk_loaded_data_find(const struct pk_loaded_data *d, uint64_t address, struct pk_slot *slot);

/* The bytes from the start of the object's thread-local memory to the thread pointer (x86); 0: it
 * has none. */
uint64_t pk_loaded_data_thread_size(const struct pk_loaded_data *d);
/* Whether the object is probably loaded at fixed addresses: its first segment is not near 0. */
bool pk_loaded_data_is_fixed(const struct pk_loaded_data *d);

#endif
