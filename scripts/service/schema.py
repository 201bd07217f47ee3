#!/usr/bin/env python3
"""Checks every response against openapi.json with schemathesis, on a service that has some documents.

    scripts/service/schema.py --schemathesis FILE [--program FILE] [--examples 30]
"""

import argparse
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, document, program  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--program", default=program())
parser.add_argument("--schemathesis", required=True)
parser.add_argument("--examples", default="30")
options = parser.parse_args()

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"

with tempfile.TemporaryDirectory() as folder, Service(options.program, f"{folder}/seen", "-q", "--keep-text") as service:
    service.add([document(number) for number in range(20)])
    service.add([{**document(number), "id": f"copy{number}"} for number in range(5)])
    command = [
        options.schemathesis, "run", f"{service.url}/openapi.json", "--checks", CHECKS,
        "--max-examples", options.examples, "--seed", "7", "--request-timeout", "30",
        "--phases", "examples,coverage,fuzzing", "--generation-database", "none", "--no-color",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=folder)
    print(done.stdout[-6000:] if done.returncode else "\n".join(done.stdout.splitlines()[-12:]))
    if done.returncode != 0 or service.stop() != 0:
        sys.exit(done.stderr[-2000:] or "schemathesis found something")
