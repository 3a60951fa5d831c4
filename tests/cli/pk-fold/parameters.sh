# SPDX-License-Identifier: BSD-2-Clause
# Only the parameters at the end of a name are removed; --root and --leaf match full names, too.
. "$PK_TOP/tests/cli/stream.bash"
names=(app main 'Call<int (int)>::run(long)' 'Call<int (long, int)>::run(long)' 'P::operator->()' 'P::operator()(int) const'
	'<(u32, u32) as r::Work>::work' 'main.(*T).Method' 'void (*f(int))(char)' 'A::a(int)->B::b(int)')
{
	header
	event 1 7
	session "1"
	for i in {1..10}; do
		name=${names[i - 1]} flags=2 parent=2
		case $i in
		1) flags=256 parent=0 ;; # the thread
		2) parent=1 ;;
		10) flags=34 ;; # generated code
		esac
		echo "STRING id=$i length=${#name} text=\"$name\""
		echo "FRAME id=$i function=$i flags=$flags"
		echo "STACK id=$i parent=$parent frame=$i"
		echo "SAMPLE misc=(user) id=7 ip=0x1000 pid=1 tid=1 time=$((i * 1000000)) period=$((100 * i)) stack=$i"
	done
	finish
} | assemble >names.pk
try()
{
	echo "\$ pk-fold $*"
	pk-fold "$@" names.pk 2>&1
}
try
try --full-names
try -q --root 'P::operator()(int) const'
try -q --root 'P::operator()'
try -q --root 'Call<int (int)>::run(long)'
try -q --leaf 'main.(\*T).*'
try -q --leaf 'main.(*T).Method'
try -q --root 'A::a(int)'
for kind in flame chart; do
	for option in -q --full-names; do
		echo "\$ pk-plot $kind $option"
		pk-plot $kind -q $option names.pk | grep -oE '<title>[^/]*' | grep -oE '[^>]*(run|operator)[^,]*' | sort
	done
done
