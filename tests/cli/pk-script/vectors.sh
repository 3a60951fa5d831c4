# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# The golden streams are those that their generator makes, and pk-script says of each what stands
# beside it. With UPDATE=1 that is written anew.
vectors=$PK_TOP/format/vectors
mkdir good bad
"$PK_BUILD/format/mkvectors" . || exit
(cd "$vectors" && ls good/*.pk bad/*.pk) >there
ls good/*.pk bad/*.pk >made
diff there made

# NAME.dump, NAME.err without what is empty, NAME.status without what is 0
expect()
{
	[ -z "$UPDATE" ] || if [ -s "$2" ]; then cp "$2" "$1"; else rm -f "$1"; fi
	[ -e "$1" ] || set -- /dev/null "$2"
	diff -a -u --label "expected $2" --label "$2" "$1" "$2" | head -n 30
}

while read -r f; do
	cmp "$f" "$vectors/$f"
	name=${f%.pk}
	pk-script --dump "$f" >"$name.dump" 2>"$name.err"
	echo $? | grep -v '^0$' >"$name.status"
	for part in dump err status; do
		expect "$vectors/$name.$part" "$name.$part"
	done
done <made
