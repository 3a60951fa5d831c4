# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the benchmark of pk-plot page.

# page_of NAME STACKS STAY: a page of a million samples of 200 threads (pools.c).
page_of()
{
	local name=$1 file=$dir/page-$1$quick.pk page=$dir/page-$1$quick.html count=1000000
	[ -z "$quick" ] || count=100000
	[ -s "$file" ] || "$dir/pools" $count 200 "$2" "$3" >"$file" || return
	compare "page-$name" "$bin/pk-plot page -q -o $page $file" "flame-$name" "$bin/pk-plot flame -q $file >$scratch/flame.svg" || return
	report page "$name: time of pk-plot page / pk-plot flame" "$(calc %.2f "$(median 2 "page-$name") / $(median 2 "flame-$name")")" x
	if command -v valgrind >/dev/null; then
		instructions_of "page-$name" "$bin/pk-plot" page -q "$file"
		one=$count
		instructions_of "flame-$name" "$bin/pk-plot" flame -q "$file"
		verdict page "$name: instructions of pk-plot page / pk-plot flame" "$(calc %.2f "$one / $count")" x '<=' 2
	fi
	report page "$name: largest resident set" "$(calc %.0f "$(median 3 "page-$name") / 1024")" ' MiB'
	verdict page "$name: size of the page" "$(megabytes "$page")" ' MB' '<=' 2
	command -v chromium >/dev/null || { skip page 'no chromium'; return; }
	while IFS=$'\t' read -r what time cpu; do
		case $what in
		paint) verdict page "$name: first paint (CPU: $cpu ms)" "$time" ' ms' '<=' 1000 ;;
		scroll*) verdict page "$name: $what, median frame (CPU: $cpu ms)" "$time" ' ms' '<=' 50 ;;
		longest*) verdict page "$name: scrolling $what, longest frame" "$time" ' ms' '<=' 50 ;;
		*) verdict page "$name: $what (CPU: $cpu ms)" "$time" ' ms' '<=' 100 ;;
		esac
	done < <(python3 -B bench/page.py "$page")
}

bench_page()
{
	page_of pools 2000 80
	page_of many 20000 30
	page_of distinct 105000 0
}
