/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_MAPS_H
#define PK_RECORD_BPF_MAPS_H

#include <stdint.h>

#include <bpf/bpf_helpers.h>

/* Defines a BPF map. `kind` is a name of enum bpf_map_type without the prefix BPF_MAP_TYPE_. */
#define MAP(name, kind, key, value, entries)                                                       \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_##kind);                                                 \
		__uint(key_size, key);                                                             \
		__uint(value_size, value);                                                         \
		__uint(max_entries, entries);                                                      \
	} name SEC(".maps")

#endif
