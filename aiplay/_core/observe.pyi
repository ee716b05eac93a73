from collections.abc import Mapping

import numpy as np

from aiplay.fields import Field

class Scaler:
    @property
    def layout(self) -> dict[str, slice[int, int, None]]: ...
    @property
    def size(self) -> int: ...
    def __init__(self, dtype: np.dtype[np.void], fields: Mapping[str, Field]) -> None: ...
