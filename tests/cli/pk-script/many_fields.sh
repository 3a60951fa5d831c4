# SPDX-License-Identifier: BSD-2-Clause
# Formats of many fields: a thousand are printed, and more than pk reads are reported.
. "$PK_TOP/tests/cli/stream.bash"

# number SIZE NUMBER: its bytes, little-endian
number()
{
	perl -e 'print substr(pack("Q<", $ARGV[1]), 0, $ARGV[0])' "$1" "$2"
}

# payload FIELDS: the tracing data of one event, x:many, with so many fields
payload()
{
	local i
	{
		printf 'name: many\nID: 100\nformat:\n'
		printf '\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n'
		for ((i = 0; i < $1; i++)); do printf '\tfield:int f%d;\toffset:%d;\tsize:4;\tsigned:1;\n' $i $((8 + 4 * i)); done
		printf '\nprint fmt: "first=%%d last=%%d", REC->f0, REC->f%d\n' $(($1 - 1))
	} >format
	printf '\027\010Dtracing0.6\0\0\010'
	number 4 4096
	printf 'header_page\0'
	number 8 0
	printf 'header_event\0'
	number 8 0
	number 4 0
	number 4 1
	printf 'x\0'
	number 4 1
	number 8 "$(wc -c <format)"
	cat format
	number 4 0
	number 4 0
}

# stream FIELDS
stream()
{
	payload "$1" >payload
	header
	echo "TRACING_DATA payload_size=$(wc -c <payload) payload=@$PWD/payload"
	echo 'HEADER_ATTR attr_type=2 config=100 sample_period=1 id=7'
	echo '  sample_type=(IDENTIFIER IP TID TIME RAW) flags=(sample_id_all)'
	name 7 x:many
	comm 5 5 app
	echo "SAMPLE ip=0x1000 pid=5 tid=5 time=100 id=7"
	echo "  raw=$(perl -e 'print unpack("H*", pack("Q<l<*", 100, 1 .. $ARGV[0]))' "$1")"
}

for fields in 1000 5000; do
	stream $fields | assemble >many.pk
	pk-script many.pk
	echo "status $?"
done
