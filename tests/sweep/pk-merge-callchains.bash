# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-merge-callchains "$vectors/kernel-deferred-le.pk"
sweep -i "$vectors/kernel-deferred-be.pk" pk-merge-callchains --keep-deferred -o out
sweep pk-merge-callchains --max-wait=1,64k -v "$vectors/kernel-deferred-le.pk" "$symbolized"
