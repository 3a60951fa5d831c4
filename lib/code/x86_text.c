/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "x86_text.h"

struct writer {
	const struct x86_code *code;
	const uint8_t *bytes;
	bool intel;
	uint8_t p[3]; /* EVEX's bytes behind the first one; of VEX what they would be */
	char *text;
	size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *w, const char *format, ...)
{
	__builtin_va_list args;
	int n;

	if (w->used >= w->size)
		return;
	__builtin_va_start(args, format);
	n = vsnprintf(w->text + w->used, w->size - w->used, format, args);
	__builtin_va_end(args);
	w->used += n > 0 ? (size_t)n : 0;
}

static void put_register(struct writer *w, const char *kind, unsigned number)
{
	put(w, "%s%s%u", w->intel ? "" : "%", kind, number);
}

static void put_general(struct writer *w, unsigned number, unsigned size)
{
	static const char *const old[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};

	if (number < 8)
		put(w, "%s%c%s", w->intel ? "" : "%", size == 8 ? 'r' : 'e', old[number]);
	else
		put(w, "%sr%u%s", w->intel ? "" : "%", number, size == 8 ? "" : "d");
}

/* Bytes of the vectors: 16, 32 or 64. */
static unsigned length_of(const struct writer *w)
{
	return 16u << (w->code->encoding == X86_EVEX ? w->p[2] >> 5 & 3 : w->p[1] >> 2 & 1);
}

static const char *vector_of(unsigned length)
{
	return length <= 16 ? "xmm" : length == 32 ? "ymm" : "zmm";
}

/* Bits above those of REX are inverted in the prefix. */
static unsigned reg_of(const struct writer *w)
{
	const unsigned high = w->code->encoding == X86_EVEX ? ~w->p[0] & 0x10 : 0;

	return (w->code->modrm >> 3 & 7) | (w->code->rex & 4u) << 1 | high;
}

static unsigned rm_of(const struct writer *w)
{
	const unsigned high = w->code->encoding == X86_EVEX ? (w->code->rex & 2u) << 3 : 0;

	return (w->code->modrm & 7) | (w->code->rex & 1u) << 3 | high;
}

static unsigned vvvv_of(const struct writer *w)
{
	const unsigned high = w->code->encoding == X86_EVEX ? ~(unsigned)w->p[2] << 1 & 0x10 : 0;

	return (~(unsigned)w->p[1] >> 3 & 15) | high;
}

/* How many bytes of memory there are behind an operand of a form. */
static unsigned memory_size(const struct writer *w, char form)
{
	switch (form) {
	case 'x': return 16;
	case 'y': return 32;
	case 'h': return length_of(w) / 2;
	case 'r': return length_of(w) / 4;
	case 'b':
	case 's': return 1;
	case 'w':
	case 't': return 2;
	case 'd':
	case 'g': return 4;
	case 'e':
	case 'q': return 8;
	default: return length_of(w);
	}
}

static bool is_broadcast(const struct writer *w, char form)
{
	return form == 'W' && w->code->encoding == X86_EVEX && w->p[2] & 0x10;
}

static void put_address(struct writer *w, int64_t displacement)
{
	const struct x86_code *c = w->code;
	const unsigned size = c->address_size ? 4 : 8;
	const bool index = c->index != X86_NO_REG && c->index != 4;

	if (c->segment)
		put(w, "%s%cs:", w->intel ? "" : "%", c->segment);
	if (!w->intel && displacement)
		put(w, "%s0x%llx", displacement < 0 ? "-" : "",
		    (unsigned long long)(displacement < 0 ? 0 - (uint64_t)displacement
							  : (uint64_t)displacement));
	put(w, w->intel ? "[" : "(");
	if (c->base == X86_REG_IP)
		put(w, "%srip", w->intel ? "" : "%");
	else if (c->base != X86_NO_REG)
		put_general(w, c->base, size);
	if (index) {
		put(w, w->intel ? (c->base == X86_NO_REG ? "" : " + ") : ", ");
		put_general(w, c->index, size);
		put(w, w->intel ? "*%u" : ", %u", c->scale);
	}
	if (w->intel && displacement)
		put(w, " %c 0x%llx", displacement < 0 ? '-' : '+',
		    (unsigned long long)(displacement < 0 ? 0 - (uint64_t)displacement
							  : (uint64_t)displacement));
	put(w, w->intel ? "]" : ")");
}

