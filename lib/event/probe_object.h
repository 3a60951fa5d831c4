/* SPDX-License-Identifier: BSD-2-Clause */
/* The object of a probe, which is a file or the kernel, and the places in the object that the text
 * of a probe describes. */
#ifndef PK_PROBE_OBJECT_H
#define PK_PROBE_OBJECT_H

#include <stdbool.h>

#include "messages.h"
#include "places.h"
#include "probe_text.h"
#include "symbols.h"

struct pk_cfi;
struct pk_elf;

/* What a return probe can do to a program. Until the function returns, the kernel replaces the
 * return address in its frame. A program that reads this address while it runs is ended. */
enum probe_returns {
	PROBE_RETURNS_SAFE,	  /* No code in the file is known to read return addresses. */
	PROBE_RETURNS_EXCEPTIONS, /* The program ends if an exception passes a frame whose function
				   * has a return probe. */
	PROBE_RETURNS_GO /* The program can end at any time, because the Go runtime moves and scans
			  * stacks. */
};

enum probe_returns pk_probe_returns_of(const struct pk_elf *elf);
/* Returns true if it is known that no exception passes the function with this name. This is known
 * of functions of the C library that allocate memory or lock, because they call nothing that
 * throws. Returns false if the name is a pattern. */
bool pk_probe_returns_without_exceptions(const char *function);

/* The object of a probe, which is open. */
struct probe_object {
	char *path;	/* the path of the file; NULL for the kernel without its modules */
	char *module;	/* the name of the kernel module; NULL if the object is not a module */
	bool in_kernel; /* true if the object is the kernel or a module */
	struct pk_symbols *symbols,
		*all_symbols; /* `symbols` has the preferred name of each function. `all_symbols`
			       * has all names, and is opened when it is first needed. */
	struct pk_object *object;
	struct pk_types *types; /* NULL if there is no debugging information */
	struct pk_cfi *cfi;	/* NULL if there is no call frame information */
	unsigned int machine;	/* EM_* */
	bool big_endian;
	enum probe_returns returns;
	bool warned; /* true if the user was already warned that return probes can end the program
		      */
};

/* Returns true if the path is NULL, which stands for the kernel, or the path of a module, such as
 * xfs.ko.zst. */
bool pk_probe_in_kernel(const char *path);

/* Opens the object. path is the path of an ELF file or of a module, or NULL for the kernel. Returns
 * PK_FAILED after a message. Close the object also after a failure. */
PK_MUST_CHECK enum pk_status pk_probe_object_open(struct probe_object *object, const char *path,
						  struct pk_messages *messages);
void pk_probe_object_close(struct probe_object *object);
/* Returns the object in *kept if it has this path. Otherwise opens an object, which replaces *kept.
 * Returns NULL after a message. */
struct probe_object *pk_probe_object_keep(struct probe_object **kept, const char *path,
					  struct pk_messages *messages);
/* Closes and frees the object, which may be NULL. */
void pk_probe_object_free(struct probe_object *object);

/* A place in the object at which a probe is set. */
struct probe_place {
	char *function;	  /* the name of the function; NULL if it is unknown */
	uint64_t lookup;  /* the address for pk_object_lookup(): the offset in the file, or the
			   * address in the kernel */
	uint64_t address; /* the address as the debugging information has it; 0 if there is no
			   * debugging information */
	bool described;	  /* true if the debugging information contains the function */
	struct pk_instance instance; /* the function or inlined copy, if described is true */
	/* The symbol that contains the place, and the distance of the place from the start of the
	 * symbol, in bytes. In a module, it is MODULE:SYMBOL. symbol is NULL if it is unknown. */
	char *symbol;
	uint64_t distance;
	const char *file; /* the source file of the statement; NULL if it is unknown */
	uint32_t line;
};

struct probe_places {
	struct probe_place *items;
	size_t count, capacity;
	size_t inlined_left_out; /* the number of inlined copies of a function that were left out
				  * because they do not return */
};

/* Finds all places that the text describes. Returns PK_FAILED after a message, also if there is no
 * place. Free places also after a failure. */
PK_MUST_CHECK enum pk_status pk_probe_places_find(struct probe_object *object,
						  const struct probe_text *text,
						  struct probe_places *places,
						  struct pk_messages *messages);
void pk_probe_places_free(struct probe_places *places);

#endif
