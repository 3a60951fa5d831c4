// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>

#include "dump.h"
#include "event_line.h"
#include "pkprivate.h"

/* ---- Attrs ---- */

/* SPEC 4.1 */
static const char *const types[] = {"hardware", "software", "tracepoint",
				    "hw-cache", "raw",	    "breakpoint"};

const char *const dump_sample_bits[DUMP_SAMPLE_BITS] = {"IP",
							"TID",
							"TIME",
							"ADDR",
							"READ",
							"CALLCHAIN",
							"ID",
							"CPU",
							"PERIOD",
							"STREAM_ID",
							"RAW",
							"BRANCH_STACK",
							"REGS_USER",
							"STACK_USER",
							"WEIGHT",
							"DATA_SRC",
							"IDENTIFIER",
							"TRANSACTION",
							"REGS_INTR",
							"PHYS_ADDR",
							"AUX",
							"CGROUP",
							"DATA_PAGE_SIZE",
							"CODE_PAGE_SIZE",
							"WEIGHT_STRUCT"};

const char *const dump_read_bits[DUMP_READ_BITS] = {"TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING",
						    "ID", "GROUP", "LOST"};

const char *const dump_branch_bits[DUMP_BRANCH_BITS] = {
	"user",	    "kernel",	 "hv",	      "any",	  "any_call",	"any_return", "ind_call",
	"abort_tx", "in_tx",	 "no_tx",     "cond",	  "call_stack", "ind_jump",   "call",
	"no_flags", "no_cycles", "type_save", "hw_index", "priv_save",	"counters"};

/* A field of an attr. It is not printed if it is 0. If the recorded attr is too short to contain a
 * field, the field is 0. */
struct attr_field {
	const char *name;
	uint64_t value;
	char letter; /* as in dump_fields(); 'f' stands for flags whose bits have names */
	const char *const *bits;
	size_t count;
};

static void dump_field(const struct attr_field *field)
{
	if (!field->value)
		return;
	switch (field->letter) {
	case 'f': dump_flags(field->name, field->value, field->bits, field->count); break;
	case 'd': dump_hex(field->name, field->value); break;
	case 'j': dump_signed(field->name, (int64_t)field->value); break;
	default: dump_decimal(field->name, field->value); break;
	}
}

static void dump_decoded(const struct perf_attr *attr)
{
	const bool freq = attr->flags & PERF_ATTR_FREQ, mark = attr->flags & PERF_ATTR_WATERMARK;
	const struct attr_field fields[] = {
		{freq ? "sample_freq" : "sample_period", attr->sample_period, '8', NULL, 0},
		{"read_format", attr->read_format, 'f', dump_read_bits, DUMP_READ_BITS},
		{"flags", attr->flags, 'f', pk_event_attr_flags, EVENT_ATTR_FLAGS},
		{"precise_ip",
		 (attr->flags & PERF_ATTR_PRECISE_IP_MASK) >> PERF_ATTR_PRECISE_IP_SHIFT, '8', NULL,
		 0},
		{mark ? "wakeup_watermark" : "wakeup_events", attr->wakeup_events, '8', NULL, 0},
		{"bp_type", attr->bp_type, '8', NULL, 0},
		{"config1", attr->config1, 'd', NULL, 0},
		{"config2", attr->config2, 'd', NULL, 0},
		{"branch_sample_type", attr->branch_sample_type, 'f', dump_branch_bits,
		 DUMP_BRANCH_BITS},
		{"sample_regs_user", attr->sample_regs_user, 'd', NULL, 0},
		{"sample_stack_user", attr->sample_stack_user, '8', NULL, 0},
		{"clockid", (uint64_t)attr->clockid, 'j', NULL, 0},
		{"sample_regs_intr", attr->sample_regs_intr, 'd', NULL, 0},
		{"aux_watermark", attr->aux_watermark, '8', NULL, 0},
		{"sample_max_stack", attr->sample_max_stack, '8', NULL, 0},
		{"aux_sample_size", attr->aux_sample_size, '8', NULL, 0},
		{"aux_action", attr->aux_action, 'd', NULL, 0},
		{"sig_data", attr->sig_data, 'd', NULL, 0},
		{"config3", attr->config3, 'd', NULL, 0},
		{"config4", attr->config4, 'd', NULL, 0},
	};

	DUMP_NAMED("attr_type", attr->type, types);
	dump_decimal("attr_size", attr->size);
	dump_hex("config", attr->config);
	DUMP_FLAGS("sample_type", attr->sample_type, dump_sample_bits);
	for (size_t i = 0; i < COUNT(fields); i++)
		dump_field(&fields[i]);
}

