# SPDX-License-Identifier: BSD-2-Clause
# Python in another folder, as pyenv installs it: started by a script of the same name, statically linked or with a library of its own.
# Of its samples, 99 % have main and the functions of the script, unwound in the kernel or from dumps.
. "$PK_TOP/tests/live/fold.bash"
python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))') || skip "no python3"
version=$("$python" -c 'import sys, sysconfig; print("%d.%d" % sys.version_info[:2], sysconfig.get_path("stdlib"))')
read -r version library <<<"$version"
root=$PWD/versions/$version
mkdir -p "$root/bin" "$root/lib" shims
cp "$python" "$root/bin/static"
ln -s "$library" "$root/lib/python$version"
# shellcheck disable=SC2016 # a variable of the script
printf '#!/bin/sh\nexec env PYTHONHOME="%s" "%s/bin/$KIND" "$@"\n' "$root" "$root" >shims/python3
chmod +x shims/python3
cat >work.py <<'END'
import json
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def work():
    fib(29)
    for i in range(9000): json.dumps({"a": [1, 2, 3] * 20})
work()
END
# The library of Debian, at another place.
cat >main.c <<'END'
int Py_BytesMain(int, char **);
int main(int argc, char **argv) { return Py_BytesMain(argc, argv); }
END
shared=$(PATH=$PATH:/sbin ldconfig -p | sed -n "s|.*libpython$version\.so\.1\.0 .*=> ||p" | head -n 1)
kinds=(static)
if [ -n "$shared" ] && cp -L "$shared" "$root/lib/" &&
	${CC:-cc} -O2 -fomit-frame-pointer -o "$root/bin/shared" main.c "$root/lib/${shared##*/}" -Wl,-rpath,"$root/lib" 2>err; then
	kinds+=(shared)
fi

# reaches FILE WHAT: the samples of Python have main, but those in the dynamic loader and in the kernel before there is a program, and
# six from before the maps were read, or deeper than 16 KB.
reaches()
{
	pk-symbolize -q "$1" | pk-fold -q --weight samples >folded
	awk '/^(static|shared);(_start;_dl_|entry_|asm_|ret_from_)/ { next }
		/^(static|shared);/ { n += $NF } /^(static|shared);.*;(main|Py_BytesMain|__libc_start_call_main)[; ]/ { m += $NF }
		END { printf "%d of %d\n", m, n; exit !(n >= 100 && m >= n * 0.99 - 6) }' folded >count || fail "$2: $(cat count): $(grep -v -e ';main;' -e __libc_start_call_main folded | cut -c1-200 | head)" "$(cat err)"
	echo "$2: $(cat count)"
}

for KIND in "${kinds[@]}"; do
	export KIND
	[ "$(shims/python3 -c 'import sys; print(sys.prefix)')" = "$root" ] || fail "$KIND: it does not run in $root"
	pk-record -q -F 999 -e $event --call-graph dwarf,32768 -o dumps.pk -- shims/python3 work.py 2>err || fail "$KIND: $(cat err)"
	pk-unwind -q dumps.pk >unwound.pk 2>err || fail "$KIND: $(cat err)"
	reaches unwound.pk "$KIND, dumps"
	pk-record -q --call-graph unwind -e cpu-clock -o probe.pk -- true 2>err || continue
	pk-record -q -F 999 -e $event --call-graph unwind -o out.pk -- shims/python3 work.py 2>err || fail "$KIND: $(cat err)"
	reaches out.pk "$KIND, in the kernel"
	grep -q ';work.py:work;work.py:fib;work.py:fib' folded || fail "$KIND: no functions of the script: $(cut -c1-300 folded | head -n 5)"
done
exit 0
