# SPDX-License-Identifier: BSD-2-Clause
# The user's own lines name programs to run: those that all users can change, and what is no regular file, are not used.
export XDG_CONFIG_HOME=$PWD
mkdir pk
try()
{
	pk -n mine 2>&1 | sed "s|$PWD|DIR|"
	rm -f pk/commands
}

line='change mine: pk-stat true # a test'
echo "$line" >pk/commands
chmod 644 pk/commands
try
echo "$line" >pk/commands
chmod 666 pk/commands
try
mkfifo pk/commands
try

echo '-- of another user'
if [ "$(id -u)" = 0 ]; then
	echo "$line" >pk/commands
	chown 65534 pk/commands
	try | grep -c 'it belongs to another user: not used'
else
	echo 1
fi
