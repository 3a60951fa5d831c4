/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEXT_H
#define TEXT_H

/* The text of perf script, in parts. */

#include "script.h"

/* The start of every line: the task, the cpu, the time. */
void text_start(struct script *script, const struct shown *shown);
/* The frames of a chain, one on each line; or, without a chain, the only one after a blank. */
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
void text_bpf_output(struct script *script, const struct shown *shown);
void text_phys_addr(struct script *script, const struct shown *shown);
void text_data_page_size(struct script *script, const struct shown *shown);
void text_code_page_size(struct script *script, const struct shown *shown);
/* Records that are not samples: text_records.c */
void text_record(struct script *script, const struct pk_record *record);

#endif
