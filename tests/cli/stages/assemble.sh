# SPDX-License-Identifier: BSD-2-Clause
# long
# little-endian: what is printed about streams of the other byte order
# The assembler of streams from text (tests/assemble/main.c): what pk-script --dump prints of a golden stream
# gives the same bytes again. Where not, it is listed: the dump of what was assembled is the same (the stream is
# a file, compressed, or has control bytes in texts), or the dump lacks what the assembler needs.
assemble=$PK_BUILD/tests/assemble/assemble
texts()
{
	sed -E 's/^[0-9]+ //' "$1"
}
same=0
for file in "$PK_TOP"/format/vectors/good/*.pk; do
	name=${file##*/}
	pk-script --dump "$file" >dump 2>/dev/null
	if ! "$assemble" <dump >again.pk 2>err; then
		echo "$name: $(sed 's/assemble: line [0-9]*: //' err)"
	elif cmp -s "$file" again.pk; then
		same=$((same + 1))
	else
		pk-script --dump again.pk >again 2>/dev/null
		cmp -s <(texts dump) <(texts again) && echo "$name: same text" || echo "$name: another text"
	fi
done
echo "$same same bytes"
echo "== what is written by hand"
cat >hand.txt <<'E2'
BEGIN
HEADER_ATTR attr_type=1 sample_type=(IP TID TIME CALLCHAIN RAW IDENTIFIER) flags=(comm sample_id_all) id=7 id=8
SESSION version=1 byte_order=1
# a comment
COMM pid=5 tid=6 comm="a \"b\\\e\x41" trailer.time=9 # another
SAMPLE misc=(kernel) ip=0x1000 pid=5 tid=-1 time=10
  ips[0]=(kernel) ips[1]=0x1000 ips[2]=(user) ips[3]=16
  raw={2:1 1:2 8:-1}
STRING id=1 length=3 text="abc"
HEADER_FEATURE feature=(HOSTNAME) hostname="host"
UNKNOWN type=99 unknown=3:010203 unknown=ff
END records=8 samples=1
E2
"$assemble" <hand.txt | pk-script --dump -
echo "== mistakes"
while read -r line; do
	{ printf "BEGIN\n%s\n" "$line" | "$assemble" >mistake.pk; } 2>&1
	echo "status $?"
done <<'E2'
NOTHING id=1
COMM pid=x
COMM pdi=5
COMM comm="a
COMM event=3
HEADER_ATTR sample_type=(IP TIDE)
UNKNOWN type=99 unknown=4:0102
UNKNOWN type=99 size=8 unknown=01
UNKNOWN type=99 unknown={9:2}
E2
