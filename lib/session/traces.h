/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACES_H
#define PK_TRACES_H

/* Hardware traces in a stream: AUXTRACE records, whose payload is the output of a trace unit of the
 * processor. AUXTRACE_INFO names the kind of the trace unit. */

#include "pkstream.h"

/* Numbers of perf_record_auxtrace_info.type. */
enum pk_trace_kind {
	PK_TRACE_UNKNOWN = 0,
	PK_TRACE_INTEL_PT = 1,
	PK_TRACE_INTEL_BTS = 2,
	PK_TRACE_CORESIGHT = 3,
	PK_TRACE_ARM_SPE = 4,
	PK_TRACE_S390_CPUMF = 5,
	PK_TRACE_HISI_PTT = 6,
	PK_TRACE_VPA_DTL = 7,
	PK_TRACE_KINDS
};

/* Returns the name of a kind, such as "Arm SPE". Unknown kinds have the name "hardware". */
const char *pk_trace_kind_name(uint32_t kind);
/* Returns true if pk-decode decodes traces of this kind. */
bool pk_trace_is_decodable(uint32_t kind);

/* The traces of a stream that have not been decoded. */
struct pk_traces {
	enum pk_trace_kind kind;	/* of the current session */
	uint64_t bytes[PK_TRACE_KINDS]; /* bytes of the payloads of AUXTRACE, by kind */
	bool sampled; /* samples of an event contain parts of a trace (PERF_SAMPLE_AUX) */
};

/* Evaluates a record. The caller can leave out SAMPLEs. */
void pk_traces_record(struct pk_traces *traces, const struct pk_record *record);

#endif