static void put_memory(struct writer *w, char form)
{
	static const char *const names[] = {"byte",    "word",	  "dword",  "qword",
					    "xmmword", "ymmword", "zmmword"};
	const unsigned element = w->code->rex & 8 ? 8 : 4;
	const unsigned size = is_broadcast(w, form) ? element : memory_size(w, form);
	int64_t displacement = w->code->displacement;

	if (w->code->encoding == X86_EVEX && w->code->modrm >> 6 == 1)
		displacement *= size;
	if (w->intel)
		put(w, "%s ptr ", names[__builtin_ctz(size)]);
	put_address(w, displacement);
	if (is_broadcast(w, form))
		put(w, "{1to%u}", length_of(w) / element);
}

static void put_rm(struct writer *w, char form)
{
	const unsigned size = memory_size(w, form);

	if (w->code->has_memory)
		put_memory(w, form);
	else if (form == 'k')
		put_register(w, "k", rm_of(w) & 7);
	else if (form == 'g' || form == 'q')
		put_general(w, rm_of(w) & 15, size);
	else
		put_register(w, vector_of(form == 's' || form == 't' ? length_of(w) : size),
			     rm_of(w));
}

static void put_operand(struct writer *w, char form)
{
	switch (form) {
	case 'V': put_register(w, vector_of(length_of(w)), reg_of(w)); break;
	case 'H': put_register(w, vector_of(length_of(w)), vvvv_of(w)); break;
	case 'K': put_register(w, "k", reg_of(w) & 7); break;
	case 'L': put_register(w, "k", vvvv_of(w) & 7); break;
	case 'G': put_general(w, reg_of(w) & 15, 4); break;
	case 'Q': put_general(w, reg_of(w) & 15, 8); break;
	case 'I': put(w, "%s0x%x", w->intel ? "" : "$", (uint8_t)w->code->immediate); break;
	default: put_rm(w, form); break;
	}
}

static void put_mask(struct writer *w)
{
	if (w->code->encoding != X86_EVEX || !(w->p[2] & 7))
		return;
	put(w, w->intel ? "{k%u}" : "{%%k%u}", w->p[2] & 7);
	if (w->p[2] & 0x80)
		put(w, "{z}");
}

static void put_operands(struct writer *w, const char *form)
{
	const unsigned count = (unsigned)strcspn(form, "C");
	unsigned i;

	for (i = 0; i < count; i++) {
		const unsigned which = w->intel ? i : count - 1 - i;

		if (i)
			put(w, ", ");
		put_operand(w, form[which]);
		if (!which)
			put_mask(w);
	}
}

/* False: a predicate without a name. */
static bool put_name(const struct writer *w, const char *name, char *text, size_t size)
{
	static const char *const predicates[] = {"eq", "lt", "le", "", "neq", "nlt", "nle", ""};
	const struct x86_code *c = w->code;
	const char *mark = strpbrk(name, "*?"), *middle = "";
	const char suffix[] = {"wbqd"[(c->rex >> 2 & 2) | c->operand_size], '\0'};

	if (mark && *mark == '*')
		middle = suffix;
	else if (mark)
		middle = predicates[c->immediate & 7];
	snprintf(text, size, "%.*s%s%s", (int)(mark ? mark - name : (long)strlen(name)), name,
		 middle, mark ? mark + 1 : "");
	return !mark || *middle;
}

bool x86_text(const struct x86_code *c, const uint8_t *bytes, bool intel, char *name,
	      size_t name_size, char *operands, size_t size)
{
	struct writer w = {
		.code = c, .bytes = bytes, .intel = intel, .text = operands, .size = size};
	struct x86_named named;

	if (!x86_find_name(c, &named) || !c->has_modrm)
		return false;
	if (c->has_memory && strchr(named.form, 'k'))
		return false;
	/* The last bytes before the opcode: of VEX's short form, only what stands for the third. */
	if (c->encoding == X86_EVEX)
		memcpy(w.p, bytes + c->opcode_at - 3, 3);
	else
		w.p[1] = bytes[c->opcode_at - 1];
	if (length_of(&w) > 64)
		return false;
	*operands = '\0';
	put_operands(&w, named.form);
	return w.used < size && put_name(&w, named.name, name, name_size);
}
