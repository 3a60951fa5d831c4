# SPDX-License-Identifier: BSD-2-Clause
"""
Prints a recording, for tests/assemble, with the CoreSight trace that a processor would have written for
instructions that qemu has executed. Writes the branches that were taken to a file, one per line: source
and target in hexadecimal, 0 where the trace starts or stops; and the number of instructions.

    python3 cs_encoder.py PROGRAM LOG BRANCHES raw|frames|ete

PROGRAM is a static executable file of arm64. LOG is the log of qemu-aarch64 -singlestep -d exec,nochain.
raw is a trace of one unit without frames, ete the same of a newer unit. frames has the traces of two units,
which both have executed the program, in one buffer. COUNT is the number of instructions.
"""

import re
import struct
import sys

CONFIG, IDR0, IDR2 = 0xC1, 0x28000EA1, 0x00000488
IDR1, IDR1_ETE = 0x4100F400, 0x4100FFF0
DEVARCH = 0x47705A13
CONTEXT_EL0 = 0x30 | 0x80  # 64 bits, not secure, with a context ID
THREAD = 100


def read_code(path):
    """Returns the address and the bytes of the executable segment, and its place in the file."""
    data = open(path, "rb").read()
    start, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    for i in range(count):
        kind, flags, offset, address, _, size = struct.unpack_from("<IIQQQQ", data, start + 56 * i)
        if kind == 1 and flags & 1:
            return address, data[offset : offset + size], offset
    raise ValueError("no code")


def class_of(word):
    """Returns the class of an instruction: None, direct, conditional, indirect or svc."""
    if word >> 26 in (0b000101, 0b100101):
        return "direct"
    if word >> 24 == 0x54 or word >> 24 & 0x7E in (0x34, 0x36):
        return "conditional"
    if word >> 25 == 0x6B and word >> 21 & 15 in (0, 1, 2):
        return "indirect"
    return "svc" if word & 0xFFE0001F == 0xD4000001 else None


class Encoder:
    """Writes packets of ETMv4."""

    def __init__(self):
        self.packets = bytearray()
        self.atoms = []

    def flush(self):
        """Writes the atoms: 1 to 3 in a packet, or 4 to 24 that are taken, with the last one of either kind."""
        atoms, self.atoms = self.atoms, []
        while atoms:
            taken = next((i for i, atom in enumerate(atoms) if not atom), len(atoms))
            if taken >= 4:
                count = min(taken, 23)
                last = atoms[count] if count < len(atoms) else None
                if last is None:
                    count, last = count - 1, True
                if count >= 3:
                    self.packets.append(0xC0 | (count - 3) | (0 if last else 0x20))
                    atoms = atoms[count + 1 :]
                    continue
            part, atoms = atoms[:3], atoms[3:]
            bits = sum(1 << i for i, atom in enumerate(part) if atom)
            self.packets.append({1: 0xF6, 2: 0xD8, 3: 0xF8}[len(part)] | bits)

    def address(self, header, ip):
        """Writes an address of 64 bits."""
        self.flush()
        self.packets += bytes([header, ip >> 2 & 0x7F, ip >> 9 & 0x7F])
        self.packets += (ip >> 16).to_bytes(6, "little")

    def time(self, value):
        """Writes a timestamp."""
        self.flush()
        self.packets.append(0x02)
        for i in range(9):
            rest = value >> 7
            self.packets.append(value & 0x7F | (0x80 if rest and i < 8 else 0))
            value = rest
            if not rest:
                break

    def synchronize(self):
        """Writes where a decoder can start."""
        self.flush()
        self.packets += bytes(11) + b"\x80" + b"\x01\x01\x00"

    def start(self, ip):
        """Writes where the trace starts."""
        self.flush()
        self.packets.append(0x04)
        self.address(0x85, ip)
        self.packets.append(CONTEXT_EL0)
        self.packets += THREAD.to_bytes(4, "little")

    def call_of_kernel(self, ip):
        """Writes the exception of a system call, which returns to ip."""
        self.flush()
        self.packets += bytes([0x06, 0x01 | 2 << 1])
        self.address(0x9D, ip)


