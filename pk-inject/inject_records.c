// SPDX-License-Identifier: BSD-2-Clause
#include "inject_records.h"
#include "pkutil.h"

/* SPEC 3.6: s32 pid, build_id[20], its size, three zeros, the path. */
enum pk_status inject_build_id(struct pk_writer *writer, struct pk_session *session,
			       const struct pk_image *image, const struct pk_build_id *id)
{
	const size_t length = strlen(image->path), size = PK_ALIGN8(36 + length + 1);
	const bool kernel = image->kind == PK_DSO_KERNEL || image->kind == PK_DSO_MODULE;
	const uint16_t mode = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	struct pk_record record = {.type = PERF_RECORD_HEADER_BUILD_ID,
				   .misc = mode | PERF_RECORD_MISC_BUILD_ID_SIZE,
				   .size = (uint16_t)size};
	uint8_t *data;

	if (size > PERF_RECORD_SIZE_MAX)
		return PK_OK;
	data = pk_writer_begin(writer, record.type, record.misc, size);
	if (!data)
		return pk_writer_status(writer);
	memset(data + 8, 0, size - 8);
	pk_store_u32(data + 8, UINT32_MAX); /* the host */
	memcpy(data + 12, id->bytes, id->size);
	data[32] = id->size;
	memcpy(data + 36, image->path, length);
	record.data = data;
	return pk_session_record(session, &record);
}

/* SPEC 3.5 */
void inject_code_map(struct pk_writer *writer, const struct pk_event *first,
		     const struct pk_code_map *code, uint64_t time)
{
	enum { PROT_READ_EXEC = 5, PRIVATE = 2 };
	const struct pk_layout *layout = &first->layout;
	const size_t length = strlen(code->path);
	const size_t size = PK_ALIGN8(72 + length + 1) + layout->trailer.size;
	uint8_t *data;

	if (size > PERF_RECORD_SIZE_MAX)
		return;
	data = pk_writer_begin(writer, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, size);
	if (!data)
		return;
	memset(data + 8, 0, size - 8);
	pk_store_u32(data + 8, code->pid);
	pk_store_u32(data + 12, code->pid);
	pk_store_u64(data + 16, code->start);
	pk_store_u64(data + 24, code->size);
	pk_store_u64(data + 32, code->offset);
	pk_store_u32(data + 64, PROT_READ_EXEC);
	pk_store_u32(data + 68, PRIVATE);
	memcpy(data + 72, code->path, length);
	if (layout->trailer.time)
		pk_store_u64(data + size - layout->trailer.time, time);
}
