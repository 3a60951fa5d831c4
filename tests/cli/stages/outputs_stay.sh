# SPDX-License-Identifier: BSD-2-Clause
# A program that fails, or has nothing to write, leaves the old file of -o as it is, and nothing beside it.
pk-filter -q "$PK_TOP/tests/data/x86_64.pk.zst" >stream.pk
: >empty.pk
mkdir out
complain()
{
	echo "$*"
}
# stays NAME COMMAND...: the file out/NAME must stay, with the status 1 or that of the command
stays()
{
	local name=$1
	shift
	echo precious >out/"$name"
	"$@" >printed 2>err && complain "$*: status 0: $(cat err)"
	[ "$(cat out/"$name")" = precious ] || complain "$*: the old file is gone"
	[ -s err ] || complain "$*: no reason"
	[ "$(ls -A out)" = "$name" ] || complain "$*: left $(ls -A out)"
	rm -rf out && mkdir out
}
for tool in filter fold inject merge-callchains report script symbolize unwind; do
	stays file pk-$tool -o out/file empty.pk
done
stays file pk-span --start '*' --end '*' --key pid -o out/file empty.pk
stays file pk-annotate -o out/file -i empty.pk
for kind in flame heatmap histogram chart timeline; do
	stays file pk-plot $kind -o out/file empty.pk
	stays file pk-plot $kind -o out/file --where 'pid == 0 && pid == 1' stream.pk
done
for format in pprof speedscope perf.data; do
	stays file pk-export $format -o out/file empty.pk
done
stays file pk-fold -o out/file --where 'pid == 0 && pid == 1' stream.pk
stays file pk-record -o out/file -- ./no-such-program
# With success, the file is replaced, a symbolic link stays one, and nothing is left beside it.
echo old >out/file
ln -s file out/link
for tool in filter fold symbolize report; do
	pk-$tool -q -o out/link stream.pk 2>err || complain "pk-$tool: $(cat err)"
	[ -L out/link ] && [ "$(head -c 3 out/file | tr -d '\0')" != old ] || complain "pk-$tool: not replaced"
	[ "$(ls -A out)" = "$(printf 'file\nlink')" ] || complain "pk-$tool: left $(ls -A out)"
done
# A file that cannot get its name, as a folder has it meanwhile, is not left either.
mkfifo fifo
rm -rf out && mkdir out
for tool in filter fold 'plot flame' 'export pprof'; do
	# shellcheck disable=SC2086 # words
	pk-$tool -q -o out/file fifo 2>err &
	exec 3>fifo
	until [ -e out/.file.part ]; do :; done
	mkdir out/file
	cat stream.pk >&3
	exec 3>&-
	wait $! && complain "pk-$tool: status 0"
	grep -q 'out/file: Is a directory' err || complain "pk-$tool: $(cat err)"
	[ "$(ls -A out)" = file ] || complain "pk-$tool: left $(ls -A out)"
	rmdir out/file
done
# A new database is removed; one that exists stays as it is.
rm -rf out && mkdir out
for input in empty.pk missing.pk; do
	pk-export sqlite -o out/new.db $input 2>err && complain "sqlite, $input: status 0"
	[ -z "$(ls -A out)" ] || complain "sqlite, $input: left $(ls -A out)"
done
pk-export -q sqlite -o out/new.db stream.pk || complain "sqlite: status $?"
cp out/new.db before.db
pk-export sqlite -o out/new.db empty.pk 2>err && complain 'sqlite, a database that exists: status 0'
cmp before.db out/new.db
[ "$(ls -A out)" = new.db ] || complain "sqlite: left $(ls -A out)"
# A picture of nothing on standard output is written, with status 1.
for kind in flame heatmap chart timeline; do
	pk-plot $kind --where 'pid == 0 && pid == 1' stream.pk >picture 2>err
	status=$?
	[ $status = 1 ] || complain "pk-plot $kind: status $status"
	grep -q '</svg>' picture || complain "pk-plot $kind: no picture"
	grep -q 'the picture is empty' err || complain "pk-plot $kind: $(cat err)"
done
