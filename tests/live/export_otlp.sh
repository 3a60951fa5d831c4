# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# OpenTelemetry profiles of pk-export otlp have the numbers of pk-report: the own and the total weight of each function, for
# each event. A reader of the test's own reads them, and protoc if it is installed. PK_OTLP_PROTO is a folder with the sources
# of opentelemetry-proto, which protoc uses then instead of the fields that the test knows.
. "$PK_TOP/tests/live/export.bash"

read_otlp()
{
	perl "$PK_TOP/tests/live/otlp_read.pl" "$@" || complain "$2: cannot be read: $1"
}

# numbers: of `all`, those of the events, or the samples if there are no others
numbers()
{
	grep -v $'^samples\t' all | LC_ALL=C sort >found
	[ -s found ] || grep $'^samples\t' all | LC_ALL=C sort >found
}

decode()
{
	if [ -n "${PK_OTLP_PROTO-}" ]; then
		protoc -I "$PK_OTLP_PROTO" --decode=opentelemetry.proto.profiles.v1development.ProfilesData \
			"$PK_OTLP_PROTO/opentelemetry/proto/profiles/v1development/profiles.proto"
	else
		protoc --decode=otlp.ProfilesData otlp.proto
	fi
}

have_protoc=1
command -v protoc >/dev/null || have_protoc=
read_otlp schema >otlp.proto
for stream in $(streams); do
	pk-export otlp -q -o out $stream 2>err || complain "$stream: status $?: $(cat err)"
	pk-export otlp -q --by none -o none $stream || complain "$stream: --by none: status $?"
	expect $stream
	for file in out none; do
		read_otlp numbers $file >all
		numbers
		same "$stream: $file"
		[ -n "$have_protoc" ] || continue
		decode <$file >decoded 2>err || complain "$stream: $file: protoc: $(head -n 1 err)"
		read_otlp decoded decoded >all
		numbers
		same "$stream: $file, protoc"
	done
done
[ $compared -ge 6 ] || complain "$compared profiles were compared"
[ -n "$have_protoc" ] || [ $status != 0 ] || skip "no protoc: only the test's own reader has read the profiles"
exit $status
