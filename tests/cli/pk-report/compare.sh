# SPDX-License-Identifier: BSD-2-Clause
# What has changed between recordings: program a from 20 % to 24 %.
. "$PK_TOP/tests/cli/pk-report/compare.bash"
recording 1 9000 20 30 0.05 | assemble >old.pk
recording 2 9000 24 30 0.05 | assemble >new.pk
recording 3 9000 20 30 0.05 | assemble >same.pk
recording 4 300 20 30 0.05 | assemble >few.pk
for i in 1 2 3; do
	recording 1$i 3000 20 30 0.05 | assemble >old$i.pk
	recording 2$i 3000 24 30 0.05 | assemble >new$i.pk
done
try --by comm --diff old.pk -- new.pk
try --by comm --diff old.pk -- same.pk
try -q --by comm --diff old.pk -- few.pk
try --by comm --diff old1.pk old2.pk old3.pk -- new1.pk new2.pk new3.pk
try -q --by comm --tolerance 30 --diff old.pk -- new.pk
try -q --by comm --fdr 0.0000001 --diff old.pk -- new.pk
try -q --by comm --per run --show base-rate,rate,change,mark --diff old.pk new.pk
try -q --by comm --per second --show base-rate,rate,change,mark --diff old.pk few.pk
try --by comm --csv --show change,change-low,change-high,fdr,detectable,needs,mark --diff old.pk few.pk
try --by comm --json --show mark,fdr,change --diff old.pk new.pk
try -q --by comm --diff old.pk --diff same.pk --show mark,change new.pk
try -q --by comm --order fdr:asc --show fdr,mark --diff old.pk new.pk
# What cannot be compared.
recording 2 9000 24 30 0.05 | sed 's/flags=(sample_id_all)/flags=(exclude_kernel sample_id_all)/' | assemble >user.pk
{ recording 2 9000 24 30 0.05 | sed '$d'; lost 2000; finish; } | assemble >lost.pk
try --by comm --diff old.pk -- user.pk
try --by comm --diff old.pk -- lost.pk
try --by comm --per second --weight samples --diff old.pk -- user.pk
try --by comm --per requests --diff old.pk -- new.pk
try --per
try --tolerance -1 --diff old.pk new.pk
# Findings.
try -q --by comm --fail-on regression --diff old.pk -- new.pk
try -q --by comm --fail-on regression=25 --show delta --diff old.pk new.pk
try -q --by comm --show delta --fail-if 'comm == "d" && change < -2.5%' --diff old.pk new.pk
try -q --by comm --show delta --fail-if '!(mark != "changed") || samples > 4500' --limit 1 --diff old.pk new.pk
try -q --by comm --show delta --fail-if 'comm ~ "[ab]" && fdr < 0' --diff old.pk new.pk
try --by comm --fail-if 'symbol == "d"' --diff old.pk new.pk
try --by comm --fail-if 'change > ' --diff old.pk new.pk
try --by comm --fail-if 'change > 1%' old.pk
try --fail-on regression old.pk
try -q --by comm --fail-on regression --diff missing.pk -- new.pk
# Other formats, and a limit for the output.
try --by comm --markdown --show baseline,change,mark --diff old.pk new.pk
sed 's/"a"/"a|b<c>_\\n"/' <<<"$(recording 2 100 24 30 0.05)" | assemble | pk-report --markdown --by comm --show samples
recording 2 100 24 30 0.05 | assemble | pk-report -q --max-bytes 80 --by comm --show samples
recording 2 100 24 30 0.05 | assemble | pk-report -q --max-bytes 20 --by comm --show samples
