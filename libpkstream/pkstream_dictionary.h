/* SPDX-License-Identifier: BSD-2-Clause */
/* The dictionary: strings, objects, frames, stacks (SPEC 9.4 to 9.7). Programs include pkstream.h.
 */
#ifndef PKSTREAM_DICTIONARY_H
#define PKSTREAM_DICTIONARY_H

#include "pkstream_definition.h"
#include "pkstream_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of objects that contain code. */
enum pk_dso_kind {
	PK_DSO_UNKNOWN = 0,
	PK_DSO_FILE = 1, /* an ELF file */
	PK_DSO_KERNEL = 2,
	PK_DSO_MODULE = 3, /* a kernel module */
	PK_DSO_VDSO = 4,
	PK_DSO_JIT = 5, /* generated code; its names come from a perf map or a jitdump */
	PK_DSO_BPF = 6,
	PK_DSO_ANON = 7, /* mapped memory without a file */
};

/* An object that contains code. */
struct pk_dso {
	uint32_t path;		/* id of a STRING */
	uint32_t kind;		/* a number of enum pk_dso_kind */
	uint32_t build_id_size; /* 0 to PK_BUILD_ID_MAX bytes */
	uint8_t build_id[PK_BUILD_ID_MAX];
};

#define PK_FRAME_KERNEL	    (1u << 0)
#define PK_FRAME_USER	    (1u << 1)
#define PK_FRAME_GUEST	    (1u << 2) /* the frame is in a guest; set in addition to KERNEL or USER */
#define PK_FRAME_HYPERVISOR (1u << 3)
#define PK_FRAME_INLINED    (1u << 4)
#define PK_FRAME_JIT	    (1u << 5)
#define PK_FRAME_UNRESOLVED (1u << 6) /* no function was found */
#define PK_FRAME_TRUNCATED  (1u << 7) /* marks missing callers */
/* The frame is not code. The member `function` is the name of a thread, and the frame is the root
 * of a stack. */
#define PK_FRAME_COMM	  (1u << 8)
#define PK_FRAME_FUNCTION (1u << 9) /* stands for all addresses of a function */

/* A frame: a function, or an address in it. */
struct pk_frame {
	uint32_t dso;	   /* id of a DSO; 0 if the address is in no mapped object */
	uint32_t function; /* id of a STRING; 0 if the function is unknown */
	uint32_t file;	   /* id of a STRING; 0 if the file is unknown */
	uint32_t line, column;
	uint32_t flags; /* bits PK_FRAME_* */
	/* The kind of address depends on the DSO. In a DSO of kind FILE, and for code of a jitdump,
	 * it is an offset in the file. In a MODULE or VDSO, it is an offset from the start of the
	 * map. In other DSOs, and without a DSO, it is a virtual address. With PK_FRAME_FUNCTION,
	 * it is the address of the function, or 0 if that is unknown. */
	uint64_t address;
	uint64_t symbol_start; /* start of the symbol, as the same kind of address; 0 if unknown */
};

/* A stack: its innermost frame, and the stack of the caller. */
struct pk_stack {
	uint32_t parent; /* id of the stack of the caller; 0 if the frame is the root */
	uint32_t frame;
};

struct pk_dictionary;

/* Creates a dictionary. If writer is not NULL, the definition of each new item is written before
 * the item's id is returned. pk_dictionary_free() does not free the writer. Returns NULL if memory
 * is exhausted. */
PK_API struct pk_dictionary *pk_dictionary_new(struct pk_writer *writer);
PK_API void pk_dictionary_free(struct pk_dictionary *dictionary);
/* These functions return the id of an equal item, or add the item and return its new id. They
 * return 0 if memory is exhausted or no id is left. The ids inside the item must be defined or 0.
 * Strings that are too long for a record are cut. */
PK_API uint32_t pk_dictionary_string(struct pk_dictionary *dictionary, const char *text,
				     size_t size);
PK_API uint32_t pk_dictionary_dso(struct pk_dictionary *dictionary, const struct pk_dso *dso);
PK_API uint32_t pk_dictionary_frame(struct pk_dictionary *dictionary, const struct pk_frame *frame);
PK_API uint32_t pk_dictionary_stack(struct pk_dictionary *dictionary, uint32_t parent,
				    uint32_t frame);
/* For readers. Adds the item of a STRING, DSO, FRAME or STACK record. Removes all items if the
 * record is a RESET. Ignores other records. Returns PK_CORRUPT in two cases. If the id is not the
 * next id, or if the record is too short, nothing is added. If the record is invalid or refers to
 * an undefined id, an empty item with the record's id is added. A dictionary that is filled by this
 * function must not also be filled by the functions above. */
PK_API PK_MUST_CHECK enum pk_status pk_dictionary_read(struct pk_dictionary *dictionary,
						       const struct pk_record *record);
/* Removes all items, and writes a RESET record. The ids continue. */
PK_API enum pk_status pk_dictionary_reset(struct pk_dictionary *dictionary);
/* Removes all items. The ids start again at 1, for a new session. Writes nothing. */
PK_API void pk_dictionary_clear(struct pk_dictionary *dictionary);

/* These functions return the item with the id, or NULL if the id is undefined. The item is valid
 * until the next addition, reset or clear. Strings end with a NUL. `size` may be NULL. */
PK_API const char *pk_dictionary_get_string(const struct pk_dictionary *dictionary, uint32_t id,
					    size_t *size);
PK_API const struct pk_dso *pk_dictionary_get_dso(const struct pk_dictionary *dictionary,
						  uint32_t id);
PK_API const struct pk_frame *pk_dictionary_get_frame(const struct pk_dictionary *dictionary,
						      uint32_t id);
PK_API const struct pk_stack *pk_dictionary_get_stack(const struct pk_dictionary *dictionary,
						      uint32_t id);
/* The defined ids. They are base + 1 to base + count. */
struct pk_id_range {
	uint32_t base, count;
};
PK_API struct pk_id_range pk_dictionary_stacks(const struct pk_dictionary *dictionary);
PK_API struct pk_id_range pk_dictionary_frames(const struct pk_dictionary *dictionary);

#ifdef __cplusplus
}
#endif
#endif
