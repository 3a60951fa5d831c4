# SPDX-License-Identifier: BSD-2-Clause
# long
# --anonymize on recordings: no name of the original is left anywhere, and the stacks have the same shape.
. "$PK_TOP/tests/corpus/corpus.bash"
printf 'sixteen bytes and more of a key' >key

# Every text of a stream but what docs/anonymize.md says stays: the architecture, names of public events, of pk's
# programs, and what the kernel or the reader calls what has no name.
texts()
{
	pk-script -q --dump "$1" | grep -E '="' | grep -vE '^  (arch|program|argv\[0\]|name|desc\[[0-9]*\]\.name)=' |
		sed 's/^[^"]*"//; s/"[^"]*$//' |
		grep -vxE '|:[0-9]+|swapper|//anon|/|/dev/zero|\[(heap|stack|vdso|vsyscall|unknown|stack truncated|uprobes)\]|\[(guest\.)?kernel\.kallsyms\](_s?text)?' |
		sort -u | grep -vxFf <(pk-script -q --dump "$1" | sed -n 's/^  name="\(.*\)"$/\1/p')
}

# What can be read in it, but the aliases themselves.
readable()
{
	perl -0777 -ne 'for (/[\x20-\x7e\x80-\xff]{4,}/g) {
		s/(^|[\[\/\]]|anon:)[a-z2-7]{12}(?=\]?$|\]? )/$1/g; print "$_\n" }' "$1"
}

# The tree of a folded file without its names.
shape()
{
	perl -ne 'sub form { my $t = shift; "(" . ($$t{w} // 0) . join("", sort map { form($_) } values %{$$t{c}}) . ")" }
		my ($names, $n) = /(.*) (\d+)$/; my $t = \%tree; $t = $$t{c}{$_} //= {} for split /;/, $names; $$t{w} = $n;
		END { print form(\%tree), "\n" }' "$1"
}

# check NAME STREAM
check()
{
	local f
	pk-filter -q --anonymize --key-file=key "$2" >out.pk 2>err || complain "$1: status $?: $(cat err)"
	texts "$2" >texts
	readable out.pk | sort -u >readable
	grep -E '.{5}' texts | grep -Ff - readable >found && complain "$1: $(wc -l <found) texts are there still: $(head -n 3 found)"
	for f in "$2" out.pk; do
		pk-script -q -F pid,tid,time,period "$f" 2>/dev/null | sed 's/:.*:/:/' | cksum
	done >sums
	[ "$(sort -u sums | wc -l)" = 1 ] || complain "$1: other samples"
}

files=0
for f in "$PK_CORPUS"/others/*ctx_switch_namespaces* "$PK_CORPUS"/own/*/data/{forker.fp.a,syscalls.fp,locky.tp-defer,syscalls.dwarf,kmem,03,03-pipe,threads.latency,syscalls.inject-b,forker.defer.bid,locky.pf.pipe}.data; do
	[ -e "$f" ] || continue
	files=$((files + 1))
	check "${f##*/corpus/}" "$f"
	pk-symbolize -q "$f" >symbolized.pk 2>/dev/null
	check "${f##*/corpus/} with stacks" symbolized.pk
	pk-fold -q symbolized.pk >before 2>/dev/null
	pk-fold -q out.pk >after 2>/dev/null
	[ "$(shape before)" = "$(shape after)" ] || complain "${f##*/corpus/}: another tree"
	perf version >/dev/null 2>&1 || continue
	pk-filter -q symbolized.pk >plain.pk
	for g in plain.pk out.pk; do perf script -F pid,tid,time -i $g 2>/dev/null | grep '^ *[0-9]*/[0-9]' | cksum; done >sums
	[ "$(sort -u sums | wc -l)" = 1 ] || complain "${f##*/corpus/}: other samples for perf"
done
[ $files -ge 8 ] || complain "$files recordings only"
exit $status
