# SPDX-License-Identifier: BSD-2-Clause
import builtins
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from types import ModuleType, TracebackType
from typing import Any, NamedTuple, Optional, Protocol, Union

class _HasFileno(Protocol):
    def fileno(self) -> int: ...

_Source = Union[str, bytes, PathLike[str], int, _HasFileno]

__version__: str

class Error(Exception):
    offset: Optional[int]

class DamagedError(Error): ...
class TruncatedError(Error): ...
class UnsupportedError(Error): ...
class StaleError(Error): ...
class IOError(Error, OSError): ...
class StreamWarning(UserWarning): ...

class Frame(NamedTuple):
    ip: Optional[int]
    symbol: Optional[str]
    offset: Optional[int]
    dso: Optional[str]
    dsoff: Optional[int]
    inlined: bool
    file: Optional[str]
    line: Optional[int]

class Record:
    @property
    def type(self) -> str: ...
    @property
    def type_number(self) -> int: ...
    @property
    def misc(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def time(self) -> Optional[int]: ...
    @property
    def event(self) -> Optional[str]: ...
    @property
    def data(self) -> bytes: ...
    def asdict(self) -> dict[str, Any]: ...
    def __getattr__(self, name: str) -> Any: ...

class Sample:
    type: str
    offset: int
    misc: int
    data: bytes
    raw: Optional[bytes]
    user_stack: Optional[bytes]
    ips: Optional[tuple[int, ...]]
    iregs: Optional[tuple[int, ...]]
    uregs: Optional[tuple[int, ...]]
    brstack: Optional[tuple[tuple[int, int, int], ...]]
    stack: Optional[tuple[Frame, ...]]
    callchain: Optional[tuple[Frame, ...]]
    fields: Optional[dict[str, Union[int, str, None]]]
    trace: Optional[str]
    event: str
    period: int
    pid: Optional[int]
    tid: Optional[int]
    cpu: Optional[int]
    time: Optional[int]
    comm: Optional[str]
    mode: Optional[str]
    symbol: Optional[str]
    dso: Optional[str]
    ip: Optional[int]
    addr: Optional[int]
    def asdict(self, *names: str) -> dict[str, Any]: ...
    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, name: str) -> Any: ...

class Column:
    values: memoryview
    present: Optional[memoryview]
    texts: Optional[tuple[Any, ...]]
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def to_pandas(self) -> Any: ...

class Columns(dict[str, Column]):
    count: int
    def to_pandas(self) -> Any: ...

class Reader:
    def __init__(
        self,
        source: _Source,
        *,
        ordered: bool = ...,
        where: Optional[str] = ...,
        skip_damaged: bool = ...,
    ) -> None: ...
    bad_records: int
    late_records: int
    session: dict[str, Any]
    events: list[dict[str, Any]]
    def __iter__(self) -> Iterator[Union[Record, Sample]]: ...
    def __next__(self) -> Union[Record, Sample]: ...
    def samples(self) -> Iterator[Sample]: ...
    def columns(self, *names: str, limit: Optional[int] = ...) -> Columns: ...
    def batches(self, *names: str, size: int = ...) -> Iterator[Columns]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Reader: ...
    def __exit__(
        self,
        type: Optional[builtins.type[BaseException]],
        value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None: ...

class Count(NamedTuple):
    value: int
    enabled: int
    running: int
    @property
    def scaled(self) -> Optional[float]: ...

_Numbers = Union[None, str, int, Iterable[int]]

class Counters:
    events: tuple[str, ...]
    cpus: tuple[int, ...]
    tids: tuple[int, ...]
    def __init__(
        self,
        events: str,
        *,
        pids: _Numbers = ...,
        tids: _Numbers = ...,
        cpus: _Numbers = ...,
        system_wide: bool = ...,
        inherit: bool = ...,
    ) -> None: ...
    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def reset(self) -> None: ...
    def read(self) -> dict[str, Count]: ...
    def read_all(self) -> list[tuple[str, int, int, int, int, int]]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Counters: ...
    def __exit__(
        self,
        type: Optional[builtins.type[BaseException]],
        value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None: ...

class Counts(dict[str, Optional[float]]):
    place: str
    time: Optional[float]
    def __init__(self, place: str, time: Optional[float]) -> None: ...
    def ratio(self, name: str, other: str) -> Optional[float]: ...

class Recording(Reader):
    status: Optional[int]
    def __init__(self, arguments: Iterable[str], program: str = ..., **options: Any) -> None: ...
    def close(self) -> None: ...

class Writer:
    def __init__(self, target: _Source, *, stage: Optional[str] = ...) -> None: ...
    def write(self, record: Union[Record, Sample]) -> None: ...
    def header(self) -> None: ...
    def write_record(self, type: int, misc: int, body: bytes) -> None: ...
    def flush(self) -> None: ...
    def close(self, complete: bool = ...) -> None: ...
    def __enter__(self) -> Writer: ...
    def __exit__(
        self,
        type: Optional[builtins.type[BaseException]],
        value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None: ...

def open(
    source: _Source = ...,
    *,
    ordered: bool = ...,
    where: Optional[str] = ...,
    skip_damaged: bool = ...,
) -> Reader: ...
def field_names() -> dict[str, str]: ...
def run(
    handlers: Union[Mapping[str, Any], ModuleType, None] = ...,
    source: _Source = ...,
    *,
    ordered: bool = ...,
    where: Optional[str] = ...,
    skip_damaged: bool = ...,
) -> None: ...
def record(*arguments: str, **options: Any) -> Recording: ...
def counts(source: Union[_Source, Iterable[str]] = ...) -> Iterator[Counts]: ...
