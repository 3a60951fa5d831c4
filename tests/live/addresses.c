// SPDX-License-Identifier: BSD-2-Clause
/*
 * addresses FILE <OFFSETS writes a recording of one process, which has mapped FILE. The recording
 * has a sample for each offset in FILE. The offsets on stdin are hexadecimal.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pkstream.h"

enum { PID = 1000, ATTR_SIZE = 136 };
#define BASE UINT64_C(0x7f0000000000)

static void put(const void *data, size_t size)
{
	if (fwrite(data, 1, size, stdout) != size)
		err(EXIT_FAILURE, "stdout");
}

static void put_header(uint32_t type, uint16_t misc, uint16_t size)
{
	struct perf_header header = {.type = type, .misc = misc, .size = size};

	put(&header, sizeof(header));
}

/* Writes the attr of cpu-clock with PERF_SAMPLE_IP, _TID, _TIME and _CALLCHAIN, and one id. */
static void put_attr(void)
{
	const uint64_t id = 1;
	uint8_t attr[ATTR_SIZE] = {0};

	pk_store_u32(attr, 1);
	pk_store_u32(attr + 4, ATTR_SIZE);
	pk_store_u64(attr + 16, 1000000);
	pk_store_u64(attr + 24, 1 | 2 | 4 | 32);
	put_header(PERF_RECORD_HEADER_ATTR, 0, sizeof(struct perf_header) + ATTR_SIZE + sizeof(id));
	put(attr, sizeof(attr));
	put(&id, sizeof(id));
}

static void put_task(uint64_t bytes, const char *path)
{
	const size_t room = (strlen(path) + 8) & ~(size_t)7;
	const uint32_t ids[2] = {PID, PID};
	const uint64_t map[3] = {BASE, bytes, 0};
	char *name = calloc(1, room);

	if (!name)
		err(EXIT_FAILURE, "addresses");
	memcpy(name, path, strlen(path));
	put_header(PERF_RECORD_COMM, 0, 8 + 8 + 8);
	put(ids, sizeof(ids));
	put("program", 8);
	put_header(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, (uint16_t)(8 + 8 + 24 + room));
	put(ids, sizeof(ids));
	put(map, sizeof(map));
	put(name, room);
	free(name);
}

static void put_sample(uint64_t ip, uint64_t time)
{
	const uint64_t chain[3] = {2, PERF_CONTEXT_USER, ip};
	const uint32_t ids[2] = {PID, PID};

	put_header(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 + 8 + 8 + 8 + 24);
	put(&ip, sizeof(ip));
	put(ids, sizeof(ids));
	put(&time, sizeof(time));
	put(chain, sizeof(chain));
}

int main(int argc, char **argv)
{
	const uint64_t header[2] = {UINT64_C(0x32454c4946524550), 16};
	uint64_t time = 1000000000;
	struct stat st;
	char line[64];

	if (argc != 2)
		errx(2, "usage: addresses FILE <OFFSETS");
	if (stat(argv[1], &st))
		err(EXIT_FAILURE, "%s", argv[1]);
	put(header, sizeof(header));
	put_attr();
	put_task(((uint64_t)st.st_size + 4095) & ~UINT64_C(4095), argv[1]);
	while (fgets(line, sizeof(line), stdin))
		put_sample(BASE + strtoull(line, NULL, 16), time += 1000);
	if (fclose(stdout))
		err(EXIT_FAILURE, "stdout");
	return 0;
}
