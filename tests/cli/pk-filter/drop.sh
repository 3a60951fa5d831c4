# SPDX-License-Identifier: BSD-2-Clause
# Fields that are dropped, and extensions that are stripped, leave a stream that says so.
for name in callchain stack regs iregs raw branches addr phys_addr weight data_src transaction cgroup data_page_size \
	code_page_size aux callchain,raw,stack; do
	echo "== $name"
	for f in "$PK_TOP"/format/vectors/good/sample-all-{le,be}.pk; do
		pk-filter -q --drop $name "$f" >dropped.pk
		echo "status $?"
		# all other fields stay as they are
		pk-script --dump "$f" | grep -v EVENT_UPDATE | grep '^  ' >before
		pk-script --dump dropped.pk | grep '^  ' >after
		diff before after | grep '^<' | sed 's/=.*//; s/ *\[.*//' | sort | uniq -c | sed 's/^ *//' | head -n 12
	done
done
echo "== extensions"
f=$PK_TOP/tests/data/x86_64.pk.zst
pk-filter --strip-extensions "$f" >plain.pk
pk-script --dump plain.pk | grep -c 'definition=\|stack='
pk-filter "$f" | pk-filter --strip-extensions >plain2.pk
content()
{
	pk-script --dump "$1" | grep '^  ' | grep -v 'end mark'
}
content plain.pk >a
content plain2.pk >b
cmp a b && echo "the same, whatever passed before"
pk-filter --drop callchain "$f" | pk-fold -q >a
pk-fold -q "$f" >b
cmp a b && echo "stacks need no callchain"
echo "== addresses"
pk-filter --strip-extensions "$f" >raw.pk
for frames in '' --addresses; do
	echo "pk-symbolize $frames"
	pk-symbolize -q --symfs nowhere $frames raw.pk 2>/dev/null | pk-filter --drop callchain -o dropped.pk 2>&1
done
# samples that cannot be decoded have trailers as well
for f in "$PK_TOP"/format/vectors/bad/attr-bits-le.pk "$PK_TOP"/format/vectors/bad/attr-bits-more-le.pk; do
	pk-symbolize -q "$f" 2>/dev/null | pk-filter -q --strip-extensions 2>/dev/null | pk-script --dump 2>/dev/null | grep -A 4 ' SAMPLE' | grep '^  ' >a
	pk-script --dump "$f" 2>/dev/null | grep -A 4 ' SAMPLE' | grep '^  ' >b
	cmp a b && echo "stripped again"
done
