/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEXT_H
#define TEXT_H

/* Prints samples and other records in the text format of perf script. */

#include "script.h"

/* Prints the fields at the start of each line: comm, pid and tid, cpu, misc, tod, time. Leaves out
 * fields that are not selected. */
void text_start(struct script *script, const struct shown *shown);
/* Prints the frames of a callchain, each on its own line. If there is no callchain, prints a blank
 * and one frame on the current line. */
void text_frames(struct script *script, const struct shown *shown);
/* These functions print rare fields. They are in text_values.c. */
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
/* These functions print branch stacks and instructions. They are in text_branches.c. */
void text_brstackoff(struct script *script, const struct shown *shown);
void text_insn(struct script *script, const struct shown *shown);
void text_brstackinsn(struct script *script, const struct shown *shown);
void text_bpf_output(struct script *script, const struct shown *shown);
void text_phys_addr(struct script *script, const struct shown *shown);
void text_data_page_size(struct script *script, const struct shown *shown);
void text_code_page_size(struct script *script, const struct shown *shown);
/* Callbacks of script_text, which is defined in text_records.c. They print the line of a sample,
 * the name of an event in its column, and the frames. */
void text_sample(struct script *script, const struct shown *shown);
void text_column(struct script *script, struct event_style *view, struct buffer *column);
extern const struct frame_format text_frame_format;

#endif
