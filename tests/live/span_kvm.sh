# SPDX-License-Identifier: BSD-2-Clause
# perf kvm stat and pk-span kvm on the same generated exits of guests: every row has the same count and times. No guest is needed.
without_recording=1
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/live/perf.bash"
command -v perl >/dev/null || skip "no perl"
perf kvm stat report --help 2>&1 | grep -q -- --event || skip "no perf kvm stat"

# Four processors of a guest, each a thread. perf knows the processor of a thread only after its first entry.
perl -e 'srand(5);
	print "event kvm:kvm_exit u32 exit_reason, u64 guest_rip, u32 isa, u64 info1, u64 info2, u32 vcpu_id\n",
		"event kvm:kvm_entry u32 vcpu_id, u64 rip\nevent kvm:kvm_mmio u32 type, u32 len, u64 gpa, u64 val\n",
		"event kvm:kvm_pio u32 rw, u32 port, u32 size, u32 count, u32 val\n";
	my ($time, @reasons) = (1000, 1, 10, 12, 28, 31, 32, 54);
	print ++$time, " 10$_ 0 kvm_entry $_ 0x1000\n" for 0 .. 3;
	for (1 .. 2000) {
		my ($v, $kind) = (int rand 4, int rand 6);
		my $task = "10$v " . int(rand 2);
		my $reason = $kind == 0 ? 30 : $kind < 3 ? 48 : $reasons[rand @reasons];
		$time += 1 + int rand 9;
		print "$time $task kvm_exit $reason 0x1000 1 0 0 $v\n";
		$time += 1 + int rand 50;
		printf "$time $task kvm_pio %d %d 1 1 65\n", rand 2, 1016 + rand 3 if $kind == 0;
		printf "$time $task kvm_mmio %d 4 %d 7\n", 1 + int rand 2, 0xfee00000 + 16 * int rand 4 if $kind == 1 || $kind == 2;
		$time += 1 + int rand 20;
		print "$time $task kvm_entry $v 0x1000\n";
	}' >scene
cpuid=$(perl -e 'print join " ", "4:64", map("1:$_", unpack("C64", pack("a64", "GenuineIntel,6,158,10")))')
{
	header
	perl "$PK_TOP/tests/cli/pk-span/presets.pl" formats <scene | sed "s/^HEADER_FEATURE .*/&\nHEADER_FEATURE feature=(CPUID) unknown={$cpuid}/"
	finish
} | assemble >guests.pk
pk-span -q kvm -o spans.pk guests.pk || fail "pk-span kvm"
pk-export perf.data -q -o guests.data guests.pk || fail "no file for perf"

# by_perf EVENT...: the name, count, smallest, largest and average time, us
by_perf()
{
	perf kvm -i guests.data stat report --event "$1" 2>&1 | perl -ne '
		print "$1 $2 $3 $4 $5\n" if /^ +([\w:]+) +(\d+) +[\d.]+% +[\d.]+% +([\d.]+)us +([\d.]+)us +([\d.]+)us /' | sort >by_perf
	[ "$(wc -l <by_perf)" -ge "$2" ] || fail "perf kvm stat --event $1: $(wc -l <by_perf) rows, not $2"
}

# by_pk EVENT FIELD... -- PERL: the same; the code makes the name of perf from @F, the fields
by_pk()
{
	pk-report -q --csv -e "pk:$1" --no-children --by "$2" --show 'samples,min,max,avg' spans.pk |
		perl -F, -ane "next if \$. == 1; chomp @F; my (undef, \$n, \$min, \$max, \$avg) = splice(@F, 0, 5);
			s/^0x([0-9a-f]+)\$/hex(\$1)/e for @F;
			printf \"%s \$n %.2f %.2f %.2f\n\", do { $3 }, \$min / 1e3, \$max / 1e3, \$avg / 1e3" | sort >>by_pk
}

equal()
{
	cmp -s by_perf by_pk || fail "perf kvm stat $1:" "$(diff by_perf by_pk | head -n 10)"
	: >by_pk
}

: >by_pk
by_perf vmexit 9
# shellcheck disable=SC2016 # Perl's
by_pk exit exit_reason '{1 => "EXTERNAL_INTERRUPT", 10 => "CPUID", 12 => "HLT", 28 => "CR_ACCESS", 30 => "IO_INSTRUCTION",
	31 => "MSR_READ", 32 => "MSR_WRITE", 48 => "EPT_VIOLATION", 54 => "WBINVD"}->{$F[0]}'
equal vmexit
[ "$(awk '{ n += $2 } END { print n }' by_perf)" = 2000 ] || fail "perf does not count all exits: $(cat by_perf)"
by_perf ioport 6
# shellcheck disable=SC2016
by_pk pio port,rw 'sprintf("%#x:%s", $F[0], $F[1] ? "POUT" : "PIN")'
equal ioport
by_perf mmio 8
# shellcheck disable=SC2016
by_pk mmio gpa 'sprintf("%#x:W", $F[0])'
# shellcheck disable=SC2016
by_pk mmio_read gpa 'sprintf("%#x:R", $F[0])'
sort -o by_pk by_pk
equal mmio
