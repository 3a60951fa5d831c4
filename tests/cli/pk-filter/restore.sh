# SPDX-License-Identifier: BSD-2-Clause
# --keep-key keeps what --anonymize replaces; --restore puts it back.
. "$PK_TOP/tests/cli/stream.bash"

# recording COMM PATH
recording()
{
	header
	event 1 7
	event 1 8
	name 7 cpu-clock
	name 8 probe_secret:function
	feature HOSTNAME 'hostname="secrethost"'
	build_id user "$2"
	comm 5 5 "$1"
	comm 6 6 swapper
	echo 'MMAP misc=(kernel) pid=-1 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000'
	echo '  filename="[kernel.kallsyms]_text"'
	maps 5 0x401000 0x1000 "$2"
	echo 'MMAP2 misc=(user) pid=5 tid=5 addr=0x402000 len=0x1000 pgoff=0x2000 maj=8 min=1 ino=1234'
	echo '  prot=5 flags=2 filename="/tmp/secret\x09\\ (deleted)"'
	echo 'CGROUP id=1234 path="/secret.slice"'
	echo 'KSYMBOL addr=0xffffffffc0000000 len=64 ksym_type=1 name="bpf_prog_secret"'
	echo 'NAMESPACES pid=5 tid=5 namespace[0].dev=4 namespace[0].ino=4026531836'
	sample 7 5 0x401234 100 1000
	sample 8 5 0x402234 200 2000
	sample 7 6 0xffffffff81000010 300 3000
}

# records FILE: without the stages, whose ids and times differ, and where records begin
records()
{
	pk-script -q --json "$1" | grep -v '"definition_name":"\(STAGE\|SESSION\|END\|ORDER\)"'
}

recording secret-name /opt/secret/program | assemble >in.pk
pk-filter --anonymize --keep-key key in.pk >out.pk
echo "status $?, mode $(stat -c %a key)"
grep -a -c secret out.pk
sed 's/^hash.*/hash/; s/\t[0-9a-f]\{16,40\}\t/\tID\t/; s/\t[a-z2-7]\{12\}/\tALIAS/; s/\/[a-z2-7]\{12\}/\/ALIAS/
	s/^\(number\|device\)\t[0-9]*/\1\tN/; s/^reference\t[0-9]*/reference\tN/' key
pk-filter --restore key out.pk >back.pk
echo "status $?"
# Left out for ever: devices of namespaces, and bytes of no meaning.
known()
{
	records "$1" | sed 's/,"unknown":"0*"//; s/"\(namespace\[0\].dev\)":[0-9]*/"\1":N/g'
}
diff <(known in.pk) <(known back.pk)
echo "== the same key again: the same names, and those of both recordings"
cp key before
recording secret-name /opt/secret/other | assemble >second.pk
pk-filter --anonymize --keep-key key second.pk >out2.pk
diff <(sort before) <(sort key) | grep '^>' | sed 's/\t\/[a-z2-7]*/\tALIAS/'
pk-filter --restore key out2.pk out.pk | pk-script -q -F comm,event,ip,dso
pk-filter --restore before out2.pk | pk-script -q -F comm,event,ip,dso | sed 's#/[a-z2-7]\{12\}#ALIAS#'
echo "== of another key"
pk-filter -q --anonymize --keep-key k in.pk >c.pk
{ pk-filter -q --restore key c.pk >last; } 2>&1
echo "status $?"
echo "== who stops reading"
rm -f k
pk-filter -q --anonymize --keep-key k in.pk 2>err | head -c 1 >/dev/null
grep -c '^name' k
echo "== never over an input, or an output"
try()
{
	echo "$ pk-filter $*"
	{ pk-filter "$@" >last; } 2>&1
	echo "status $?, $(wc -c <last) bytes"
}
sum=$(cat in.pk key | cksum)
try --anonymize --keep-key in.pk in.pk
try --anonymize --keep-key - in.pk <in.pk
try --anonymize --keep-key key -o key in.pk
try --anonymize --keep-key fresh -o fresh in.pk
try --restore key -o key out.pk
ln key linked
try --anonymize --keep-key linked -o key in.pk
rm linked
[ "$(cat in.pk key | cksum)" = "$sum" ] || echo "changed"
echo "== what is no key"
for text in '' 'pk-filter names 1' 'pk-filter names 2\n' 'pk-filter names 1\nname\ta\tb\n' \
	'pk-filter names 1\nhash\t0000000000000001\t00000000000000\n' 'pk-filter names 1\nhash\t0000000000000001\t000000000000000x\n' \
	'pk-filter names 1\nhash\t0000000000000001\t0000000000000002\nname\ta\\0\tb\n' \
	'pk-filter names 1\nhash\t0000000000000001\t0000000000000002\nname\ta\tb\tc\n' \
	'pk-filter names 1\nhash\t0000000000000001\t0000000000000002\nother\ta\tb\n' \
	'pk-filter names 1\nhash\t0000000000000001\t0000000000000002\nname\ta\tb' \
	'pk-filter names 1\nhash\t0000000000000001\t0000000000000002\nname\ta\tb\n' \
	'pk-filter names 1\nhash\t0000000000000001\t0000000000000002\n' 'pk-filter names 1\nend\n' \
	'pk-filter names 1\nhash\t0000000000000001\t0000000000000002\nend\nname\ta\tb\n'; do
	# shellcheck disable=SC2059 # escapes on purpose
	printf "$text" >bad
	cp bad bad.before
	try --restore bad out.pk
	[ -z "$text" ] || pk-filter --anonymize --keep-key bad in.pk 2>/dev/null >last && cmp bad bad.before
done
try --restore /dev/null out.pk
try --anonymize --keep-key /dev/full in.pk
try --anonymize --keep-key missing/key in.pk
try --restore missing out.pk
echo "== usage"
try --restore key --anonymize out.pk
try --keep-key key in.pk
head -c 32 /dev/zero >bytes
try --anonymize --key-file bytes --keep-key key in.pk
rm -f k
try --anonymize --key-file bytes --keep-key k in.pk
cmp <(pk-filter -q --anonymize --key-file bytes in.pk | pk-script -q -F comm,event,ip,dso) <(pk-script -q -F comm,event,ip,dso last) && echo "as with --key-file"
ls
echo "== a link stays, and its file is replaced"
mkdir there
ln -s there/linked link
for round in 1 2; do
	pk-filter -q --anonymize --keep-key link in.pk >last
	echo "$round: status $?, $(readlink link), $(stat -c '%a %F' there/*), $(grep -c '^name' link) names"
done
pk-filter -q --restore link last | pk-script -q -F comm | sort -u
rm there/linked
try --anonymize --keep-key link -o missing/out in.pk
ls there
