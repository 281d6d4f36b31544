# SPDX-License-Identifier: GPL-2.0
# For test/accesses: counts the trace events of the batches of each row. The
# first file has "list ROW ..." for each row in order, and the figures; the
# second is the trace. Prints "ROW CLASS NUMBER", for an iteration of the batch
# that had fewest: the host's tick falls into some.

FNR == 1 { file++ }

file == 1 && $1 == "list" {
	name[++rows] = $2
	next
}

file == 1 {
	if (split($0, csv, ",") == 5 && csv[2] == "instructions") {
		instructions[csv[1]] = csv[3]
		total[csv[1]] = csv[5]
	}
	next
}

# A mark is written again when the vCPU's registers are, so that only the first
# of each counts. Its low half is the row's number, two zeros or a 1 after it.
/^arm_gt_cval_write .*0x7465726e0000/ {
	digits = substr($NF, length($NF) - 3)
	row = hex(substr(digits, 1, 2))
	ends = substr(digits, 4) == "1"
	if (!ends && !inside) {
		inside = row
		split("", batch)
		next
	}
	if (ends && inside == row) {
		close_batch(name[row])
		inside = 0
	}
	if (!inside)
		next
}

inside && /^gicv3_ich_/ { batch["ich"]++ }
inside && /^gicv3_icc_/ { batch["icc"]++ }
inside && /^gicv3_dist_/ { batch["dist"]++ }
inside && /^gicv3_redist_/ { batch["redist"]++ }
inside && /^arm_gt_/ { batch["timer"]++ }

function hex(text,    i, n)
{
	n = 0
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

function close_batch(row,    class, i, sum)
{
	sum = 0
	for (class in batch)
		sum += batch[class]
	batches[row]++
	if (batches[row] > 1 && sum >= least[row])
		return
	least[row] = sum
	for (i = 1; i <= 5; i++)
		fewest[row, classes[i]] = batch[classes[i]] + 0
}

BEGIN { split("ich icc dist redist timer", classes, " ") }

END {
	for (r = 1; r <= rows; r++) {
		row = name[r]
		if (!batches[row])
			continue
		each = total[row] / batches[row]
		printf "%s instructions %s\n", row, instructions[row]
		for (i = 1; i <= 5; i++)
			printf "%s %s %.3g\n", row, classes[i],
				fewest[row, classes[i]] / each
	}
}
