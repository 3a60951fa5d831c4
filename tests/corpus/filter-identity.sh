# SPDX-License-Identifier: BSD-2-Clause
# long
# Filters that keep everything, and chains of them, give back every recording byte by byte, but for what tells of
# the programs it passed (STAGE, END, and which trailers SESSION announces stays).
. "$PK_TOP/tests/corpus/corpus.bash"

# Without STAGE and END, which count the records in front of them. What is written to put records in order is another
# test's matter.
plain()
{
	perl -0777 -ne 'my $at = 0; my $n = length;
		while ($at < $n) {
			if (substr($_, $at, 8) =~ /^(PERFILE2|2ELIFREP)/) { print substr($_, $at, 16); $at += 16; next }
			my ($type, $misc, $size) = unpack "LSS", substr($_, $at, 8); my $all = $size;
			$all += unpack "L", substr($_, $at + 8, 4) if $type == 66;
			$all += unpack "Q", substr($_, $at + 8, 8) if $type == 71;
			my $kind = $type == 78 ? unpack "Q", substr($_, $at + 8, 8) : 0;
			print substr($_, $at, $all) unless $kind == 0x706b7374726d0002 || $kind == 0x706b7374726d000a;
			$at += $all;
		}' "$1"
}

# try NAME IN OUT
try()
{
	plain "$3" | cksum >after
	cmp -s before after || complain "$1: not the same"
}

files=0
for path in "$PK_CORPUS"/own/*/data/*.data "$PK_CORPUS"/others/*.data*; do
	[ -f "$path" ] || continue
	name=${path##*/corpus/}
	pk-filter -q "$path" >in.pk 2>/dev/null || continue # damaged
	files=$((files + 1))
	plain in.pk | cksum >before
	pk-filter -q --every 1 in.pk >out.pk && try "$name, --every 1" in.pk out.pk
	pk-filter -q --where '!(tid == 123456789)' in.pk | pk-filter -q --time 0, --pid '!123456789' - |
		pk-filter -q --head 99999999 | pk-filter -q >out.pk && try "$name, a chain" in.pk out.pk
	case $files in *[05])
		pk-symbolize -q in.pk >symbolized.pk 2>/dev/null || continue
		plain symbolized.pk | cksum >before
		pk-filter -q --comm '*' symbolized.pk | pk-filter -q --where '!(dso == "x")' - | pk-filter -q --stack-has '!nothing' >out.pk &&
			try "$name, with stacks" symbolized.pk out.pk
		;;
	esac
done
[ $files -ge 60 ] || complain "$files recordings only"
exit $status
