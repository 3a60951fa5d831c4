// SPDX-License-Identifier: BSD-2-Clause
#include "cs_library.h"

#if __has_include(<opencsd/c_api/opencsd_c_api.h>)

#include <dlfcn.h>
#include <errno.h>
#include <opencsd/c_api/opencsd_c_api.h>
#include <stdlib.h>
#include <string.h>

#include "pt_guard.h"
#include "status.h"
#include "vector.h"

/* The library gets so many bytes at once. Their steps are kept in memory: a byte has up to 24
 * branches. */
#define BYTES_OF_CALL 64u
/* The code can have no branches, so that the library follows it until its end. So the number of
 * instructions is limited: to WORK_START, and to WORK_BYTE for each byte of the trace until then.
 * The library reads so many bytes of code for BYTES_OF_CALL bytes. */
#define WORK_START UINT64_C(1000000)
#define WORK_BYTE  UINT64_C(1024)
#define READ_MAX   (UINT64_C(4) << 20)
/* A processor executes so many branches speculatively, at most. The library keeps them in memory.
 */
#define SPECULATION_MAX 1024

static struct {
	typeof(ocsd_create_dcd_tree) *tree;
	typeof(ocsd_destroy_dcd_tree) *destroy;
	typeof(ocsd_dt_create_decoder) *create;
	typeof(ocsd_dt_set_gen_elem_outfn) *elements;
	typeof(ocsd_dt_attach_packet_callback) *packets;
	typeof(ocsd_dt_add_callback_mem_acc) *memory;
	typeof(ocsd_dt_remove_mem_acc) *no_memory;
	typeof(ocsd_dt_process_data) *process;
} csd;

/* A packet with a time. */
struct stamp {
	size_t at; /* of the packet in the trace */
	uint64_t time;
};

struct cs_decoder {
	struct pt_decoder base;
	struct cs_unit unit;
	struct pt_source source;
	const uint8_t *trace;
	size_t size, at;
	dcd_tree_handle_t tree;
	/* A timestamp is the time of what comes before it. So another decoder of packets finds the
	 * timestamps in advance. */
	dcd_tree_handle_t ahead; /* NULL if the timestamps are not needed */
	size_t ahead_at;
	struct stamp stamps[BYTES_OF_CALL];
	size_t stamps_at, stamps_count;
	uint64_t tsc;
	bool has_tsc;
	struct pt_step *steps;
	size_t count, capacity;
	struct pt_step last;
	uint32_t tid;
	bool stale;	     /* code that the library has read may have changed */
	bool flows, no_code; /* the last step was a block; the last code is missing */
	bool started, ended;
	bool failed;   /* memory is exhausted */
	uint64_t work; /* number of instructions */
	uint64_t read; /* number of bytes of code for this call */
};

/* ---- Loading ---- */

enum pk_status cs_library_load(void)
{
	static bool tried, loaded;
	const struct {
		const char *name;
		void *function;
	} symbols[] = {
		{"ocsd_create_dcd_tree", &csd.tree},
		{"ocsd_destroy_dcd_tree", &csd.destroy},
		{"ocsd_dt_create_decoder", &csd.create},
		{"ocsd_dt_set_gen_elem_outfn", &csd.elements},
		{"ocsd_dt_attach_packet_callback", &csd.packets},
		{"ocsd_dt_add_callback_mem_acc", &csd.memory},
		{"ocsd_dt_remove_mem_acc", &csd.no_memory},
		{"ocsd_dt_process_data", &csd.process},
	};
	void *library;

	if (!tried) {
		errno = 0;
		library = dlopen("libopencsd_c_api.so.1", RTLD_NOW);
		loaded = library;
		for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]) && loaded; i++) {
			void *symbol = dlsym(library, symbols[i].name);

			memcpy(symbols[i].function, &symbol, sizeof(symbol));
			loaded = symbol;
		}
		tried = loaded || errno != ENOMEM;
	}
	if (loaded)
		return PK_OK;
	return tried ? PK_UNSUPPORTED : PK_NOMEM;
}

/* ---- Steps ---- */

