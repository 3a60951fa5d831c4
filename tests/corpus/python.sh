# SPDX-License-Identifier: BSD-2-Clause
# The values that the Python package reads from recordings of many versions of perf are those of pk-script --json.
# shellcheck source-path=SCRIPTDIR/../live
. "$PK_TOP/tests/live/python.bash"
set -u -o pipefail
recordings=0 values=0 status=0

same()
{
	pk-script --symfs /nonexistent --kallsyms /nonexistent --no-inline --json "$1" >json 2>/dev/null
	python "$PK_TOP/tests/live/python_json.py" "$1" json >result 2>&1 || {
		cat result
		status=1
		return
	}
	read -r count _ <result
	recordings=$((recordings + 1)) values=$((values + count))
}

for f in "$PK_CORPUS"/others/{lpd,perf,pprof,quipper-perf.data}* "$PK_CORPUS"/lbr/*.data "$PK_CORPUS"/own/*/data/*.data; do
	same "$f"
done
for f in "$PK_CORPUS"/own/{s390x-7.2,arm64-7.2}/data/0[16]*.data; do
	symfs=${f%/data/*}/symfs
	mkdir -p symfs
	[ -e "$symfs.tar.xz" ] && tar -C symfs -xf "$symfs.tar.xz" 2>/dev/null
	pk-symbolize --symfs symfs "$f" >symbolized 2>/dev/null
	same symbolized
	rm -rf symfs
done
pk-span syscalls "$PK_CORPUS/own/x86_64-7.2/data/syscalls.rawsys.data" >spans 2>/dev/null
same spans
echo "$values values equal in $recordings recordings"
[ $recordings -ge 100 ] && [ $values -ge 3000000 ] && [ $status = 0 ]
