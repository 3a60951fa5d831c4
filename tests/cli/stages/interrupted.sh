# SPDX-License-Identifier: BSD-2-Clause
# Ctrl-C sends SIGINT to all programs of a pipeline. A program that reads a pipe survives the first one, and says the same as
# without it; the second one ends it, and its output does not replace a file. A program that reads a file is ended by the first.
. "$PK_TOP/tests/cli/interrupted.bash"
pk-filter -q "$PK_TOP/tests/data/x86_64.pk.zst" >stream.pk
for _ in {1..200}; do cat "$PK_TOP/fuzz/corpus/stat/threads"; done >counts.pk
for _ in {1..9000}; do echo 'prog;main;work 3'; done >folded
complain()
{
	echo "$*"
}
survives()
{
	local file=$1
	shift
	interrupted 0 "$file" "$@" >expected 2>expected.err
	expected=$?
	interrupted 1 "$file" "$@" >out 2>err
	status=$?
	[ $status = $expected ] || complain "$*: status $status, not $expected: $(cat err)"
	[ -s out ] || complain "$*: no output: $(cat err)"
	# Streams contain times.
	cmp -s <(grep -av 'time' out) <(grep -av 'time' expected) || cmp -s <(pk-script -q out) <(pk-script -q expected) ||
		complain "$*: another output"
	cmp -s err expected.err || complain "$*: $(diff err expected.err)"
}
ends()
{
	local file=$1
	shift
	interrupted 2 "$file" "$@" >out 2>err
	status=$?
	[ $status = 130 ] || complain "$*: the second one: status $status: $(cat err)"
}
for program in filter 'filter --where pid' inject merge-callchains unwind symbolize 'symbolize --lines' 'span sched' fold 'fold --by comm' \
	script 'script --dump' 'script --stats' report 'report --live=1h' 'annotate -i -' 'plot flame' 'plot heatmap' 'plot chart' \
	'plot histogram' 'export pprof' 'export trace --samples' 'export rows' 'export speedscope' 'archive --list'; do
	# shellcheck disable=SC2086 # words
	survives stream.pk pk-$program
	# shellcheck disable=SC2086 # words
	ends stream.pk pk-$program
done
survives counts.pk pk-stat
survives folded pk-plot flame
survives stream.pk bash -c 'trap : INT; pk-filter --where pid | pk-symbolize -q | pk-fold'

echo '== the second one leaves the old file, and nothing beside it'
mkdir out.d
for program in filter symbolize fold report 'plot flame' 'export pprof' 'filter --split-by=comm'; do
	output=out.d/file
	[ "$program" = "${program%split*}" ] || output='out.d/%v'
	echo old >out.d/file
	# shellcheck disable=SC2086 # words
	interrupted 2 stream.pk pk-$program -o $output 2>err
	status=$?
	[ $status = 130 ] || complain "$program: status $status: $(cat err)"
	[ "$(ls -A out.d)" = file ] && grep -qx old out.d/file || complain "$program: $(ls -lA out.d)"
	# shellcheck disable=SC2086 # words
	interrupted 1 stream.pk pk-$program -o $output 2>err || complain "$program: status $?: $(cat err)"
	[ -n "$(find out.d -size +1)" ] || complain "$program: $(ls -lA out.d)"
	rm -rf out.d && mkdir out.d
done

echo '== a program that reads a file'
mkfifo fifo
env --default-signal=INT pk-script stream.pk >fifo &
exec 3<fifo
read -r -u 3 -n 1
kill -INT $!
wait $!
echo "status $?"
