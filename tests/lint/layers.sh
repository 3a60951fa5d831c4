# SPDX-License-Identifier: BSD-2-Clause
# Dependencies point one way; each third-party library is known to one source file.
. "$PK_TOP/tests/lint/files.bash"

# below FOLDER: the public headers of the libraries that it may use.
below()
{
	case $1 in
	libpksession | libpksymbol) echo $stream ;;
	libpkcli) echo $stream $session $symbol ;;
	libpkevent) echo $stream $symbol cli.h ;;
	pk-*) echo $stream $session $symbol $unwind $cli $event ;;
	esac
}
stream='pkstream.h perf_abi.h pkutil.h'
session="session.h tracepoint.h"
symbol='symbols.h unwind_info.h usdt.h object_code.h file.h loaded_data.h types.h'
unwind=cfi.h
event='event.h procfs.h perf_syscall.h tracefs.h pmu.h pmu_json.h cpuid.h cpu_list.h'
cli='cli.h control.h run.h options.h resolve.h child.h signals.h buffer.h digits.h symbol_options.h'

while read -r f; do
	dir=${f%%/*}
	while read -r h; do
		[ -e "$dir/$h" ] || case " $(below "$dir") " in
		*" $h "*) ;;
		*) complain "$f: \"$h\": neither of this folder nor a public header of a layer below" ;;
		esac
	done < <(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\(.*\)".*/\1/p' "$f")
done < <(files 'libpk*.[ch]' 'pk-*.[ch]')

one_source()
{
	local what=$1 most=$2 users n
	users=$(files 'libpk*.[ch]' 'pk-*.[ch]' | xargs -r grep -lE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<($3)>")
	n=$(echo "$users" | grep -c .)
	[ "$n" -le "$most" ] || complain "$what is included by $n files, not $most:" "$users"
	case $users in *.h*) complain "$what is included by a header:" "$users" ;; esac
}

one_source libelf 1 'libelf\.h|gelf\.h'
one_source libdw 2 'elfutils/.*|dwarf\.h'
one_source libzstd 1 'zstd.*\.h'
one_source libtraceevent 1 'traceevent/.*'
one_source libjansson 1 'jansson\.h'
one_source libcapstone 1 'capstone/.*'
one_source libunwind 1 'libunwind.*'
one_source libiberty 1 'demangle\.h|libiberty.*'
finish
