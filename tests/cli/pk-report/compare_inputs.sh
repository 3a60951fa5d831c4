# SPDX-License-Identifier: BSD-2-Clause
# A comparison has the same result for streams that other programs have written, joined, or converted. A cut input is reported.
. "$PK_TOP/tests/cli/pk-report/compare.bash"
for i in 1 2; do
	recording 1$i 6000 20 30 0.05 | assemble >before.$i.pk
	recording 2$i 6000 30 30 0.05 | assemble >after.$i.pk
done

# compare NAME OPERAND...: fails if the result is not that of the recordings themselves
compare()
{
	pk-report -q --by comm --show baseline,share,change,change-low,change-high,fdr,mark --csv --diff "${@:2}" >"$1.csv" || echo "$1: status $?"
	cmp plain.csv "$1.csv" && echo "$1: $(grep -c ',changed,' "$1.csv") changed"
}
# each NAME COMMAND...: filters all recordings
each()
{
	local file
	for file in before.1 before.2 after.1 after.2; do "${@:2}" "$file.pk" >"$1.$file"; done
	compare "$1" "$1".before.? -- "$1".after.?
}
compare plain before.?.pk -- after.?.pk
cat before.?.pk >before
cat after.?.pk >after
compare joined before -- after
compare stdin before.?.pk -- - <after
compare pipes <(cat before.1.pk) <(cat before.2.pk) -- <(cat after)
each zstd zstd -qc
each filtered pk-filter --where 'pid > 0'
each symbolized pk-symbolize -q
each unwound pk-unwind -q
each merged pk-merge-callchains -q
each perf.data pk-export perf.data -q

head -c $(($(stat -c %s after.2.pk) / 2)) after.2.pk >cut.pk
pk-report -q --by comm --show share,mark --csv --diff before.?.pk -- after.1.pk cut.pk
echo "cut: status $?"
