# SPDX-License-Identifier: BSD-2-Clause
# The scripts for recordings of many hosts are found without their folder, and they find the programs of pk without PATH.
exec 2>&1
pk fleet | grep -A 1 'pk fleet ship'
pk fleet --help | diff - <(pk fleet) && echo 'the same with --help'
for script in "$PK_TOP"/fleet/*; do
	name=${script##*/}
	[ -x "$script" ] && [ ! -d "$script" ] && [[ $name != *.* ]] || continue
	pk fleet | grep -q "^  pk fleet $name " || echo "$name is not printed"
done
pk -n fleet query store.db | grep -o '/fleet/query$'
pk fleet qery store.db
echo "status $?"
PATH=/usr/bin:/bin "$PK_BIN/pk" fleet schema store.db
PATH=/usr/bin:/bin "$PK_BIN/pk" fleet ingest store.db "$PK_TOP/format/vectors/good/sample-plain-le.pk"
pk fleet query store.db top | head -n 1
pk fleet ingest
echo "status $?"
