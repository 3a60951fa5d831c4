# SPDX-License-Identifier: BSD-2-Clause
# long
# How programs open and write outputs: private, never over an input, and failures are reported. Programs that are
# added are found and tested; pk-record, which reads no file, is tested in tests/live, and pk-top in tests/cli/pk-top.
. "$PK_TOP/tests/cli/stages/outputs.bash"
pk-filter -q "$PK_TOP/tests/data/x86_64.pk.zst" >stream.pk
cp "$PK_TOP/format/vectors/good/user-stat-le.pk" counts.pk
head -c -100 stream.pk >cut.pk

# A pipeline of pk itself is a program like the others.
export XDG_CONFIG_HOME=$PWD/config
mkdir -p config/pk
# shellcheck disable=SC2016 # a place of the line
echo 'test copy: pk-filter -q $@ | pk-filter' >config/pk/commands

reads()
{
	case $tool in
	pk) args=(copy "$1") ;;
	pk-annotate) args=(-i "$1") ;;
	pk-export) args=(perf.data "$1") ;;
	pk-plot) args=(flame "$1") ;;
	pk-span) args=(--start '*' --end '*' --key pid "$1") ;;
	*) args=("$1") ;;
	esac
}

# Streams hold the time when they were written.
same_content()
{
	case $(head -c 8 "$1" | tr -d "\0") in
	PERFILE2 | 2ELIFREP)
		[ "$(wc -c <"$1")" = "$(wc -c <"$2")" ] &&
			cmp <(pk-filter --strip-extensions "$1" 2>/dev/null) <(pk-filter --strip-extensions "$2" 2>/dev/null)
		;;
	*) cmp "$1" "$2" ;;
	esac
}

for main in "$PK_TOP"/pk{,-*}/main.c; do
	tool=${main%/main.c}
	tool=${tool##*/}
	[ $tool != pk-record ] && [ $tool != pk-top ] || continue
	input=stream.pk damaged=cut.pk
	[ $tool != pk-stat ] || input=counts.pk damaged=counts.pk
	private $input
	input_stays $input stdin
	closed $damaged
	context='stdin is closed'
	reads -
	ends 1 'stdin: .*Bad file descriptor' without_stdin "$tool" -o out "${args[@]}"
	full $input
done
