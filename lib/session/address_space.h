/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ADDRESS_SPACE_H
#define PK_ADDRESS_SPACE_H

/* The maps of the recorded address spaces. */

#include "pkstream.h"

/* ---- Images: the sources of mapped code ---- */

/* An image is the source of mapped code. It is a file, or something else that can contain code: the
 * kernel, a module, the vDSO, JIT code, or memory without a file. There is one image for each
 * combination of kind, path, process (only for JIT code and guests) and build-id in the MMAP
 * record. Without a build-id, images also differ by device and inode, because the path can name
 * another file in another mount namespace. An image exists as long as the session. */
struct pk_image {
	uint32_t index; /* 0, 1, 2 ... in the order of appearance */
	enum pk_dso_kind kind;
	/* For JIT code: the process whose perf map names the code. For files: the first process
	 * that has mapped the file. For a guest: the process that runs the guest, or 0 for any
	 * guest. */
	uint32_t pid;
	bool guest; /* the image is the kernel of a virtual machine, or one of its modules */
	bool dump;  /* For JIT code: the code is in a jitdump. Addresses in the image are offsets in
		     * that file. */
	bool code; /* A map of the image is or was executable. Otherwise the image has only data. */
	const char *path;
	/* The name in perf's output. It is the path, or for a kernel module a name such as
	 * "[usbnet]". If the kernel or a module has a BUILD_ID record before its map, it is the
	 * path in that record. */
	const char *name;
	uint32_t build_id_size; /* in bytes; 0 if it is unknown */
	uint8_t build_id[PK_BUILD_ID_MAX];
	uint32_t major, minor; /* device and inode; they are unknown if all three numbers are 0 */
	uint64_t inode;
	/* For the kernel: the symbol in its MMAP record ("_text"), and the address of this symbol
	 * on the recorded machine. reference_symbol is NULL if it is unknown. */
	const char *reference_symbol;
	uint64_t reference_address;
};

/* ---- Maps ---- */

/* A range of virtual addresses, and the image that is mapped there. */
struct pk_map {
	uint64_t start, end; /* virtual addresses; end is not included */
	uint64_t pgoff;	     /* the offset in the file that is mapped at start, in bytes */
	const struct pk_image *image;
	bool executable; /* If it is false, the map has only data. Its addresses have no functions.
			  */
	uint32_t pid;	 /* the process that has created the map; its children inherit the map */
};

/* Converts a virtual address to an address in the image of the map. For files and jitdumps, this is
 * an offset in the file. For kernel modules and the vDSO, it is the offset from the start of the
 * map. For all other images, it is ip itself. */
uint64_t pk_map_address(const struct pk_map *map, uint64_t ip);

/* The maps of one address space. After a fork, the child shares the space of its parent until one
 * of the two changes it. A shared space is never modified. The serial changes with each
 * modification, and is never equal for two spaces with different maps. */
struct pk_space;

struct pk_space *pk_space_new(uint64_t *serials);
struct pk_space *pk_space_share(struct pk_space *space);
void pk_space_release(struct pk_space *space);
uint64_t pk_space_serial(const struct pk_space *space);
/* Returns the map that contains ip, or NULL if there is none. */
const struct pk_map *pk_space_find(const struct pk_space *space, uint64_t ip);
/* Returns the first map that starts after the address, or NULL if there is none. */
const struct pk_map *pk_space_next(const struct pk_space *space, uint64_t address);
/* Adds *map. Parts of earlier maps at the same addresses are removed. If the space is shared,
 * *space becomes a new space. */
PK_MUST_CHECK enum pk_status pk_space_map(struct pk_space **space, const struct pk_map *map);
/* Removes all maps, or parts of maps, from start to end (not included). If the space is shared,
 * *space becomes a new space. */
PK_MUST_CHECK enum pk_status pk_space_unmap(struct pk_space **space, uint64_t start, uint64_t end);

/* Finds the file from which the code of an anonymous map was copied. Some programs copy a part of
 * their code to anonymous memory at the same addresses, so that it is in huge pages. Then the
 * remaining maps of the file are before and after this memory. A new anonymous map is never at such
 * a place by chance, because the kernel fills a gap from its end. Returns the map of the file
 * before the memory. The copied code has the same image, and the same distance between address and
 * file offset. Returns NULL if the map is not copied code. */
const struct pk_map *pk_moved_from(const struct pk_space *space, const struct pk_map *map);

#endif
