# SPDX-License-Identifier: BSD-2-Clause
# What got lost is told in one line, except under -q, and --fail-on makes it the exit status.
. "$PK_TOP/tests/cli/stream.bash"
try()
{
	echo "$ pk-fold $*"
	pk-fold "$@" 2>&1
	echo "status $?"
}
# names: of a symbolized stream
names()
{
	echo 'STRING id=1 length=4 text="prog"'
	echo 'STRING id=2 length=4 text="main"'
	echo 'FRAME id=1 function=1 flags=256'
	echo 'FRAME id=2 function=2 flags=2'
	echo 'STACK id=1 parent=0 frame=1 inner[0]=2'
}
{
	header
	event 1 7
	session "1"
	names
	for ((i = 0; i < 19; i++)); do
		sample 7 5 "0x1000 stack=2"
	done
	lost 1
	echo 'LOSS stage=1 cause=5 count=2 total=20' # frames unresolved
	finish
} | assemble >lost.pk
try lost.pk
try -q lost.pk
for list in lost lost=4.9 lost=5 unresolved=9.9 unresolved=10,lost=5 truncated truncated=0,lost=50; do
	try -q --fail-on=$list lost.pk
done
# without their deferred user halves
cp "$PK_TOP/format/vectors/good/kernel-deferred-le.pk" deferred.pk
for list in truncated truncated=99 truncated=100 truncated=100.1 lost; do
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
	local word at=0
	header
	event 1 7
	session "1"
	names
	echo "STAGE id=1 argc=$# program=\"pk-record\" version=\"0.1\" host=\"host\""
	for word; do
		echo "  argv[$((at++))]=\"$word\""
	done
	sample 7 5 "0x1000 stack=2"
	lost 1
	echo 'LOSS stage=1 cause=5 count=2 total=20'
	finish
}
recorded | assemble >recorded.pk
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
	recorded $words | assemble >lost.pk
	piped
done
# So for the stages of a long pipeline: 64 and more.
for quiet in '' -q; do
	{
		recorded pk-record | grep -v '^LOSS\|^END'
		for ((id = 2; id <= 70; id++)); do
			echo "STAGE id=$id parent=$((id - 1)) argc=2 program=\"pk-filter\" version=\"0.1\" host=\"host\""
			echo "  argv[0]=\"pk-filter\" argv[1]=\"${quiet:-x}\""
		done
		echo 'LOSS stage=70 cause=5 count=2 total=20'
		finish
	} | assemble >lost.pk
	piped
done
