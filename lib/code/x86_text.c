// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "x86_code.h"

/* ---- Names ---- */

/* Names of instructions that capstone does not know: instructions of AVX-512 for bytes, words and
 * masks, and other new vector instructions. Source: Intel's manual (volume 2). */

#define ANY 0xff

/* An instruction with its name and its form. The form has one letter for each operand. The
 * destination is first:
 *
 *   V  a vector register in ModRM.reg
 *   K  a mask register in ModRM.reg
 *   G, Q  a general register of 4, 8 bytes in ModRM.reg
 *   H  a vector register in vvvv
 *   L  a mask register in vvvv
 *   W, h, r  a vector, half of a vector, a quarter of a vector in ModRM.rm
 *   x, y  16, 32 bytes in ModRM.rm
 *   b, w, d, e  16 bytes in ModRM.rm; only 1, 2, 4, 8 of them if they are in memory
 *   s, t  a vector in ModRM.rm; in memory, elements of 1, 2 bytes
 *   g, q  a general register or memory of 4, 8 bytes in ModRM.rm
 *   k  a mask register in ModRM.rm
 *   I  an immediate
 *   C  an immediate that is a part of the name */
struct x86_named {
	uint8_t encoding, map, prefix, opcode,
		w; /* prefix is 0 for none, 1 for 66, 2 for F3, 3 for F2 */
	const char *name, *form;
};

/* In a name, '*' stands for b, w, d or q, which depends on the prefix and on W. '?' stands for the
 * predicate. */