static void add_step(struct cs_decoder *decoder, struct pt_step step)
{
	if (pk_reserve(&decoder->steps, &decoder->capacity, decoder->count, 1, sizeof(step)) !=
	    PK_OK) {
		decoder->failed = true;
		return;
	}
	step.tid = decoder->tid;
	step.tsc = decoder->tsc;
	step.has_tsc = decoder->has_tsc;
	decoder->steps[decoder->count++] = step;
}

/* The instructions after those that were decoded are unknown. `to` is their address, or 0. */
static void stop(struct cs_decoder *decoder, uint64_t to)
{
	if (decoder->flows)
		add_step(decoder, (struct pt_step){.kind = PT_STEP_STOP, .to = to});
	decoder->flows = false;
}

static enum pt_class class_of(const ocsd_generic_trace_elem *element)
{
	const bool branch = element->last_i_type == OCSD_INSTR_BR ||
			    element->last_i_type == OCSD_INSTR_BR_INDIRECT;

	if (!branch || !element->last_instr_exec)
		return PT_OTHER;
	switch (element->last_i_subtype) {
	case OCSD_S_INSTR_BR_LINK: return PT_CALL;
	case OCSD_S_INSTR_V8_RET:
	case OCSD_S_INSTR_V7_IMPLIED_RET: return PT_RETURN;
	case OCSD_S_INSTR_V8_ERET: return PT_SYSRET;
	default: return element->last_instr_cond ? PT_CONDITIONAL : PT_JUMP;
	}
}

static void add_block(struct cs_decoder *decoder, const ocsd_generic_trace_elem *element)
{
	const enum pt_class class = class_of(element);

	/* For damaged traces of ETMv3, the library also reports ranges without instructions. */
	if (!element->num_instr_range)
		return;
	if (!decoder->flows)
		add_step(decoder, (struct pt_step){.kind = PT_STEP_START, .to = element->st_addr});
	add_step(decoder, (struct pt_step){.kind = PT_STEP_BLOCK,
					   .from = element->st_addr,
					   .last = element->en_addr - element->last_instr_sz,
					   .next = element->en_addr,
					   .count = element->num_instr_range,
					   .class = class,
					   .taken = class != PT_OTHER,
					   .isa = element->isa == ocsd_isa_aarch64  ? PT_A64
						  : element->isa == ocsd_isa_thumb2 ? PT_T32
										    : PT_A32});
	decoder->flows = true;
	decoder->no_code = false;
	decoder->work += element->num_instr_range;
}

static void add_exception(struct cs_decoder *decoder, const ocsd_generic_trace_elem *element)
{
	enum { CALL = 2 }; /* a system call, or a call of a hypervisor */
	struct pt_step step = {.kind = PT_STEP_EXCEPTION, .class = PT_SYSRET};

	if (element->elem_type == OCSD_GEN_TRC_ELEM_EXCEPTION) {
		step.class = element->exception_number == CALL ? PT_SYSCALL : PT_INTERRUPT;
		step.from = element->excep_ret_addr ? element->en_addr : 0;
	}
	if (decoder->flows)
		add_step(decoder, step);
}

/* The kernel writes the number of the thread into the context ID. */
static void enter_context(struct cs_decoder *decoder, const ocsd_pe_context *context)
{
	enum { CONFIG_VMID = 1 << 7, CONFIG_VMID_IS_CONTEXT = 1 << 15 };
	const bool second = decoder->unit.kind >= CS_ETMV4 && decoder->unit.config & CONFIG_VMID &&
			    decoder->unit.config & CONFIG_VMID_IS_CONTEXT;

	if (second ? !context->vmid_valid : !context->ctxt_id_valid)
		return;
	decoder->tid = second ? context->vmid : context->context_id;
	decoder->source.enter(decoder->source.arg, decoder->tid);
}

