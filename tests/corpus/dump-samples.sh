# SPDX-License-Identifier: BSD-2-Clause
# long
# Every field of every sample, as pk-script --dump shows it, is what an independent reader found in
# the recordings: digests of counts.jsonl, which its README explains.
. "$PK_TOP/tests/corpus/corpus.bash"
perl -MDigest::MD5 -e 1 2>/dev/null || {
	echo "no Digest::MD5 for perl" >&2
	exit 77
}

# The events of one line of counts.jsonl in the form that samples.pl prints.
events()
{
	sed -E 's/.*"events": \[(.*)\]}$/\1/; s/\}, \{/}\n{/g' <<<"$line" | sed -nE \
		's/.*"name": "(.*)", "type".* "samples": ([0-9]+), "periods": ([0-9]+), "chain": ([0-9]+), "h": ([0-9]+)\}$/\1 \2 \3 \4 \5/p'
}

# Events of no name, and those of the same, are told apart by their digests alone.
read_by()
{
	awk '$(NF - 3) > 0 { print $(NF - 3), $(NF - 2), $(NF - 1), $NF }' | sort
}

compared=0
for counts in "$PK_CORPUS"/own/*/counts.jsonl "$PK_CORPUS"/others/counts.jsonl; do
	while read -r line; do
		file=$(sed 's/.*"file": "\([^"]*\)".*/\1/' <<<"$line")
		path=${counts%/*}/data/$file
		[ -e "$path" ] || path=${counts%/*}/$file
		events | read_by >expected
		pk-script --dump "$path" 2>err | perl "$PK_TOP/tests/corpus/samples.pl" | read_by >folded
		cmp -s expected folded || complain "== ${path#"$PK_CORPUS"/}: $(diff expected folded | head -n 20)"
		compared=$((compared + 1))
	done <"$counts"
done
[ $compared -ge 100 ] || complain "only $compared recordings"
exit $status
