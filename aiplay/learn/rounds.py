"""Checkpoints of learning a value: all that a killed run needs to go on."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from aiplay.errors import ValueFileError
from aiplay.files import write_file
from aiplay.lazy import numpy as np
from aiplay.learn.network import LAYERS, Trainer
from aiplay.learn.samples import Samples

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Checkpoint", "checkpoint_of"]

FORMAT = 3
SAMPLES = ("inputs", "targets", "firsts", "lasts")  # arrays of Samples
GROUPS = ("weights", "means", "squares")  # layers of Trainer


def checkpoint_of(path: Path) -> Path:
    """Return the file of the checkpoint beside a value file."""
    return Path(f"{path}.checkpoint")


class Checkpoint(NamedTuple):
    """A run after a round: `about` is plain data, the rest are arrays."""

    about: dict[str, Any]
    trainer: Trainer
    samples: Samples

    def write(self, path: Path) -> None:
        """Write the file, completely or not at all."""
        arrays = {name: getattr(self.samples, name) for name in SAMPLES}
        for group in GROUPS:
            arrays |= {f"{group}.{name}": layer for name, layer in getattr(self.trainer, group).items()}
        about = {**self.about, "format": FORMAT, "steps": self.trainer.steps}
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
        memory = io.BytesIO()
        np.savez_compressed(memory, **arrays)
        write_file(path, memory.getvalue())

    @classmethod
    def read(cls, path: Path, origin: Mapping[str, Any]) -> Checkpoint:
        """Return a checkpoint; ValueFileError if it is damaged, or belongs to another run than `origin` says."""
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            about = json.loads(arrays["about"].tobytes())
            known = {name: about[name] for name in ("format", *origin)}
            samples = Samples(**{name: arrays[name] for name in SAMPLES})
            groups = {group: {name: arrays[f"{group}.{name}"] for name in LAYERS} for group in GROUPS}
            trainer = Trainer(**groups, steps=about["steps"])
        except FileNotFoundError:
            raise ValueFileError(f"there is no checkpoint {path}: start without resuming") from None
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            raise ValueFileError(f"{path} is not a checkpoint of `aiplay learn`") from None
        for name, value in {"format": FORMAT, **origin}.items():
            if known[name] != value:
                raise ValueFileError(
                    f"{path} belongs to another run: its {name} is {known[name]!r}, not {value!r}"
                )
        return cls(about, trainer, samples)
