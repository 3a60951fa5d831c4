# SPDX-License-Identifier: BSD-2-Clause
# Labels of recordings, and the containers and pods of control groups.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
uid=6a7b8c9d_1234_5678_9abc_def012345678

# recording SERVICE SAMPLES
recording()
{
	header
	event_of 7 'PERIOD CGROUP'
	session
	label service "$1"
	label region eu
	comm 5 5 app
	echo "CGROUP id=1 path=\"/system.slice/docker-$id.scope\""
	echo "CGROUP id=2 path=\"/kubepods.slice/kubepods-pod$uid.slice/crio-$id.scope\""
	echo 'CGROUP id=3 path="/system.slice"'
	for ((i = 0; i < $2; i++)); do
		sample 7 5 0x1000 && echo "  cgroup=$((i % 3 + 1))"
	done
	echo END
}

label()
{
	echo "LABEL name=\"$1\" value=\"$2\""
}
recording web 3 | assemble >web.pk
recording 'a b' 4 | assemble >ab.pk
cat web.pk ab.pk >both.pk

try -q --by=label.service,label.region --show=samples web.pk ab.pk
try -q --by=label.service --show=samples both.pk
try -q --by=container,pod,cgroup --show=samples both.pk
try -q --where='label.service == "web" && container ~ "0*"' --by=label.service --show=samples both.pk
try -q --where='label.service != "web"' --by=label.service --show=samples both.pk
try -q --by=label.servic --show=samples web.pk
try -q --where='label.none == "x"' --show=samples web.pk
try -q --where='label.service > 5' --show=samples web.pk
pk-filter --where 'label.service ~ "a*"' both.pk | try -q --by=label.service --show=samples -
pk-script -F label.service,container,label.none web.pk
pk-script --json -F label.service,pod web.pk | grep SAMPLE
pk-fold -q --by label.service,label.region,container --weight samples both.pk
pk-export rows --by label.service,container web.pk
pk-filter --split-by label.service -o 'out-%v.pk' both.pk && ls out-*
pk-filter --anonymize both.pk | pk-report -q --by label.service --show samples | awk '{ print $1, length($2) }'
