# SPDX-License-Identifier: BSD-2-Clause
# What got lost is told in one line, except under -q, and --fail-on makes it the exit status.
. "$PK_TOP/tests/cli/stream.bash"
try()
{
	echo "$ pk-fold $*"
	pk-fold "$@" 2>&1
	echo "status $?"
}
{
	header
	event 1 7
	session
	comm 5 5 prog
	for ((i = 0; i < 19; i++)); do
		sample 7 5 0x1000
	done
	lost 1
	nums 4488 1 5 2 20 | definition 8
	finish
} >lost.pk
try lost.pk
try -q lost.pk
for list in lost lost=4.9 lost=5 unresolved=9.9 unresolved=10,lost=5 truncated truncated=0,lost=50; do
	try -q --fail-on=$list lost.pk
done
# without their deferred user halves
cp "$PK_TOP/format/vectors/good/kernel-deferred-le.pk" deferred.pk
for list in truncated truncated=99 lost; do
	try --fail-on=$list deferred.pk
done

# What the programs before have printed is not printed again behind a pipe, unless with -v, but counts for
# --fail-on. pk-record prints what LOST says; other recorders do not.
piped()
{
	echo "$ pk-fold $* < a pipe"
	# shellcheck disable=SC2002 # a pipe on purpose
	cat lost.pk | pk-fold "$@" 2>&1
	echo "status $?"
}
piped
# recorded ARGV...: by a pk-record that was started so
recorded()
{
	local strings="pk-record\\0000.1\\000host\\000" word
	for word; do strings+="$word\\000"; done
	header
	event 1 7
	session
	{
		nums 44844 1 0 0 $# 0
		printf "$strings"
		head -c $(((8 - $(printf "$strings" | wc -c) % 8) % 8)) /dev/zero
	} | definition 2
	comm 5 5 prog
	sample 7 5 0x1000
	lost 1
	nums 4488 1 5 2 20 | definition 8
	finish
}
recorded >recorded.pk
mv recorded.pk lost.pk
piped
piped -v
piped -q --fail-on=lost
piped -q --fail-on=unresolved
try lost.pk
# Nothing has been printed with -q; the -q of a command is its own.
for words in 'pk-record -q -a' 'pk-record -a --quiet' 'pk-record -qa' 'pk-record -- grep -q' 'pk-record'; do
	echo "$words:"
	# shellcheck disable=SC2086 # words on purpose
	recorded $words >lost.pk
	piped
done
