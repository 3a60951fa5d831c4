# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# Samples of an event with unknown fields are decoded up to these; those of other events count.
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
# Unknown bits of sample_type, read_format and branch_sample_type hide the fields from there on. A filter removes none of
# these, and no bytes but the trailers of pk.
more()
{
	header
	echo "HEADER_ATTR attr_size=136 id=8 sample_type=$1 read_format=$2 branch_sample_type=$3"
	session
	comm 5 5 prog
	echo 'SAMPLE misc=(user) id=8 pid=5 tid=5 ip=0x2000 time=1000 period=77 ips[0]=0x2000 unknown="UNKNOWN!"'
	finish
}
samples()
{
	pk-script -q --dump 2>/dev/null >dump
	grep -E '^  (sample_type=|ip|period=|ips|unknown|stack)|branch_sample_type=| SAMPLE .*size' dump | sed 's/^[0-9]* S/  S/'
}
for bits in '0x2010127 0 0' '0x10137 0x20 0' '0x10927 0 0x100000'; do
	# shellcheck disable=SC2086 # three words
	more $bits | assemble >unknown.pk
	try pk-fold --addresses unknown.pk
	try pk-script -q -F comm,period,addr unknown.pk
	pk-script -q --header-only unknown.pk 2>/dev/null | grep -o ' sample_type = [^,]*'
	samples <unknown.pk
	for option in --strip-extensions --drop=callchain,branches,aux; do
		echo "pk-symbolize | pk-filter $option"
		pk-symbolize -q unknown.pk 2>/dev/null | pk-filter -q $option 2>/dev/null >filtered.pk
		samples <filtered.pk
		grep -ac 'UNKNOWN!' filtered.pk
	done
done
