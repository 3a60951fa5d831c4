# SPDX-License-Identifier: BSD-2-Clause
# The options of pk-export sqlite, and several programs that write to one file.
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
umask 077

# ask FILE SQL
ask()
{
	sqlite3 -separator ' ' "$1" "$2"
}
small | assemble >small.pk

echo '-- --schema'
pk-export sqlite --schema | sqlite3 empty.db
pk-export sqlite -q -o small.db small.pk
diff <(ask empty.db .schema) <(ask small.db .schema) && echo same
ask empty.db 'PRAGMA user_version; SELECT name FROM sqlite_master WHERE type <> "index" ORDER BY type, name'
pk-export rows --schema
pk-export rows --schema --flat --each --by none --column load=1 --tables x
ls x 2>/dev/null

echo '-- --every'
for every in 1s 60s; do
	pk-export sqlite -q --every $every -o $every.db small.pk
	ask $every.db 'SELECT count(*), sum(samples), sum(weight) FROM samples'
	ask $every.db 'SELECT DISTINCT time FROM samples; SELECT count(pid), count(comm) FROM labels'
done
ask small.db 'SELECT count(*), sum(samples), sum(weight) FROM samples'
ask small.db 'SELECT first, last, samples, bytes > 1000 FROM recordings'
diff <(ask small.db 'SELECT * FROM top') <(ask 1s.db 'SELECT * FROM top') && echo same

echo '-- --column, --by'
pk-export sqlite -q --every 60s --column host=h1 --column rack=7 -o column.db small.pk
pk-export sqlite -q --every 60s --column host=h2 --column rack=7 -o column.db small.pk
ask column.db 'SELECT host, rack, comm FROM labels; SELECT host, samples FROM recordings; SELECT count(*) FROM stacks'
for by in id key comm,host; do
	pk-export sqlite -q --by $by --column host=h1 -o by.db small.pk
	echo "$by: $?"
done
for column in KEY=1 host=h2; do
	pk-export sqlite -q --column host=h1 --column $column -o by.db small.pk
	echo "$column: $?"
done
ls by.db 2>/dev/null

echo '-- damaged'
head -c $(($(stat -c %s small.pk) - 100)) small.pk >cut.pk
for options in '' --whole; do
	rm -f cut.db
	# shellcheck disable=SC2086 # words
	pk-export sqlite -q $options -o cut.db cut.pk 2>/dev/null
	echo "$options: $?, $(ls cut.db 2>/dev/null && ask cut.db 'SELECT sum(samples) > 0 FROM samples')"
done
pk-export sqlite -q --whole --fail-on unresolved=0 -o failed.db "$PK_TOP/demo/demo.pk"
echo "--fail-on: $?, $(ls failed.db 2>/dev/null)"

echo '-- another version'
cp small.db old.db
ask old.db 'PRAGMA user_version = 1'
pk-export sqlite -q -o old.db small.pk
echo $?

echo '-- several at a time'
for i in 1 2 3 4 5 6; do
	pk-export sqlite -q --column host=h$i -o many.db small.pk &
	pids="${pids-} $!"
done
for pid in $pids; do wait $pid || echo "status $?"; done
ask many.db 'SELECT count(*), sum(samples) FROM recordings; SELECT count(DISTINCT host), sum(weight) FROM all_samples; PRAGMA integrity_check; PRAGMA foreign_key_check'
ask many.db 'SELECT sum(samples), sum(weight) FROM by_hour'
