# SPDX-License-Identifier: BSD-2-Clause
# Outputs that would replace other files than FILE operands; what --split-by leaves.
. "$PK_TOP/tests/cli/stages/outputs.bash"
pk-filter -q "$PK_TOP/tests/data/x86_64.pk.zst" >stream.pk
cp "$PK_TOP/format/vectors/good/user-stat-le.pk" counts.pk

untouched()
{
	local file=$1 want=$2
	shift 2
	tool=$1
	shift
	cp "$file" in
	context="$*"
	ends 2 "$want" "$tool" "$@"
	cmp "$file" in
	rm in
}
printf 'ffffffff81000000 T _text\nffffffff81000100 T start\n' >list
printf 'a;b 1\n' >folded
printf 'a;b 2\n' >other
printf '[{"EventName": "x", "EventCode": "0x3c"}, {"MetricName": "y", "MetricExpr": "x"}]\n' >table
for tool in pk-symbolize pk-inject pk-archive pk-script; do
	untouched list 'same file as the input' $tool --kallsyms=in -o in stream.pk
done
untouched list 'same file as the input' pk-annotate --kallsyms=in -o in -i stream.pk
untouched list 'same file as the input' pk-symbolize --vmlinux=in -o in stream.pk
untouched list 'same file as the input' pk-filter --anonymize --key-file=in -o in stream.pk
untouched folded 'same file as the input' pk-fold -o in in
untouched folded 'same file as the input' pk-fold --diff=in -o in other
untouched folded 'same file as the input' pk-fold --diff=other -o in in
untouched folded 'same file as the input' pk-fold -o in other in
untouched table 'same file as the input' pk-stat --metric=in:y -o in -- true
untouched counts.pk 'same file as the input' pk-stat --append -o in in
context='--log-fd'
cp counts.pk in
ends 2 'same file as the input' pk-stat --log-fd=5 in 5>>in
cmp counts.pk in
# A directory of perf record --threads
mkdir threads
cp stream.pk threads/data
for file in data data.0; do
	[ -e threads/$file ] || cp stream.pk threads/$file
	tool=pk-filter context="threads/$file"
	ends 2 'same file as the input' pk-filter -o threads/$file threads
	ends 2 'same file as the input' pk-filter -o threads/$file <threads
	cmp stream.pk threads/$file
done
# --split-by: neither an input nor what a link leads to is replaced, and nothing is left.
mkdir split
pk-filter -q --split-by pid -o 'split/%v.pk' stream.pk
one=$(find split -name '*.pk' | head -n 1)
[ "$(stat -c %a split/* | sort -u)" = 600 ] || echo "--split-by: modes $(stat -c %a split/* | sort -u)"
cp stream.pk "$one"
tool=pk-filter context="--split-by into its input"
ends 2 'same file as the input' pk-filter -q --split-by pid -o 'split/%v.pk' "$one"
cmp stream.pk "$one"
echo precious >precious
rm "$one"
ln -s "$PWD/precious" "split/.$(basename "$one").part"
ends 1 'symbolic links' pk-filter -q --split-by pid -o 'split/%v.pk' stream.pk
[ "$(cat precious)" = precious ] || echo "--split-by: wrote through a link"
rm split/.*.part
# What an earlier run has left, which others can read.
rm -rf split && mkdir split
echo old >"split/.$(basename "$one").part"
chmod 666 split/.*.part
pk-filter -q --split-by pid -o 'split/%v.pk' stream.pk || echo "--split-by: an old part: status $?"
[ "$(stat -c %a split/* | sort -u)" = 600 ] || echo "--split-by: an old part: modes $(stat -c %a split/* | sort -u)"
[ -z "$(find split -name '.*')" ] || echo "--split-by: an old part: left $(find split -name '.*')"
# Stopped in the middle: it waits for more input, with files of the session before that are not complete.
for signal in INT TERM HUP QUIT PIPE USR1; do
	rm -rf split
	mkdir split
	mkfifo input
	env --default-signal=INT,QUIT pk-filter -q --split-by pid -o 'split/%v.pk' input &
	exec 4>input
	cat stream.pk stream.pk >&4
	until [ -n "$(find split -name '.*.part')" ]; do :; done
	if [ $signal = INT ]; then # the first one has no effect; two that wait are one
		kill -INT $!
		while grep -q '^ShdPnd:.*2$' /proc/$!/status; do :; done
	fi
	kill -$signal $!
	wait $! 2>/dev/null
	[ $? = $((128 + $(kill -l $signal))) ] || echo "SIG$signal: status $?"
	exec 4>&-
	[ -z "$(find split -type f)" ] || echo "--split-by, SIG$signal: left $(find split -type f | head -n 3)"
	rm input
done
