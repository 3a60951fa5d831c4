# SPDX-License-Identifier: BSD-2-Clause
# A folded file with a line that does not fit into memory is not taken for one that ends before it.
if [ -n "$PK_SAN" ]; then
	echo "sanitizers need more address space" >&2
	exit 77
fi
printf 'a;b 10\nc 7\n' >base
truncate -s 300M base
ulimit -v 200000
pk-fold -q --diff=base "$PK_TOP/format/vectors/good/sample-plain-be.pk" >out 2>err && {
	echo "status 0:" && cat out
	exit 1
}
grep 'base: cannot be read' err
