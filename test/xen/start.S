/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Begins like a Linux kernel's image, since that is what Xen starts
 * (Documentation/arm64/booting.rst), and runs wherever it is loaded, with the
 * MMU off.
 */
	.section .text.start, "ax"
	b	start
	.word	0
	.quad	0x80000			// offset from the base of memory
	.quad	image_size
	.quad	0xa			// little-endian, 4K pages, anywhere
	.quad	0, 0, 0
	.ascii	"ARM\x64"
	.word	0

start:
	adr	x0, stack_end
	mov	sp, x0
	bl	xen_main
	b	.

	.bss
	.balign	16
	.skip	4096
stack_end:
