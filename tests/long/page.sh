# SPDX-License-Identifier: BSD-2-Clause
# All tables of pages are those of pk-report and pk-fold: 20 random selections of each of five recordings.
. "$PK_TOP/tests/live/browser.bash"
export PYTHONPATH=$PK_TOP/tests/live
pages=()
for name in x86_64 arm64 s390x; do
	zstd -dq "$PK_TOP/tests/data/$name.pk.zst" -o $name.pk
done
# Sums of several sessions, and of many threads.
cat x86_64.pk arm64.pk s390x.pk >sessions.pk
${CC:-cc} -std=gnu11 -O1 -iquote "$PK_TOP/lib/base" -iquote "$PK_TOP/libpkstream" -o pools "$PK_TOP/bench/pools.c" \
	"$PK_BUILD/libpkstream.a" -lzstd -lpthread || { echo 'no compiler' >&2; exit 77; }
./pools 70000 20 300 50 >pools.pk
for name in x86_64 arm64 s390x sessions pools; do
	pk-plot page -q -o $name.html $name.pk
	pages+=("$name.html" "$name.pk")
done
python3 -B "$PK_TOP/tests/live/page_tables.py" 5 20 "${pages[@]}" 2>&1 | sed 's/: [0-9]* selections/: N selections/' | diff - <(
	for name in x86_64 arm64 s390x sessions pools; do
		echo "$name.html: N selections, True lines, requests: True [] errors: []"
	done
) || exit 1
for pair in 'x86_64 sessions' 'pools other'; do
	read -r base name <<<"$pair"
	[ $name != other ] || ./pools 50000 20 300 80 >other.pk
	pk-plot page -q --diff $base.pk -o diff.html $name.pk
	python3 -B "$PK_TOP/tests/live/page_diff.py" 7 20 diff.html $base.pk $name.pk 2>&1 | diff - <(cat <<'T'
diff.html: True functions, errors: []
legend: 5 colours, True
T
	) || exit 1
done
# So many spans that short ones are merged.
. "$PK_TOP/tests/cli/stream.bash"
(. "$PK_TOP/tests/cli/pk-plot/spans.bash"; random_switches 20000) | assemble | pk-span -q sched --pass >spans.pk
pk-plot page -q -o spans.html spans.pk
python3 -B "$PK_TOP/tests/live/page_spans.py" spans.html spans.pk 2>&1 | diff - <(cat <<'T'
 True spans, merged, equal
tid=3 True spans, merged, equal
search=^sleep$ True spans, merged, equal
errors: []
T
)
