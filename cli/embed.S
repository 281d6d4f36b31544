/* SPDX-License-Identifier: GPL-2.0 */
/* One guest image, and its entry in the table that guest.c walks. */
	.section .rodata.images, "a"
	.balign	8
1:	.incbin	GUEST_IMAGE
2:
3:	.asciz	GUEST_NAME

	/* Writable, since the entries are relocated where the client is PIE. */
	.section tern_guests, "aw"
	.balign	8
	.quad	3b, 1b, 2b - 1b

	.section .note.GNU-stack, "", %progbits
