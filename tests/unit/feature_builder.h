/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FEATURE_BUILDER_H
#define FEATURE_BUILDER_H

/* Builds HEADER_FEATURE records of all kinds (SPEC 6.2). */

#include "stream_builder.h"

static inline void open_feature(struct built *b, uint64_t id)
{
	open_record(b, PERF_RECORD_HEADER_FEATURE, 0);
	put(b, 8, id);
}

static inline void put_text(struct built *b, const char *text)
{
	put(b, 4, strlen(text) + 3);
	put_bytes(b, text, strlen(text) + 1);
	put_zeros(b, 2);
}

/* Writes the content of a feature (SPEC 6.2). In `widths`, a digit is a number with that many
 * bytes, and 's' is a string. '(' stands for the u32 count 2, and what is between '(' and ')' is
 * written twice. */
static inline void put_feature_body(struct built *b, const char *widths)
{
	for (; *widths; widths++) {
		if (*widths == 's') {
			put_text(b, "text");
		} else if (*widths == '(') {
			char inner[32];
			size_t length = strcspn(widths, ")") - 1;

			memcpy(inner, widths + 1, length);
			inner[length] = '\0';
			put(b, 4, 2);
			put_feature_body(b, inner);
			put_feature_body(b, inner);
			widths += length + 1;
		} else {
			put(b, (unsigned int)(*widths - '0'), 0x0102030405060708);
		}
	}
}

static const struct {
	enum perf_feature id;
	const char *widths;
} features[] = {
	{PERF_FEATURE_HOSTNAME, "s"},
	{PERF_FEATURE_OSRELEASE, "s"},
	{PERF_FEATURE_VERSION, "s"},
	{PERF_FEATURE_ARCH, "s"},
	{PERF_FEATURE_CPUDESC, "s"},
	{PERF_FEATURE_CPUID, "s"},
	{PERF_FEATURE_TOTAL_MEM, "8"},
	{PERF_FEATURE_CMDLINE, "(s)"},
	{PERF_FEATURE_NUMA_TOPOLOGY, "(488s)"},
	{PERF_FEATURE_PMU_MAPPINGS, "(4s)"},
	{PERF_FEATURE_GROUP_DESC, "(s44)"},
	{PERF_FEATURE_CACHE, "4(4444sss)"},
	{PERF_FEATURE_SAMPLE_TIME, "88"},
	{PERF_FEATURE_MEM_TOPOLOGY, "88888888"},
	{PERF_FEATURE_CLOCKID, "8"},
	{PERF_FEATURE_COMPRESSED, "44444"},
	{PERF_FEATURE_CPU_PMU_CAPS, "(ss)"},
	{PERF_FEATURE_CLOCK_DATA, "4488"},
	{PERF_FEATURE_HYBRID_TOPOLOGY, "(ss)"},
	{PERF_FEATURE_E_MACHINE, "44"},
	{PERF_FEATURE_CLN_SIZE, "4"},
};

static inline void put_cpu_features(struct built *b, bool with_dies)
{
	open_feature(b, PERF_FEATURE_NRCPUS);
	PUT(b, "44", 2, 2);
	close_record(b);
	open_feature(b, PERF_FEATURE_CPU_TOPOLOGY);
	put_feature_body(b, "(s)(s)44");
	PUT(b, "44", 1, 0);
	if (with_dies)
		put_feature_body(b, "(s)44");
	close_record(b);
	open_feature(b, PERF_FEATURE_PMU_CAPS);
	put(b, 4, 2);
	put_feature_body(b, "(ss)s(ss)s");
	close_record(b);
	for (unsigned int version = 16; version < 18; version++) {
		open_feature(b, PERF_FEATURE_CPU_DOMAIN_INFO);
		PUT(b, "44", version, 3);
		put_feature_body(b, version == 17 ? "4(4sss)4(4sss)" : "4(4ss)4(4ss)");
		close_record(b);
	}
	open_feature(b, PERF_FEATURE_BPF_BTF);
	PUT(b,
	    "4"
	    "44",
	    1, 7, 5);
	put_bytes(b, "bytes", 5);
	close_record(b);
}

static inline void put_event_desc(struct built *b, const struct perf_attr *attr)
{
	struct built inner = {.swap = b->swap};

	put_attr(&inner, attr, 0, 0);
	open_feature(b, PERF_FEATURE_EVENT_DESC);
	PUT(b, "44", 2, inner.size - 8);
	for (unsigned int i = 0; i < 2; i++) {
		put_bytes(b, inner.data + 8, inner.size - 8);
		put(b, 4, i);
		put_text(b, "name");
		for (unsigned int id = 0; id < i; id++)
			put(b, 8, 0x0102030405060708);
	}
	close_record(b);
	free(inner.data);
}

static inline void put_features(struct built *b, const struct perf_attr *attr)
{
	for (size_t i = 0; i < COUNT(features); i++) {
		open_feature(b, features[i].id);
		put_feature_body(b, features[i].widths);
		close_record(b);
	}
	put_cpu_features(b, true);
	put_cpu_features(b, false);
	put_event_desc(b, attr);
}

#endif
