/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-script/text_branches.c */
/* Tests the printed code of branch stacks, which consists of blocks between branches. The first
 * byte selects fields. The second byte is the number of branches. The third byte is the address of
 * the sample. Each branch has three bytes: from, to, flags. The rest is code of x86-64 at the
 * address CODE. */
#include <stdlib.h>
#include <string.h>

#include <elf.h>

#include "check_that.h"
#include "code_reader.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CODE UINT64_C(0x401000)

static const uint8_t *code;
static size_t code_size;
static struct disasm *decoder;

/* Replaces code_reader.c. All addresses are in the code of the input. */
struct code_reader *pk_code_reader_new(struct resolver *resolver, void (*no_memory)(void))
{
	(void)resolver;
	(void)no_memory;
	return NULL;
}

void pk_code_reader_free(struct code_reader *reader)
{
	(void)reader;
}

bool pk_code_reader_failed(const struct code_reader *reader)
{
	(void)reader;
	return false;
}

size_t pk_code_reader_read(struct code_reader *reader, const struct pk_location *location, void *to,
			   size_t size, struct disasm **disasm)
{
	const uint64_t at = location->ip - CODE;
	const size_t left = at < code_size ? code_size - (size_t)at : 0;

	(void)reader;
	*disasm = decoder;
	if (size > left)
		size = left;
	if (size)
		memcpy(to, code + at, size);
	return size;
}

/* Returns an address near the code. For 0xff, returns an address in the kernel. */
static uint64_t address_of(uint8_t byte)
{
	if (byte == 0xff)
		return UINT64_C(0xffffffff81000000);
	return byte ? CODE - 8 + byte : 0;
}

static void fill(uint8_t *branches, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t entry[3] = {address_of(bytes[3 * i]), address_of(bytes[3 * i + 1]),
					   bytes[3 * i + 2]};

		memcpy(branches + 24 * i, entry, sizeof(entry));
	}
}

static void print(struct script *script, uint8_t options, uint64_t ip, const uint8_t *branches,
		  size_t count)
{
	struct pk_event event = {.attr = {.branch_sample_type = options & 8 ? 8 : 0}};
	struct pk_record record = {.misc = PERF_RECORD_MISC_USER, .event = &event};
	struct event_style view = {
		.event = &event,
		.fields = FIELD(BRSTACKINSN) | (options & 1 ? FIELD(BRSTACKINSNLEN) : 0) |
			  (options & 2 ? FIELD(BRSTACKDISASM) : 0) | FIELD(INSN) | FIELD(INSNLEN)};
	struct shown shown = {.record = &record, .view = &view};

	shown.thread = pk_session_thread(pk_context_session(script->context), 5, 5);
	check_that(shown.thread != NULL);
	shown.sample.ip = ip;
	shown.sample.branches = (struct pk_u64s){branches, count};
	text_insn(script, &shown);
	text_brstackinsn(script, &shown);
	text_brstackoff(script, &shown);
	/* There are at most 256 KiB of code, and each byte causes at most one line. */
	check_that(!script->out.failed && script->out.size < (512 << 10) * 64);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct disasm_options options = {.machine = EM_X86_64, .is_64 = true};
	const struct pk_record begin = {.type = PK_RECORD_BEGIN};
	struct pk_context context = {0};
	struct script script = {.context = &context};
	uint8_t branches[24 * 255];
	const char *reason;
	size_t count;

	if (!decoder)
		decoder = pk_disasm_new(&options, &reason);
	script.texts = frame_texts_new(script_text.frame, NULL, NULL);
	script.code = (struct code_reader *)&context; /* must not be NULL, but nothing uses it */
	check_that(pk_context_init(&context) == PK_OK &&
		   pk_context_record(&context, NULL, &begin) == PK_OK && script.texts);
	if (size >= 3 && decoder) {
		count = data[1] < (size - 3) / 3 ? data[1] : (size - 3) / 3;
		fill(branches, data + 3, count);
		code = data + 3 + 3 * count;
		code_size = size - 3 - 3 * count;
		print(&script, data[0], address_of(data[2]), branches, count);
	}
	frame_texts_free(script.texts);
	pk_context_free(&context);
	free(script.out.data);
	return 0;
}
