# SPDX-License-Identifier: BSD-2-Clause
# A program that keeps no frame pointers: _start calls outer, which calls inner, which counts.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %rip
	call outer
	mov $60, %eax
	xor %edi, %edi
	syscall
	.cfi_endproc
	.size _start, . - _start

	.type outer, @function
outer:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov $1, %ebp
	sub $0x48, %rsp
	.cfi_def_cfa_offset 0x58
	call inner
	add $0x48, %rsp
	.cfi_def_cfa_offset 16
	pop %rbp
	.cfi_def_cfa_offset 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size outer, . - outer

	.type inner, @function
inner:
	.cfi_startproc
	sub $0x88, %rsp
	.cfi_def_cfa_offset 0x90
	mov $300000000, %ecx
.Lmore:
	dec %ecx
	jnz .Lmore
	add $0x88, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size inner, . - inner
	.section .note.GNU-stack, "", @progbits