/* The reader adds the event before it returns the record. So the event is the last of the reader's
 * events. */
static void dump_header_attr(struct dump *dump)
{
	const struct pk_events *events = pk_reader_events(dump->reader);
	const struct pk_event *event = pk_events_at(events, pk_events_count(events) - 1);
	struct perf_attr attr = pk_event_recorded_attr(event);
	size_t size = attr.size;

	dump_decimal("event", event->index);
	dump_decoded(&attr);
	dump_read_bytes(dump, size);
	if (size > sizeof(event->attr))
		dump_bytes("attr_unknown", dump->at - (size - sizeof(event->attr)),
			   size - sizeof(event->attr));
	dump_items(dump, dump_left(dump) / 8, 8, "id", "8", "");
}

/* ---- Parts of records with variable layout ---- */

/* SPEC 3.5, 3.6 */

static void dump_chars(struct dump *dump, const char *name, size_t size)
{
	const uint8_t *text = dump_read_bytes(dump, size);

	if (text)
		dump_text(name, text, size);
}

static void dump_text_poke(struct dump *dump)
{
	uint64_t old_size = dump_read_number(dump, 2), new_size = dump_read_number(dump, 2);
	const uint8_t *bytes;

	bytes = dump_read_bytes(dump, old_size);
	if (bytes)
		dump_bytes("old", bytes, old_size);
	bytes = dump_read_bytes(dump, new_size);
	if (bytes)
		dump_bytes("new", bytes, new_size);
}

static void dump_event_type(struct dump *dump)
{
	dump_chars(dump, "name", dump_left(dump) < 64 ? dump_left(dump) : 64);
}

static void dump_build_id(struct dump *dump)
{
	const uint8_t *id = dump_read_bytes(dump, PK_BUILD_ID_MAX);
	uint64_t size = dump_read_number(dump, 1);

	if (!id || dump->complained)
		return;
	if (!(dump->record->misc & PERF_RECORD_MISC_BUILD_ID_SIZE) || size > PK_BUILD_ID_MAX)
		size = PK_BUILD_ID_MAX;
	dump_bytes("build_id", id, size);
	dump_fields(dump, "...s", "filename");
}

static void dump_id_index(struct dump *dump)
{
	const struct perf_record_id_index *index = (const void *)dump->record->data;
	const uint64_t nr = index->nr;

	if (nr && dump_left(dump) / 16 >= nr)
		dump_items(dump, nr, 16, "guest", "jj", "machine_pid vcpu");
}

static void dump_auxtrace_error(struct dump *dump)
{
	const struct perf_record_auxtrace_error *error = (const void *)dump->record->data;
	size_t size = sizeof(error->message);

	if (error->fmt >= 1)
		dump_fields(dump, "8", "time");
	size = dump_left(dump) < size ? dump_left(dump) : size;
	dump_text("msg", dump->at, size);
	dump_read_bytes(dump, size);
	if (error->fmt >= 2 && dump_left(dump) >= 8)
		dump_fields(dump, "ii", "machine_pid vcpu");
}

/* Returns true if nr entries of `each` bytes fit into the rest of the record. Otherwise reports an
 * error. */
static bool has_room(struct dump *dump, uint64_t nr, size_t each)
{
	if (nr <= dump_left(dump) / each)
		return true;
	dump_complain(dump, "a count that does not fit into the record");
	return false;
}

static void dump_bpf_metadata(struct dump *dump)
{
	char name[48];
	uint64_t nr;

	dump_chars(dump, "prog_name", 512);
	nr = dump_read_number(dump, 8);
	dump_decimal("nr", nr);
	if (!has_room(dump, nr, 64 + 256))
		return;
	for (uint64_t i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "entry[%llu].key", (unsigned long long)i);
		dump_chars(dump, name, 64);
		snprintf(name, sizeof(name), "entry[%llu].value", (unsigned long long)i);
		dump_chars(dump, name, 256);
	}
}

static void dump_mask(struct dump *dump)
{
	uint64_t nr = dump_read_number(dump, 2), word = dump_read_number(dump, 2);

	dump_decimal("nr", nr);
	dump_decimal("long_size", word);
	if (word == 8)
		dump_fields(dump, "....", "");
	if (dump->complained)
		return;
	if (word == 8)
		dump_items(dump, nr, 8, "mask", "d", "");
	else if (word == 4)
		dump_items(dump, nr, 4, "mask", "c", "");
	else
		dump_complain(dump, "the size of words is neither 4 nor 8");
}

