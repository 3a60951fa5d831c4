# SPDX-License-Identifier: BSD-2-Clause
# What an operand may be: a file, a named pipe, a device, a directory; and what is said of what it may not be.
vectors=$PK_TOP/format/vectors
try()
{
	echo "$ pk-filter $1"
	pk-filter "$1" >out.pk 2>err
	local status=$?
	cat err
	echo "status $status, $(pk-script --dump out.pk 2>/dev/null | grep -cE '^[0-9]+ SAMPLE') samples"
}

mkfifo pipe
cat "$vectors/good/file-le.pk" >pipe &
try pipe
cat "$vectors/good/file-concatenated.pk" >pipe &
try pipe
cat "$vectors/good/like-perf-be.pk" >pipe &
try pipe
wait
# a file, and a compressed stream after it
{ cat "$vectors/good/file-le.pk" && zstd -qc "$vectors/good/like-perf-le.pk"; } >after.pk
try after.pk
try - <after.pk
try /dev/null
mkdir none folder
try none
cp "$vectors/good/file-le.pk" folder/data
try folder
# a ring's file: records of that file, without a header
tail -c +17 "$vectors/good/like-perf-le.pk" >folder/data.0
ln -s data.0 folder/data.1
try folder
cp "$vectors/bad/file-of-directory-2.pk" folder/data
try folder
try "$vectors/bad/file-of-directory-le.pk"
try "$vectors/bad/file-interrupted-le.pk"
try "$vectors/good/magic-1-be.pk"
try "$vectors/good/file-magic-1-be.pk"
