// SPDX-License-Identifier: GPL-2.0
/*
 * Guest memory. See memory.h.
 */
#include <linux/errno.h>
#include <linux/string.h>
#include "memory.h"

bool mem_ipa_backed(struct mem *m, ipa_t ipa, bool *writable)
{
	return ipa.ipa - MEMORY_BASE < MEMORY_SIZE;
}

static bool backed(u64 ipa, size_t len)
{
	return ipa >= MEMORY_BASE && len <= MEMORY_SIZE && ipa - MEMORY_BASE <= MEMORY_SIZE - len;
}

int mem_read(struct mem *m, ipa_t ipa, void *buf, size_t len)
{
	if (!backed(ipa.ipa, len))
		return -EFAULT;
	memcpy(buf, &m->byte[ipa.ipa - MEMORY_BASE], len);
	m->reads += len;
	return 0;
}

int mem_write(struct mem *m, ipa_t ipa, const void *buf, size_t len)
{
	if (!backed(ipa.ipa, len))
		return -EFAULT;
	memcpy(&m->byte[ipa.ipa - MEMORY_BASE], buf, len);
	m->writes++;
	return 0;
}

/* Nobody here remembers where nothing was. */
void mem_holes_forget(struct mem *m)
{
}
