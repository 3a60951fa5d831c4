// SPDX-License-Identifier: BSD-2-Clause
#include "embedded.h"

/* The assembler copies a file into the program. The Makefile knows that this object depends on it.
 */
#define EMBED(name, file)                                                                          \
	__asm__(".pushsection .rodata\n" #name "_begin:\n.incbin \"pk-plot/" file "\"\n" #name     \
		"_end:\n.popsection\n");                                                           \
	extern const char name##_begin[] __attribute__((visibility("hidden")));                    \
	extern const char name##_end[] __attribute__((visibility("hidden")));                      \
	const struct svg_part name = {name##_begin, name##_end}

EMBED(plot_style, "plot.css");
EMBED(plot_script, "plot.js");
EMBED(flame_script, "flame.js");
EMBED(timeline_script, "timeline.js");
EMBED(cells_script, "cells.js");
