# SPDX-License-Identifier: BSD-2-Clause
# Names with control bytes, with bytes that are no UTF-8, with what JSON and terminals obey: of tasks, files,
# symbols, events, hosts, control groups and what tracepoints say. Nothing of it reaches a terminal, and lines of JSON
# stay JSON with the same fields.
perl -e '
	my $format = "name: e\e\nID: 7\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" .
		"\tfield:char s[16];\toffset:8;\tsize:16;\tsigned:0;\n\nprint fmt: \"\e[1m%s\", REC->s\n";
	print "\x17\x08\x44tracing0.6\0\0\x08" . pack("L", 4096) . "header_page\0" . pack("Q", 0) .
		"header_event\0" . pack("Q", 0) . pack("LL", 0, 1) . "sys\e\0" . pack("LQ", 1, length $format) . $format . pack("LLQ", 0, 0, 0);
' >tracing
bad='a\e[31m\"\\\n\x0d\x09\x7f\x9b\xff\xc3\xa9\xc2\x9b\xe2\x82'
"$PK_BUILD/tests/assemble/assemble" >hostile.perf <<STREAM
BEGIN
HEADER_ATTR attr_type=1 attr_size=136 config=0 sample_period=1 sample_type=(IP TID TIME PERIOD IDENTIFIER) flags=(sample_id_all) id=1
HEADER_ATTR attr_type=2 attr_size=136 config=7 sample_period=1 sample_type=(IP TID TIME PERIOD RAW IDENTIFIER) flags=(sample_id_all) id=2
EVENT_UPDATE subtype=2 id=1 name="ev\e]0;x\x07\x9b"
HEADER_FEATURE feature=(HOSTNAME) hostname="$bad"
TRACING_DATA payload_size=$(wc -c <tracing) payload=@tracing
COMM pid=5 tid=5 comm="$bad" trailer.pid=5 trailer.tid=5 trailer.time=1
MMAP2 misc=(user) pid=5 tid=5 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/$bad" trailer.pid=5 trailer.tid=5 trailer.time=2
MMAP misc=(kernel) pid=-1 tid=0 addr=0x8000000000000000 len=0x4000000000000000 pgoff=0x8000000000000000
  filename="[kernel.kallsyms]_text" trailer.time=3
CGROUP id=9 path="/$bad" trailer.pid=5 trailer.tid=5 trailer.time=4
SAMPLE misc=(user) id=1 ip=0x1234 pid=5 tid=5 time=5 period=1
SAMPLE misc=(kernel) id=1 ip=0x8000000000001008 pid=5 tid=5 time=6 period=1
SAMPLE misc=(kernel) id=2 ip=0x1234 pid=5 tid=5 time=7 period=1
  raw={2:7 4:0 2:0 1:97 1:27 1:91 1:51 1:49 1:109 1:34 1:92 1:10 1:13 1:9 1:127 1:155 1:255 1:195 1:169}
STREAM
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
