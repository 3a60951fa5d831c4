# SPDX-License-Identifier: BSD-2-Clause
# long
# A file of pk-export sqlite is a store: it has the schema of fleet/schema and fleet/ingest, and the same answers to each query.
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
fleet=$PK_TOP/fleet
umask 077

# recording VERSION PERIOD: of a service; some samples have this period
recording()
{
	small | sed "s/cpu-clock/offcpu-time/; s/period=50 /period=$2 /; 0,/^STRING/s//LABEL name=\"service\" value=\"web\"\nLABEL name=\"version\" value=\"$1\"\n&/" |
		assemble >"$1.pk"
}
recording 1 50
recording 2 500000
for file in 1.pk 2.pk; do pk-export sqlite -q -o file.db $file; done
"$fleet/schema" store.db
"$fleet/ingest" --frames function store.db 1.pk 2.pk
for db in file store; do sqlite3 $db.db .schema >$db.schema; done
cmp file.schema store.schema
grep -c 'CREATE TABLE' store.schema
asked=0
for file in "$fleet"/sqlite/*.sql; do
	query=$(basename "$file" .sql)
	needed=''
	[ "$query" != changes ] || needed='--base 1 --version 2'
	for options in '' '--version 1' '--base 1 --version 2' '--function helper' '--build 1111111111111111222222222222222233333333' '--from 1970-01-01 --to 60'; do
		for db in file store; do
			# shellcheck disable=SC2086 # words
			"$fleet/query" $db.db "$query" $options $needed >$db.answer || echo "$query $options: $?"
		done
		cmp file.answer store.answer || echo "$query $options"
		asked=$((asked + 1))
		[ -n "$options" ] || echo "$query: $(wc -l <file.answer) lines"
	done
done
echo "$asked answers"
"$fleet/query" store.db changes --base 1 --version 2
# The views that are no queries.
for view in top folded flame; do
	for db in file store; do sqlite3 $db.db "SELECT * FROM $view" | sort >$db.answer; done
	cmp file.answer store.answer
	wc -l <file.answer
done
# The roll-ups are the sums of the samples.
for db in file store; do
	for table in by_minute by_hour samples; do sqlite3 $db.db "SELECT sum(samples), sum(weight) FROM $table"; done | uniq -c | awk '{ print $1 }'
done
