# SPDX-License-Identifier: BSD-2-Clause
# Debugging information from a server: only when asked, and no longer than asked. The server is one of our own.
set -u
PATH=$PK_BUILD/tests/live:$PATH
export HOME=$PWD XDG_CACHE_HOME=$PWD/cache DEBUGINFOD_CACHE_PATH=$PWD/debuginfod
unset DEBUGINFOD_URLS

fail()
{
	printf '%s\n' "$@"
	exit 1
}

for tool in perl objcopy strip readelf; do
	command -v $tool >/dev/null || { echo "no $tool" >&2 && exit 77; }
done
ldconfig -p 2>/dev/null | grep -q 'libdebuginfod\.so\.1' || { echo "no libdebuginfod.so.1 (Debian: libdebuginfod1)" >&2 && exit 77; }

gcc -O2 -g -Wl,--build-id -o full "$PK_TOP/tests/live/workload/inlines.c" || fail "no program"
id=$(readelf -n full | sed -n 's/.*Build ID: //p')
objcopy --only-keep-debug full debug && strip -o stripped full || fail "no debug file"
readelf -sW full | awk '$8 == "hash" { print $2 }' >offsets

# Serves the file for that build, answers nothing to others, and writes down what was asked.
perl -MIO::Socket::INET -e '
	my ($id, $mode) = @ARGV;
	my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1") or die;
	open my $p, ">", "port.new"; print $p $s->sockport; close $p; rename "port.new", "port";
	while (my $c = $s->accept) {
		my $get = <$c>; next unless defined $get; while (my $l = <$c>) { last if $l =~ /^\r?$/ }
		open my $log, ">>", "asked"; print $log $get; close $log;
		if (-e "silent") { push @held, $c; next }
		if (-e "garbage") { print $c "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nno object"; close $c; next }
		if (-e "endless") {
			print $c "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"; local $SIG{PIPE} = "IGNORE";
			for (my $i = 0; $i < 1000; $i++) { print $c "x" x 65536 or last } close $c; next }
		if ($get =~ m{/buildid/\Q$id\E/debuginfo}) {
			open my $f, "<", "debug"; binmode $f; local $/; my $d = <$f>;
			print $c "HTTP/1.1 200 OK\r\nContent-Length: " . length($d) . "\r\nConnection: close\r\n\r\n$d";
		} else { print $c "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" }
		close $c;
	}' "$id" &
server=$!
trap 'kill $server' EXIT
for ((i = 0; i < 100; i++)); do [ -e port ] && break || sleep 0.1; done
[ -e port ] || fail "the server does not start"
perl -MIO::Socket::INET -e 'exit !IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $ARGV[0])' "$(cat port)" || {
	echo "no loopback network here" >&2
	exit 77
}
DEBUGINFOD_URLS="http://127.0.0.1:$(cat port)/"
export DEBUGINFOD_URLS

# names [OPTION...]: what the address in hash is called.
names()
{
	addresses "$PWD/stripped" <offsets | pk-symbolize -q --lines "$@" 2>err | pk-script -q -F ip,sym,srcline >actual
}

names
! grep -q hash actual || fail "named without having asked" "$(cat actual)"
[ ! -e asked ] || fail "asked without being told to: $(cat asked)"
names --debuginfod
grep -q ' hash$' actual && grep -q 'inlines\.c:' actual || fail "not named:" "$(cat actual err asked)"

# Answers that are no such file, or too large, are failed lookups: a message, and status 1.
rejects()
{
	rm -rf debuginfod
	touch "$1"
	addresses "$PWD/stripped" <offsets | pk-symbolize --lines --no-cache --debuginfod -o out.pk 2>err
	[ $? = 1 ] || fail "$1: not status 1"
	grep -q "lookups* failed: .*$2" err || fail "$1:" "$(cat err)"
	! pk-script -q -F ip,sym out.pk | grep -q hash || fail "$1: named"
	rm "$1"
}
rejects garbage 'Bad message'
DEBUGINFOD_MAXSIZE=1000000 rejects endless 'File too large'

# A server that accepts and never answers costs the time once, not for each file: after it, nothing is asked.
gcc -O1 -g -Wl,--build-id -o full2 "$PK_TOP/tests/live/workload/inlines.c" && strip -o stripped2 full2 || fail "no second program"
second=$(readelf -n full2 | sed -n 's/.*Build ID: //p')
[ "$second" != "$id" ] || fail "two programs of one build-id"
rm -rf debuginfod asked
touch silent
begun=$SECONDS
{ addresses "$PWD/stripped" <offsets && addresses "$PWD/stripped2" <offsets; } >two.pk
pk-symbolize -v --lines --no-cache --debuginfod=1s -o out.pk two.pk 2>err || fail "silent: status $?" "$(cat err)"
[ $((SECONDS - begun)) -lt 8 ] || fail "waited $((SECONDS - begun)) s"
! pk-script -q -F ip,sym out.pk | grep -q hash || fail "named by nobody"
[ "$(grep -o 'buildid/[0-9a-f]*' asked | sort -u | wc -l)" = 1 ] || fail "asked again after a time-out:" "$(cat asked)"
rm silent

# An answer that a file does not exist is not final: the next file is asked for.
rm -rf debuginfod asked
{ addresses "$PWD/stripped2" <offsets && addresses "$PWD/stripped" <offsets; } | pk-symbolize -q --lines --no-cache --debuginfod -o out.pk 2>err
grep -q "buildid/$second" asked && grep -q "buildid/$id" asked || fail "not asked for both:" "$(cat asked err)"
pk-script -q -F ip,sym out.pk | grep -q hash || fail "not named after another was not found:" "$(cat asked err)"
exit 0
