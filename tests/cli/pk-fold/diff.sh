# SPDX-License-Identifier: BSD-2-Clause
# Two weights: of the base, recorded or folded, and of the other inputs.
. "$PK_TOP/tests/cli/stream.bash"
try()
{
	echo "$ pk-fold $*"
	pk-fold "$@" 2>&1
	echo "status $?"
}
stream()
{ # IP...
	header
	event 1 7
	comm 5 5 prog
	for ip in "$@"; do
		sample 7 5 $ip 10
	done
}
stream 0x1000 0x1000 0x2000 | assemble >before.pk
stream 0x1000 0x3000 | assemble >after.pk
pk-fold -q before.pk >before.folded
try -q --diff=before.pk after.pk
try -q --diff=before.folded after.pk
try -q --diff=before.folded after.pk after.pk
try -q --diff=before.pk - <after.pk
printf 'prog;a b 3\nno weight\nprog;a b 4\n' >odd.folded
try -q --diff=odd.folded after.pk
try -q --diff=nothing.pk after.pk
