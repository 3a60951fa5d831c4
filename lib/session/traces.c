// SPDX-License-Identifier: BSD-2-Clause
#include "traces.h"
#include "pkutil.h"

const char *pk_trace_kind_name(uint32_t kind)
{
	static const char *const names[PK_TRACE_KINDS] = {
		[PK_TRACE_UNKNOWN] = "hardware",       [PK_TRACE_INTEL_PT] = "Intel PT",
		[PK_TRACE_INTEL_BTS] = "Intel BTS",    [PK_TRACE_CORESIGHT] = "CoreSight",
		[PK_TRACE_ARM_SPE] = "Arm SPE",	       [PK_TRACE_S390_CPUMF] = "s390 CPU-MF",
		[PK_TRACE_HISI_PTT] = "HiSilicon PTT", [PK_TRACE_VPA_DTL] = "VPA DTL",
	};

	return names[kind < PK_TRACE_KINDS ? kind : PK_TRACE_UNKNOWN];
}

bool pk_trace_is_decodable(uint32_t kind)
{
	return kind == PK_TRACE_ARM_SPE || kind == PK_TRACE_INTEL_PT || kind == PK_TRACE_CORESIGHT;
}

void pk_traces_record(struct pk_traces *traces, const struct pk_record *record)
{
	const struct perf_record_auxtrace_info *info = (const void *)record->data;
	const struct perf_record_header_attr *attr = (const void *)record->data;

	switch (record->type) {
	case PK_RECORD_BEGIN: traces->kind = PK_TRACE_UNKNOWN; break;
	case PERF_RECORD_HEADER_ATTR:
		traces->sampled |= (attr->attr.sample_type & PERF_SAMPLE_AUX) != 0;
		break;
	case PERF_RECORD_AUXTRACE_INFO:
		traces->kind = info->type < PK_TRACE_KINDS ? info->type : PK_TRACE_UNKNOWN;
		break;
	case PERF_RECORD_AUXTRACE:
		pk_add_saturating(&traces->bytes[traces->kind], record->payload_size);
		break;
	default: break;
	}
}
