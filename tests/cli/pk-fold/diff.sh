# SPDX-License-Identifier: BSD-2-Clause
# Two weights: of the base, recorded or folded, and of the other inputs.
. "$PK_TOP/tests/cli/stream.bash"
try()
{
	echo "$ pk-fold $*"
	pk-fold --addresses "$@" 2>&1
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
pk-fold --addresses -q before.pk >before.folded
try -q --diff=before.pk after.pk
try -q --diff=before.folded after.pk
try -q --diff=before.folded after.pk after.pk
try -q --diff=before.pk - <after.pk
printf 'prog;a b 3\nno weight\nprog;a b 4\n' >odd.folded
try -q --diff=odd.folded after.pk
# Blanks around weights, frames that lines share, fractions, and the base from a pipe.
printf 'prog;a  1.5\nprog;a;b 2\nprog;a;b;;c 3\nprog;ab 4\nprog 5\nprog;a;b 6 \n\nprog;\033a 7\n' >shared.folded
try -q --diff=shared.folded after.pk
try -q --diff=/dev/stdin after.pk <<<'prog;a 5'
cat before.folded | try -q --diff=- after.pk
cat before.pk | try -q --diff=- after.pk
: | try -q --diff=- after.pk
try -q --diff=nothing.pk after.pk