def encode(addresses, code_start, code):
    """Returns the packets and the branches."""
    encoder, branches = Encoder(), []
    encoder.synchronize()
    encoder.time(10)
    encoder.start(addresses[0])
    branches.append((0, addresses[0]))
    for i, (ip, after) in enumerate(zip(addresses, addresses[1:] + [None])):
        kind = class_of(struct.unpack_from("<I", code, ip - code_start)[0])
        if i % 1000 == 999:
            encoder.time(10 + 10 * i)
        if kind == "svc":
            encoder.call_of_kernel(ip + 4)
            branches.append((ip, 0))
            if after is not None:
                branches.append((0, after))
                encoder.start(after)
        elif after is None:
            raise ValueError("the program does not end with a system call")
        elif kind:
            taken = kind != "conditional" or after != ip + 4
            encoder.atoms.append(taken)
            if taken:
                branches.append((ip, after))
            if kind == "indirect":
                encoder.address(0x9D, after)
    return bytes(encoder.packets), branches


def interleave(traces):
    """Returns pairs of a trace ID and a byte: 5 and 9 bytes of the traces in turn."""
    pairs, at = [], {number: 0 for number in traces}
    while any(at[number] < len(traces[number]) for number in traces):
        for number in traces:
            count = 5 if number % 2 else 9
            pairs += [(number, byte) for byte in traces[number][at[number] : at[number] + count]]
            at[number] += count
    return pairs


def put_frames(pairs):
    """Returns frames of 16 bytes. Bytes of the ID 0 fill the last one."""
    frames, at, current = bytearray(), 0, 0
    pairs = pairs + [(0, 0)] * 32
    while at < len(pairs) - 32:
        frame, low = bytearray(), 0
        for i in range(0, 15, 2):
            number, byte = pairs[at]
            if number != current or (i < 14 and pairs[at + 1][0] != current):
                # A change of the ID, at once or after the next byte.
                late = number == current
                frame.append((pairs[at + 1][0] if late else number) << 1 | 1)
                low |= late << i // 2
                current = frame[-1] >> 1
            else:
                frame.append(byte & 0xFE)
                low |= (byte & 1) << i // 2
                at += 1
            if i < 14:
                frame.append(pairs[at][1])
                at += 1
        frames += frame + bytes([low])
    return bytes(frames)


def main():
    """Prints the recording."""
    program, log, truth, mode = sys.argv[1:5]
    addresses = [int(ip, 16) for ip in re.findall(r"(?m)^Trace 0: \S+ \[[0-9a-f]+/([0-9a-f]+)/", open(log, encoding="ascii").read())]
    start, code, offset = read_code(program)
    packets, branches = encode(addresses, start, code)
    cpus = 2 if mode == "frames" else 1
    words = [1, 8 << 32 | cpus, 0]
    for cpu in range(cpus):
        registers = [CONFIG, 0x10 + cpu, IDR0, IDR1_ETE if mode == "ete" else IDR1, IDR2, 0, 0]
        registers += [DEVARCH, 1] if mode == "ete" else [1]
        words += [0x5050505050505050 if mode == "ete" else 0x4040404040404040, cpu, len(registers)] + registers
    data = put_frames(interleave({0x10: packets, 0x11: packets})) if mode == "frames" else packets
    with open(truth, "w", encoding="ascii") as file:
        file.writelines(f"{source:x} {target:x}\n" for source, target in branches)
    print("BEGIN\nHEADER_ATTR attr_type=8 sample_period=1 id=7 sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)")
    print("HEADER_FEATURE feature=(NRCPUS) available=2 online=2\nTIME_CONV shift=0 mult=1 zero=0")
    print("AUXTRACE_INFO aux_type=3 " + " ".join(f"priv[{i}]={word:#x}" for i, word in enumerate(words)))
    print(f'COMM pid={THREAD} tid={THREAD} comm="prog"')
    print(f'MMAP misc=(user) pid={THREAD} tid={THREAD} addr={start:#x} len={len(code):#x} pgoff={offset:#x} filename="{program}"')
    print(f"AUX aux_offset=0 aux_size={len(data)} flags={0 if mode == 'frames' else 0x100} trailer.id=7 trailer.time=2000000 trailer.pid=1 trailer.tid=1 trailer.cpu=0")
    print(f"AUXTRACE aux_offset=0 payload_size={len(data)} payload={data.hex()} idx=0 cpu=0 tid={THREAD}")
    print("FINISHED_ROUND")
    print(len(addresses), file=sys.stderr)


main()
