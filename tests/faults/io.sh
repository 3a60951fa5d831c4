# SPDX-License-Identifier: BSD-2-Clause
# Reads and writes that are short or interrupted change nothing; one that fails is named and ends
# in status 1; a full disk is never silent.
set -u -o pipefail
good=("$PK_TOP"/format/vectors/good/*.pk)
bad=0

# fails says what is wrong with the test's expectation and goes on.
fails()
{
	echo "$*"
	bad=1
}

with()
{
	local fault=$1
	shift
	PK_FAULT=$fault LD_PRELOAD=$PK_BUILD/tests/faults/shim.so \
		ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 "$@"
}

# expect_failure WORDS FAULT COMMAND...
expect_failure()
{
	local words=$1 status
	shift
	with "$@" >/dev/null 2>messages
	status=$?
	[ $status = 1 ] || fails "$*: status $status, not 1"
	grep -q "$words" messages || fails "$*: does not say $words: $(cat messages)"
}

pk-script --dump "${good[@]}" >dump 2>dump.err
pk-symbolize "${good[@]}" >symbolized 2>symbolize.err
pk-fold symbolized >folded 2>fold.err
[ -s dump ] && [ -s folded ] || fails "there is nothing to compare with"

for fault in short eintr; do
	with $fault pk-script --dump "${good[@]}" >now 2>now.err
	cmp dump now && cmp dump.err now.err || fails "$fault: pk-script --dump"
	with $fault pk-symbolize "${good[@]}" 2>now.err | pk-fold >now 2>/dev/null
	cmp folded now && cmp symbolize.err now.err || fails "$fault: pk-symbolize"
	with $fault pk-fold symbolized >now 2>now.err
	cmp folded now && cmp fold.err now.err || fails "$fault: pk-fold"
	# shellcheck disable=SC2002 # a pipe on purpose
	cat symbolized | with $fault pk-fold >now 2>/dev/null
	cmp folded now || fails "$fault: pk-fold from a pipe"
done

# A damaged frame gives the same records in whatever pieces it is read.
zstd -q symbolized -o whole.zst
size=$(stat -c %s whole.zst)
for percent in 20 50 80; do
	cp whole.zst damaged.zst
	printf '\377\377\377\377' | dd of=damaged.zst bs=1 seek=$((size * percent / 100)) conv=notrunc status=none
	pk-script --dump damaged.zst >dump 2>dump.err
	with short pk-script --dump damaged.zst >now 2>now.err
	cmp dump now && cmp dump.err now.err || fails "a damaged zstd frame, at $percent %"
done

for tool in pk-symbolize pk-fold "pk-script --dump"; do
	# shellcheck disable=SC2086 # with its option
	expect_failure 'Input/output error' read=1 $tool symbolized
	# shellcheck disable=SC2086
	$tool symbolized >/dev/full 2>messages && fails "$tool: a full disk is no failure"
	grep -q 'No space left' messages || fails "$tool: says nothing of a full disk"
done
expect_failure 'No space left' write=1 pk-symbolize -o now symbolized
TMPDIR=/nonexistent pk-filter -q --split-by comm -o '%v' symbolized 2>messages && fails "waits nowhere"
grep -q 'temporary file: No such file' messages || fails "pk-filter --split-by: $(cat messages)"
expect_failure 'now' close pk-symbolize -o now symbolized
exit $bad
