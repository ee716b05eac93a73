"""What the source archive and the wheel hold: `python .ci/check_archives.py dist`."""

import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

BUILT = {".so", ".pyd"}
MADE = BUILT | {".c", ".html", ".pyc"}
# By hand, though a build makes files of that kind.
WRITTEN = {"bench/bare_uct.c", "aiplay/serve/page/index.html", "js/bot.html"}
TOP = {  # files beside the package
    *(
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "CODE_OF_CONDUCT.md",
        "SECURITY.md",
        "CITATION.cff",
        "LICENSE",
    ),
    *("pyproject.toml", "setup.py", ".editorconfig", ".pre-commit-config.yaml"),
}


def package_files(root: Path) -> set[str]:
    """The files of the package in this checkout that are not made by a build."""
    found = [path for path in (root / "aiplay").rglob("*") if path.is_file()]
    names = {path.relative_to(root).as_posix() for path in found}
    return {name for name in names if PurePosixPath(name).suffix not in MADE or name in WRITTEN}


def complain(archive: Path, what: str, names: set[str]) -> bool:
    """Print the names, if there are any."""
    if names:
        print(f"{archive.name}: {what}: {', '.join(sorted(names))}")
    return bool(names)


def check_wheel(wheel: Path, wanted: set[str]) -> bool:
    """Everything but .pyx, and a compiled module for each of those; nothing else."""
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    compiled = {name.split(".")[0] + ".pyx" for name in names if PurePosixPath(name).suffix in BUILT}
    plain = {name for name in names if PurePosixPath(name).suffix not in BUILT}
    modules = {name for name in wanted if name.endswith(".pyx")}
    problems = [
        complain(wheel, "not compiled", modules - compiled),
        complain(wheel, "compiled from nothing", compiled - modules),
        complain(wheel, "missing", wanted - modules - plain),
        complain(wheel, "too much", plain - (wanted - modules)),
    ]
    print(f"{wheel.name}: {len(names)} files, {wheel.stat().st_size / 1e6:.1f} MB")
    return any(problems)


def check_sdist(sdist: Path, root: Path, wanted: set[str]) -> bool:
    """The whole package with its sources, tests and tools, and nothing that a build makes."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    folders = ("tests", "bench", "docs", "examples", "js", "tools", ".ci", ".github")
    others = {
        path.relative_to(root).as_posix()
        for folder in folders
        for path in (root / folder).rglob("*")
        if path.is_file() and not {"__pycache__", "node_modules"} & set(path.parts)
    }
    others |= TOP
    made = {name for name in names if PurePosixPath(name).suffix in MADE} - WRITTEN
    problems = [
        complain(sdist, "missing", (wanted | others) - names),
        complain(sdist, "made by a build", made),
    ]
    print(f"{sdist.name}: {len(names)} files, {sdist.stat().st_size / 1e6:.1f} MB")
    return any(problems)


def main() -> int:
    """Check the one wheel and the one source archive of a folder."""
    root = Path(__file__).parents[1]
    folder = Path(sys.argv[1])
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    wanted = package_files(root)
    return int(check_wheel(wheel, wanted) | check_sdist(sdist, root, wanted))


if __name__ == "__main__":
    sys.exit(main())
