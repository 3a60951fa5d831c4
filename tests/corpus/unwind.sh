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

# counts WHAT NUMBER...: what unwind_compare.pl says of text and perf's, in the array how with options.
how=()
counts()
{
	local what=$1
	shift
	printf '%s\n' "$@" >expected
	perl "$PK_TOP/tests/corpus/unwind_compare.pl" "${how[@]}" text perf.text >found || complain "$what: status $?"
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

# The steps that the kernel makes for --call-graph unwind, with the tables of these files. Samples in the kernel have no user addresses to compare.
pk-filter -q --user "$own/boot2/10-dwarf-cycles.data" >user.pk
(PK_TEST_STREAM=$PWD/user.pk PK_TEST_SYMFS=$PWD/arm64 "$PK_BUILD/tests/test_unwind_steps") >steps 2>&1 || complain "arm64: steps: $(tail -n 20 steps)"
grep -q 'user.pk: 102 of 102 callchains are equal' steps || complain "arm64: steps: $(cat steps)"

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

# Frame pointers of arm64, with the callers of functions that have no frame. perf adds none to a stack of one
# frame: a function of the dynamic linker that _start has called.
cp "$own"/vdso/*/vdso arm64/vdso64.so
# with_callers RECORDING TEXT KALLSYMS COUNT...
with_callers()
{
	local name=$1
	gzip -dc "$3" >kallsyms
	pk-unwind -v --symfs arm64 "$own/$name.data" >unwound.pk 2>err || complain "$name: status $?: $(cat err)"
	grep 'callchains$' err | sed 's/.*added to //' >>added
	pk-script --no-inline --symfs arm64 --kallsyms kallsyms unwound.pk >text 2>err || complain "$(cat err)"
	gzip -dc "$2/script.txt.gz" >perf.text
	shift 3
	counts "$name" "$@"
}
with_callers boot2/01-file "$own/boot2/text/01-file.data" "$own/boot2/kallsyms.gz" \
	'samples 359' 'equal 358' 'ours goes on 1'
with_callers data/01-file "$own/ref/01-file.data" "$own/kallsyms.gz" 'samples 1192' 'equal 1191' 'ours goes on 1'
with_callers data/03-pipe "$own/ref/03-pipe.data" "$own/kallsyms.gz" 'samples 1186' 'equal 1186'
with_callers data/09-tp-g-pipe "$own/ref/09-tp-g-pipe.data" "$own/kallsyms.gz" 'samples 265' 'equal 265'
how=(-f)
with_callers data/05-static "$own/ref/05-static.data" "$own/kallsyms.gz" 'samples 824' 'equal 824'
with_callers data/06-cxx "$own/ref/06-cxx.data" "$own/kallsyms.gz" 'samples 591' 'equal 591'
how=()
cat >expected <<'END'
206 of 359 callchains
740 of 1,192 callchains
747 of 1,186 callchains
264 of 265 callchains
436 of 824 callchains
234 of 591 callchains
END
cmp -s expected added || complain "arm64: callers added: $(diff expected added)"

# LBR. What perf prints differs in samples of the kernel: there it has the kernel's address once more, and not
# where the user was; and its addresses are those of the calls, ours one more.
xz -dc "$PK_CORPUS"/lbr/*.elf.xz >elf
program=$(pk-script --show-mmap-events "$PK_CORPUS"/lbr/*.data 2>err | sed -n 's/.* \(\/.*vector_static_gcc[^ ]*\)$/\1/p' | head -n 1)
mkdir -p "lbr/${program%/*}" && mv elf "lbr/$program"
pk-unwind --symfs lbr "$PK_CORPUS"/lbr/*.data 2>err |
	pk-script -q --no-inline --symfs lbr -F comm,tid,time,ip,sym >text
xz -dc "$PK_CORPUS"/lbr/*.script.xz >perf.text
cat >compare.pl <<'END'
use strict; use warnings; no warnings 'portable';
sub samples {
	my (@samples, $name);
	open(my $in, '<', shift) or die;
	while (<$in>) {
		push @samples, {kernel => [], user => [], head => $_} if /^\S/;
		push @{$samples[-1]{length($1) == 16 ? 'kernel' : 'user'}}, [$1, $2] if /^\s+(\w+) (.*)/;
	}
	return @samples;
}
my @ours = samples('text');
my %count;
for my $perf (samples('perf.text')) {
	my $own = shift @ours;
	my $in_kernel = @{$perf->{kernel}} > @{$own->{kernel}};
	# of ours: the caller's address, without the leaf's in the kernel
	my @own = map { [$_->[0], $_->[1]] } @{$own->{user}};
	$own[$_][0] = sprintf('%x', hex($own[$_][0]) - 1) for 1 .. $#own;
	shift @own if $in_kernel;
	pop @{$perf->{kernel}} if $in_kernel;
	my @texts = map { join("\n", map { "@$_" } @$_) } $own->{kernel}, \@own, $perf->{kernel}, $perf->{user};
	$count{$texts[0] ne $texts[2] || $texts[1] ne $texts[3] || $own->{head} ne $perf->{head} ? 'differ'
		: $in_kernel ? 'equal in the kernel' : 'equal'}++;
}
print "$_ $count{$_}\n" for sort keys %count;
END
perl compare.pl >found
printf 'equal 17\nequal in the kernel 12\n' >expected
cmp -s expected found || complain "LBR: $(diff expected found)"
exit $status
