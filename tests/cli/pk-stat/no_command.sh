# SPDX-License-Identifier: BSD-2-Clause
# An operand that is no recording is a command, even if nobody can run it: also a recording whose first byte is wrong.
# It is found as by a shell, so a recording is not run: it is not executable, and its folder is not in PATH.
pk-stat -o /dev/null -e dummy -- true 2>err || {
	echo "counting is not possible here: $(head -n 1 err)" >&2
	exit 77
}
cp "$PK_TOP/format/vectors/good/user-stat-le.pk" counts.pk
printf X | dd of=counts.pk conv=notrunc 2>err
for operand in counts.pk ./counts.pk; do
	pk-stat -e dummy $operand
	echo "status $?"
done
echo text >text
pk-stat -e dummy ./text