static const struct x86_named named[] = {
	{X86_VEX, 1, ANY, 0x41, ANY, "kand*", "KLk"},
	{X86_VEX, 1, ANY, 0x42, ANY, "kandn*", "KLk"},
	{X86_VEX, 1, ANY, 0x45, ANY, "kor*", "KLk"},
	{X86_VEX, 1, ANY, 0x46, ANY, "kxnor*", "KLk"},
	{X86_VEX, 1, ANY, 0x47, ANY, "kxor*", "KLk"},
	{X86_VEX, 1, ANY, 0x4a, ANY, "kadd*", "KLk"},
	{X86_VEX, 1, ANY, 0x44, ANY, "knot*", "Kk"},
	{X86_VEX, 1, ANY, 0x98, ANY, "kortest*", "Kk"},
	{X86_VEX, 1, ANY, 0x99, ANY, "ktest*", "Kk"},
	{X86_VEX, 1, 3, 0x92, 0, "kmovd", "Kg"},
	{X86_VEX, 1, 3, 0x92, 1, "kmovq", "Kq"},
	{X86_VEX, 1, 3, 0x93, 0, "kmovd", "Gk"},
	{X86_VEX, 1, 3, 0x93, 1, "kmovq", "Qk"},
	{X86_VEX, 3, 1, 0x30, 0, "kshiftrb", "KkI"},
	{X86_VEX, 3, 1, 0x31, 0, "kshiftrd", "KkI"},
	{X86_VEX, 3, 1, 0x31, 1, "kshiftrq", "KkI"},
	{X86_VEX, 3, 1, 0x32, 0, "kshiftlb", "KkI"},
	{X86_VEX, 3, 1, 0x33, 0, "kshiftld", "KkI"},
	{X86_VEX, 3, 1, 0x33, 1, "kshiftlq", "KkI"},
	{X86_VEX, 2, 1, 0x5a, 0, "vbroadcasti128", "Vx"},
	{X86_EVEX, 1, 1, 0x60, ANY, "vpunpcklbw", "VHW"},
	{X86_EVEX, 1, 1, 0x61, ANY, "vpunpcklwd", "VHW"},
	{X86_EVEX, 1, 1, 0x62, ANY, "vpunpckldq", "VHW"},
	{X86_EVEX, 1, 1, 0x63, ANY, "vpacksswb", "VHW"},
	{X86_EVEX, 1, 1, 0x67, ANY, "vpackuswb", "VHW"},
	{X86_EVEX, 1, 1, 0x68, ANY, "vpunpckhbw", "VHW"},
	{X86_EVEX, 1, 1, 0x69, ANY, "vpunpckhwd", "VHW"},
	{X86_EVEX, 1, 1, 0x6a, ANY, "vpunpckhdq", "VHW"},
	{X86_EVEX, 1, 1, 0x6b, ANY, "vpackssdw", "VHW"},
	{X86_EVEX, 1, 1, 0x6c, ANY, "vpunpcklqdq", "VHW"},
	{X86_EVEX, 1, 1, 0x6d, ANY, "vpunpckhqdq", "VHW"},
	{X86_EVEX, 1, 1, 0xd5, ANY, "vpmullw", "VHW"},
	{X86_EVEX, 1, 1, 0xd8, ANY, "vpsubusb", "VHW"},
	{X86_EVEX, 1, 1, 0xd9, ANY, "vpsubusw", "VHW"},
	{X86_EVEX, 1, 1, 0xda, ANY, "vpminub", "VHW"},
	{X86_EVEX, 1, 1, 0xdc, ANY, "vpaddusb", "VHW"},
	{X86_EVEX, 1, 1, 0xdd, ANY, "vpaddusw", "VHW"},
	{X86_EVEX, 1, 1, 0xde, ANY, "vpmaxub", "VHW"},
	{X86_EVEX, 1, 1, 0xe0, ANY, "vpavgb", "VHW"},
	{X86_EVEX, 1, 1, 0xe3, ANY, "vpavgw", "VHW"},
	{X86_EVEX, 1, 1, 0xe4, ANY, "vpmulhuw", "VHW"},
	{X86_EVEX, 1, 1, 0xe5, ANY, "vpmulhw", "VHW"},
	{X86_EVEX, 1, 1, 0xe8, ANY, "vpsubsb", "VHW"},
	{X86_EVEX, 1, 1, 0xe9, ANY, "vpsubsw", "VHW"},
	{X86_EVEX, 1, 1, 0xea, ANY, "vpminsw", "VHW"},
	{X86_EVEX, 1, 1, 0xec, ANY, "vpaddsb", "VHW"},
	{X86_EVEX, 1, 1, 0xed, ANY, "vpaddsw", "VHW"},
	{X86_EVEX, 1, 1, 0xee, ANY, "vpmaxsw", "VHW"},
	{X86_EVEX, 1, 1, 0xf5, ANY, "vpmaddwd", "VHW"},
	{X86_EVEX, 1, 1, 0xf6, ANY, "vpsadbw", "VHW"},
	{X86_EVEX, 1, 1, 0xf8, ANY, "vpsubb", "VHW"},
	{X86_EVEX, 1, 1, 0xf9, ANY, "vpsubw", "VHW"},
	{X86_EVEX, 1, 1, 0xfc, ANY, "vpaddb", "VHW"},
	{X86_EVEX, 1, 1, 0xfd, ANY, "vpaddw", "VHW"},
	{X86_EVEX, 1, 1, 0x64, ANY, "vpcmpgtb", "KHW"},
	{X86_EVEX, 1, 1, 0x65, ANY, "vpcmpgtw", "KHW"},
	{X86_EVEX, 1, 1, 0x66, ANY, "vpcmpgtd", "KHW"},
	{X86_EVEX, 1, 1, 0x74, ANY, "vpcmpeqb", "KHW"},
	{X86_EVEX, 1, 1, 0x75, ANY, "vpcmpeqw", "KHW"},
	{X86_EVEX, 1, 1, 0x76, ANY, "vpcmpeqd", "KHW"},
	{X86_EVEX, 1, 1, 0x6f, 0, "vmovdqa32", "VW"},
	{X86_EVEX, 1, 1, 0x6f, 1, "vmovdqa64", "VW"},
	{X86_EVEX, 1, 1, 0x7f, 0, "vmovdqa32", "WV"},
	{X86_EVEX, 1, 1, 0x7f, 1, "vmovdqa64", "WV"},
	{X86_EVEX, 1, 2, 0x6f, 0, "vmovdqu32", "VW"},
	{X86_EVEX, 1, 2, 0x6f, 1, "vmovdqu64", "VW"},
	{X86_EVEX, 1, 2, 0x7f, 0, "vmovdqu32", "WV"},
	{X86_EVEX, 1, 2, 0x7f, 1, "vmovdqu64", "WV"},
	{X86_EVEX, 1, 3, 0x6f, 0, "vmovdqu8", "VW"},
	{X86_EVEX, 1, 3, 0x6f, 1, "vmovdqu16", "VW"},
	{X86_EVEX, 1, 3, 0x7f, 0, "vmovdqu8", "WV"},
	{X86_EVEX, 1, 3, 0x7f, 1, "vmovdqu16", "WV"},
	{X86_EVEX, 1, 1, 0x70, ANY, "vpshufd", "VWI"},
	{X86_EVEX, 1, 2, 0x70, ANY, "vpshufhw", "VWI"},
	{X86_EVEX, 1, 3, 0x70, ANY, "vpshuflw", "VWI"},
	{X86_EVEX, 1, 1, 0x7b, 1, "vcvtpd2qq", "VW"},
	{X86_EVEX, 1, 2, 0xe6, 1, "vcvtqq2pd", "VW"},
	{X86_EVEX, 1, 1, 0xd1, ANY, "vpsrlw", "VHx"},
	{X86_EVEX, 1, 1, 0xd2, ANY, "vpsrld", "VHx"},
	{X86_EVEX, 1, 1, 0xd3, ANY, "vpsrlq", "VHx"},
	{X86_EVEX, 1, 1, 0xe1, ANY, "vpsraw", "VHx"},
	{X86_EVEX, 1, 1, 0xf1, ANY, "vpsllw", "VHx"},
	{X86_EVEX, 1, 1, 0xf2, ANY, "vpslld", "VHx"},
	{X86_EVEX, 1, 1, 0xf3, ANY, "vpsllq", "VHx"},
	{X86_EVEX, 1, 1, 0xe2, 0, "vpsrad", "VHx"},
	{X86_EVEX, 1, 1, 0xe2, 1, "vpsraq", "VHx"},
	{X86_EVEX, 2, 1, 0x00, ANY, "vpshufb", "VHW"},
	{X86_EVEX, 2, 1, 0x04, ANY, "vpmaddubsw", "VHW"},
	{X86_EVEX, 2, 1, 0x0b, ANY, "vpmulhrsw", "VHW"},
	{X86_EVEX, 2, 1, 0x2b, ANY, "vpackusdw", "VHW"},
	{X86_EVEX, 2, 1, 0x38, ANY, "vpminsb", "VHW"},
	{X86_EVEX, 2, 1, 0x3a, ANY, "vpminuw", "VHW"},
	{X86_EVEX, 2, 1, 0x3c, ANY, "vpmaxsb", "VHW"},
	{X86_EVEX, 2, 1, 0x3e, ANY, "vpmaxuw", "VHW"},
	{X86_EVEX, 2, 1, 0x10, 1, "vpsrlvw", "VHW"},
	{X86_EVEX, 2, 1, 0x11, 1, "vpsravw", "VHW"},
	{X86_EVEX, 2, 1, 0x12, 1, "vpsllvw", "VHW"},
	{X86_EVEX, 2, 1, 0x1c, ANY, "vpabsb", "VW"},
	{X86_EVEX, 2, 1, 0x1d, ANY, "vpabsw", "VW"},
	{X86_EVEX, 2, 1, 0x1e, 0, "vpabsd", "VW"},
	{X86_EVEX, 2, 1, 0x1f, 1, "vpabsq", "VW"},
	{X86_EVEX, 2, 1, 0x20, ANY, "vpmovsxbw", "Vh"},
	{X86_EVEX, 2, 1, 0x21, ANY, "vpmovsxbd", "Vr"},
	{X86_EVEX, 2, 1, 0x23, ANY, "vpmovsxwd", "Vh"},
	{X86_EVEX, 2, 1, 0x24, ANY, "vpmovsxwq", "Vr"},
	{X86_EVEX, 2, 1, 0x25, ANY, "vpmovsxdq", "Vh"},
	{X86_EVEX, 2, 1, 0x30, ANY, "vpmovzxbw", "Vh"},
	{X86_EVEX, 2, 1, 0x31, ANY, "vpmovzxbd", "Vr"},
	{X86_EVEX, 2, 1, 0x33, ANY, "vpmovzxwd", "Vh"},
	{X86_EVEX, 2, 1, 0x34, ANY, "vpmovzxwq", "Vr"},
	{X86_EVEX, 2, 1, 0x35, ANY, "vpmovzxdq", "Vh"},
	{X86_EVEX, 2, 1, 0x26, 0, "vptestmb", "KHW"},
	{X86_EVEX, 2, 1, 0x26, 1, "vptestmw", "KHW"},
	{X86_EVEX, 2, 2, 0x26, 0, "vptestnmb", "KHW"},
	{X86_EVEX, 2, 2, 0x26, 1, "vptestnmw", "KHW"},
	{X86_EVEX, 2, 1, 0x27, 0, "vptestmd", "KHW"},
	{X86_EVEX, 2, 1, 0x27, 1, "vptestmq", "KHW"},
	{X86_EVEX, 2, 2, 0x27, 0, "vptestnmd", "KHW"},
	{X86_EVEX, 2, 2, 0x27, 1, "vptestnmq", "KHW"},
	{X86_EVEX, 2, 2, 0x28, 0, "vpmovm2b", "Vk"},
	{X86_EVEX, 2, 2, 0x28, 1, "vpmovm2w", "Vk"},
	{X86_EVEX, 2, 2, 0x29, 0, "vpmovb2m", "KW"},
	{X86_EVEX, 2, 2, 0x29, 1, "vpmovw2m", "KW"},
	{X86_EVEX, 2, 1, 0x36, 0, "vpermd", "VHW"},
	{X86_EVEX, 2, 1, 0x36, 1, "vpermq", "VHW"},
	{X86_EVEX, 2, 1, 0x40, 0, "vpmulld", "VHW"},
	{X86_EVEX, 2, 1, 0x40, 1, "vpmullq", "VHW"},
	{X86_EVEX, 2, 1, 0x50, 0, "vpdpbusd", "VHW"},
	{X86_EVEX, 2, 1, 0x51, 0, "vpdpbusds", "VHW"},
	{X86_EVEX, 2, 1, 0x52, 0, "vpdpwssd", "VHW"},
	{X86_EVEX, 2, 1, 0x53, 0, "vpdpwssds", "VHW"},
	{X86_EVEX, 2, 1, 0x58, 0, "vpbroadcastd", "Vd"},
	{X86_EVEX, 2, 1, 0x59, 1, "vpbroadcastq", "Ve"},
	{X86_EVEX, 2, 1, 0x5a, 0, "vbroadcasti32x4", "Vx"},
	{X86_EVEX, 2, 1, 0x5a, 1, "vbroadcasti64x2", "Vx"},
	{X86_EVEX, 2, 1, 0x5b, 0, "vbroadcasti32x8", "Vy"},
	{X86_EVEX, 2, 1, 0x5b, 1, "vbroadcasti64x4", "Vy"},
	{X86_EVEX, 2, 1, 0x1a, 0, "vbroadcastf32x4", "Vx"},
	{X86_EVEX, 2, 1, 0x1a, 1, "vbroadcastf64x2", "Vx"},
	{X86_EVEX, 2, 1, 0x1b, 0, "vbroadcastf32x8", "Vy"},
	{X86_EVEX, 2, 1, 0x1b, 1, "vbroadcastf64x4", "Vy"},
	{X86_EVEX, 2, 1, 0x78, 0, "vpbroadcastb", "Vb"},
	{X86_EVEX, 2, 1, 0x79, 0, "vpbroadcastw", "Vw"},
	{X86_EVEX, 2, 1, 0x7a, 0, "vpbroadcastb", "Vg"},
	{X86_EVEX, 2, 1, 0x7b, 0, "vpbroadcastw", "Vg"},
	{X86_EVEX, 2, 1, 0x7c, 0, "vpbroadcastd", "Vg"},
	{X86_EVEX, 2, 1, 0x7c, 1, "vpbroadcastq", "Vq"},
	{X86_EVEX, 2, 1, 0x75, 0, "vpermi2b", "VHW"},
	{X86_EVEX, 2, 1, 0x75, 1, "vpermi2w", "VHW"},
	{X86_EVEX, 2, 1, 0x76, 0, "vpermi2d", "VHW"},
	{X86_EVEX, 2, 1, 0x76, 1, "vpermi2q", "VHW"},
	{X86_EVEX, 2, 1, 0x7d, 0, "vpermt2b", "VHW"},
	{X86_EVEX, 2, 1, 0x7d, 1, "vpermt2w", "VHW"},
	{X86_EVEX, 2, 1, 0x7e, 0, "vpermt2d", "VHW"},
	{X86_EVEX, 2, 1, 0x7e, 1, "vpermt2q", "VHW"},
	{X86_EVEX, 2, 1, 0x8d, 0, "vpermb", "VHW"},
	{X86_EVEX, 2, 1, 0x8d, 1, "vpermw", "VHW"},
	{X86_EVEX, 2, 1, 0xb4, 1, "vpmadd52luq", "VHW"},
	{X86_EVEX, 2, 1, 0xb5, 1, "vpmadd52huq", "VHW"},
	{X86_EVEX, 2, 1, 0xdc, ANY, "vaesenc", "VHW"},
	{X86_EVEX, 2, 1, 0xdd, ANY, "vaesenclast", "VHW"},
	{X86_EVEX, 2, 1, 0xde, ANY, "vaesdec", "VHW"},
	{X86_EVEX, 2, 1, 0xdf, ANY, "vaesdeclast", "VHW"},
	{X86_EVEX, 3, 1, 0x00, 1, "vpermq", "VWI"},
	{X86_EVEX, 3, 1, 0x01, 1, "vpermpd", "VWI"},
	{X86_EVEX, 3, 1, 0x03, 0, "valignd", "VHWI"},
	{X86_EVEX, 3, 1, 0x03, 1, "valignq", "VHWI"},
	{X86_EVEX, 3, 1, 0x0f, ANY, "vpalignr", "VHWI"},
	{X86_EVEX, 3, 1, 0x16, 0, "vpextrd", "gVI"},
	{X86_EVEX, 3, 1, 0x16, 1, "vpextrq", "qVI"},
	{X86_EVEX, 3, 1, 0x22, 0, "vpinsrd", "VHgI"},
	{X86_EVEX, 3, 1, 0x22, 1, "vpinsrq", "VHqI"},
	{X86_EVEX, 3, 1, 0x1e, 0, "vpcmp?ud", "KHWC"},
	{X86_EVEX, 3, 1, 0x1e, 1, "vpcmp?uq", "KHWC"},
	{X86_EVEX, 3, 1, 0x1f, 0, "vpcmp?d", "KHWC"},
	{X86_EVEX, 3, 1, 0x1f, 1, "vpcmp?q", "KHWC"},
	{X86_EVEX, 3, 1, 0x3e, 0, "vpcmp?ub", "KHWC"},
	{X86_EVEX, 3, 1, 0x3e, 1, "vpcmp?uw", "KHWC"},
	{X86_EVEX, 3, 1, 0x3f, 0, "vpcmp?b", "KHWC"},
	{X86_EVEX, 3, 1, 0x3f, 1, "vpcmp?w", "KHWC"},
	{X86_EVEX, 3, 1, 0x18, 0, "vinsertf32x4", "VHxI"},
	{X86_EVEX, 3, 1, 0x18, 1, "vinsertf64x2", "VHxI"},
	{X86_EVEX, 3, 1, 0x1a, 0, "vinsertf32x8", "VHyI"},
	{X86_EVEX, 3, 1, 0x1a, 1, "vinsertf64x4", "VHyI"},
	{X86_EVEX, 3, 1, 0x19, 0, "vextractf32x4", "xVI"},
	{X86_EVEX, 3, 1, 0x19, 1, "vextractf64x2", "xVI"},
	{X86_EVEX, 3, 1, 0x1b, 0, "vextractf32x8", "yVI"},
	{X86_EVEX, 3, 1, 0x1b, 1, "vextractf64x4", "yVI"},
	{X86_EVEX, 3, 1, 0x38, 0, "vinserti32x4", "VHxI"},
	{X86_EVEX, 3, 1, 0x38, 1, "vinserti64x2", "VHxI"},
	{X86_EVEX, 3, 1, 0x3a, 0, "vinserti32x8", "VHyI"},
	{X86_EVEX, 3, 1, 0x3a, 1, "vinserti64x4", "VHyI"},
	{X86_EVEX, 3, 1, 0x39, 0, "vextracti32x4", "xVI"},
	{X86_EVEX, 3, 1, 0x39, 1, "vextracti64x2", "xVI"},
	{X86_EVEX, 3, 1, 0x3b, 0, "vextracti32x8", "yVI"},
	{X86_EVEX, 3, 1, 0x3b, 1, "vextracti64x4", "yVI"},
	{X86_EVEX, 3, 1, 0x23, 0, "vshuff32x4", "VHWI"},
	{X86_EVEX, 3, 1, 0x23, 1, "vshuff64x2", "VHWI"},
	{X86_EVEX, 3, 1, 0x25, 0, "vpternlogd", "VHWI"},
	{X86_EVEX, 3, 1, 0x25, 1, "vpternlogq", "VHWI"},
	{X86_EVEX, 3, 1, 0x43, 0, "vshufi32x4", "VHWI"},
	{X86_EVEX, 3, 1, 0x43, 1, "vshufi64x2", "VHWI"},
	{X86_EVEX, 3, 1, 0x44, ANY, "vpclmulqdq", "VHWI"},
	{X86_EVEX, 2, 1, 0x63, 0, "vpcompressb", "sV"},
	{X86_EVEX, 2, 1, 0x63, 1, "vpcompressw", "tV"},
	{X86_EVEX, 2, 1, 0x62, 0, "vpexpandb", "Vs"},
	{X86_EVEX, 2, 1, 0x62, 1, "vpexpandw", "Vt"},
	{X86_EVEX, 2, 1, 0x83, 1, "vpmultishiftqb", "VHW"},
	{X86_EVEX, 3, 1, 0x70, 1, "vpshldw", "VHWI"},
	{X86_EVEX, 3, 1, 0x71, 0, "vpshldd", "VHWI"},
	{X86_EVEX, 3, 1, 0x71, 1, "vpshldq", "VHWI"},
	{X86_EVEX, 3, 1, 0x72, 1, "vpshrdw", "VHWI"},
	{X86_EVEX, 3, 1, 0x73, 0, "vpshrdd", "VHWI"},
	{X86_EVEX, 3, 1, 0x73, 1, "vpshrdq", "VHWI"},
	{X86_EVEX, 2, 2, 0x30, 0, "vpmovwb", "hV"},
	{X86_EVEX, 2, 1, 0x54, 0, "vpopcntb", "VW"},
	{X86_EVEX, 2, 1, 0x54, 1, "vpopcntw", "VW"},
	{X86_EVEX, 2, 1, 0x55, 0, "vpopcntd", "VW"},
	{X86_EVEX, 2, 1, 0x55, 1, "vpopcntq", "VW"},
	{X86_EVEX, 2, 1, 0x45, 0, "vpsrlvd", "VHW"},
	{X86_EVEX, 2, 1, 0x45, 1, "vpsrlvq", "VHW"},
	{X86_EVEX, 2, 1, 0x46, 0, "vpsravd", "VHW"},
	{X86_EVEX, 2, 1, 0x46, 1, "vpsravq", "VHW"},
	{X86_EVEX, 2, 1, 0x47, 0, "vpsllvd", "VHW"},
	{X86_EVEX, 2, 1, 0x47, 1, "vpsllvq", "VHW"},
	{X86_EVEX, 2, 1, 0x39, 0, "vpminsd", "VHW"},
	{X86_EVEX, 2, 1, 0x39, 1, "vpminsq", "VHW"},
	{X86_EVEX, 2, 1, 0x3b, 0, "vpminud", "VHW"},
	{X86_EVEX, 2, 1, 0x3b, 1, "vpminuq", "VHW"},
	{X86_EVEX, 2, 1, 0x3d, 0, "vpmaxsd", "VHW"},
	{X86_EVEX, 2, 1, 0x3d, 1, "vpmaxsq", "VHW"},
	{X86_EVEX, 2, 1, 0x3f, 0, "vpmaxud", "VHW"},
	{X86_EVEX, 2, 1, 0x3f, 1, "vpmaxuq", "VHW"},
};

