# SPDX-License-Identifier: BSD-2-Clause
# pk-unwind with and without --with=libunwind and --with=libdw: a program takes its own registers and stack in several
# places, and all find the same functions' addresses there.
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
[ "$(uname -m)" = x86_64 ] || skip "not x86-64"
for library in libunwind libdw; do
	pk-unwind --with=$library </dev/null >nothing 2>err
	! grep -q 'install the package' err || skip "$(cat err)"
done
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 # libdw keeps what it has read

# addresses OPTION...: of each sample a line of addresses, the leaf first
addresses()
{
	pk-unwind "$@" stream.pk 2>err | pk-script -q --dump | awk '
		/ SAMPLE / { if (line) print line; line = " " }
		/^  ips\[/ && !/\(/ { sub(/.*=/, ""); line = line $0 " " }
		END { print line }'
	grep 'reached code without\|not in their dump' err >&2
}

for flags in '-O2 -fomit-frame-pointer' '-O0' '-O2 -fno-omit-frame-pointer'; do
	# shellcheck disable=SC2086 # words
	${CC:-cc} -std=gnu11 -g $flags -fno-optimize-sibling-calls -o own_stacks \
		"$PK_TOP/tests/live/workload/own_stacks.c" 2>compile.err || fail "$(cat compile.err)"
	./own_stacks stack- >stream.txt || fail "own_stacks: status $?"
	"$PK_BUILD/tests/assemble/assemble" <stream.txt >stream.pk || fail "assemble"
	addresses >ours
	[ "$(wc -l <ours)" -ge 8 ] && [ "$(wc -w <ours)" -ge 80 ] || fail "$flags: $(cat ours)"
	for library in libunwind libdw; do
		addresses --with=$library >theirs
		diff theirs ours >differ || fail "$flags: $library differs: $(cat differ)"
	done
	rm -f stack-*
done
