# SPDX-License-Identifier: BSD-2-Clause
# pk diff and pk brief-diff compare functions of builds in different folders.
. "$PK_TOP/tests/cli/stream.bash"

# build FOLDER SHARE SEED: 4,000 samples, SHARE percent of them in the function `work`
build()
{
	header
	event 1 7
	name 7 cycles
	session "1"
	local number=0 text i
	for text in app work rest "$1/app"; do
		echo "STRING id=$((++number)) length=${#text} text=\"$text\""
	done
	echo 'DSO id=1 kind=1 path=4'
	echo 'FRAME id=1 dso=0 function=1 file=0 line=0 flags=256'
	for i in 2 3; do
		echo "FRAME id=$i dso=1 function=$i file=0 line=0 flags=2"
	done
	for i in 1 2 3; do
		echo "STACK id=$i parent=$((i > 1)) frame=$i"
	done
	# A linear congruential generator gives random samples, which are the same everywhere.
	awk -v seed="$3" -v share="$2" 'BEGIN {
		for (i = 1; i <= 4000; i++) {
			seed = (seed * 16807) % 2147483647
			print "SAMPLE misc=(user) id=7 ip=0x1000 pid=1 tid=1 time=" i * 250000 " period=100 stack=" 3 - (seed / 2147483647 * 100 < share)
		}
	}'
	finish
}
build /old 20 1 | assemble >before.pk || exit
build /new 30 2 | assemble >after.pk || exit
build /elsewhere 20 3 | assemble >same.pk || exit
for new in after same; do
	pk diff before.pk $new.pk
	pk brief-diff before.pk $new.pk
done 2>&1 | sed 's/ *$//'
