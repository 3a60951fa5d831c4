# SPDX-License-Identifier: BSD-2-Clause
# --split-by: a stream for each value, whose names nothing in the input can abuse; together they are the input.
. "$PK_TOP/tests/cli/stream.bash"
long=$(printf 'x%.0s' {1..300})
{
	header
	event 0 7
	event 0 8
	name 7 cpu-clock
	name 8 'a/b c'
	comm 1 1 '../../up'
	comm 2 2 'a/b'
	comm 3 3 '.'
	comm 4 4 '..'
	comm 5 5 '%41'
	comm 6 6 'A'
	comm 7 7 'esc\e[1m\n'
	comm 8 8 '\xc3\xb6'
	comm 9 9 ''
	comm 10 10 "$long"
	comm 11 11 "${long}y"
	comm 12 12 '-rf'
	maps 2 0x1000 0x1000 /bin/two
	maps 3 0x1000 0x1000 /bin/three
	for i in {1..13}; do
		sample $((7 + i % 2)) "$i" 0x1234 $((i * 10)) $((1000 + i))
	done
} | assemble >in.pk
mkdir out
samples()
{
	pk-script -q -F comm,pid,tid,time,event,ip,period "$@" | sort
}
split()
{
	echo "$ pk-filter --split-by $*"
	rm -rf out
	mkdir out
	pk-filter --split-by "$@" -o 'out/o-%v.pk' in.pk 2>&1
	echo "status $?"
}
samples in.pk >before
for field in comm pid event ip depth mode host; do
	split $field
	(cd out && find . ! -type d | LC_ALL=C sort)
	samples out/* >after
	cmp before after
	# each is whole, and has one value only
	for f in out/*; do
		pk-filter -q "$f" >/dev/null || echo "$f is not whole"
		case $field in pid) pk-script -q -F pid "$f" | sort -u | wc -l ;; esac
	done | sort | uniq -c
done
find . -newer before ! -path './out*' -type f ! -name after ! -name body ! -name field
echo "== only what the samples need stays"
split pid
pk-script --dump out/o-2.pk | grep -c 'filename='
pk-script --dump out/o-2.pk | grep 'filename=\|comm='
echo "== with other conditions, and twice the input"
split pid --comm '..*' --strip-extensions --drop addr
ls out
pk-filter -q --split-by pid -o 'out/%v' in.pk in.pk
pk-script -q -F pid,ip out/4
pk-filter -q --split-by pid -o 'out/%v' in.pk
pk-script -q -F pid,ip out/4
echo "== a stream with stacks"
f=$PK_TOP/tests/data/x86_64.pk.zst
for field in comm symbol tid dso; do
	rm -rf out
	mkdir out
	pk-filter --split-by $field -o out/%v "$f"
	pk-fold -q out/* | sort >a
	pk-fold -q "$f" | sort >b
	cmp a b && echo "$field: the same stacks"
done
echo "== what is cut stays cut"
head -c 2000 in.pk >cut.pk
mkdir cut
pk-filter --split-by pid -o 'cut/%v' cut.pk
echo "status $?"
for f in cut/*; do pk-script --dump "$f" 2>/dev/null | grep -c 'definition=10'; done | sort | uniq -c
echo "== wrong"
for o in out.pk %v/out %x-%v %v%v; do
	pk-filter --split-by pid -o "$o" in.pk
	echo "status $?"
done
pk-filter --split-by pid in.pk
echo "status $?"
pk-filter --split-by stack -o %v in.pk
echo "status $?"
pk-filter --split-by unheard -o 'out/%v' in.pk
echo "status $?"
pk-filter --split-by pid -o 'missing/%v' in.pk
echo "status $?"
# what cannot be finished leaves nothing
mkdir full
ln -s /dev/full full/.6.part
pk-filter --split-by pid -o 'full/%v' in.pk
echo "status $?"
find full
mkdir -p named/7
pk-filter --split-by pid -o 'named/%v' in.pk
echo "status $?"
find named -name '.*'
# formats that would take too much memory
{
	header
	event 2 7 77
	echo "TRACING_DATA size=12 payload_size=$((65 << 20))"
} | assemble >formats.pk
pk-filter --split-by pid -o 'full/%v' formats.pk
echo "status $?"
echo "== stacks that are forgotten"
# function ID NAME, as the one frame of a stack
function_stack()
{
	echo "STRING id=$1 length=${#2} text=\"$2\""
	echo "FRAME id=$1 function=$1 flags=2 address=0x1000"
	echo "STACK id=$1 frame=$1"
}
stacked()
{
	echo "SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=5 time=$1 period=100 stack=$2"
}
stacks=1 # samples have them behind them
{
	header
	event 0 7
	session "$stacks"
	function_stack 1 one
	stacked 10 1
	echo 'RESET what=240'
	function_stack 2 two
	stacked 20 2
	stacked 30 1
	finish
} | assemble >reset.pk
pk-filter --split-by pid -o 'named/%v' reset.pk
pk-fold named/5
echo "== an output that is the input"
cp in.pk out/4
before=$(cksum <out/4)
pk-filter --split-by pid -o 'out/%v' out/4 2>&1
echo "status $?"
[ "$(cksum <out/4)" = "$before" ] || echo "changed"
ls -A out
