# SPDX-License-Identifier: BSD-2-Clause
# long
# What pk-unwind makes of recordings of programs without frame pointers: all functions, in the order
# in which they called each other, up to where the program began; and where it could not be so, that is said.
. "$PK_TOP/tests/live/fold.bash"
case $(uname -m) in
x86_64 | aarch64) ;;
*) skip "registers of $(uname -m) are not recorded" ;;
esac
flags='-O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fno-ipa-icf'

# record COMMAND: its stacks in folded, what pk-unwind said in said.
record()
{
	pk-record -q -F 999 -e $event --call-graph dwarf,8192 -o recorded.pk -- "$@" 2>err ||
		skip "registers and stack cannot be recorded here: $(head -n 1 err)"
	pk-unwind recorded.pk >unwound.pk 2>said || fail "pk-unwind: status $?: $(cat said)"
	check unwound.pk
	pk-symbolize --mark-truncated unwound.pk 2>err | pk-fold >folded 2>>err
	[ "${PIPESTATUS[*]}" = '0 0' ] || fail "fold: $(cat err)"
	plain folded
}

# Compilers make variants of functions, whose names say so.
plain()
{
	sed -Ei 's/\.(constprop|isra|part|cold)(\.[0-9]+)?//g' "$1"
}

# The same with nothing between the program's begin and main but what belongs there.
start='(\[[^];]*\]|_start|_dl_[a-z_]*|__libc_start_[a-zA-Z_@.0-9]*|__libc_start_call_main);'
reaches()
{
	local found
	found=$(weight "$1;($start)+main;$2(;.*)?")
	[ "$found" -ge $((600000 * $3)) ] ||
		fail "$1: $((found / 1000000)) ms, not $3, in main;$2; there is" \
			"$(grep -E -- "^$1;" folded | cut -c1-300 | head -n 30)" "$(cat said)"
}

# shellcheck disable=SC2086 # words
compile unwinding.c u $flags || fail "$(cat compile.err)"
record ./u calls dynamic sorts leaves clocks shallow never_returns interrupted
reaches u 'calls;middle;inner;burn' 50
reaches u 'dynamic;dynamic_frame;inner;burn' 50
reaches u 'sorts;.*(qsort|\[libc).*;compare;inner;burn' 40
reaches u leaves 50
reaches u 'clocks(;[^;]*)*' 50
reaches u 'shallow(;descend){21};inner;burn' 50
reaches u 'never_returns;ends_with_a_call;leaves_for_good;inner;burn' 50
reaches u 'interrupted;.*handler;inner;burn' 50
[ "$(weight '.*\[stack truncated\].*')" -le 20000000 ] ||
	fail "truncated:" "$(grep -F '[stack truncated]' folded | cut -c1-300)" "$(cat said)"
[ "$(wc -c <unwound.pk)" -lt $(($(wc -c <recorded.pk) / 4)) ] || fail "it did not become small"
perf_reads unwound.pk

# Registers and stacks stay: then they can be unwound once more.
pk-unwind --keep recorded.pk 2>err | pk-unwind 2>>err | pk-symbolize --mark-truncated 2>>err | pk-fold >again 2>>err
plain again
cmp again folded || fail "unwound twice: $(diff again folded | head -n 5)" "$(cat err)"

# Too deep for the dump: the innermost part is there, and what is missing is said.
record ./u deep
shows u '\[stack truncated\](;descend){30,};inner;burn' 50
grep -q 'stacks .* were deeper than their dump' said || fail "said: $(cat said)"
pk-unwind --fail-on truncated=50 recorded.pk >unwound.pk 2>err && fail "--fail-on truncated=50: status 0"

# On a stack of its own a handler is all that the dump has.
record ./u interrupted_elsewhere
shows u '\[stack truncated\];.*;handler;inner;burn' 50
grep -q 'memory that is not in their dump' said || fail "said: $(cat said)"

# shellcheck disable=SC2086
compile unwinding.c u-static $flags -static && {
	record ./u-static calls sorts never_returns interrupted
	reaches u-static 'calls;middle;inner;burn' 50
	reaches u-static 'sorts;.*;compare;inner;burn' 40
	reaches u-static 'never_returns;ends_with_a_call;leaves_for_good;inner;burn' 50
}

# shellcheck disable=SC2086
[ "$(uname -m)" = x86_64 ] && compile unwinding.c u-32 $flags -m32 && {
	record ./u-32 calls dynamic sorts shallow never_returns
	reaches u-32 'calls;middle;inner;burn' 50
	reaches u-32 'dynamic;dynamic_frame;inner;burn' 50
	reaches u-32 'shallow(;descend){21};inner;burn' 50
	reaches u-32 'never_returns;ends_with_a_call;leaves_for_good;inner;burn' 50
}

# Unwind information in .debug_frame, also where that is in another file; and none at all.
# shellcheck disable=SC2086
compile unwinding.c u-debug $flags -g -fno-asynchronous-unwind-tables -fno-unwind-tables ||
	fail "$(cat compile.err)"
record ./u-debug calls
reaches u-debug 'calls;middle;inner;burn' 50
objcopy --only-keep-debug u-debug u-debug.debug && objcopy --strip-all --add-gnu-debuglink=u-debug.debug u-debug ||
	fail "no separate file"
record ./u-debug calls
reaches u-debug 'calls;middle;inner;burn' 50
objcopy --compress-debug-sections=zlib u-debug.debug || fail "no compressed file"
record ./u-debug calls
reaches u-debug 'calls;middle;inner;burn' 50
rm u-debug.debug
record ./u-debug calls
shows u-debug '\[stack truncated\];.*' 40
grep -q 'code without unwind information' said || fail "said: $(cat said)"

# Without that frame pointers do, if there are any.
compile unwinding.c u-frames -fno-asynchronous-unwind-tables -fno-unwind-tables || fail "$(cat compile.err)"
record ./u-frames calls
reaches u-frames 'calls;middle;inner;burn' 50
pk-unwind -v recorded.pk 2>said >unwound.pk
grep -q 'followed by frame pointers in part' said || fail "said: $(cat said)"

# Libraries that are loaded, and one that has gone.
# shellcheck disable=SC2086
compile shared.c libshared.so $flags -shared -fPIC -DLOADER && compile shared.c first.so $flags -shared -fPIC -DNAME=first_plugin &&
	compile shared.c second.so $flags -shared -fPIC -DNAME=second_plugin &&
	compile loader.c loader $flags -L. -lshared -Wl,-rpath,"$PWD" -ldl || fail "$(cat compile.err)"
record ./loader ./first.so ./second.so
reaches loader 'shared_work;burn' 50
reaches loader 'load_and_run;plugin_run;first_plugin;burn' 50
reaches loader 'load_and_run;plugin_run;second_plugin;burn' 50

${CXX:-g++} -O2 -fomit-frame-pointer -o u-cxx "$PK_TOP/tests/live/workload/unwinding.cc" 2>err || {
	echo "no C++ compiler: exceptions were not tested" >&2
	exit 0
}
record ./u-cxx
reaches u-cxx 'work::catcher(\(\))?;(void )?work::thrower<long>(\(long\))?;work::cleanup(\(\))?;burn' 50
reaches u-cxx 'work::catcher(\(\))?(\.[^;]*)?;burn' 50