static void dump_cpu_map_data(struct dump *dump)
{
	static const char *const kinds[] = {"cpus", "mask", "range"};
	uint64_t kind = dump_read_number(dump, 2), nr;

	DUMP_NAMED("kind", kind, kinds);
	switch (kind) {
	case PERF_CPUS_LIST:
		nr = dump_read_number(dump, 2);
		dump_decimal("nr", nr);
		dump_items(dump, nr, 2, "cpu", "2", "");
		break;
	case PERF_CPUS_MASK: dump_mask(dump); break;
	case PERF_CPUS_RANGE: dump_fields(dump, "1.22", "any_cpu first last"); break;
	default: dump_complain(dump, "a cpu map of unknown kind"); break;
	}
}

static void dump_event_update(struct dump *dump)
{
	const struct perf_record_event_update *update = (const void *)dump->record->data;
	unsigned int kind = pk_definition_of(dump->record);
	double scale;

	if (kind) {
		dump_definition(dump, kind);
		return;
	}
	switch (update->type) {
	case PERF_EVENT_UPDATE_UNIT: dump_fields(dump, "s", "unit"); break;
	case PERF_EVENT_UPDATE_SCALE:
		if (dump_left(dump) < sizeof(scale)) {
			dump_complain(dump, "too short for its fields");
			break;
		}
		memcpy(&scale, dump_read_bytes(dump, sizeof(scale)), sizeof(scale));
		dump_real("scale", scale);
		break;
	case PERF_EVENT_UPDATE_NAME: dump_fields(dump, "s", "name"); break;
	case PERF_EVENT_UPDATE_CPUS: dump_cpu_map_data(dump); break;
	default: break;
	}
}

/* ---- Samples ---- */

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

