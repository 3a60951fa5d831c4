# SPDX-License-Identifier: BSD-2-Clause
# long
# The cache of symbols changes no output: empty, filled, damaged, of another user, without permission to write, without a
# home, with a full disk. Root uses no folder of another user. If two programs start to make the cache at the same time, one
# of them saves nothing, so only one program of each pipeline uses it.
. "$PK_TOP/tests/cli/stream.bash"
export XDG_CACHE_HOME=$PWD/cache
cache=cache/pk/symbols

# Samples at all multiples of 64 in the code of a program and of the C library.
libc=$(awk '/libc[.-].*so/ { print $NF; exit }' /proc/self/maps)
samples()
{
	perl -e 'my ($start, $size) = map hex, @ARGV;
		printf "SAMPLE misc=(user) id=7 ip=%#x pid=5 tid=5 time=0 period=1\n", $start + 64 * $_ for 0 .. $size / 64 - 1' "$@"
}
{
	header
	event 1 7
	maps_as 5 5 0x10000000 0x400000 "$PK_BIN/pk-symbolize"
	samples 0x10000000 0x400000
	[ -z "$libc" ] || {
		maps_as 5 5 0x20000000 0x180000 "$libc"
		samples 0x20000000 0x180000
	}
	finish
} | assemble >in.pk

# run NAME COMMAND...: with the symbols and the messages
run()
{
	local name=$1
	shift
	"$@" pk-symbolize --no-inline in.pk 2>err | pk-script --no-cache -F ip,sym,symoff,dso | md5sum >out
	cat err >>out
	echo "${PIPESTATUS[0]}" >>out
	cmp -s out expected && echo "$name: same" || { echo "$name: $(cat out)" && cat expected; }
}
pk-symbolize --no-inline --no-cache in.pk 2>expected.err | pk-script --no-cache -F ip,sym,symoff,dso | md5sum >expected
cat expected.err >>expected
echo 0 >>expected
pk-fold -q --no-inline --no-cache in.pk | grep -c -m1 pk_symbols_new
[ ! -e cache ] && echo "--no-cache: no cache"

run empty env
[ -s $cache ] && stat -c '%a %n' cache cache/pk $cache
cp $cache first
run filled env
cmp $cache first && echo "nothing was added"
for at in 1000 131100 131200 131300 140000 200000 300000; do
	cp first $cache
	perl -e 'open my $f, "+<", $ARGV[0]; seek $f, $ARGV[1], 0; print $f "\xff" x 40' $cache $at
	run "damaged at $at" env
	run "again" env
done
for size in 0 10 131000 131136 150000; do
	cp first $cache
	truncate -s $size $cache
	run "$size bytes" env
done
echo garbage >$cache
run garbage env
cp first $cache
chmod 606 $cache
run "others can write" env
chmod 600 $cache
chmod 777 cache/pk
run "others can write to the folder" env
chmod 700 cache/pk
chmod 400 $cache
run "read-only file" env
rm -f $cache
chmod 500 cache/pk
run "read-only folder" env
chmod 700 cache/pk

echo "== no home"
run none env -u XDG_CACHE_HOME HOME=/nonexistent
run unset env -u XDG_CACHE_HOME -u HOME
run relative env XDG_CACHE_HOME=cache

echo "== a full disk"
rm -rf cache
full()
{
	(
		trap '' XFSZ
		ulimit -f 200
		"$@" --no-inline in.pk 2>err | pk-fold -q --no-cache | md5sum
		echo "${PIPESTATUS[0]}"
		sed -n "s|$PWD|PWD|p" err
	)
}
full pk-symbolize | sed 1d
full pk-symbolize >a
full pk-symbolize --no-cache >b
cmp <(head -n 1 a) <(head -n 1 b) && echo same
