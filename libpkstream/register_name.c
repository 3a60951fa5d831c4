// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>

#include "pkprivate.h"
#include "pkstream.h"

static const char *const x86[] = {"AX", "BX",	 "CX",	"DX",  "SI",  "DI",  "BP",  "SP",
				  "IP", "FLAGS", "CS",	"SS",  "DS",  "ES",  "FS",  "GS",
				  "R8", "R9",	 "R10", "R11", "R12", "R13", "R14", "R15"};
static const char *const arm64[] = {"x0",  "x1",  "x2",	 "x3",	"x4",  "x5",  "x6",  "x7",  "x8",
				    "x9",  "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
				    "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
				    "x27", "x28", "x29", "lr",	"sp",  "pc"};
static const char *const arm[] = {"r0", "r1", "r2",  "r3", "r4", "r5", "r6", "r7",
				  "r8", "r9", "r10", "fp", "ip", "sp", "lr", "pc"};
static const char *const s390[] = {
	"R0",  "R1",  "R2",   "R3",   "R4",   "R5",   "R6",   "R7",   "R8",   "R9",  "R10", "R11",
	"R12", "R13", "R14",  "R15",  "FP0",  "FP1",  "FP2",  "FP3",  "FP4",  "FP5", "FP6", "FP7",
	"FP8", "FP9", "FP10", "FP11", "FP12", "FP13", "FP14", "FP15", "MASK", "PC"};

static const struct machine {
	uint32_t e_machine, count;
	const char *const *names;
} machines[] = {
	{EM_386, 24, x86},	 {EM_X86_64, 24, x86}, {EM_ARM, 16, arm},
	{EM_AARCH64, 33, arm64}, {EM_S390, 34, s390},
};

const char *pk_register_name(uint32_t e_machine, unsigned int number)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].e_machine == e_machine)
			return number < machines[i].count ? machines[i].names[number] : NULL;
	return NULL;
}
