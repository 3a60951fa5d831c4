# SPDX-License-Identifier: BSD-2-Clause
# long
# Programs with and without --with=libdw: functions, what is inlined into them, and lines, of addresses all over the
# code of our own programs and of others made for it; and callers, of made-up registers and stacks there, so that each
# row of call frame information counts.
. "$PK_TOP/tests/cli/stream.bash"
fail()
{
	printf '%s\n' "$@"
	exit 1
}
skip()
{
	echo "$*" >&2
	exit 77
}
pk-symbolize --with=libdw </dev/null >nothing 2>err
! grep -q 'install the package' err || skip "$(cat err)"
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 # libdw keeps what it has read

base=0x7f0000000000
addresses=4000

# code FILE: the offset and the size of its code
code()
{
	read -r offset size < <(readelf -SW "$1" 2>/dev/null | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 == ".text" { print $4, $5 }')
	[ -n "${size-}" ] || fail "$1: no code"
	offset=$((0x$offset)) size=$((0x$size))
}

# both PROGRAM FIELDS OPTION...: its output on `stream` as text, in `ours` and with libdw in `theirs`
both()
{
	local program=$1 fields=$2
	shift 2
	"$program" "$@" stream >ours.pk 2>err || fail "$program: $(cat err)"
	"$program" "$@" --with=libdw stream >theirs.pk 2>err || fail "$program --with=libdw: $(cat err)"
	[ "$program" != pk-symbolize ] || pk-symbolize -vv --with=libdw stream 2>&1 >/dev/null | grep -q 'read with libdw$' ||
		fail 'libdw was not used'
	pk-script -q -F "$fields" ours.pk >ours 2>err && pk-script -q -F "$fields" theirs.pk >theirs 2>err || fail "$(cat err)"
}

# functions INLINED FILE: so many at least are inlined
functions()
{
	local inlined=$1 file=$2
	code "$file"
	{
		header
		event_of 7 CALLCHAIN
		maps_as 5 5 $base $((offset + size)) "$file"
		awk -v base=$((base + offset)) -v size=$size -v n=$addresses 'BEGIN {
			for (i = 0; i < size; i += int(size / n) + 1)
				printf "SAMPLE id=7 ip=%.0f pid=5 tid=5 time=%d\n  ips[0]=%.0f\n", base + i, i + 1, base + i
		}'
	} | assemble >stream
	both pk-symbolize ip,sym,srcline --lines
	diff theirs ours >differ || fail "$file: libdw differs:" "$(grep -c '^[<>]' differ) lines of $(grep -c . ours)" "$(head -n 30 differ)"
	[ "$(grep -c '(inlined)' ours)" -ge "$inlined" ] || fail "$file: $(grep -c '(inlined)' ours) inlined functions, not $inlined"
}

# callers NUMBER FILE: so many at least are found
callers()
{
	local most=$1 file=$2
	code "$file"
	perl -e 'my ($from, $size) = @ARGV; my $x = 1;
		print map { $x = ($x * 1103515245 + 12345) & 0x7fffffff; pack("Q", $from + 16 + $x % ($size - 32)) } 1 .. 512
	' $((base + offset)) $size >stack
	{
		header
		printf '%s\n' 'HEADER_ATTR attr_type=1 attr_size=96 sample_period=1 id=1' \
			'  sample_type=(IP TID TIME CALLCHAIN REGS_USER STACK_USER IDENTIFIER)' \
			'  flags=(exclude_callchain_user)' '  sample_regs_user=0xff01ff sample_stack_user=4096' \
			'HEADER_FEATURE feature=(ARCH) arch="x86_64"'
		maps_as 5 5 $base $((offset + size)) "$file"
		awk -v base=$((base + offset)) -v size=$size -v n=$addresses 'BEGIN {
			for (i = 0; i < size; i += int(size / n) + 1) {
				printf "SAMPLE misc=(user) ip=%.0f pid=5 tid=5 time=%d\n", base + i, i + 1
				for (reg = 0; reg < 24; reg++)
					if (reg < 9 || reg > 15)
						printf "  user_regs[%d]=%.0f\n", reg, reg == 8 ? base + i : reg == 7 ? 4096 : reg == 6 ? 4800 : 5000 + 8 * reg
				print "  user_stack=@stack"
			}
		}'
	} | assemble >stream
	both pk-unwind ip
	# Where registers have been popped, libdw does not know them, and may end earlier. Where a function starts that has no call frame
	# information, it follows the frame pointer, which is still that of the caller. It has no rule for the address before a function. pk has, because
	# a coroutine returns to the start of its function.
	perl -00 -e 'my @files = map { open(my $in, "<", $_) or die; [<$in>] } @ARGV; my ($ours, $theirs) = @files;
		my $other = grep { (my $stack = $theirs->[$_]) =~ s/\n+$//; index($ours->[$_], $stack) != 0 } 0 .. $#$theirs;
		my $longer = grep { $ours->[$_] ne $theirs->[$_] } 0 .. $#$theirs;
		print "$other of ", scalar @$ours, " stacks are others, $longer longer\n";
		exit(@$ours != @$theirs || $other > @$ours / 50 || $longer > @$ours / 10)' ours theirs >compared ||
		fail "$file: libdw differs: $(cat compared)" "$(diff theirs ours | head -n 30)"
	[ "$(awk '!NF { if (n > 1) found++; n = 0 } NF { n++ } END { print found + 0 }' ours)" -ge "$most" ] ||
		fail "$file: too few callers: $(head -n 20 ours)"
}

build()
{
	local source=$1 program=$2 compiler=${CC:-cc}
	shift 2
	[ "${source##*.}" = c ] || compiler=${CXX:-g++}
	$compiler -O2 -g -o "$program" "$PK_TOP/tests/live/workload/$source" "$@" 2>compile.err
}
for version in 3 4 5; do
	build inlines.c inlines-$version -gdwarf-$version || fail "$(cat compile.err)"
	functions 300 "$PWD/inlines-$version"
done
build unwinding.c frame-pointers -fno-omit-frame-pointer || fail "$(cat compile.err)"
functions 0 "$PWD/frame-pointers"
! build inlines.cc cxx || functions 1000 "$PWD/cxx"
# What make itself has built, if with debugging information.
for tool in pk-script pk-symbolize; do
	readelf -SW "$PK_BIN/$tool" 2>/dev/null | grep -q debug_info || continue
	[ -n "$PK_SAN" ] || functions 3000 "$PK_BIN/$tool"
done
[ "$(uname -m)" = x86_64 ] || exit 0
libc=$(sed -n 's|.* \(/[^ ]*/libc\.so\.6\)$|\1|p' /proc/self/maps | head -n 1)
for file in "$PWD/frame-pointers" "$PK_BIN/pk-script" $libc; do
	callers 1000 "$file"
done
