# SPDX-License-Identifier: BSD-2-Clause
# Lines of JSON.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
some_heat | assemble | pk-symbolize -q --symfs=root >list.pk
try -i list.pk --json
try -i list.pk --json --source add
try -i list.pk --json --by-line
