// SPDX-License-Identifier: BSD-2-Clause
// Functions in the shapes of compilers: no frame, a frame record, a large frame, a signed return
// address, and the outermost function.
	.text
	.globl leaf, framed, large, signed
	.type leaf, @function
leaf:
	.cfi_startproc
	add x0, x0, 1
	ret
	.cfi_endproc
	.size leaf, . - leaf

	.type framed, @function
framed:
	.cfi_startproc
	stp x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	mov x29, sp
	.cfi_def_cfa_register 29
	str x19, [sp, 16]
	.cfi_offset 19, -16
	bl external
	.cfi_remember_state
	ldp x29, x30, [sp], 32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa 31, 0
	ret
	.cfi_restore_state
	bl external
	ldp x29, x30, [sp], 32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa 31, 0
	ret
	.cfi_endproc
	.size framed, . - framed

	.type large, @function
large:
	.cfi_startproc
	sub sp, sp, 4096
	.cfi_def_cfa_offset 4096
	stp x29, x30, [sp]
	.cfi_offset 29, -4096
	.cfi_offset 30, -4088
	bl external
	ldp x29, x30, [sp]
	.cfi_restore 29
	.cfi_restore 30
	add sp, sp, 4096
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size large, . - large

	.type signed, @function
signed:
	.cfi_startproc
	hint 25
	.cfi_negate_ra_state
	stp x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	mov x29, sp
	.skip 400
	ldp x29, x30, [sp], 16
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	hint 29
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size signed, . - signed

// Binutils 2.44 describes these as if they were called.
	.ifndef OLD
	.type outermost, @function
outermost:
	.cfi_startproc
	.cfi_undefined 30
	mov x29, 0
	bl framed
	nop
	.cfi_endproc
	.size outermost, . - outermost
	.endif
	.section .note.GNU-stack, "", @progbits
