# SPDX-License-Identifier: BSD-2-Clause
# timeout: 600
# gcc compiles everything, tests included, without a warning.
cd "$PK_TOP" && ${MAKE:-make} --no-print-directory CC=gcc SAN= WERROR=1 B=build-lint-gcc tests >/dev/null