static ocsd_datapath_resp_t on_element(const void *context, const ocsd_trc_index_t at,
				       const uint8_t id, const ocsd_generic_trace_elem *element)
{
	struct cs_decoder *decoder = (void *)(uintptr_t)context;

	(void)at, (void)id;
	switch (element->elem_type) {
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
		stop(decoder, 0);
		if (element->unsync_eot_info == UNSYNC_OVERFLOW)
			add_step(decoder, (struct pt_step){.kind = PT_STEP_OVERFLOW});
		if (element->unsync_eot_info == UNSYNC_BAD_PACKET)
			add_step(decoder, (struct pt_step){.kind = PT_STEP_ERROR});
		break;
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
	case OCSD_GEN_TRC_ELEM_EO_TRACE:
	case OCSD_GEN_TRC_ELEM_I_RANGE_NOPATH:
	case OCSD_GEN_TRC_ELEM_ADDR_UNKNOWN: stop(decoder, 0); break;
	case OCSD_GEN_TRC_ELEM_ADDR_NACC:
		stop(decoder, element->st_addr);
		/* The library reports the same code again until it finds other code. */
		if (!decoder->no_code)
			add_step(decoder, (struct pt_step){.kind = PT_STEP_ERROR, .no_code = true});
		decoder->no_code = true;
		break;
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT: enter_context(decoder, &element->context); break;
	case OCSD_GEN_TRC_ELEM_INSTR_RANGE: add_block(decoder, element); break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION:
	case OCSD_GEN_TRC_ELEM_EXCEPTION_RET: add_exception(decoder, element); break;
	default: break;
	}
	return decoder->failed || decoder->work > WORK_START + WORK_BYTE * decoder->at
		       ? OCSD_RESP_FATAL_SYS_ERR
		       : OCSD_RESP_CONT;
}

static uint32_t read_code(const void *context, const ocsd_vaddr_t address,
			  const ocsd_mem_space_acc_t space, const uint32_t size, uint8_t *to)
{
	struct cs_decoder *decoder = (void *)(uintptr_t)context;

	(void)space;
	decoder->read += size;
	if (decoder->read > READ_MAX)
		return 0;
	return (uint32_t)decoder->source.read(decoder->source.arg, address, to, size);
}

/* ---- Timestamps ---- */

static ocsd_datapath_resp_t on_packet(const void *context, const ocsd_datapath_op_t operation,
				      const ocsd_trc_index_t at, const void *data)
{
	struct cs_decoder *decoder = (void *)(uintptr_t)context;
	const ocsd_etmv4_i_pkt *packet = data;

	/* The library has only the lower half of the position. The packet can have started in the
	 * bytes before. */
	const int32_t distance = (int32_t)(at - (ocsd_trc_index_t)decoder->ahead_at);

	if (operation == OCSD_OP_DATA && packet->type == ETM4_PKT_I_TIMESTAMP &&
	    decoder->stamps_count < BYTES_OF_CALL)
		decoder->stamps[decoder->stamps_count++] = (struct stamp){
			decoder->ahead_at + (size_t)(ptrdiff_t)distance, packet->ts.timestamp};
	return OCSD_RESP_CONT;
}

/* Looks for the next timestamps, if there is none that is known. */
static void look_ahead(struct cs_decoder *decoder)
{
	while (decoder->stamps_at < decoder->stamps_count &&
	       decoder->stamps[decoder->stamps_at].at < decoder->at)
		decoder->stamps_at++;
	if (!decoder->ahead || decoder->stamps_at < decoder->stamps_count)
		return;
	decoder->stamps_at = decoder->stamps_count = 0;
	while (!decoder->stamps_count && decoder->ahead_at < decoder->size) {
		const size_t left = decoder->size - decoder->ahead_at;
		const uint32_t part = left < BYTES_OF_CALL ? (uint32_t)left : BYTES_OF_CALL;
		uint32_t done = 0;
		const ocsd_datapath_resp_t response = csd.process(
			decoder->ahead, OCSD_OP_DATA, (ocsd_trc_index_t)decoder->ahead_at, part,
			decoder->trace + decoder->ahead_at, &done);

		if (!OCSD_DATA_RESP_IS_CONT(response))
			csd.process(decoder->ahead, OCSD_OP_RESET, 0, 0, NULL, &done);
		decoder->ahead_at += part;
	}
}

/* Sets the time of the next bytes. Returns their number. */
static uint32_t next_bytes(struct cs_decoder *decoder)
{
	size_t left = decoder->size - decoder->at;

	look_ahead(decoder);
	if (decoder->stamps_at < decoder->stamps_count) {
		const struct stamp *stamp = &decoder->stamps[decoder->stamps_at];

		decoder->tsc = stamp->time;
		decoder->has_tsc = true;
		if (stamp->at + 1 - decoder->at < left)
			left = stamp->at + 1 - decoder->at;
	}
	return left < BYTES_OF_CALL ? (uint32_t)left : BYTES_OF_CALL;
}

