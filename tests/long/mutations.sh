# SPDX-License-Identifier: BSD-2-Clause
# timeout: 3600
# The tests notice errors: each substitution of mutations.txt is made in a copy of the sources, and one of its tests
# must fail there. All tests pass in the copy without it.
set -u
copy=$PWD/copy
unset PK_CORPUS
mkdir -p "$copy"
git -C "$PK_TOP" ls-files -z | tar -C "$PK_TOP" --null -T - -cf - | tar -C "$copy" -xf -
[ -e "$copy/Makefile" ] || {
	echo "no copy of the sources: they are not in a git repository"
	exit 77
}
cp -a "$PK_BUILD" "$copy/build"
bad=0

# build_and_run TESTS: its output is in the file result
build_and_run()
{
	# shellcheck disable=SC2086 # words on purpose
	make -C "$copy" --no-print-directory -j2 tests >build.log 2>&1 && B=build "$copy/tests/run.sh" $1 >result 2>&1
}

mutations()
{
	grep -v '^#' "$PK_TOP/tests/long/mutations.txt"
}

build_and_run "$(mutations | cut -f 3 | tr '\n' ' ')" || {
	echo "without mutations: $(tail -n 3 build.log result)"
	exit 1
}
while IFS=$'\t' read -r file substitution tests; do
	sed -i.orig "$substitution" "$copy/$file"
	if cmp -s "$copy/$file" "$copy/$file.orig"; then
		echo "$file: nothing to substitute: $substitution"
		bad=1
	elif build_and_run "$tests"; then
		echo "$file: not noticed by $tests: $substitution"
		bad=1
	elif ! [ -s result ] || ! grep -q '^FAIL' result; then
		echo "$file: does not compile: $substitution: $(grep -m 1 error build.log)"
		bad=1
	else
		echo "$file: noticed by $(sed -n 's/^FAIL \([^ :]*\).*/\1/p' result | head -n 1): $substitution"
	fi
	mv "$copy/$file.orig" "$copy/$file"
	touch "$copy/$file"
	rm -f result
done < <(mutations)
exit $bad
