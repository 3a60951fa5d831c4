# SPDX-License-Identifier: BSD-2-Clause
# simpleperf looks symbols up on the device and stores them in a feature: they name its samples, also after a pipe and from
# a file that pk has written.
data=$PK_TOP/tests/cli/pk-script/simpleperf.data
pk-report -q --by symbol,dso "$data" | head -n 6
pk-filter -q "$data" | pk-symbolize -q | pk-report -q --by symbol,dso | head -n 3
pk-filter -q "$data" | pk-export -q perf.data -o again.data
pk-report -q --by symbol,dso again.data 2>&1 | head -n 3
