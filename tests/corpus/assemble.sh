# SPDX-License-Identifier: BSD-2-Clause
# What pk-script --dump prints of recordings of perf's, assembled again: each record has the same bytes as in
# the recording, but for those that the dump cuts, and features.
. "$PK_TOP/tests/corpus/corpus.bash"
failed=0
same=0
for file in "$PK_CORPUS"/own/*/data/*pipe*.data; do
	case $file in *.z.*) continue ;; esac
	pk-script --dump "$file" 2>/dev/null >dump
	awk '
		function flush()
		{
			if (text == "" || cut) return
			print text > "kept"
			print place > "places"
		}
		/^FILE / { next }
		/^[0-9]+ / {
			flush()
			text = $0
			cut = $2 == "HEADER_FEATURE" || $2 == "TRACING_DATA" || /warning:/
			size = $0
			sub(/.* size=/, "", size)
			place = $1 " " ($2 == "BEGIN" ? 16 : size)
			next
		}
		/=[0-9]+:[0-9a-f]+\.\.\.$/ || /^  malformed:/ { cut = 1 }
		{ text = text "\n" $0 }
		END { flush() }' dump
	perl -e 'open(my $in, "<:raw", $ARGV[0]) or die;
		open(my $places, "<", "places") or die;
		binmode STDOUT;
		while (<$places>) { my ($at, $size) = split; seek($in, $at, 0); read($in, my $bytes, $size); print $bytes }' \
		"$file" >wanted
	"$PK_BUILD/tests/assemble/assemble" <kept >got || failed=1
	if cmp wanted got; then
		same=$((same + $(wc -l <places)))
	else
		echo "$file"
		failed=1
	fi
done
echo "$same records"
[ $same -gt 1000 ] || failed=1
exit $failed
