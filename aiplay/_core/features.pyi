from collections.abc import Sequence
from typing import Any

FULL: int
KIND_BITS: int
KIND_NUMBER: int
KIND_TABLE: int
MAX_ACTIVE: int
MAX_INPUTS: int

class FieldFeatures:
    @property
    def size(self) -> int: ...
    def __init__(self, seats: int, size: int, tables: Sequence[Any]) -> None: ...
