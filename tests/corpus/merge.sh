# SPDX-License-Identifier: BSD-2-Clause
# All recordings with deferred callchains, sample by sample: what pk-merge-callchains makes of them is what the cookies in
# the bytes say, and what perf 7.2 printed but for perf's mistakes, which docs/deferred-callchains.md tells of.
# merge.counts has the numbers; UPDATE=1 writes them anew.
. "$PK_TOP/tests/corpus/corpus.bash"
x86=$PK_CORPUS/own/x86_64-7.2
counts=$PK_TOP/tests/corpus/merge.counts

# told WORDS: the number in front of these words in what -v says
told()
{
	sed -n "s/,//g; s/^pk-merge-callchains: *\([0-9]*\) $1\$/\1/p" err
}

for f in "$x86"/data/*defer*.data "$x86"/data/*inject*.data; do
	name=$(basename "$f" .data)
	for from in "$x86/ref/$name".script-noinline.gz "$x86/ref/$name".script.gz; do
		[ ! -e "$from" ] || break
	done
	[ -e "$from" ] || continue
	gzip -dc "$from" >expected
	pk-script -q --dump "$f" >raw
	pk-merge-callchains -v "$f" >merged.pk 2>err || complain "$name: exit status $?"
	pk-script -q --dump merged.pk >merged
	line=$(perl "$PK_TOP/tests/corpus/merge.pl" raw merged expected) || complain "$name: see above"
	echo "$name $line" >>now
	read -r _ deferred merged _ halves orphaned _ <<<"$line"
	[ "$(told 'samples with a deferred user half') $(told merged) $(told 'user halves') $(told 'of them for no sample')" = \
		"$deferred $merged $halves $orphaned" ] || complain "$name: it counts otherwise: $(cat err)"
	# Once more there is nothing to do.
	pk-merge-callchains -q merged.pk | pk-script -q --dump - | grep -v '^[0-9]' | grep -A8 chain_flags >again
	grep -v '^[0-9]' merged | grep -A8 chain_flags | cmp -s - again || complain "$name: not the same a second time"
done
sort -u now -o now
[ -z "${UPDATE-}" ] || {
	echo '# recording samples deferred merged unmatched halves orphaned, as-perf perf-lacks-late perf-shows-cookie executed'
	cat now
} >"$counts"
grep -v '^#' "$counts" | diff - now || complain "other numbers than in merge.counts"
exit $status
