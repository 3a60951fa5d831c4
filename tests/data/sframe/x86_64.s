# SPDX-License-Identifier: BSD-2-Clause
# Functions in the shapes of compilers: no frame, a frame pointer, a large frame (offsets of two and
# four bytes), a long function (addresses of two and four bytes), a realigned stack (flexible), the
# outermost function, and calls through the linkage table.
	.text
	.globl leaf, framed, large, long, longer, realigned, calls
	.type leaf, @function
leaf:
	.cfi_startproc
	endbr64
	ret
	.cfi_endproc
	.size leaf, . - leaf

	.type framed, @function
framed:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	call external@PLT
	.cfi_remember_state
	pop %rbp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_restore_state
	call other@PLT
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size framed, . - framed

	.type large, @function
large:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	sub $0x1000, %rsp
	.cfi_def_cfa_offset 0x1010
	sub $0x100000, %rsp
	.cfi_def_cfa_offset 0x101010
	call external@PLT
	add $0x101000, %rsp
	.cfi_def_cfa_offset 16
	pop %rbp
	.cfi_def_cfa_offset 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size large, . - large

	.type long, @function
long:
	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	.skip 1000, 0x90
	pop %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size long, . - long

# Binutils 2.44 leaves these out, or describes them as functions that are called.
	.ifndef OLD
	.type realigned, @function
realigned:
	.cfi_startproc
	lea 8(%rsp), %r10
	.cfi_def_cfa %r10, 0
	and $-64, %rsp
	push -8(%r10)
	push %rbp
	mov %rsp, %rbp
	.cfi_escape 0x10, 6, 2, 0x76, 0		# rbp at rbp + 0
	push %r10
	.cfi_escape 0x0f, 3, 0x76, 0x78, 6	# the CFA is the content of rbp - 8
	call external@PLT
	mov -8(%rbp), %r10
	.cfi_def_cfa %r10, 0
	leave
	lea -8(%r10), %rsp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size realigned, . - realigned

	.type outermost, @function
outermost:
	.cfi_startproc
	.cfi_undefined %rip
	xor %ebp, %ebp
	call framed
	hlt
	.cfi_endproc
	.size outermost, . - outermost

	.type interrupted, @function
interrupted:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_def_cfa_offset 16
	mov $15, %eax
	syscall
	.cfi_endproc
	.size interrupted, . - interrupted
	.endif
	.section .note.GNU-stack, "", @progbits
