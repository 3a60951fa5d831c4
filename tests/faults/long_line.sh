# SPDX-License-Identifier: BSD-2-Clause
# A folded file with a line that does not fit into memory is not taken for one that ends before it.
if [ -n "$PK_SAN" ]; then
	echo "sanitizers need more address space" >&2
	exit 77
fi
try()
{
	pk-fold -q --diff=base "$PK_TOP/format/vectors/good/sample-plain-be.pk" >out 2>err && {
		echo "status 0:" && cat out
		exit 1
	}
	grep "$1" err || exit 1
}
{
	printf 'a;b 10\nc 7\n'
	head -c 50M /dev/zero | tr '\0' x
} >base
(ulimit -v 60000 && try 'base: cannot be read: Cannot allocate memory') || exit 1
head -c 50M /dev/zero | tr '\0' x >>base
try 'base: cannot be read: line 3 is too long'
