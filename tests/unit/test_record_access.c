// SPDX-License-Identifier: BSD-2-Clause
/* The functions of pkstream.h that read one record. */
#include "stream_builder.h"

/* A COMM record, at an odd address. */
static const uint8_t *comm_record(void)
{
	static uint8_t bytes[64];
	struct perf_record_comm comm = {
		.header = {.type = PERF_RECORD_COMM, .misc = 7, .size = 24}, .pid = 5, .tid = 6};

	memcpy(bytes + 1, &comm, sizeof(comm));
	memcpy(bytes + 1 + sizeof(comm), "ls", 3);
	return bytes + 1;
}

START_TEST(header)
{
	const struct pk_record record = pk_record_at(comm_record());
	const struct pk_record begin = {.type = PK_RECORD_BEGIN};

	ck_assert_uint_eq(pk_record_header(&record)->type, PERF_RECORD_COMM);
	ck_assert_uint_eq(pk_record_header(&record)->misc, 7);
	ck_assert_uint_eq(pk_record_header(&record)->size, record.size);
	ck_assert_ptr_null(pk_record_header(&begin));
}
END_TEST

START_TEST(as)
{
	struct pk_record record = pk_record_at(comm_record());
	const struct perf_record_comm *comm =
		pk_record_as(&record, PERF_RECORD_COMM, sizeof(*comm));

	ck_assert_ptr_nonnull(comm);
	ck_assert_uint_eq(comm->pid, 5);
	ck_assert_uint_eq(comm->tid, 6);
	ck_assert_str_eq(pk_record_text(&record, sizeof(*comm)), "ls");
	ck_assert_ptr_null(pk_record_as(&record, PERF_RECORD_EXIT, sizeof(*comm)));
	record.size = sizeof(*comm) - 1;
	ck_assert_ptr_null(pk_record_as(&record, PERF_RECORD_COMM, sizeof(*comm)));
}
END_TEST

RUN_TESTS("record access", header, as)