/* Reads the values of a READ record, because pk_sample_decode() decodes only SAMPLE records. */
static void dump_read_values(struct dump *dump)
{
	uint64_t format, nr;
	char letters[8] = "", names[64] = "";

	if (!dump->event)
		return;
	format = dump->event->attr.read_format;
	if (format & PERF_FORMAT_GROUP) {
		nr = dump_read_number(dump, 8);
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

/* SPEC 5.4. Prints those fields of a branch's flags that are not 0. */
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
		dump_branch_flags(pk_branch_flags(&sample->branches, i));
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

/* Prints the fields of the registers that a sample of AMD's IBS has as its raw bytes. */
static void dump_registers_in_raw(const struct pk_event *event, const struct pk_sample *sample)
{
	char name[4 + PK_ARGUMENT_NAME_MAX];
	uint64_t value;

	for (size_t i = 0; pk_event_has_registers(event) && i < event->arguments->count; i++) {
		const struct pk_argument *argument = &event->arguments->items[i];

		if (!pk_argument_get(event, argument, sample, &value))
			continue;
		snprintf(name, sizeof(name), "raw.%s", argument->name);
		if (argument->flags & PK_ARGUMENT_ADDRESS)
			dump_hex(name, value);
		else
			dump_decimal(name, value);
	}
}

static void dump_raw(const struct dump *dump, const struct pk_sample *sample,
		     const struct pk_event *event)
{
	dump_bytes("raw", sample->raw.data, sample->raw.size);
	dump_registers_in_raw(event, sample);
	if (dump->s390)
		dump_raw_s390(event, &sample->raw);
}

static void dump_varying(const struct dump *dump, const struct pk_sample *sample,
			 const struct pk_event *event)
{
	const struct perf_attr *attr = &event->attr;
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_READ)
		dump_read(&sample->read, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		dump_callchain(&sample->callchain);
	if (type & PERF_SAMPLE_RAW)
		dump_raw(dump, sample, event);
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

static bool declares(const struct dump *dump, uint32_t trailer)
{
	return dump->session.version == PK_FORMAT_VERSION && dump->session.trailers & trailer;
}

/* SPEC 9.8. The reader also swaps trailers that SESSION does not declare. They are printed as
 * numbers, because their bytes are in the order of this machine. */
static void dump_stack_trailer(struct dump *dump)
{
	const struct pk_trailer *trailer = pk_trailer_at(dump->end - PK_STACK_TRAILER_SIZE);
	const bool declared = declares(dump, PK_TRAILER_STACK);
	const bool present =
		dump_left(dump) >= PK_STACK_TRAILER_SIZE && trailer->tag == PK_STACK_TRAILER_TAG;

	if (!present && declared)
		dump_complain(dump, "the stack trailer is missing");
	if (!present)
		return;
	dump->end -= PK_STACK_TRAILER_SIZE;
	dump_decimal(declared ? "stack" : "undeclared_stack", trailer->value);
	if (declared && trailer->value &&
	    !pk_dictionary_get_stack(dump->dictionary, trailer->value))
		dump_complain(dump, "its stack is not defined");
}

/* SPEC 9.8.1 */
static void dump_chain_trailer(struct dump *dump, uint32_t flags)
{
	if (!flags)
		return;
	dump->at += PK_CHAIN_TRAILER_SIZE;
	dump_hex(declares(dump, PK_TRAILER_CHAIN) ? "chain_flags" : "undeclared_chain_flags",
		 flags);
}

/* Prints the fields as the record contains them. For some samples, pk uses values from other places
 * instead (SPEC 5.6); these values are not printed. Also prints the bytes of unknown fields
 * (SPEC 4.1). */
static void dump_recorded(const struct dump *dump)
{
	const struct pk_event *event = dump->event;
	const struct pk_record *record = dump->record;
	struct pk_event plain = *event;
	struct pk_sample_places places;
	struct pk_sample sample;

	plain.attr.sample_type = pk_event_decoded_type(event);
	plain.off_cpu = false;
	if (pk_sample_decode(&plain, record, &sample) != PK_OK)
		return;
	dump_fixed(&sample, plain.attr.sample_type);
	dump_varying(dump, &sample, &plain);
	dump_last(&sample, &plain.attr);
	if (pk_sample_places(event, record, &places) == PK_OK && places.end < sample.size)
		dump_bytes("unknown", record->data + places.end, sample.size - places.end);
}

static void dump_sample(struct dump *dump)
{
	struct pk_sample sample;

	if (!dump->event) {
		dump_complain(dump, "its event is unknown");
		return;
	}
	if (pk_sample_decode(dump->event, dump->record, &sample) != PK_OK) {
		dump_complain(dump, "too short for its fields");
		return;
	}
	dump_recorded(dump);
	dump->at = dump->record->data + sample.size;
	dump_chain_trailer(dump, sample.chain_flags);
	dump_stack_trailer(dump);
}

/* ---- Bodies and trailers ---- */

/* Prints the parts of a record that its layout does not describe. */
static void dump_rest(struct dump *dump)
{
	switch (dump->record->type) {
	case PERF_RECORD_READ: dump_read_values(dump); break;
	case PERF_RECORD_SAMPLE: dump_sample(dump); break;
	case PERF_RECORD_TEXT_POKE: dump_text_poke(dump); break;
	case PERF_RECORD_HEADER_ATTR: dump_header_attr(dump); break;
	case PERF_RECORD_HEADER_EVENT_TYPE: dump_event_type(dump); break;
	case PERF_RECORD_HEADER_BUILD_ID: dump_build_id(dump); break;
	case PERF_RECORD_ID_INDEX: dump_id_index(dump); break;
	case PERF_RECORD_AUXTRACE_ERROR: dump_auxtrace_error(dump); break;
	case PERF_RECORD_CPU_MAP: dump_cpu_map_data(dump); break;
	case PERF_RECORD_EVENT_UPDATE: dump_event_update(dump); break;
	case PERF_RECORD_HEADER_FEATURE: dump_feature(dump); break;
	case PERF_RECORD_BPF_METADATA: dump_bpf_metadata(dump); break;
	default: break;
	}
}

/* Prints the last bytes of the body, which no layout describes. If they are less than 8 bytes and
 * all are zero, they are padding and are not printed. */
static void dump_unknown(struct dump *dump)
{
	const uint8_t *p = dump->at;

	if (dump->complained && dump->at == dump->end)
		return;
	while (p < dump->end && !*p)
		p++;
	if (p == dump->end && dump_left(dump) < 8)
		return;
	dump_bytes("unknown", dump->at, dump_left(dump));
}

void dump_body(struct dump *dump)
{
	const struct pk_record_layout *layout = pk_layout_of_record(dump->record);

	if (layout) {
		dump_fields(dump, layout->letters, layout->fields);
		if (!dump->complained)
			dump_rest(dump);
	}
	dump_unknown(dump);
}

void dump_trailer(struct dump *dump)
{
	const struct pk_layout *layout = &dump->event->layout;
	struct pk_sample_id id;

	pk_sample_id_decode(dump->event, dump->record, &id);
	if (layout->trailer.tid) {
		dump_signed("trailer.pid", (int32_t)id.pid);
		dump_signed("trailer.tid", (int32_t)id.tid);
	}
	if (layout->trailer.time)
		dump_decimal("trailer.time", id.time);
	if (layout->trailer.id || layout->trailer.identifier)
		dump_decimal("trailer.id", id.id);
	if (layout->trailer.stream_id)
		dump_decimal("trailer.stream_id", id.stream_id);
	if (layout->trailer.cpu)
		dump_signed("trailer.cpu", (int32_t)id.cpu);
}
