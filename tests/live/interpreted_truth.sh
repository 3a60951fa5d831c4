# SPDX-License-Identifier: BSD-2-Clause
# long
# Stacks of Python at known moments are those that the interpreter itself notes: functions, generators, coroutines, threads, other
# interpreters, children, threads without Python, virtual environments, programs with Python inside. tests/long/interpreted_truth.sh
# compares more.
. "$PK_TOP/tests/live/fold.bash"
. "$PK_TOP/tests/live/interpreted_truth.bash"
pk-record -q --call-graph unwind -e cpu-clock -o probe.pk -- true 2>err || skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"
[ "$(uname -m)" = x86_64 ] || skip "frames of Python are read on x86-64 only"
workload=$PK_TOP/tests/live/workload
pythons_with_headers >pythons
[ -s pythons ] || skip "no Python from 3.9 on has its headers of C"
rounds=${ROUNDS:-24}

while read -r python; do
	extension "$python" || fail "$(cat compile.err)"
	compare_moments python "$python" -W ignore "$workload/interpreted_moments.py" "$rounds" >compared || fail "$python: $(cat compared)"
	echo "$python: $(tail -n 1 compared)"
done <pythons

# A virtual environment, with the last of these.
python=$(tail -n 1 pythons)
"$python" -m venv --without-pip venv 2>err || fail "venv: $(cat err)"
compare_moments python venv/bin/python3 -W ignore "$workload/interpreted_moments.py" 16 >compared || fail "venv: $(cat compared)"
echo "venv: $(tail -n 1 compared)"

# A program of C that runs Python.
flags=$("$python" -c 'if True:
	import sys, sysconfig
	get = sysconfig.get_config_var
	print("-I" + sysconfig.get_path("include"), "-L" + get("LIBDIR"), "-Wl,-rpath," + get("LIBDIR"), "-lpython" + get("LDVERSION"))')
printf '#include <Python.h>\nint main(int argc, char **argv) { return Py_BytesMain(argc, argv); }\n' >embedding.c
# shellcheck disable=SC2086
if ${CC:-cc} -o embedding embedding.c $flags 2>compile.err; then
	PYTHONHOME=$("$python" -c 'import sys; print(sys.base_prefix)') compare_moments python ./embedding -W ignore "$workload/interpreted_moments.py" 16 >compared ||
		fail "embedding: $(cat compared)"
	echo "embedding: $(tail -n 1 compared)"
fi
exit 0
