# SPDX-License-Identifier: BSD-2-Clause
# pk-filter --split-by and --anonymize without memory and without room: they say so and leave nothing half done.
shim=$PK_BUILD/tests/faults/fail_memory.so
[ -z "$PK_SAN" ] || {
	echo "the sanitizers have an allocator of their own" >&2
	exit 77
}
zstd -qdc "$PK_TOP/tests/data/x86_64.pk.zst" >in.pk
printf 'a key of more than sixteen bytes' >key
status=0

complain()
{
	echo "$*"
	status=1
}

sizes()
{
	cat out/* out.pk 2>/dev/null | wc -c
}

# try COMMAND...: what is said to have been written is as long as without failures
try()
{
	local whole n fine=0 failed=0 result
	rm -rf out out.pk
	mkdir out
	"$@" >out.pk || complain "$*: status $?"
	whole=$(sizes)
	for ((n = 1; n < 700; n += 1 + n / 10)); do
		for fault in "memory=$n" "memory=$n+"; do
			rm -rf out out.pk
			mkdir out
			LD_PRELOAD=$shim PK_FAULT=$fault timeout 20 "$@" >out.pk 2>err
			result=$?
			case $result in
			0)
				fine=$((fine + 1))
				[ "$(sizes)" = "$whole" ] || complain "$fault: $*: incomplete, and nothing said"
				;;
			1)
				failed=$((failed + 1))
				[ -s err ] || complain "$fault: $*: fails without a word"
				[ -z "$(find out -name '.*')" ] || complain "$fault: $*: leaves $(find out -name '.*')"
				;;
			*) complain "$fault: $*: status $result: $(tail -n 1 err)" ;;
			esac
		done
	done
	[ $failed -gt 20 ] || complain "$*: $failed failures only, $fine times none"
}

try pk-filter -q --split-by comm -o 'out/%v' in.pk
try pk-filter -q --anonymize --key-file key in.pk
TMPDIR=/nonexistent pk-filter -q --split-by comm -o 'out/%v' in.pk 2>err && complain "waits nowhere"
grep -q 'temporary file: No such file' err || complain "said: $(cat err)"
exit $status
