/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library in place of libopencsd. It returns 3 ranges of instructions, and then crashes in the
 * way that the environment variable CRASH names. The file is empty if the header of libopencsd is
 * missing.
 */
#if __has_include(<opencsd/c_api/opencsd_c_api.h>)

#include <opencsd/c_api/opencsd_c_api.h>

#include "crash_as.h"

static int tree;
static FnTraceElemIn on_element;
static const void *context;

dcd_tree_handle_t ocsd_create_dcd_tree(const ocsd_dcd_tree_src_t type, const uint32_t flags)
{
	(void)type, (void)flags;
	return &tree;
}

void ocsd_destroy_dcd_tree(const dcd_tree_handle_t handle)
{
	(void)handle;
}

ocsd_err_t ocsd_dt_create_decoder(const dcd_tree_handle_t handle, const char *name, const int flags,
				  const void *config, unsigned char *id)
{
	(void)handle, (void)name, (void)flags, (void)config;
	*id = 0x10;
	return OCSD_OK;
}

ocsd_err_t ocsd_dt_set_gen_elem_outfn(const dcd_tree_handle_t handle, FnTraceElemIn function,
				      const void *argument)
{
	(void)handle;
	on_element = function;
	context = argument;
	return OCSD_OK;
}

ocsd_err_t ocsd_dt_attach_packet_callback(const dcd_tree_handle_t handle, const unsigned char id,
					  const ocsd_c_api_cb_types type, void *function,
					  const void *argument)
{
	(void)handle, (void)id, (void)type, (void)function, (void)argument;
	return OCSD_OK;
}

ocsd_err_t ocsd_dt_add_callback_mem_acc(const dcd_tree_handle_t handle, const ocsd_vaddr_t start,
					const ocsd_vaddr_t end, const ocsd_mem_space_acc_t space,
					Fn_MemAcc_CB function, const void *argument)
{
	(void)handle, (void)start, (void)end, (void)space, (void)function, (void)argument;
	return OCSD_OK;
}

ocsd_err_t ocsd_dt_remove_mem_acc(const dcd_tree_handle_t handle, const ocsd_vaddr_t start,
				  const ocsd_mem_space_acc_t space)
{
	(void)handle, (void)start, (void)space;
	return OCSD_OK;
}

/* The first call returns the ranges. */
ocsd_datapath_resp_t ocsd_dt_process_data(const dcd_tree_handle_t handle,
					  const ocsd_datapath_op_t operation,
					  const ocsd_trc_index_t at, const uint32_t size,
					  const uint8_t *data, uint32_t *done)
{
	static unsigned int calls;
	ocsd_generic_trace_elem element = {.elem_type = OCSD_GEN_TRC_ELEM_INSTR_RANGE,
					   .isa = ocsd_isa_aarch64,
					   .last_i_type = OCSD_INSTR_BR};

	(void)handle, (void)operation, (void)at, (void)data;
	*done = size;
	if (calls++)
		crash();
	element.last_instr_exec = 1;
	element.last_instr_sz = 4;
	element.num_instr_range = 3;
	for (ocsd_vaddr_t ip = 0x401000; ip < 0x401030; ip += 16) {
		element.st_addr = ip;
		element.en_addr = ip + 12;
		on_element(context, at, 0x10, &element);
	}
	return OCSD_RESP_CONT;
}

#endif
