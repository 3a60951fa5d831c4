// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>

#include "dump.h"

/* SPEC 5 */

static const char *marker_name(uint64_t ip)
{
	switch (ip) {
	case PERF_CONTEXT_HV: return "hypervisor";
	case PERF_CONTEXT_KERNEL: return "kernel";
	case PERF_CONTEXT_USER: return "user";
	case PERF_CONTEXT_USER_DEFERRED: return "user-deferred";
	case PERF_CONTEXT_GUEST: return "guest";
	case PERF_CONTEXT_GUEST_KERNEL: return "guest-kernel";
	case PERF_CONTEXT_GUEST_USER: return "guest-user";
	default: return "unknown";
	}
}

static void dump_callchain(const struct pk_u64s *chain)
{
	dump_decimal("nr", chain->count);
	for (uint64_t i = 0; i < chain->count; i++) {
		uint64_t ip = pk_u64s_at(chain, i);

		printf("  ips[%" PRIu64 "]=0x%" PRIx64, i, ip);
		if (ip >= PERF_CONTEXT_MAX)
			printf(" (%s)", marker_name(ip));
		putchar('\n');
	}
}

static void dump_group(const struct pk_read_values *read, uint64_t format)
{
	static const char *const names[] = {"value", "id", "lost"};
	char name[48];

	dump_decimal("read.nr", read->count);
	for (uint64_t i = 0; i < read->count; i++) {
		unsigned int field = 0;

		for (unsigned int j = 0; j < read->stride; j++) {
			snprintf(name, sizeof(name), "read[%" PRIu64 "].%s", i, names[field]);
			dump_decimal(name, pk_u64s_at(&read->group, i * read->stride + j));
			field = !field && format & PERF_FORMAT_ID ? 1 : 2;
		}
	}
}

static void dump_read(const struct pk_read_values *read, uint64_t format)
{
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		dump_decimal("read.enabled", read->time_enabled);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		dump_decimal("read.running", read->time_running);
	if (format & PERF_FORMAT_GROUP) {
		dump_group(read, format);
		return;
	}
	dump_decimal("read.value", read->value);
	if (format & PERF_FORMAT_ID)
		dump_decimal("read.id", read->id);
	if (format & PERF_FORMAT_LOST)
		dump_decimal("read.lost", read->lost);
}

/* Of a READ record; the library decodes only those of SAMPLE. */
void dump_read_values(struct dump *dump)
{
	uint64_t format, nr;
	char letters[8] = "", names[64] = "";

	if (!dump->event)
		return;
	format = dump->event->attr.read_format;
	if (format & PERF_FORMAT_GROUP) {
		nr = dump_take(dump, 8);
		dump_decimal("read.nr", nr);
	} else {
		dump_fields(dump, "8", "read.value");
	}
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		dump_fields(dump, "8", "read.enabled");
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		dump_fields(dump, "8", "read.running");
	snprintf(letters, sizeof(letters), "%s%s", format & PERF_FORMAT_ID ? "8" : "",
		 format & PERF_FORMAT_LOST ? "8" : "");
	snprintf(names, sizeof(names), "%s%s", format & PERF_FORMAT_ID ? "id " : "",
		 format & PERF_FORMAT_LOST ? "lost" : "");
	if (!(format & PERF_FORMAT_GROUP)) {
		snprintf(dump->prefix, sizeof(dump->prefix), "read.");
		dump_fields(dump, letters, names);
		dump->prefix[0] = '\0';
	} else if (!dump->complained) {
		char all[16], all_names[80];

		snprintf(all, sizeof(all), "8%s", letters);
		snprintf(all_names, sizeof(all_names), "value %s", names);
		dump_items(dump, nr, 8 * strlen(all), "read", all, all_names);
	}
}

/* SPEC 5.4: fields of the flags of a branch. */
static void dump_branch_flags(uint64_t flags)
{
	static const struct {
		const char *name;
		uint8_t at, width;
	} fields[] = {
		{"mispred", 0, 1}, {"predicted", 1, 1},	 {"in_tx", 2, 1}, {"abort", 3, 1},
		{"cycles", 4, 16}, {"type", 20, 4},	 {"spec", 24, 2}, {"new_type", 26, 4},
		{"priv", 30, 3},   {"reserved", 33, 31},
	};

	for (size_t i = 0; i < COUNT(fields); i++) {
		uint64_t value = flags >> fields[i].at & ((UINT64_C(1) << fields[i].width) - 1);

		if (value)
			printf(" %s=%" PRIu64, fields[i].name, value);
	}
}

