# SPDX-License-Identifier: BSD-2-Clause
# Functions of libraries: one that is linked with, through its procedure linkage table, and ones that
# are loaded, unloaded, and followed by another at the same addresses.
. "$PK_TOP/tests/live/fold.bash"
# Where no earlier recording has left a copy of the same program.
export HOME=$PWD
unset PERF_BUILDID_DIR

compile shared.c libshared.so -shared -fPIC -DLOADER || fail "$(cat compile.err)"
compile shared.c first.so -shared -fPIC -DNAME=first_plugin || fail "$(cat compile.err)"
compile shared.c second.so -shared -fPIC -DNAME=second_plugin || fail "$(cat compile.err)"
compile loader.c loader -L. -lshared -Wl,-rpath,"$PWD" -ldl || fail "$(cat compile.err)"

pk-record -F 999 -e $event -g -o out.pk -- ./loader ./first.so ./second.so >addresses 2>err ||
	fail "status $?: $(cat err)"
silent err
check out.pk
[ "$(wc -l <addresses)" = 2 ] && [ "$(uniq addresses | wc -l)" = 1 ] ||
	fail "the libraries were not loaded to one address: $(cat addresses)"
fold out.pk
shows loader 'main;shared_work;burn' 50
shows loader 'main;load_and_run;plugin_run;first_plugin;burn' 50
shows loader 'main;load_and_run;plugin_run;second_plugin;burn' 50
shows_not '\[(loader|libshared\.so|first\.so|second\.so)\]'

if [ "$(uname -m)" = x86_64 ]; then
	pk-record -e page-faults -c 1 -g -o out.pk -- ./loader || fail "status $?"
	fold out.pk
	[ "$(weight 'loader;.*;main;shared_nothing@plt')" = 100 ] ||
		fail "no 100 page faults in shared_nothing@plt:" "$(grep -c . folded)" "$(grep main folded)"
fi

# What is not there any more, or not any more what it was, has no names; wrong ones least of all.
compile work.c gone || fail "$(cat compile.err)"
compile loader.c other -L. -lshared -Wl,-rpath,"$PWD" -ldl || fail "$(cat compile.err)"
pk-record -F 999 -e $event -g -o out.pk -- ./gone calls || fail "status $?"
mv other gone
fold out.pk
shows gone '(\[gone\];){4}\[gone\]' 50
grep -q 'of frames unresolved' err || fail "said: $(cat err)"
rm gone
mv folded before
fold out.pk
cmp before folded || fail "a missing program is not as good as another one"
pk-symbolize -v out.pk 2>&1 >/dev/null | grep -q '/gone: ' || fail "why it has no names is not said: $(cat err)"

# It is deleted while it runs, and then looked at.
cp "$PK_BUILD/tests/live/spinner" deleted
./deleted 30 &
pid=$!
trap 'kill $pid' EXIT
while [ "$(cat /proc/$pid/comm)" != deleted ]; do sleep 0.01; done
rm deleted
pk-record -F 999 -e $event -g -o out.pk -p $pid -- bash -c "used $pid 200" || fail "status $?"
fold out.pk
shows deleted '(spin_inner|\[deleted\])' 10
exit 0
