/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEXT_H
#define TEXT_H

/* Prints samples and other records in the text format of perf script. */

#include "script.h"

/* Prints the selected fields at the start of each line: comm, pid and tid, cpu, misc, tod, time. */
void text_start(struct script *script, const struct shown *shown);
/* Prints the frames of a callchain, one on each line. Without a callchain, prints one frame after a
 * blank, on the same line. */
void text_frames(struct script *script, const struct shown *shown);
/* Rare fields: text_values.c */
void text_addr(struct script *script, const struct shown *shown);
void text_data_src(struct script *script, const struct shown *shown);
void text_weight(struct script *script, const struct shown *shown);
void text_ins_lat(struct script *script, const struct shown *shown);
void text_retire_lat(struct script *script, const struct shown *shown);
void text_cgroup(struct script *script, const struct shown *shown);
void text_iregs(struct script *script, const struct shown *shown);
void text_uregs(struct script *script, const struct shown *shown);
void text_brstack(struct script *script, const struct shown *shown);
void text_brstacksym(struct script *script, const struct shown *shown);
/* Branch stacks and instructions: text_branches.c */
void text_brstackoff(struct script *script, const struct shown *shown);
void text_insn(struct script *script, const struct shown *shown);
void text_brstackinsn(struct script *script, const struct shown *shown);
void text_bpf_output(struct script *script, const struct shown *shown);
void text_phys_addr(struct script *script, const struct shown *shown);
void text_data_page_size(struct script *script, const struct shown *shown);
void text_code_page_size(struct script *script, const struct shown *shown);
/* The parts of script_text, which is in text_records.c: a line of a sample, the name of an event as
 * its column, the layout of a frame. */
void text_sample(struct script *script, const struct shown *shown);
void text_column(struct script *script, struct event_style *view, struct buffer *column);
extern const struct frame_format text_frame_format;

#endif
