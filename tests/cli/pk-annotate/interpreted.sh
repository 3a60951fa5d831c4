# SPDX-License-Identifier: BSD-2-Clause
# Functions of Python have no code: their source lines are shown, as the stream has them.
. "$PK_TOP/tests/cli/pk-annotate/interpreted.bash"

cat >app.py <<'END'
import sys

def handle(n):
    total = 0
    for i in range(n):
        total += i
    return total

class Server:
    def handle(self, n): return handle(n)
END

try()
{
	echo "$ pk-annotate $*"
	pk-annotate --source-prefix=/srv="$PWD" "$@" 2>&1
	echo "status $?"
}

stream | assemble | pk-symbolize -q >python.pk
try handle python.pk
try --function=app.py:handle --context=0 python.pk
try --function='*handle' --json python.pk
try --by-line python.pk
try python.pk
