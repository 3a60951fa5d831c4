/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_EMBEDDED_H
#define PK_EMBEDDED_H

/* The files of this folder that are written into pictures. */

#include "svg.h"

extern const struct svg_part plot_style, plot_script, flame_script, timeline_script, cells_script;

#endif
