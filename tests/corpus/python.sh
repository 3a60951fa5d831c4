# SPDX-License-Identifier: BSD-2-Clause
# long
# The values that the Python package reads from recordings of many versions of perf are those of pk-script --json.
# shellcheck source-path=SCRIPTDIR/../live
. "$PK_TOP/tests/live/python.bash"
set -u -o pipefail
recordings=0 pairs=()

# expect FILE: pk-script's text of it is there when the interpreter, which starts only once, compares all.
expect()
{
	recordings=$((recordings + 1))
	pk-script --symfs /nonexistent --kallsyms /nonexistent --no-inline --json "$1" >$recordings.json 2>/dev/null
	pairs+=("$1" "$recordings.json")
}

for f in "$PK_CORPUS"/others/{lpd,perf,pprof,quipper-perf.data}* "$PK_CORPUS"/lbr/*.data "$PK_CORPUS"/own/*/data/*.data; do
	expect "$f"
done
for f in "$PK_CORPUS"/own/{s390x-7.2,arm64-7.2}/data/0[16]*.data; do
	symfs=${f%/data/*}/symfs
	mkdir -p symfs
	[ -e "$symfs.tar.xz" ] && tar -C symfs -xf "$symfs.tar.xz" 2>/dev/null
	pk-symbolize --symfs symfs "$f" >symbolized.$recordings 2>/dev/null
	expect symbolized.$recordings
	rm -rf symfs
done
pk-span syscalls "$PK_CORPUS/own/x86_64-7.2/data/syscalls.rawsys.data" >spans 2>/dev/null
expect spans
python "$PK_TOP/tests/live/python_json.py" "${pairs[@]}" >result 2>&1 || {
	tail -n 3 result
	exit 1
}
values=$(awk '{ n += $1 } END { print n + 0 }' result)
echo "$values values equal in $recordings recordings"
[ $recordings -ge 100 ] && [ "$(wc -l <result)" = $recordings ] && [ "$values" -ge 3000000 ]