/* ---- Decoding ---- */

static bool create(const struct cs_unit *unit, dcd_tree_handle_t tree, int flags, unsigned char *id)
{
	const uint32_t speculation = unit->idr8 < SPECULATION_MAX ? unit->idr8 : SPECULATION_MAX;
	/* Since version 4.4 of ETM, processors have extensions of ARMv8.3. */
	const bool extended = (unit->idr1 >> 4 & 15) >= 4;
	const ocsd_etmv3_cfg etmv3 = {.reg_idr = unit->idr,
				      .reg_ctrl = unit->control,
				      .reg_ccer = unit->ccer,
				      .reg_trc_id = unit->trace_id,
				      .arch_ver = ARCH_V7,
				      .core_prof = profile_CortexA};
	const ocsd_ptm_cfg ptm = {.reg_idr = unit->idr,
				  .reg_ctrl = unit->control,
				  .reg_ccer = unit->ccer,
				  .reg_trc_id = unit->trace_id,
				  .arch_ver = ARCH_V7,
				  .core_prof = profile_CortexA};
	const ocsd_etmv4_cfg etmv4 = {.reg_idr0 = unit->idr0,
				      .reg_idr1 = unit->idr1,
				      .reg_idr2 = unit->idr2,
				      .reg_idr8 = speculation,
				      .reg_configr = unit->config,
				      .reg_traceidr = unit->trace_id,
				      .arch_ver = extended ? ARCH_AA64 : ARCH_V8,
				      .core_prof = profile_CortexA};
	const ocsd_ete_cfg ete = {.reg_idr0 = unit->idr0,
				  .reg_idr1 = unit->idr1,
				  .reg_idr2 = unit->idr2,
				  .reg_idr8 = speculation,
				  .reg_devarch = unit->devarch,
				  .reg_configr = unit->config,
				  .reg_traceidr = unit->trace_id,
				  .arch_ver = ARCH_AA64,
				  .core_prof = profile_CortexA};
	const struct {
		const char *name;
		const void *config;
	} kinds[] = {
		[CS_ETMV3] = {OCSD_BUILTIN_DCD_ETMV3, &etmv3},
		[CS_PTM] = {OCSD_BUILTIN_DCD_PTM, &ptm},
		[CS_ETMV4] = {OCSD_BUILTIN_DCD_ETMV4I, &etmv4},
		[CS_ETE] = {OCSD_BUILTIN_DCD_ETE, &ete},
	};

	return csd.create(tree, kinds[unit->kind].name, flags, kinds[unit->kind].config, id) ==
	       OCSD_OK;
}

static bool add_memory(struct cs_decoder *decoder)
{
	return csd.memory(decoder->tree, 0, UINT64_MAX, OCSD_MEM_SPACE_ANY, read_code, decoder) ==
	       OCSD_OK;
}

/* Returns false if the library does not know the unit. */
static bool make_trees(struct cs_decoder *decoder)
{
	struct cs_unit packets = decoder->unit;
	unsigned char id;

	decoder->tree = csd.tree(OCSD_TRC_SRC_SINGLE, 0);
	if (!decoder->tree ||
	    !create(&decoder->unit, decoder->tree, OCSD_CREATE_FLG_FULL_DECODER, &id) ||
	    csd.elements(decoder->tree, on_element, decoder) != OCSD_OK || !add_memory(decoder))
		return false;
	if (!decoder->unit.timed || decoder->unit.kind < CS_ETMV4)
		return true;
	/* The library gives packets of ETE only to decoders of ETMv4. The version of ETE, of which
	 * it knows the packets, then follows those of ETM. */
	if (packets.kind == CS_ETE)
		packets.idr1 = 5 << 8 | (packets.devarch >> 16 & 15) << 4;
	packets.kind = CS_ETMV4;
	decoder->ahead = csd.tree(OCSD_TRC_SRC_SINGLE, 0);
	return decoder->ahead &&
	       create(&packets, decoder->ahead, OCSD_CREATE_FLG_PACKET_PROC, &id) &&
	       csd.packets(decoder->ahead, id, OCSD_C_API_CB_PKT_SINK, (void *)(uintptr_t)on_packet,
			   decoder) == OCSD_OK;
}

