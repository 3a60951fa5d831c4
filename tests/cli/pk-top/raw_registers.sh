# SPDX-License-Identifier: BSD-2-Clause
# Fields of the registers in samples of AMD's IBS are groups, numbers and weights of the table.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
. "$PK_TOP/tests/cli/pk-script/ibs.bash"
ibs AuthenticAMD,26,2,1 | assemble >ibs.pk
start 'pk-top --by event,op_mem_width --show samples,"max(dc_miss_lat)" ibs.pk 2>err'
await 'op_mem_width'
screen | sed '/^$/d'
keys q
ended
start 'pk-top --weight dc_miss_lat --where "op_mem_width >= 0" --by op_data_src ibs.pk 2>err'
await 'op_data_src'
screen | sed '/^$/d'
keys q
ended
cat err
