/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the loader puts into an object's data when it loads it: the addresses of variables and
 * functions that code reads from there (the global offset table), and where its thread-local
 * memory is. Addresses are those of the file.
 */
#ifndef PK_LOADED_DATA_H
#define PK_LOADED_DATA_H

#include "symbols.h"

struct pk_loaded_data;

enum pk_slot_kind {
	PK_SLOT_ADDRESS, /* of value in the object, unless another object has such a symbol, too */
	PK_SLOT_SYMBOL,	 /* of the symbol name in another object */
	PK_SLOT_THREAD, /* where, from the thread pointer on, value in its thread-local memory is */
	PK_SLOT_COPY,	/* none: the variable name of another object lies there */
};

struct pk_slot {
	uint64_t address;
	uint64_t value;
	const char *name; /* or NULL; valid until pk_loaded_data_free() */
	enum pk_slot_kind kind;
};

/* NULL: the object is no file that is found, or out of memory. */
struct pk_loaded_data *pk_loaded_data_new(struct pk_object *o);
void pk_loaded_data_free(struct pk_loaded_data *d);

/* What lies at an address; of COPY the address is anywhere in the variable, value how far into it.
 * False: the loader puts nothing there. */
bool pk_loaded_data_find(const struct pk_loaded_data *d, uint64_t address, struct pk_slot *slot);

/* How far before the thread pointer its thread-local memory begins (x86); 0: it has none. */
uint64_t pk_loaded_data_thread_size(const struct pk_loaded_data *d);
/* It is loaded where it says, not anywhere. */
bool pk_loaded_data_is_fixed(const struct pk_loaded_data *d);

#endif
