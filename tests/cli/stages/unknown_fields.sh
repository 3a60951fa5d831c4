# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# Samples of an event with unknown fields are skipped; those of other events count.
. "$PK_TOP/tests/cli/stream.bash"
unknown()
{
	header
	event 1 7
	echo "HEADER_ATTR attr_type=1 id=8 read_format=$1 sample_type=$2 flags=(sample_id_all)"
	session
	comm 5 5 prog
	sample 7 5 0x1000
	for ((i = 0; i < 2; i++)); do
		echo "SAMPLE misc=(user) id=8"
	done
	sample 7 5 0x1000
	finish
}
try()
{
	echo "$ $*"
	"$@" 2>&1
	echo "status $?"
}
# An unknown bit, without and with counter values and their ids.
for bits in '0 0x80010107' '4 0x80010117'; do
	# shellcheck disable=SC2086 # two words
	unknown $bits | assemble >unknown.pk
	try pk-fold --addresses unknown.pk
	try pk-script -F comm,period unknown.pk
	try pk-script --stats unknown.pk
	try pk-filter -o kept.pk --where 'comm == "prog"' unknown.pk
	pk-script -q --dump kept.pk 2>&1 | grep -c " SAMPLE "
done