/* Opcodes that ModRM.reg extends. `w` is 0, 1 or ANY. All of them have the form "HWI". */
static const struct {
	uint8_t opcode, reg, w;
	const char *name;
} shifts[] = {
	{0x71, 2, ANY, "vpsrlw"},  {0x71, 4, ANY, "vpsraw"}, {0x71, 6, ANY, "vpsllw"},
	{0x72, 0, 0, "vprord"},	   {0x72, 0, 1, "vprorq"},   {0x72, 1, 0, "vprold"},
	{0x72, 1, 1, "vprolq"},	   {0x72, 2, ANY, "vpsrld"}, {0x72, 4, 0, "vpsrad"},
	{0x72, 4, 1, "vpsraq"},	   {0x72, 6, ANY, "vpslld"}, {0x73, 2, ANY, "vpsrlq"},
	{0x73, 3, ANY, "vpsrldq"}, {0x73, 6, ANY, "vpsllq"}, {0x73, 7, ANY, "vpslldq"},
};

static uint8_t prefix_of(const struct x86_code *c)
{
	return c->operand_size ? 1 : c->repeat ? 2 : c->repeat_not ? 3 : 0;
}

static bool find_shift(const struct x86_code *c, struct x86_named *found)
{
	for (size_t i = 0; i < sizeof(shifts) / sizeof(*shifts); i++)
		if (shifts[i].opcode == c->opcode && shifts[i].reg == (c->modrm >> 3 & 7) &&
		    (shifts[i].w == ANY || shifts[i].w == c->rex >> 3)) {
			*found = (struct x86_named){.name = shifts[i].name, .form = "HWI"};
			return true;
		}
	return false;
}

