/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: the host's byte order is that of an arm64 kernel. */
#ifndef TERN_SHIM_KCONFIG_H
#define TERN_SHIM_KCONFIG_H

#define CONFIG_CPU_LITTLE_ENDIAN 1
#define IS_ENABLED(CONFIG_option) (CONFIG_option)

#endif
