/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ADDRESS_SPACE_H
#define PK_ADDRESS_SPACE_H

/* What is mapped in the recorded address spaces. */

#include "pkstream.h"

/* ---- Images: the sources of mapped code ---- */

/* A mapped file, or what else can contain code: the kernel, a module, the vDSO, JIT code, memory
 * without a file. There is one image for each combination of kind, path, process (only JIT and
 * guests), and build-id of the map's record. Without a build-id, images also differ by device and
 * inode, because the path can be another file in another mount namespace. An image lives as long as
 * the session. */
struct pk_image {
	uint32_t index; /* 0, 1, 2 ... in order of appearance */
	enum pk_dso_kind kind;
	uint32_t pid; /* JIT: the process whose perf map names the code; FILE: the first process
		       * that has mapped it; guest: the process that runs it, 0: any */
	bool guest;   /* the kernel of a virtual machine, or one of its modules */
	bool dump; /* JIT: the code is in a jitdump; addresses in the image are offsets in that file
		    */
	bool code; /* a map of it is or was executable; false: it has only data */
	const char *path;
	/* The name in perf's output. This is the path, or for a kernel module "[usbnet]". If the
	 * kernel or a module has a BUILD_ID record before its map, it is the path in that
	 * record. */
	const char *name;
	uint32_t build_id_size; /* bytes; 0: unknown */
	uint8_t build_id[PK_BUILD_ID_MAX];
	uint32_t major, minor; /* of the device; unknown if these three are 0 */
	uint64_t inode;
	/* For KERNEL: the symbol in the kernel's MMAP record ("_text"), and its address on the
	 * recorded machine. NULL if it is unknown. */
	const char *reference_symbol;
	uint64_t reference_address;
};

/* ---- Maps ---- */

struct pk_map {
	uint64_t start, end; /* virtual addresses; end is excluded */
	uint64_t pgoff;	     /* offset of start in the file, bytes */
	const struct pk_image *image;
	bool executable; /* false: data, which has addresses but no functions */
	uint32_t pid;	 /* the process that has mapped it; its children inherit the map */
};

/* The address of ip inside the map's image. For files and jitdumps, it is the offset in the file.
 * For kernel modules and the vDSO, it is the offset from the start of the map. For others, it is ip
 * itself. */
uint64_t pk_map_address(const struct pk_map *map, uint64_t ip);

/* The maps of one address space. Immutable while shared: a fork shares its parent's maps until one
 * of the two changes. serial is new after each change, and never the same for two different
 * contents. */
struct pk_space;

struct pk_space *pk_space_new(uint64_t *serials);
struct pk_space *pk_space_share(struct pk_space *space);
void pk_space_release(struct pk_space *space);
uint64_t pk_space_serial(const struct pk_space *space);
/* The map that contains ip, or NULL if there is none. */
const struct pk_map *pk_space_find(const struct pk_space *space, uint64_t ip);
/* The first map that starts above the address, or NULL if there is none. */
const struct pk_map *pk_space_next(const struct pk_space *space, uint64_t address);
/* Adds *map, and removes what earlier maps have at its addresses. If the space is shared, *space
 * becomes a new one. */
PK_MUST_CHECK enum pk_status pk_space_map(struct pk_space **space, const struct pk_map *map);
/* Removes what maps have from start to end (excluded). Otherwise like pk_space_map(). */
PK_MUST_CHECK enum pk_status pk_space_unmap(struct pk_space **space, uint64_t start, uint64_t end);

/* Finds the file whose code is at a map's place. Some programs copy their code to anonymous memory
 * at the same addresses, to have it in huge pages. The rest of the file's map is left on both
 * sides. No new map gets such a place by itself, because the kernel fills a gap from its end.
 * Returns the part of the file's map below. Its image, and its distance from the file, are those of
 * the copy. Returns NULL if the map is another kind of memory. */
const struct pk_map *pk_moved_from(const struct pk_space *space, const struct pk_map *map);

#endif
