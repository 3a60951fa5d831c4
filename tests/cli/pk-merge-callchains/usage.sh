# SPDX-License-Identifier: BSD-2-Clause
for option in --max-wait= --max-wait=x '--max-wait=5,' --max-wait=5,y --max-wait=-1 --frobnicate; do
	pk-merge-callchains "$option" /dev/null
	echo "$option: status $?"
done
pk-merge-callchains --help
pk-merge-callchains --version | sed 's/[0-9.]*$/N/'
