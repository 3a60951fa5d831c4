# SPDX-License-Identifier: BSD-2-Clause
# Names with control bytes, with bytes that are no UTF-8, with what JSON and terminals obey: of tasks, files,
# symbols, events, hosts, control groups and what tracepoints say. Nothing of it reaches a terminal, and lines of JSON
# stay JSON with the same fields.
perl -e '
	sub record { my ($type, $misc, $body) = @_; $body .= "\0" x (-length($body) % 8); print pack("LSS", $type, $misc, 8 + length $body), $body }
	sub text { my $t = $_[0] . "\0"; $t . "\0" x (-length($t) % 8) }
	sub event { my ($type, $config, $sample_type, $id) = @_;
		record(64, 0, pack("LLQQQQQ x88", $type, 136, $config, 1, $sample_type, 0, 1 << 18) . pack("Q", $id)) }
	my $bad = "a\e[31m\"\\\n\r\t\x7f\x9b\xff\xc3\xa9\xc2\x9b\xe2\x82";
	my $format = "name: e\e\nID: 7\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" .
		"\tfield:char s[16];\toffset:8;\tsize:16;\tsigned:0;\n\nprint fmt: \"\e[1m%s\", REC->s\n";
	my $tracing = "\x17\x08\x44tracing0.6\0\0\x08" . pack("L", 4096) . "header_page\0" . pack("Q", 0) .
		"header_event\0" . pack("Q", 0) . pack("LL", 0, 1) . "sys\e\0" . pack("LQ", 1, length $format) . $format . pack("LLQ", 0, 0, 0);
	print "PERFILE2", pack("Q", 16);
	event(1, 0, 0x10107, 1);    # cpu-clock, IDENTIFIER IP TID TIME PERIOD
	event(2, 7, 0x10507, 2);    # the tracepoint, with RAW
	record(78, 0, pack("QQ", 2, 1) . text("ev\e]0;x\a\x9b"));
	record(80, 0, pack("QL", 3, 64) . pack("a64", $bad));
	record(66, 0, pack("L x4", length $tracing));
	print $tracing;
	record(3, 0, pack("LL", 5, 5) . text($bad) . pack("LLQQ", 5, 5, 1, 1));
	record(10, 2, pack("LLQQQ LLQQ LL", 5, 5, 0x1000, 0x1000, 0, 0, 0, 0, 0, 5, 2) . text("/$bad") . pack("LLQQ", 5, 5, 2, 1));
	record(1, 1, pack("LLQQQ", 0xffffffff, 0, 1 << 63, 1 << 62, 1 << 63) . text("[kernel.kallsyms]_text") . pack("LLQQ", 0, 0, 3, 1));
	record(19, 0, pack("Q", 9) . text("/$bad") . pack("LLQQ", 5, 5, 4, 1));
	record(9, 2, pack("QQLLQQ", 1, 0x1234, 5, 5, 5, 1));
	record(9, 1, pack("QQLLQQ", 1, (1 << 63) + 0x1008, 5, 5, 6, 1));
	record(9, 1, pack("QQLLQQ", 2, 0x1234, 5, 5, 7, 1) . pack("L S x6 a16", 24, 7, $bad) . "\0" x 4);
' >hostile.perf
printf '8000000000001000 T f\033[1m\233\177"\\x\n8000000000002000 T end\n' >symbols

# One JSON value: strings of UTF-8 without control bytes.
cat >json.pl <<'END'
use strict; my $bad = 0;
my $c = qr/[\x20\x21\x23-\x5b\x5d-\x7e]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|\\["\\\/bfnrt]|\\u[0-9a-fA-F]{4}/;
my $json; my $s = qr/"$c*+"/; $json = qr/(?:$s|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|\[(?:(??{$json})(?:,(??{$json}))*+)?\]|\{(?:$s:(??{$json})(?:,$s:(??{$json}))*+)?\})/;
while (<>) { chomp; next if /^$json$/ && !/\xc2[\x80-\x9f]/; print "$ARGV: no JSON: $_\n" if !$bad++ }
END

script()
{
	echo "== $*"
	pk-script -q --symfs /nonexistent --kallsyms symbols "$@" hostile.perf >out 2>err
	echo "exit $?"
	cat out err
	# C0 and C1, these also as the single bytes of other encodings.
	perl -ne 's/[\xc3-\xf4][\x80-\xbf]{1,3}//g; print "control bytes: $_" if /[^\t\n\x20-\x7e\xa0-\xff]/' out err
}

script
script -F comm,event,trace,cgroup,ip,sym,dso --show-task-events --show-mmap-events --show-cgroup-events
script --stats
script --header-only | grep -v captured
script --dump | grep -a '"'
script --json -F comm,event,trace,ip,sym,dso
script --json --stats
for f in hostile.perf "$PK_TOP"/format/vectors/good/{sample,kernel,features,user,pk,unknown}*-le.pk "$PK_TOP"/tests/data/*.zst; do
	pk-script -q --json --symfs /nonexistent --kallsyms symbols "$f" >"$(basename "$f").json" 2>/dev/null
	pk-script -q --json --stats "$f" >"$(basename "$f").stats.json" 2>/dev/null
done
perl json.pl ./*.json