static bool x86_find_name(const struct x86_code *c, struct x86_named *found)
{
	const uint8_t prefix = prefix_of(c);
	size_t i;

	if (c->encoding == X86_EVEX && c->map == X86_MAP_0F && prefix == 1 && c->opcode >= 0x71 &&
	    c->opcode <= 0x73)
		return find_shift(c, found);
	for (i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (named[i].opcode == c->opcode && named[i].encoding == c->encoding &&
		    named[i].map == c->map &&
		    (named[i].prefix == ANY || named[i].prefix == prefix) &&
		    (named[i].w == ANY || named[i].w == c->rex >> 3)) {
			*found = named[i];
			return true;
		}
	return false;
}

/* ---- Texts ---- */

/* The state while the text of an instruction is written. */
struct writer {
	const struct x86_code *code;
	const uint8_t *bytes;
	bool intel;
	uint8_t p[3]; /* the bytes of an EVEX prefix after its first byte, or the same bits of a VEX
		       * prefix */
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

/* Returns the size of the vectors in bytes: 16, 32 or 64. */
static unsigned length_of(const struct writer *w)
{
	return 16u << (w->code->encoding == X86_EVEX ? w->p[2] >> 5 & 3 : w->p[1] >> 2 & 1);
}

static const char *vector_of(unsigned length)
{
	return length <= 16 ? "xmm" : length == 32 ? "ymm" : "zmm";
}

/* These functions return the number of a register. In the EVEX prefix, this number has one bit more
 * than in the REX prefix. The additional bit is stored inverted. */
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

/* Returns the size in bytes that an operand of this form has in memory. */
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

/* Returns false if the predicate has no name. */
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

bool pk_x86_text(const struct x86_code *c, const uint8_t *bytes, bool intel, char *name,
		 size_t name_size, char *operands, size_t size)
{
	struct writer w = {
		.code = c, .bytes = bytes, .intel = intel, .text = operands, .size = size};
	struct x86_named found;

	if (!x86_find_name(c, &found) || !c->has_modrm)
		return false;
	if (c->has_memory && strchr(found.form, 'k'))
		return false;
	/* The last bytes of the prefix are directly before the opcode. A VEX prefix can have only
	 * two bytes, so only its last byte is used. */
	if (c->encoding == X86_EVEX)
		memcpy(w.p, bytes + c->opcode_at - 3, 3);
	else
		w.p[1] = bytes[c->opcode_at - 1];
	if (length_of(&w) > 64)
		return false;
	*operands = '\0';
	put_operands(&w, found.form);
	return w.used < size && put_name(&w, found.name, name, name_size);
}
