# SPDX-License-Identifier: BSD-2-Clause
# Callers that are missing, as the chain trailer says, have a frame if that is asked for.
for v in le be; do
	for option in --mark-truncated --no-inline; do
		pk-symbolize -q $option "$PK_TOP/format/vectors/good/pk-chain-trailer-$v.pk" | pk-fold -q
	done
done
