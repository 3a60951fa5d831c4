# SPDX-License-Identifier: BSD-2-Clause
# pk-unwind beside libunwind: a program takes its own registers and stack in several places and follows its
# stack there with libunwind; pk-unwind finds the same functions' addresses in a stream of the same registers
# and stacks.
fail()
{
	printf '%s\n' "$@"
	exit 1
}
skip()
{
	echo "$*" >&2
	exit 77
}
[ "$(uname -m)" = x86_64 ] || skip "not x86-64"
[ -e /usr/include/x86_64-linux-gnu/libunwind.h ] || [ -e /usr/include/libunwind.h ] || skip "no libunwind-dev"

for flags in '-O2 -fomit-frame-pointer' '-O0' '-O2 -fno-omit-frame-pointer'; do
	# shellcheck disable=SC2086 # words
	${CC:-cc} -std=gnu11 -g $flags -fno-optimize-sibling-calls -o own_stacks \
		"$PK_TOP/tests/live/workload/own_stacks.c" -lunwind 2>compile.err || fail "$(cat compile.err)"
	./own_stacks stack- >stream.txt || fail "own_stacks: status $?"
	"$PK_BUILD/tests/assemble/assemble" <stream.txt >stream.pk || fail "assemble"
	pk-unwind stream.pk >unwound.pk 2>err || fail "pk-unwind: status $?: $(cat err)"
	pk-script -q --dump unwound.pk | awk '
		/ SAMPLE / { if (line) print line; line = " " }
		/^  ips\[/ && !/\(/ { sub(/.*=/, ""); line = line $0 " " }
		END { print line }' >ours
	# A caller is the byte before the address that a call returns to; the code that a signal handler returns to
	# was not called.
	perl -e '
		use strict; no warnings "portable";
		my ($samples, $frames) = (0, 0);
		open my $theirs, "<", "stack-chains" or die; open my $ours, "<", "ours" or die;
		while (defined(my $line = <$theirs>)) {
			my @want = split " ", $line; my @got = split " ", (<$ours> // "");
			my $bad = @want != @got;
			for my $i (0 .. $#want) {
				last if $bad;
				my $exact = $want[$i] =~ s/^\*//;
				my ($w, $g) = (hex $want[$i], hex $got[$i]);
				my $trampoline = $i < $#want && $want[$i + 1] =~ /^\*/;
				$bad = !($g == ($exact ? $w : $w - 1) || $trampoline && $g == $w);
			}
			print "sample $samples:\n- @want\n+ @got\n" if $bad;
			exit 1 if $bad;
			$samples++; $frames += @want;
		}
		print "$samples samples, $frames addresses\n";
		exit($samples < 8 || $frames < 80);' >compared || fail "$flags: $(cat compared)" "$(cat err)"
	rm -f stack-*
done
