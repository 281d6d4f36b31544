// SPDX-License-Identifier: GPL-2.0
/*
 * The commands of an ITS (Arm IHI 0069 5.3). One that is wrong in itself, or
 * fails for want of memory, does nothing: there is nobody to tell.
 */
#include <linux/kernel.h>
#include <linux/nospec.h>
#include "its.h"

#define CMD_MOVI	0x01
#define CMD_INT		0x03
#define CMD_CLEAR	0x04
#define CMD_MAPD	0x08
#define CMD_MAPC	0x09
#define CMD_MAPTI	0x0a
#define CMD_MAPI	0x0b
#define CMD_INV		0x0c
#define CMD_INVALL	0x0d
#define CMD_MOVALL	0x0e
#define CMD_DISCARD	0x0f

static u32 cmd_device(const u64 *cmd)
{
	return cmd[0] >> 32;
}

static u32 cmd_event(const u64 *cmd)
{
	return cmd[1];
}

static u32 cmd_lpi(const u64 *cmd)
{
	return cmd[1] >> 32;
}

static u32 cmd_icid(const u64 *cmd)
{
	return cmd[2] & 0xffff;
}

static bool cmd_valid(const u64 *cmd)
{
	return cmd[2] >> 63;
}

/* GITS_TYPER.PTA is 0: a redistributor is a processor number. */
static u32 cmd_cpu(u64 word)
{
	return word >> 16;
}

static void mapd(struct vgic_its *its, const u64 *cmd)
{
	struct its_device d = { .itt = cmd[2] & ITT_ADDR, .bits = (cmd[1] & 0x1f) + 1 };
	u32 device = cmd_device(cmd);
	ipa_t ipa;

	if (!vgic_its_entry(its, ITS_DEVICES, device, &ipa) || (cmd_valid(cmd) && d.bits > ITS_ID_BITS))
		return;
	vgic_its_unmap_device(its, device);
	if (cmd_valid(cmd))
		vgic_its_map_device(its, device, &d);
	else
		vgic_its_write_entry(its, ipa, 0);	/* not to come back when tables are restored */
}

static void mapc(struct vgic_its *its, const u64 *cmd)
{
	struct vgic_cpu *c = vgic_its_cpu(its->g, cmd_cpu(cmd[2]));
	u32 icid = cmd_icid(cmd);
	ipa_t ipa;

	if (!cmd_valid(cmd)) {
		if (vgic_its_has_collection(its, icid))
			vgic_its_map_collection(its, icid, NULL);
		return;
	}
	if (c && vgic_its_entry(its, ITS_COLLECTIONS, icid, &ipa))
		vgic_its_map_collection(its, icid, c);
}

/* A collection that nobody mapped yet may be named: the event waits for it. */
static void map_event(struct vgic_its *its, const u64 *cmd, u32 lpi)
{
	struct its_event e = { .lpi = lpi, .icid = cmd_icid(cmd) }, old;
	u32 device = cmd_device(cmd), event = cmd_event(cmd);
	struct its_device d;
	ipa_t ipa;

	if (!vgic_its_device(its, device, &d) || !vgic_its_itt_entry(its, &d, event, &ipa) ||
	    lpi < LPI_BASE || lpi >= vgic_lpi_limit(its->g))
		return;
	if (vgic_its_event(its, device, event, &old))
		return;		/* UNPREDICTABLE */
	if (!vgic_its_has_collection(its, e.icid) &&
	    (!vgic_its_entry(its, ITS_COLLECTIONS, e.icid, &ipa) || vgic_its_map_collection(its, e.icid, NULL)))
		return;
	/* Guests of built-in KVM may count on this look into the property table. */
	if (!vgic_lpi_reread(its->g, vgic_its_target(its, e.icid), lpi))
		vgic_its_map_event(its, device, event, &e);
}

static void mapti(struct vgic_its *its, const u64 *cmd)
{
	map_event(its, cmd, cmd_lpi(cmd));
}

static void mapi(struct vgic_its *its, const u64 *cmd)
{
	map_event(its, cmd, cmd_event(cmd));
}

static void movi(struct vgic_its *its, const u64 *cmd)
{
	u32 device = cmd_device(cmd), event = cmd_event(cmd);
	struct vgic_cpu *from, *to = vgic_its_target(its, cmd_icid(cmd));
	struct its_event e;

	if (!to || !vgic_its_event(its, device, event, &e))
		return;
	from = vgic_its_target(its, e.icid);
	if (!from)
		return;
	e.icid = cmd_icid(cmd);
	if (!vgic_its_redirect_event(its, device, event, &e))
		vgic_lpi_move_one(from, to, e.lpi);
}

static void movall(struct vgic_its *its, const u64 *cmd)
{
	struct vgic_cpu *from = vgic_its_cpu(its->g, cmd_cpu(cmd[2])), *to = vgic_its_cpu(its->g, cmd_cpu(cmd[3]));

	if (from && to)
		vgic_lpi_move(from, to, NULL);
}

static void discard(struct vgic_its *its, const u64 *cmd)
{
	u32 device = cmd_device(cmd), event = cmd_event(cmd);
	struct its_device d;
	struct its_event e;
	ipa_t ipa;

	if (!vgic_its_device(its, device, &d) || !vgic_its_event(its, device, event, &e))
		return;
	vgic_its_unmap_event(its, device, event);
	if (vgic_its_itt_entry(its, &d, event, &ipa))
		vgic_its_write_entry(its, ipa, 0);
}

static void clear(struct vgic_its *its, const u64 *cmd)
{
	struct vgic_cpu *c;
	struct its_event e;

	if (!vgic_its_event(its, cmd_device(cmd), cmd_event(cmd), &e))
		return;
	c = vgic_its_target(its, e.icid);
	if (c)
		vgic_lpi_drop(c, e.lpi);
}

static void inv(struct vgic_its *its, const u64 *cmd)
{
	struct its_event e;

	if (vgic_its_event(its, cmd_device(cmd), cmd_event(cmd), &e))
		vgic_lpi_reread(its->g, vgic_its_target(its, e.icid), e.lpi);
}

static void invall(struct vgic_its *its, const u64 *cmd)
{
	if (!vgic_its_target(its, cmd_icid(cmd)))
		return;
	mutex_lock(&its->g->lock);
	vgic_lpi_reread_all(its->g);
	mutex_unlock(&its->g->lock);
}

static void raise(struct vgic_its *its, const u64 *cmd)
{
	vgic_its_raise(its, cmd_device(cmd), cmd_event(cmd));
}

/* SYNC has nothing to wait for, as each command is done when the next is read. */
static void (*const commands[])(struct vgic_its *its, const u64 *cmd) = {
	[CMD_MOVI] = movi,
	[CMD_INT] = raise,
	[CMD_CLEAR] = clear,
	[CMD_MAPD] = mapd,
	[CMD_MAPC] = mapc,
	[CMD_MAPTI] = mapti,
	[CMD_MAPI] = mapi,
	[CMD_INV] = inv,
	[CMD_INVALL] = invall,
	[CMD_MOVALL] = movall,
	[CMD_DISCARD] = discard,
};

void vgic_its_command(struct vgic_its *its, const u64 *cmd)
{
	u32 n = cmd[0] & 0xff;

	if (n < ARRAY_SIZE(commands) && commands[array_index_nospec(n, ARRAY_SIZE(commands))])
		commands[array_index_nospec(n, ARRAY_SIZE(commands))](its, cmd);
}
