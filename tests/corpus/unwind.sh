# SPDX-License-Identifier: BSD-2-Clause
# Stacks that pk-unwind makes of registers and stack dumps, beside those that perf 7.2 printed on the
# recording machine, address by address; docs/unwinding.md says what the rest is.
. "$PK_TOP/tests/corpus/corpus.bash"

# unwound FILE SYMFS KALLSYMS: the file text.
unwound()
{
	pk-unwind --symfs "$2" "$1" >unwound.pk 2>err || complain "$1: status $?: $(cat err)"
	[ "$(stat -c %s unwound.pk)" -lt $(($(stat -c %s "$1") / 4)) ] || complain "$1: did not become small"
	pk-script --no-inline --symfs "$2" --kallsyms "$3" unwound.pk >text 2>err || complain "$(cat err)"
}

# counts WHAT NUMBER...: what unwind_compare.pl says of text and perf's.
counts()
{
	local what=$1
	shift
	printf '%s\n' "$@" >expected
	perl "$PK_TOP/tests/corpus/unwind_compare.pl" text perf.text >found || complain "$what: status $?"
	cmp -s expected found || complain "$what: $(diff expected found)"
}

# How many stacks of a text reach where programs and threads begin.
complete()
{
	awk '/^[^\t]/ { n += last ~ / (_start|__?clone3?|thread_start)[+ ]/ } NF { last = $0 }
		END { print n + (last ~ / (_start|__?clone3?|thread_start)[+ ]/) }' "$1"
}

as_complete()
{
	[ "$(complete text)" -ge "$(complete perf.text)" ] ||
		complain "$1: $(complete text) stacks reach the beginning, of perf's $(complete perf.text)"
}

own=$PK_CORPUS/own/x86_64-7.2
xz -dc "$own/kallsyms.boot1.xz" >kallsyms
for one in syscalls.dwarf:115 syscalls.dwarf.pipe:118 syscalls-nofp.dwarf:180; do
	name=${one%:*}
	unwound "$own/data/$name.data" "$own/rootfs" kallsyms
	gzip -dc "$own/ref/$name.script-noinline.gz" >perf.text
	counts "$name" "samples ${one#*:}" "equal ${one#*:}"
	as_complete "$name"
done

# Big-endian. perf leaves out the user part where a thread has just begun.
own=$PK_CORPUS/own/s390x-7.2
tar xf "$own/symfs.tar.xz" && mv symfs s390x || complain "$own: no files"
cp "$own"/vdso/*/vdso s390x/vdso64.so
gzip -dc "$own/kallsyms.gz" >kallsyms
unwound "$own/data/10-dwarf.data" s390x kallsyms
gzip -dc "$own/ref/10-dwarf.data/script.txt.gz" >perf.text
counts s390x "samples 117" "equal 115" "ours goes on 2"
as_complete s390x

# perf takes return addresses for where they lead with their signatures on, and finds nothing there.
own=$PK_CORPUS/own/arm64-7.2
tar xf "$own/symfs.tar.xz" && mv symfs arm64 || complain "$own: no files"
gzip -dc "$own/boot2/kallsyms.gz" >kallsyms
unwound "$own/boot2/10-dwarf-cycles.data" arm64 kallsyms
gzip -dc "$own/boot2/text/10-dwarf-cycles.data/script.txt.gz" >perf.text
counts arm64 "samples 157" "equal 16" "ours goes on 8" "signed 133"
as_complete arm64
[ "$(complete text)" -ge 60 ] || complain "arm64: only $(complete text) stacks reach the beginning"

# Who called whom in the program, by frame pointers in another recording of it and by us.
calls()
{
	grep -v '(inlined)' | awk '/^[^\t ]/ { called = "" }
		/work-dyn\)$/ { f = $2; sub(/\+.*/, "", f); if (called != "") print f, called; called = f }' | sort -u
}
gzip -dc "$own/boot2/text/01-file.data/script.txt.gz" "$own/ref/01-file.data/script.txt.gz" | calls >by-frame-pointers
calls <text >by-us
unknown=$(comm -13 by-frame-pointers by-us)
[ -z "$unknown" ] || complain "arm64: calls that nobody else has seen:" "$unknown"
[ "$(wc -l <by-us)" -ge 12 ] || complain "arm64: only these calls:" "$(cat by-us)"
exit $status
