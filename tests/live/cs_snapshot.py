# SPDX-License-Identifier: BSD-2-Clause
"""
Prints a recording, for tests/assemble, of a snapshot of CoreSight traces: a folder with snapshot.ini,
as debuggers write it. Copies the code to files of the current folder.

    python3 cs_snapshot.py FOLDER
"""

import configparser
import os
import re
import struct
import sys

MAGICS = {"ETM4": 0x4040404040404040, "ETE": 0x5050505050505050, "PTM": 0x3030303030303030, "ETM3": 0x3030303030303030}
REGISTERS = {
    "ETM4": ["TRCCONFIGR", "TRCTRACEIDR", "TRCIDR0", "TRCIDR1", "TRCIDR2", "TRCIDR8", "TRCAUTHSTATUS"],
    "ETE": ["TRCCONFIGR", "TRCTRACEIDR", "TRCIDR0", "TRCIDR1", "TRCIDR2", "TRCIDR8", "TRCAUTHSTATUS", "TRCDEVARCH"],
    "PTM": ["ETMCR", "ETMTRACEIDR", "ETMCCER", "ETMIDR"],
    "ETM3": ["ETMCR", "ETMTRACEIDR", "ETMCCER", "ETMIDR"],
}


def read_ini(path):
    """Returns the sections of a file."""
    ini = configparser.ConfigParser(strict=False, interpolation=None, comment_prefixes=("#", ";"))
    ini.optionxform = str
    ini.read_string(re.sub(r"(?m)^\s+", "", open(path, encoding="latin-1").read()))
    return ini


def registers_of(ini):
    """Returns the values of registers by their names."""
    return {re.sub(r"\(.*", "", name): int(value, 0) for name, value in ini["regs"].items()} if ini.has_section("regs") else {}


def kind_of(ini):
    """Returns the kind of a trace unit, or None."""
    name = ini["device"].get("type", "").upper()
    for prefix, kind in (("ETE", "ETE"), ("ETM4", "ETM4"), ("ETMV4", "ETM4"), ("PTM", "PTM"), ("PFT", "PTM"), ("ETM", "ETM3")):
        if name.startswith(prefix):
            return kind
    return None


def write_elf(path, data, address, is_64):
    """Writes an ELF file that has the code at this address."""
    if is_64:
        header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 3, 183, 1, address, 64, 0, 0, 64, 56, 1, 0, 0, 0)
        header += struct.pack("<IIQQQQQQ", 1, 5, 4096, address, address, len(data), len(data), 4096)
    else:
        header = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", 3, 40, 1, address, 52, 0, 0, 52, 32, 1, 0, 0, 0)
        header += struct.pack("<IIIIIIII", 1, 4096, address, address, len(data), len(data), 5, 4096)
    with open(path, "wb") as file:
        file.write(header.ljust(4096, b"\0") + data)


def print_maps(folder, devices, is_64):
    """Prints the maps of the code, and copies it."""
    seen = set()
    for device in devices:
        for section in device.sections():
            if not section.startswith("dump"):
                continue
            dump = device[section]
            name = os.path.basename(dump["file"].replace("\\", "/"))
            address, length = int(dump["address"], 0), int(dump.get("length", "0"), 0)
            offset = int(dump.get("offset", "0"), 0)
            if (name, address) in seen:
                continue
            seen.add((name, address))
            data = open(os.path.join(folder, name), "rb").read()[offset:]
            data = data[: length or len(data)]
            copy, page = f"{os.getcwd()}/{len(seen)}.{name}", 4096
            if data[:4] == b"\x7fELF":
                open(copy, "wb").write(data)
                page = 0
            else:
                write_elf(copy, data, address, is_64)
            misc, pid = ("kernel", 0xFFFFFFFF) if address >> 63 else ("user", 1)
            print(f'MMAP misc=({misc}) pid={pid} tid={0 if pid > 1 else 1} addr={address:#x} len={len(data):#x} pgoff={page:#x} filename="{copy}"')


def main():
    """Reads the snapshot, and prints the recording."""
    folder = sys.argv[1]
    snapshot = read_ini(f"{folder}/snapshot.ini")
    devices = [read_ini(f"{folder}/{name}") for name in snapshot["device_list"].values()]
    trace = read_ini(f"{folder}/{snapshot['trace']['metadata']}")
    names = {device["device"]["name"]: device for device in devices}
    units = []
    for cpu, (core, source) in enumerate(trace["core_trace_sources"].items()):
        units.append((cpu, names[core], names[source], kind_of(names[source])))
    is_64 = any(kind in ("ETM4", "ETE") for _, _, _, kind in units)
    words = [1, 8 << 32 | len(units), 0]
    for cpu, _, unit, kind in units:
        registers = registers_of(unit)
        words += [MAGICS[kind], cpu, len(REGISTERS[kind])]
        words += [registers.get(name, 0) for name in REGISTERS[kind]]
    print("BEGIN\nHEADER_ATTR attr_type=8 sample_period=1 id=7 sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)")
    print("EVENT_UPDATE subtype=2 id=7 name=cs_etm")
    print("AUXTRACE_INFO aux_type=3 " + " ".join(f"priv[{i}]={word:#x}" for i, word in enumerate(words)))
    print('COMM pid=1 tid=1 comm="snapshot"')
    print_maps(folder, devices, is_64)
    for idx, name in enumerate(trace["trace_buffers"]["buffers"].split(",")):
        buffer = trace[name.strip()]
        data = b"".join(open(f"{folder}/{file.strip()}", "rb").read() for file in buffer["file"].split(";"))
        raw = buffer.get("format", "coresight") == "source_data"
        cpu = idx
        if raw:
            source = next(source for source, name in trace["source_buffers"].items() if buffer["name"] in name)
            cpu = next((cpu for cpu, _, unit, _ in units if unit["device"]["name"] == source), 0)
        print(f"AUX aux_offset=0 aux_size={len(data)} flags={0x100 if raw else 0} trailer.id=7 trailer.time={1000 + idx} trailer.pid=1 trailer.tid=1 trailer.cpu={cpu}")
        print(f"AUXTRACE aux_offset=0 payload_size={len(data)} payload={data.hex()} idx={idx} cpu={cpu} tid=1")
    print("FINISHED_ROUND")


main()
