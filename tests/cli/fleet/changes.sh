# SPDX-License-Identifier: BSD-2-Clause
# fleet/query changes: hosts are the recordings of a comparison by pk-report. A change must be larger than the hosts differ.
. "$PK_TOP/tests/cli/stream.bash"
fleet=$PK_TOP/fleet
umask 077

# recording HOST VERSION WEIGHT: the weight of the function `slower`; the host has its own shares of two other functions
recording()
{
	mkdir -p "in/host$1"
	local noise=$(($1 * 7 % 5 * 40))
	for i in $(seq 60); do
		printf 'main;slower %d\nmain;~quoted~, comma %d\nmain;varies %d\n' "$3" $((700 - noise)) $((200 + noise))
	done | pk fleet stream | pk-script --dump | sed 's/~/\\x22/g' |
		awk -v label="LABEL name=\"version\" value=\"$2\"" '/EVENT_UPDATE/ && ++n == 2 { print label } 1' | assemble >"in/host$1/$2.pk"
}
for host in 1 2 3 4 5 6; do
	recording $host 1 $((200 + host % 3))
	recording $host 2 $((250 + host % 2))
done
"$fleet/schema" store.db
"$fleet/ingest" --host-folder=in --frames function store.db in/*/*.pk
"$fleet/query" store.db changes --base 1 --version 2

echo '-- the same numbers as from the recordings themselves'
pk-report -q --by symbol --show baseline,share,change,change-low,change-high,mark --csv --diff in/*/1.pk -- in/*/2.pk

echo '-- a version that the store does not have'
"$fleet/query" store.db changes --base 1 --version 3
echo $?
"$fleet/query" store.db changes --base 1
echo $?