static void start(void *arg)
{
	struct cs_decoder *decoder = arg;

	decoder->started = true;
	if (make_trees(decoder))
		return;
	decoder->ended = true;
	add_step(decoder, (struct pt_step){.kind = PT_STEP_ERROR});
}

/* The library keeps code that it has read until its callback is removed. */
static void forget(struct cs_decoder *decoder)
{
	csd.no_memory(decoder->tree, 0, OCSD_MEM_SPACE_ANY);
	decoder->failed |= !add_memory(decoder);
	decoder->stale = false;
}

/* Gives the next bytes to the library. After an error, the library looks for a place to start. */
static void process(void *arg)
{
	struct cs_decoder *decoder = arg;
	uint32_t size, done = 0;
	ocsd_datapath_resp_t response;

	if (decoder->at == decoder->size) {
		csd.process(decoder->tree, OCSD_OP_EOT, 0, 0, NULL, &done);
		decoder->ended = true;
		return;
	}
	if (decoder->stale)
		forget(decoder);
	size = next_bytes(decoder);
	response = csd.process(decoder->tree, OCSD_OP_DATA, (ocsd_trc_index_t)decoder->at, size,
			       decoder->trace + decoder->at, &done);
	decoder->at += size;
	if (OCSD_DATA_RESP_IS_CONT(response) || decoder->failed)
		return;
	stop(decoder, 0);
	add_step(decoder, (struct pt_step){.kind = PT_STEP_ERROR});
	csd.process(decoder->tree, OCSD_OP_RESET, 0, 0, NULL, &done);
}

/* Returns what the last step is if there are no others. */
static enum pt_step_kind call_library(struct cs_decoder *decoder)
{
	while (!decoder->count) {
		if (decoder->failed)
			return PT_STEP_NO_MEMORY;
		if (decoder->ended)
			return PT_STEP_END;
		decoder->read = 0;
		if (!pt_guard(decoder->started ? process : start, decoder)) {
			decoder->count = 0;
			return PT_STEP_CRASH;
		}
	}
	return PT_STEP_BLOCK;
}

static void decode_steps(struct pt_decoder *base)
{
	struct cs_decoder *decoder = (struct cs_decoder *)base;

	decoder->count = 0;
	decoder->last.kind = call_library(decoder);
	base->steps = decoder->count ? decoder->steps : &decoder->last;
	base->count = decoder->count + !decoder->count;
	base->returned = 0;
}

static void enter_space(struct pt_decoder *base, const struct pt_space *space)
{
	struct cs_decoder *decoder = (struct cs_decoder *)base;

	(void)space;
	decoder->stale = true;
}

static void free_decoder(struct pt_decoder *base)
{
	struct cs_decoder *decoder = (struct cs_decoder *)base;

	if (decoder->tree)
		csd.destroy(decoder->tree);
	if (decoder->ahead)
		csd.destroy(decoder->ahead);
	free(decoder->steps);
	free(decoder);
}

struct pt_decoder *cs_decoder_new(const struct cs_unit *unit, const uint8_t *trace, size_t size,
				  const struct pt_source *source)
{
	static const struct pt_library library = {enter_space, decode_steps, free_decoder};
	struct cs_decoder *decoder = calloc(1, sizeof(*decoder));

	if (!decoder)
		return NULL;
	decoder->base.library = &library;
	decoder->unit = *unit;
	decoder->source = *source;
	decoder->trace = trace;
	decoder->size = size;
	decoder->tid = UINT32_MAX;
	return &decoder->base;
}

#else

enum pk_status cs_library_load(void)
{
	return PK_UNSUPPORTED;
}

struct pt_decoder *cs_decoder_new(const struct cs_unit *unit, const uint8_t *trace, size_t size,
				  const struct pt_source *source)
{
	(void)unit, (void)trace, (void)size, (void)source;
	return NULL;
}

#endif
