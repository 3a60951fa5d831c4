# SPDX-License-Identifier: BSD-2-Clause
# Comparisons with texts: of any length, and of a cgroup whose path comes after its first sample.
. "$PK_TOP/tests/cli/stream.bash"
kept()
{
	echo "$ pk-filter --where $2 $1"
	pk-filter --where "$2" "$1" | pk-script -q -F time
}
{
	header
	event_of 7 CGROUP
	comm 5 5 prog
	sample_of user 7 5 0x1000 time=1000000 cgroup=9
	echo 'CGROUP id=9 path="/x" trailer.time=2000000'
	sample_of user 7 5 0x1000 time=3000000 cgroup=9
	sample_of user 7 5 0x1000 time=4000000 cgroup=8
} | assemble >cgroup.pk
kept cgroup.pk 'cgroup == "/x"'
# False where the field is unknown, as for !=. The negation is true there.
kept cgroup.pk 'cgroup != "/x"'
kept cgroup.pk 'cgroup !~ "*x"'
kept cgroup.pk '!(cgroup ~ "*x")'
echo "$ pk-filter --cgroup '!/x' cgroup.pk"
pk-filter --cgroup '!/x' cgroup.pk | pk-script -q -F time
perl -e '
	my $format = "name: e\nID: 7\nformat:\n" .
		"\tfield:__data_loc char[] path;\toffset:0;\tsize:4;\tsigned:1;\n\n" .
		"print fmt: \"%s\", REC->path\n";
	print "\x17\x08Dtracing0.6\0\0\x08", pack("L", 4096), "header_page\0", pack("Q", 0),
		"header_event\0", pack("Q", 0), pack("LL", 0, 1), "s\0", pack("LQ", 1, length $format),
		$format, pack("LLQ", 0, 0, 0);
' >tracing
as=$(perl -e 'print "a" x 2000')
# opens MS LETTER: a path of 2000 letters a and this one
opens()
{
	echo "SAMPLE misc=(user) id=2 ip=0x1234 pid=5 tid=5 time=${1}000000"
	echo "  raw=$(perl -e 'print unpack("H*", pack("SSa*x", 4, 2002, $ARGV[0]))' "$as$2")"
}
{
	header
	echo 'HEADER_ATTR attr_type=2 config=7 sample_period=1 id=2'
	echo '  sample_type=(IP TID TIME RAW IDENTIFIER) flags=(sample_id_all)'
	echo "TRACING_DATA payload_size=$(wc -c <tracing) payload=@tracing"
	comm 5 5 "${as}b"
	opens 1 b
	opens 2 c
} | assemble >long.pk
kept long.pk 'path ~ "a*b"'
kept long.pk 'path == comm'
kept long.pk 'comm != path'
