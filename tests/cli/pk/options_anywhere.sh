# SPDX-License-Identifier: BSD-2-Clause
# Options of pk belong to pk wherever they are before -- or the command to record.
export XDG_CONFIG_HOME=$PWD/config
exec 2>&1
printf '#!/bin/sh\n' >app
chmod +x app
pk flame -n -F 199 -o want.svg -- ./app -o its -n
pk flame -F 199 -n -o want.svg ./app -o its -n
pk flame -p 1 -o z.svg -n
pk flame -g -n -o z.svg ./app -n
pk flame -n ./app -o its
