/* SPDX-License-Identifier: BSD-2-Clause */
/* The object of a probe, a file or the kernel, and the places in it that a text stands for. */
#ifndef PK_PROBE_OBJECT_H
#define PK_PROBE_OBJECT_H

#include <stdbool.h>

#include "messages.h"
#include "places.h"
#include "probe_text.h"
#include "symbols.h"

struct pk_cfi;
struct pk_elf;

/* What return probes can do to a program. The kernel replaces the return address in the frame of
 * the function until it returns; a program that reads its own return addresses ends there. */
enum probe_returns {
	PROBE_RETURNS_SAFE,	  /* nothing in the file is known to read return addresses */
	PROBE_RETURNS_EXCEPTIONS, /* exceptions that pass a probed frame end the program */
	PROBE_RETURNS_GO	  /* Go moves and scans its stacks all the time */
};

enum probe_returns pk_probe_returns_of(const struct pk_elf *elf);
/* Whether no exception passes a function of this name (or pattern): those that allocate memory for
 * C call nothing that throws. */
bool pk_probe_returns_without_exceptions(const char *function);

struct probe_object {
	char *path;				  /* NULL: the kernel without its modules */
	char *module;				  /* the name of the kernel's module; NULL: none */
	bool in_kernel;				  /* the kernel or a module */
	struct pk_symbols *symbols, *all_symbols; /* all_symbols: with further names of functions;
						   * opened on first use */
	struct pk_object *object;
	struct pk_types *types; /* NULL: no debugging information */
	struct pk_cfi *cfi;	/* NULL: none */
	unsigned int machine;	/* EM_* */
	bool big_endian;
	enum probe_returns returns;
	bool warned; /* of its returns */
};

/* Whether it is the path of a module, such as xfs.ko.zst, or NULL, the kernel. */
bool pk_probe_in_kernel(const char *path);

/* path is that of an ELF file or a module, or NULL for the kernel. Returns PK_FAILED after a
 * message. Close it in any case. */
PK_MUST_CHECK enum pk_status pk_probe_object_open(struct probe_object *object, const char *path,
						  struct pk_messages *messages);
void pk_probe_object_close(struct probe_object *object);
/* Returns the object in *kept if it has this path. Otherwise opens one, which replaces it. Returns
 * NULL after a message. */
struct probe_object *pk_probe_object_keep(struct probe_object **kept, const char *path,
					  struct pk_messages *messages);
/* Closes and frees the object; it may be NULL. */
void pk_probe_object_free(struct probe_object *object);

struct probe_place {
	char *function;		     /* the name of the function; NULL: unknown */
	uint64_t lookup;	     /* the offset in the file, or the address in the kernel */
	uint64_t address;	     /* as in the debugging information; 0 without it */
	bool described;		     /* the debugging information has the function */
	struct pk_instance instance; /* of the function or inlined copy; if described */
	/* The symbol that contains the place, MODULE:SYMBOL in a module, and the distance from its
	 * start. NULL if it is unknown. */
	char *symbol;
	uint64_t distance;
	const char *file; /* of the statement; NULL: unknown */
	uint32_t line;
};

struct probe_places {
	struct probe_place *items;
	size_t count, capacity;
	size_t inlined_left_out; /* inlined copies of a function, which do not return */
};

/* Finds all places of the text, at least one. Returns PK_FAILED after a message. Free it in any
 * case. */
PK_MUST_CHECK enum pk_status pk_probe_places_find(struct probe_object *object,
						  const struct probe_text *text,
						  struct probe_places *places,
						  struct pk_messages *messages);
void pk_probe_places_free(struct probe_places *places);

#endif
