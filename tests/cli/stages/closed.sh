# SPDX-License-Identifier: BSD-2-Clause
# Programs that are started with stdin, stdout or stderr closed, as some daemons do: no other file gets their numbers, so
# that no message ends up in the output and no output in the input.
cp "$PK_TOP/format/vectors/good/like-perf-le.pk" in.pk
# Cut short: there is something to say.
head -c -40 in.pk >cut.pk
tools=(pk-filter pk-inject pk-merge-callchains pk-unwind pk-symbolize pk-fold pk-script)
for tool in "${tools[@]}"; do
	echo "$tool"
	"$tool" -q <&- 2>&1 >out
	echo "stdin: status $?"
	"$tool" -q in.pk 2>&1 >&-
	echo "stdout: status $?"
	"$tool" -q --help 2>&1 >&-
	echo "--help: status $?"
	for folder in open 2 12 012; do
		mkdir -p $folder
		(
			cd $folder || exit
			case $folder in *0*) exec <&- ;; esac
			case $folder in *1*) exec >&- ;; esac
			case $folder in *2) exec 2>&- ;; *) exec 2>/dev/null ;; esac
			exec "$tool" -v -o "out.$tool" ../cut.pk
		)
		echo "without $folder: status $?"
		# Only the moment of writing is different.
		case $tool in
		pk-fold | pk-script) cat "$folder/out.$tool" ;;
		*) pk-script --dump "$folder/out.$tool" | grep -v '^  time=' ;;
		esac >$folder/text
		[ -s $folder/text ] || echo "no output"
		cmp open/text $folder/text
	done
done
