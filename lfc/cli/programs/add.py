"""`lfc add`: a package for a project."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import click

from lfc.cli.common.output import output_options
from lfc.cli.common.sources import FILE, project_folder


@click.command("add", short_help="Add a package to a project, or fetch what it needs.")
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--path", metavar="DIR", help="The folder of the package, relative to the project.")
@click.option("--git", metavar="URL", help="The git repository of the package.")
@click.option("--commit", metavar="HASH", help="Which commit of it, all digits (what HEAD names now).")
@click.option(
    "--check",
    type=click.Choice(["again", "trust", "none"]),
    help="How `lfc check` treats its checks: run them again (default), trust signed records, or neither.",
)
@output_options
def command(name: str | None, path: str | None, git: str | None, commit: str | None, check: str | None) -> None:
    """Add the package NAME to lf.toml, fetch it and all that it needs, and write lf.lock.

    Without NAME, fetch what lf.toml names. A package from git is pinned by its commit and the hash of its content.
    Nothing of a package is run: git brings objects, without hooks, filters or submodules.
    """
    from lfc.packages.manifest import NAME, BadPackage
    from lfc.packages.resolve import fetch_all

    folder = project_folder()
    if folder is None:
        raise click.UsageError(f"There is no project here: no {FILE} (`lfc new` creates one).")
    if name is None and (path or git or commit or check):
        raise click.UsageError("Which package? Name it: lfc add NAME --path DIR, or --git URL.")
    if name is not None and bool(path) == bool(git):
        raise click.UsageError("A package comes from --path DIR or from --git URL: give one of them.")
    if name is not None and not NAME.fullmatch(name):
        raise click.UsageError(f"`{name}` is no name of a package: letters, digits, `-` and `_`.")
    if commit is not None and git is None:
        raise click.UsageError("--commit is for --git.")
    if path is not None and not (folder / path).is_dir():
        raise click.UsageError(f"There is no folder {path} (--path counts from {folder}).")
    file = folder / FILE
    try:
        before = file.read_bytes()
        if name is not None:
            entry = entry_of(folder, path, git, commit, check)
            write_whole(file, with_dependency(before.decode(), name, entry).encode())
    except UnicodeDecodeError:
        raise click.ClickException(f"{file} is not UTF-8.") from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be changed: {error.strerror}.") from None
    except BadPackage as error:
        raise click.ClickException(f"{error}.") from None
    try:
        packages = fetch_all(folder)
    except BaseException as error:
        if name is not None:
            write_whole(file, before)  # as if nothing had been asked
        if isinstance(error, BadPackage):
            raise click.ClickException(f"{error}.") from None
        raise
    for p in packages:
        where = p.dependency.git or p.dependency.path
        print(f"{p.name}: {where}{f' at {p.dependency.commit[:12]}' if p.dependency.commit else ''}", file=sys.stderr)


def write_whole(file: Path, content: bytes) -> None:
    """All of it or nothing: a full disk must not cost the project its file."""
    target = file.resolve()
    new = target.with_name(f".{target.name}.new")
    try:
        new.write_bytes(content)
        shutil.copymode(target, new)
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def entry_of(folder: Path, path: str | None, git: str | None, commit: str | None, check: str | None) -> str:
    from lfc.packages.content import hash_of
    from lfc.packages.git_source import address_of, fetched, newest_commit
    from lfc.packages.lock import quoted
    from lfc.packages.manifest import COMMIT, BadPackage

    parts = []
    if path is not None:
        parts.append(f"path = {quoted(Path(path).as_posix())}")
    if git is not None:
        address = address_of(git, folder)
        commit = commit or newest_commit(address)
        if not COMMIT.fullmatch(commit):
            raise BadPackage(f"--commit needs all 40 digits of a commit, not `{commit}`: a branch or a tag may move")
        parts += [f"git = {quoted(git)}", f'commit = "{commit}"', f'hash = "{hash_of(fetched(address, commit))}"']
    if check is not None:
        parts.append(f'check = "{check}"')
    return "{ " + ", ".join(parts) + " }"


def with_dependency(text: str, name: str, entry: str) -> str:
    """lf.toml with this line in `[dependencies]`, in place of the one of this name."""
    lines = re.split(r"\r?\n", text.removesuffix("\n"))
    head = next((n for n, line in enumerate(lines) if re.fullmatch(r"\s*\[dependencies\]\s*(#.*)?", line)), None)
    if head is None:
        return "\n".join([*lines, "", "[dependencies]", f"{name} = {entry}", ""])
    end = next((n for n in range(head + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    inside = [line for line in lines[head + 1 : end] if not re.match(rf"\s*{re.escape(name)}\s*=", line)]
    while inside and not inside[-1].strip():
        inside.pop()
    after = ["", *lines[end:]] if end < len(lines) else []
    return "\n".join([*lines[: head + 1], *inside, f"{name} = {entry}", *after, ""])