static void dump_branches(const struct pk_sample *sample, uint64_t type)
{
	dump_decimal("branch.nr", sample->branches.count);
	if (type & PERF_SAMPLE_BRANCH_HW_INDEX)
		dump_hex("branch.hw_idx", sample->branch_hw_index);
	for (uint64_t i = 0; i < sample->branches.count; i++) {
		printf("  branch[%" PRIu64 "]=0x%" PRIx64 " -> 0x%" PRIx64, i,
		       pk_u64s_at(&sample->branches, 3 * i),
		       pk_u64s_at(&sample->branches, 3 * i + 1));
		dump_branch_flags(pk_u64s_at(&sample->branches, 3 * i + 2));
		putchar('\n');
	}
	for (uint64_t i = 0; i < sample->branch_counters.count; i++)
		printf("  branch_counters[%" PRIu64 "]=0x%" PRIx64 "\n", i,
		       pk_u64s_at(&sample->branch_counters, i));
}

static void dump_registers(const char *name, const struct pk_registers *registers, uint64_t mask)
{
	uint64_t taken = 0;

	printf("  %s.abi=%" PRIu64 "\n", name, registers->abi);
	for (unsigned int bit = 0; bit < 64 && taken < registers->values.count; bit++)
		if (mask >> bit & 1)
			printf("  %s[%u]=0x%" PRIx64 "\n", name, bit,
			       pk_u64s_at(&registers->values, taken++));
}

static void dump_fixed(const struct pk_sample *sample, uint64_t type)
{
	if (type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID))
		dump_decimal("id", sample->id);
	if (type & PERF_SAMPLE_IP)
		dump_hex("ip", sample->ip);
	if (type & PERF_SAMPLE_TID) {
		dump_signed("pid", (int32_t)sample->pid);
		dump_signed("tid", (int32_t)sample->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		dump_decimal("time", sample->time);
	if (type & PERF_SAMPLE_ADDR)
		dump_hex("addr", sample->addr);
	if (type & PERF_SAMPLE_STREAM_ID)
		dump_decimal("stream_id", sample->stream_id);
	if (type & PERF_SAMPLE_CPU)
		dump_signed("cpu", (int32_t)sample->cpu);
	if (type & PERF_SAMPLE_PERIOD)
		dump_decimal("period", sample->period);
}

static void dump_varying(const struct pk_sample *sample, const struct perf_attr *attr)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_READ)
		dump_read(&sample->read, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		dump_callchain(&sample->callchain);
	if (type & PERF_SAMPLE_RAW)
		dump_bytes("raw", sample->raw.data, sample->raw.size);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		dump_branches(sample, attr->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		dump_registers("user_regs", &sample->user_registers, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		dump_bytes("user_stack", sample->user_stack.data, sample->user_stack.size);
}

static void dump_last(const struct pk_sample *sample, const struct perf_attr *attr)
{
	uint64_t type = attr->sample_type;

	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		dump_hex("weight", sample->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		dump_hex("data_src", sample->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		dump_hex("transaction", sample->transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		dump_registers("intr_regs", &sample->interrupt_registers, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		dump_hex("phys_addr", sample->phys_addr);
	if (type & PERF_SAMPLE_CGROUP)
		dump_decimal("cgroup", sample->cgroup);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		dump_decimal("data_page_size", sample->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		dump_decimal("code_page_size", sample->code_page_size);
	if (type & PERF_SAMPLE_AUX)
		dump_bytes("aux", sample->aux.data, sample->aux.size);
}

/* SPEC 9.8 */
static void dump_stack_trailer(struct dump *dump)
{
	const struct pk_trailer *trailer = pk_trailer_at(dump->end - PK_STACK_TRAILER_SIZE);

	if (dump->session.version != PK_FORMAT_VERSION ||
	    !(dump->session.trailers & PK_TRAILER_STACK))
		return;
	if (dump_left(dump) < PK_STACK_TRAILER_SIZE || trailer->tag != PK_STACK_TRAILER_TAG) {
		dump_complain(dump, "the stack trailer is missing");
		return;
	}
	dump->end -= PK_STACK_TRAILER_SIZE;
	dump_decimal("stack", trailer->value);
	if (trailer->value && !pk_dictionary_get_stack(dump->dictionary, trailer->value))
		dump_complain(dump, "its stack is not defined");
}

/* SPEC 9.8.1 */
static void dump_chain_trailer(struct dump *dump, uint32_t flags)
{
	if (dump->session.version != PK_FORMAT_VERSION ||
	    !(dump->session.trailers & PK_TRAILER_CHAIN) || !flags)
		return;
	dump->at += PK_CHAIN_TRAILER_SIZE;
	dump_hex("chain_flags", flags);
}

void dump_sample(struct dump *dump)
{
	struct pk_sample sample;

	if (!dump->event) {
		dump_complain(dump, "the event it belongs to cannot be told");
		return;
	}
	switch (pk_sample_decode(dump->event, dump->record, &sample)) {
	case PK_OK: break;
	case PK_UNSUPPORTED: return;
	default: dump_complain(dump, "too short for its fields"); return;
	}
	dump_fixed(&sample, dump->event->attr.sample_type);
	dump_varying(&sample, &dump->event->attr);
	dump_last(&sample, &dump->event->attr);
	dump->at = dump->record->data + sample.size;
	dump_chain_trailer(dump, sample.chain_flags);
	dump_stack_trailer(dump);
}
