// SPDX-License-Identifier: BSD-2-Clause
#include "inject_records.h"
#include "pkprivate.h"
#include "pkutil.h"

enum pk_status inject_build_id(struct pk_writer *writer, struct pk_session *session,
			       const struct pk_image *image, const struct pk_build_id *id)
{
	const bool kernel = image->kind == PK_DSO_KERNEL || image->kind == PK_DSO_MODULE;
	const uint16_t mode = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	struct perf_record_build_id *written = pk_writer_with_text(
		writer, PERF_RECORD_HEADER_BUILD_ID, mode | PERF_RECORD_MISC_BUILD_ID_SIZE,
		sizeof(*written), image->path, 0);
	struct pk_record record;

	if (!written)
		return pk_writer_status(writer);
	written->pid = UINT32_MAX; /* the host */
	memcpy(written->build_id, id->bytes, id->size);
	written->size = id->size;
	record = pk_record_at((const uint8_t *)written);
	return pk_session_record(session, &record);
}

void inject_code_map(struct pk_writer *writer, const struct pk_event *first,
		     const struct pk_code_map *code, uint64_t time)
{
	enum { PROT_READ_EXEC = 5, PRIVATE = 2 };
	const struct pk_layout *layout = &first->layout;
	struct perf_record_mmap2 *map =
		pk_writer_with_text(writer, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, sizeof(*map),
				    code->path, layout->trailer.size);

	if (!map)
		return;
	map->pid = map->tid = code->pid;
	map->addr = code->start;
	map->len = code->size;
	map->pgoff = code->offset;
	map->prot = PROT_READ_EXEC;
	map->flags = PRIVATE;
	if (layout->trailer.time)
		pk_store_u64((uint8_t *)map + map->header.size - layout->trailer.time, time);
}
