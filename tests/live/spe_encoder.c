/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints a recording with the SPE traces of two CPUs, for tests/assemble. The operations are
 * random, but depend only on the arguments.
 *
 *     spe_encoder SEED OPERATIONS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CPUS 2

static uint64_t state;

static uint64_t below(uint64_t n)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (state >> 33) % n;
}

/* The bytes of the traces as text. */
static FILE *traces[CPUS];
static char *texts[CPUS];
static size_t sizes[CPUS];

static void number(FILE *out, unsigned int width, uint64_t value)
{
	for (unsigned int i = 0; i < width; i++, value >>= 8)
		fprintf(out, "%02x", (unsigned int)(value & 0xff));
}

static void packet(FILE *out, unsigned int header, unsigned int width, uint64_t payload)
{
	fprintf(out, "%02x", header);
	number(out, width, payload);
}

/* Writes an address of code: in the program, or in the kernel. */
static void code(FILE *out, unsigned int index)
{
	const uint64_t non_secure = UINT64_C(1) << 63, kernel = UINT64_C(1) << 61;

	packet(out, 0xb0 | index, 8,
	       below(2) ? non_secure | (0x400000 + 4 * below(4096))
			: non_secure | kernel | (UINT64_C(0xff800008000000) + 4 * below(4096)));
}

static void operation(FILE *out, uint64_t time)
{
	static const uint8_t sources[] = {0, 8, 9, 10, 11, 12, 14};
	const unsigned int class = (unsigned int)below(3);
	uint64_t events = 0;

	for (int bit = 1; bit < 12; bit++)
		events |= below(3) ? 0 : UINT64_C(1) << bit;
	code(out, 0);
	packet(out, 0x64, 4, 100 + below(2));
	/* Class 1 is memory: a load or a store of a general register. Class 2 is a branch: direct,
	 * conditional or indirect. */
	packet(out, 0x48 | class, 1, class ? below(class == 1 ? 2 : 3) : 0);
	packet(out, 0x62, 4, events);
	packet(out, 0x99, 2, below(100));
	packet(out, 0x98, 2, below(1000));
	if (class == 1) {
		packet(out, 0xb2, 8, UINT64_C(0x2a00007f00001000) + 8 * below(1000));
		packet(out, 0x43, 1, sources[below(sizeof(sources))]);
	} else if (class == 2) {
		code(out, 1);
	}
	packet(out, 0x71, 8, time);
}

static void events(void)
{
	printf("BEGIN\n"
	       "HEADER_ATTR attr_type=9 sample_period=1024 id=1\n"
	       "  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)\n"
	       "HEADER_ATTR attr_type=1 config=9 sample_period=1 id=2\n"
	       "  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)\n"
	       "HEADER_FEATURE feature=(NRCPUS) available=2 online=2\n"
	       "HEADER_FEATURE feature=(CPUID) cpuid=\"0x00000000413fd0c1\"\n"
	       "TIME_CONV shift=10 mult=40960 zero=1000\n"
	       "AUXTRACE_INFO aux_type=4 priv[0]=9 priv[1]=1\n"
	       "COMM pid=100 tid=100 comm=\"prog\"\n"
	       "COMM pid=100 tid=101 comm=\"thread\"\n"
	       "MMAP misc=(user) pid=100 tid=100 addr=0x400000 len=0x10000 filename=\"/prog\"\n");
}

int main(int argc, char **argv)
{
	uint64_t time = 100000, count;

	if (argc != 3)
		return 2;
	state = strtoull(argv[1], NULL, 10);
	count = strtoull(argv[2], NULL, 10);
	events();
	for (int i = 0; i < CPUS; i++)
		traces[i] = open_memstream(&texts[i], &sizes[i]);
	for (uint64_t i = 0; i < count; i++) {
		time += 1 + below(1000);
		operation(traces[below(CPUS)], time);
	}
	for (int i = 0; i < CPUS; i++) {
		fflush(traces[i]);
		while (sizes[i] % 16) {
			fputs("00", traces[i]);
			fflush(traces[i]);
		}
		printf("AUXTRACE payload_size=%zu payload=%s idx=%d cpu=%d tid=-1\n", sizes[i] / 2,
		       texts[i], i, i);
		fclose(traces[i]);
		free(texts[i]);
	}
	return 0;
}
