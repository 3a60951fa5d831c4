# SPDX-License-Identifier: BSD-2-Clause
# The script for continuous integration in docs/compare.md, with recordings that are made here.
. "$PK_TOP/tests/cli/pk-report/compare.bash"
for i in 1 2 3; do
	recording 1$i 6000 20 30 0.05 | assemble >before.$i.pk
	recording 2$i 6000 30 30 0.05 | assemble >after.$i.pk
	recording 3$i 6000 20 30 0.05 | assemble >same.$i.pk
done
awk '/^```sh/ { inside = 1; next } /^```/ { inside = 0 } inside' "$PK_TOP/docs/compare.md" >recipe
sh recipe --by comm
echo "status $?"
for i in 1 2 3; do mv same.$i.pk after.$i.pk; done
sh recipe --by comm
echo "status $?"
mv after.1.pk before.4.pk
rm after.*
sh recipe --by comm
echo "status $?"
pk brief before.1.pk
