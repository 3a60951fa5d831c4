# SPDX-License-Identifier: BSD-2-Clause
# Trees: open, close, all, callers and callees.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
symbolized | assemble >all.pk
size=70x24
start 'pk-top -g graph,0 -e cpu-clock all.pk'
shot 'has ended'
shot '^- ' Enter
shot '^  .*- .*f$' Down Down Right
keys Left
shot '^\+ .*prog' Left Left
shot '^- .*prog' E
shot 'callees first' i
shot 'callers first' i
shot 'has ended' C
shot '^- ' Down Right
shot '^- ' Right
shot '^\+ .*prog' C
keys q
ended
echo "==== without children, fractal"
start 'pk-top -g fractal,0 --no-children --by symbol -e cpu-clock all.pk'
shot 'has ended'
shot '^- ' E
keys C-c
ended
