# SPDX-License-Identifier: BSD-2-Clause
# What has nothing deferred passes as it is, but for what each stage adds; each session for itself.
. "$PK_TOP/tests/cli/pk-merge-callchains/deferred.bash"
plain()
{
	header
	event 1 1
	sample 1 5 0x1000 1 2000
	sample 1 5 0x1000 1 1000
	echo FINISHED_ROUND
	half 1 7 5 2000
	sample 1 5 0x1000 1 500
}
plain | assemble >plain.pk
pk-merge-callchains <plain.pk | samples
zstd -dcq "$PK_TOP/tests/data/x86_64.pk.zst" | pk-merge-callchains >passed.pk
zstd -dcq "$PK_TOP/tests/data/x86_64.pk.zst" | pk-filter >filtered.pk
for f in passed filtered; do
	pk-script --dump $f.pk | sed 's/^[0-9]* \([A-Z]\)/\n\1/' |
		awk -v RS= '!/\((STAGE|END)\)/' >$f
done
cmp passed filtered && echo same
echo '-- sessions'
{
	header
	deferring 1
	waiting 1 7 5 2000
	waiting 1 7 5 1000
	plain
	header
	deferring 1
	half 1 7 5 100
	waiting 1 7 5 200
} | assemble | pk-merge-callchains -v >several.pk
samples <several.pk
pk-script -q --dump several.pk | grep -A3 -E '\((SESSION|ORDER|LOSS)\)' | grep -E '\(|trailers|kind|count|cause'
pk-script -q --dump several.pk | grep trailers
