# SPDX-License-Identifier: BSD-2-Clause
# Functions, the hottest first, with their parts; sources, loops, arrows; which instructions.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
some_heat | assemble | pk-symbolize -q --symfs=root >list.pk
try -i list.pk
LC_ALL=C.UTF-8 try -i list.pk add --source --source-prefix=/src=root/src --arrows
try -i list.pk --arrows --context=0 add
try -i list.pk -s --context=0 add
try -i list.pk -M intel _start
try -i list.pk --percent-of=all --context=1 'list:_*'
try -i list.pk --hottest=1 --context=0
try -i list.pk --min-percent=50 --context=0
try -i list.pk --by-line --source-prefix=/src=root/src
try -i list.pk --by-line --hottest=1
try -i list.pk --by-line --source-prefix=/src=root/src 'ma*' _start
