# SPDX-License-Identifier: BSD-2-Clause
# Programs that are started with stdin, stdout or stderr closed, as some daemons do: no other file gets their numbers, so
# that no message ends up in the output and no output in the input.
cp "$PK_TOP/format/vectors/good/like-perf-le.pk" in.pk
tools=(pk-filter pk-inject pk-merge-callchains pk-unwind pk-symbolize pk-fold pk-script)
for tool in "${tools[@]}"; do
	echo "$tool"
	"$tool" -q <&- 2>&1 >out
	echo "stdin: status $?"
	"$tool" -q in.pk 2>&1 >&-
	echo "stdout: status $?"
	"$tool" -q --help 2>&1 >&-
	echo "--help: status $?"
	mkdir -p open closed
	(cd open && exec "$tool" -v -o "out.$tool" ../in.pk 2>/dev/null)
	(cd closed && exec "$tool" -v -o "out.$tool" ../in.pk <&- >&- 2>&-)
	echo "all: status $?"
	[ -s "open/out.$tool" ] || echo "no output"
	# Only the moment of writing is different.
	for folder in open closed; do
		case $tool in
		pk-fold | pk-script) cat "$folder/out.$tool" ;;
		*) pk-script --dump "$folder/out.$tool" | grep -v '^  time=' ;;
		esac >$folder/text
	done
	cmp open/text closed/text
done
