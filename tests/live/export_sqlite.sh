# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# Databases of pk-export sqlite: the view top has the numbers of pk-report, several recordings are added up, the same one
# adds nothing, and a load that fails leaves the database as it was.
. "$PK_TOP/tests/live/export.bash"
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
command -v sqlite3 >/dev/null || skip "no sqlite3"

# ask FILE SQL: rows, with tabs
ask()
{
	sqlite3 -noheader -separator $'\t' "$1" "$2" || complain "sqlite3: $2"
}

# check WHAT EXPECTED FOUND
check()
{
	[ "$2" = "$3" ] || complain "$1: $3, not $2"
}

top='SELECT event, CASE WHEN symbol GLOB "[[]*" THEN "" ELSE symbol END AS name, sum(self), sum(total) FROM top GROUP BY 1, 2'
count='SELECT (SELECT count(*) FROM recordings), (SELECT count(*) FROM samples), (SELECT count(*) FROM stacks),
	(SELECT count(*) FROM frames), (SELECT count(*) FROM labels), (SELECT sum(samples) FROM by_hour)'
for stream in $(streams); do
	rm -f out.db
	pk-export sqlite -q -o out.db $stream 2>err || complain "$stream: status $?: $(cat err)"
	# The totals of unresolved objects are separate here.
	of_report period $stream | sed '/\t\t/d' | LC_ALL=C sort >expected
	ask out.db "$top" | sed '/\t\t/d' | LC_ALL=C sort >found
	[ ! -s expected ] || same "$stream"
	check "$stream: integrity" ok "$(ask out.db 'PRAGMA integrity_check')"
	check "$stream: references" "" "$(ask out.db 'PRAGMA foreign_key_check')"
	before=$(ask out.db "$count")
	pk-export sqlite -q -o out.db $stream 2>err || complain "$stream, again: status $?: $(cat err)"
	check "$stream, again" "$before" "$(ask out.db "$count")"
	pk-export sqlite -q -o all.db $stream || complain "$stream: all: status $?"
	ask out.db "SELECT hex(key) FROM stacks" | sort -u >"keys.$stream"
done
[ $compared -ge 2 ] || complain "$compared databases were compared"

# All in one: stacks that several recordings have are there once.
cat keys.* | sort -u >keys
check "stacks of all" "$(wc -l <keys)" "$(ask all.db 'SELECT count(*) FROM stacks')"
check "keys of all" "$(cksum <keys)" "$(ask all.db 'SELECT hex(key) FROM stacks' | LC_ALL=C sort -u | cksum)"
for table in by_minute by_hour; do
	check "$table of all" "$(ask all.db 'SELECT sum(samples), sum(weight) FROM samples')" "$(ask all.db "SELECT sum(samples), sum(weight) FROM $table")"
done
# A frame that the database has already leaves nothing to the next one: all values depend on the key.
for stream in $(streams); do
	rm -f one.db
	pk-export sqlite -q -o one.db $stream || complain "$stream: one: status $?"
	check "$stream: frames" "" "$(ask one.db "ATTACH 'all.db' AS a; SELECT hex(key) FROM frames JOIN a.frames b USING (key)
		WHERE frames.function IS NOT b.function OR frames.address IS NOT b.address OR frames.line IS NOT b.line")"
	check "$stream: callers" "" "$(ask one.db "ATTACH 'all.db' AS a; SELECT hex(s.key) FROM stacks s JOIN a.stacks t USING (key)
		WHERE (SELECT key FROM stacks WHERE id = s.parent) IS NOT (SELECT key FROM a.stacks WHERE id = t.parent)")"
done

# Views, labels, hostile names.
small | assemble >small.pk
pk-export sqlite -o small.db small.pk || complain "small: status $?"
check mode 600 "$(stat -c %a small.db)"
check folded $'main;helper\t2\t200' "$(ask small.db "SELECT path, samples, weight FROM folded WHERE event = 'cycles' LIMIT 1")"
check flame 3000000 "$(ask small.db "SELECT sum(weight) FROM flame WHERE symbol = 'helper' AND event = 'cpu-clock'")"
check by_minute $'0\t10' "$(ask small.db "SELECT time, sum(samples) FROM by_minute")"
check names 'evil?[31m?:(na me)' "$(ask small.db "SELECT symbol FROM top WHERE symbol GLOB 'evil*'")"
check labels $'prog\t5\t5\nprog\t5\t6' "$(ask small.db "SELECT comm, pid, tid FROM labels ORDER BY tid")"
check address 18446744071578845475 "$(printf %u "$(ask small.db "SELECT 0xffffffff81000123")")"
# Other fields become new columns; those of earlier recordings stay.
pk-export sqlite --by tid,ip,event -o small.db small.pk || complain "other labels: status $?"
check "labels of two" $'5\tcpu-clock\n5\tcycles\n5\t\n6\tcpu-clock\n6\t' \
	"$(ask small.db "SELECT tid, event FROM labels ORDER BY tid, event IS NULL, event")"
check "recordings" 2 "$(ask small.db 'SELECT count(*) FROM recordings')"
pk-export sqlite --frames address -o address.db small.pk
# main is a caller and a leaf: these are two addresses.
check "addresses" 4 "$(ask address.db 'SELECT count(address) FROM frames')"

# A database without samples has its tables; failures change nothing.
{
	header
	event 1 7
} | assemble | pk-export sqlite -q -o empty.db || complain "no samples: status $?"
check "no samples" 0 "$(ask empty.db 'SELECT count(*) FROM top')"
before=$(ask small.db "$count")
cp small.db copy.db
(
	ulimit -f 40
	exec pk-export sqlite -q -o copy.db x86_64.pk
) 2>err && complain "a full disk: status 0"
grep -q 'copy.db: ' err || complain "a full disk: $(cat err)"
check "a full disk" "$before" "$(ask copy.db "$count")"
echo text >text.db
pk-export sqlite -o text.db small.pk 2>err && complain "not a database: status 0"
grep -q 'text.db: file is not a database' err || complain "not a database: $(cat err)"
check "not a database" text "$(cat text.db)"
sqlite3 other.db 'CREATE TABLE samples(x)'
pk-export sqlite -o other.db small.pk 2>err && complain "another database: status 0"
grep -q 'other.db: not a database of this version' err || complain "another database: $(cat err)"
pk-export sqlite small.pk 2>err
check "without -o" 2 $?
cp small.pk input.pk
pk-export sqlite -o input.pk input.pk 2>err
check "the input" 2 $?
cmp small.pk input.pk
exit $status
