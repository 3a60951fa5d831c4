# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# Rows of pk-export have the numbers of pk-report, in each format, as sums or for each sample, and as tables that refer to each
# other. Keys are those of every run, and of recordings that were symbolized with addresses.
. "$PK_TOP/tests/live/export.bash"
mkdir tables again
for stream in $(streams); do
	of_report period $stream | LC_ALL=C sort >expected
	for options in "" --each "--format json" "--format csv --each --by none"; do
		# shellcheck disable=SC2086
		pk-export rows -q $options -o out $stream 2>err || complain "$stream: status $?: $(cat err)"
		read_export rows out | LC_ALL=C sort >found
		same "$stream $options"
	done
	pk-export rows -q --each --tables tables $stream || complain "$stream: --tables: status $?"
	read_export tables tables | LC_ALL=C sort >found
	same "$stream, tables"
	pk-filter -q $stream | pk-export rows -q --each --tables again || complain "$stream: --tables: status $?"
	cmp tables/samples.tsv again/samples.tsv || complain "$stream: other keys"
done
[ $compared -ge 15 ] || complain "$compared outputs were compared"
exit $status
