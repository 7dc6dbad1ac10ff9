"""The page of all warnings, generated from their codes, so that the docs cannot drift.

`python -m orchestrator.lints.page` writes `docs/checks.md`; a test holds the file against it.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from orchestrator.workspace.codes import CHECKS

_HEAD = """\
# Warnings of check

Generated from the codes. What `cuewave check` refuses is a fault: nothing runs with it. A warning is about a
workspace that runs, but hardly does what its author means. Without `--strict` their number is told; with it
each is shown with file, line, column and what to do, and the exit code is 1 where there is one, for CI.

```sh
cuewave check --strict    # also --json: faults and warnings apart
```

A warning that is known and wanted so is silenced by its code:

```yaml
# config/orchestrator.yaml
checks:
  allow: [keyword-shared]
```
"""


def page() -> str:
    """The whole page as Markdown: a table for what each group of warnings is about."""
    return _HEAD + "".join(f"\n## {about}\n\n{_table(codes)}" for about, codes in CHECKS.items())


def _table(codes: Mapping[str, str]) -> str:
    rows = "".join(f"| `{code}` | {said} |\n" for code, said in codes.items())
    return f"| code | what it says |\n|---|---|\n{rows}"


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/checks.md").write_text(page(), encoding="utf-8")
