/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EMBED_H
#define PK_EMBED_H

/* A file of this program that the program writes into pictures and pages. */
struct embedded {
	const char *text, *end;
};

/* Defines a constant struct embedded with the content of a file of pk-plot/. The assembler copies
 * the file into the program. The Makefile lists the object files that depend on the embedded files.
 */
#define EMBED(name, file)                                                                          \
	__asm__(".pushsection .rodata\n" #name "_begin:\n.incbin \"pk-plot/" file "\"\n" #name     \
		"_end:\n.popsection\n");                                                           \
	extern const char name##_begin[] __attribute__((visibility("hidden")));                    \
	extern const char name##_end[] __attribute__((visibility("hidden")));                      \
	const struct embedded name = {name##_begin, name##_end}

#endif
