#!/usr/bin/env python3
"""Runs the examples of docs/service.md: every block marked `sh` that calls curl, in order, against a service.

    scripts/service/examples.py [--program FILE]

A line of the block that begins with `# ` says what the answer must contain.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, program  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--program", default=program())
options = parser.parse_args()

with open("docs/service.md", encoding="utf-8") as page:
    blocks = re.findall(r"```sh\n(.*?)```", page.read(), re.DOTALL)
blocks = [block for block in blocks if "curl" in block]
if len(blocks) < 8:
    sys.exit(f"docs/service.md has {len(blocks)} blocks with curl; is this the right page?")
with tempfile.TemporaryDirectory() as folder, Service(os.path.abspath(options.program), f"{folder}/seen", "-q", "--keep-text") as service:
    for block in blocks:
        expected = re.findall(r"^# (.*)$", block, re.MULTILINE)
        script = "set -e\n" + block.replace("localhost:7411", f"localhost:{service.port}")
        done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60)
        wrong = [words for words in expected if words not in done.stdout]
        if done.returncode != 0 or wrong:
            sys.exit(f"{block}\nexit code {done.returncode}, not found: {wrong}\n{done.stdout}\n{done.stderr}")
    if service.stop() != 0:
        sys.exit("the service did not end in order")
print(f"docs/service.md: {len(blocks)} examples run")
