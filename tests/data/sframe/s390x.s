# SPDX-License-Identifier: BSD-2-Clause
# Functions in the shapes of compilers: no frame, registers saved in the stack, a frame pointer,
# registers saved in floating-point registers, and the outermost function.
	.text
	.globl leaf, saved, framed, in_registers
	.type leaf, @function
leaf:
	.cfi_startproc
	lghi %r2, 1
	br %r14
	.cfi_endproc
	.size leaf, . - leaf

	.type saved, @function
saved:
	.cfi_startproc
	stmg %r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay %r15, -4096(%r15)
	.cfi_def_cfa_offset 4256
	brasl %r14, external
	lmg %r14, %r15, 4208(%r15)
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size saved, . - saved

	.type framed, @function
framed:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay %r15, -168(%r15)
	.cfi_def_cfa_offset 328
	lgr %r11, %r15
	.cfi_def_cfa_register 11
	brasl %r14, external
	lmg %r11, %r15, 256(%r11)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_def_cfa 15, 160
	br %r14
	.cfi_endproc
	.size framed, . - framed

	.type in_registers, @function
in_registers:
	.cfi_startproc
	ldgr %f0, %r11
	.cfi_register 11, 16
	ldgr %f2, %r15
	.cfi_register 15, 17
	lay %r15, -168(%r15)
	.cfi_def_cfa_offset 328
	lgr %r11, %r15
	.cfi_def_cfa_register 11
	lghi %r2, 1
	lgdr %r15, %f2
	.cfi_restore 15
	.cfi_def_cfa 15, 160
	lgdr %r11, %f0
	.cfi_restore 11
	br %r14
	.cfi_endproc
	.size in_registers, . - in_registers

# Binutils 2.44 describes these as if they were called.
	.ifndef OLD
	.type outermost, @function
outermost:
	.cfi_startproc
	.cfi_undefined 14
	brasl %r14, framed
	nopr
	.cfi_endproc
	.size outermost, . - outermost
	.endif
	.section .note.GNU-stack, "", @progbits
