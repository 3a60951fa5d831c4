# SPDX-License-Identifier: BSD-2-Clause
# long
# Every recording, as a stream and as the perf.data file that is made of it: pk reads the same records from both. In pipes of
# perf, records of the header can be at other positions. The records of the data are in the same order.
. "$PK_TOP/tests/corpus/corpus.bash"
. "$PK_TOP/tests/cli/pk-export/export.bash"

# Features that are not copied: branches, the index of traces, counts, parts of a directory.
made='feature=(15|18|19|24) '
compared=0
for path in "$PK_CORPUS"/own/*/{data,boot2}/*.data; do
	[ -f "$path" ] || continue
	name=${path#"$PK_CORPUS"/}
	pk-filter -q "$path" >stream 2>/dev/null || continue # damaged
	pk-export perf.data -q -o file stream 2>err || complain "$name: $(cat err)"
	records stream | grep -avE "$made" >expected
	records file | grep -avE "$made" >found
	compared=$((compared + 1))
	cmp -s <(sort expected) <(sort found) || {
		complain "== $name"
		diff <(sort expected) <(sort found) | cut -c1-250 | head -n 10
	}
	cmp -s <(grep -aE '^(SAMPLE|COMM|MMAP)' expected) <(grep -aE '^(SAMPLE|COMM|MMAP)' found) || complain "$name: another order"
	# The same from the recording itself, without the definitions of pk-filter.
	pk-export perf.data -q -o direct "$path" 2>err || complain "$name: $(cat err)"
	[ "$(grep -ac '^SAMPLE ' found)" = "$(records direct | grep -ac '^SAMPLE ')" ] ||
		complain "$name: other samples without pk-filter"
done
[ $compared -ge 80 ] || complain "only $compared recordings"
exit $status
