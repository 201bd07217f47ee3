#!/usr/bin/env python3
"""Checks every response against openapi.json with schemathesis, on a service that has some documents.

    PYTHON scripts/service/schema.py [--program FILE] [--examples 30]

PYTHON is that of an environment with schemathesis: scripts/venv schemathesis. Answers of several lines, which
schemathesis does not look into, are checked line by line.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, document, program  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--program", default=program())
parser.add_argument("--examples", default="30")
options = parser.parse_args()

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"

def check_lines(service, method, path, body=None):
    """Every line of an answer against the schema that the description has for it."""
    import jsonschema_rs

    description = json.loads(service.request("GET", "/openapi.json")[1])
    response = description["paths"][path][method.lower()]["responses"]["200"]
    schema = {**response["content"]["application/x-ndjson"]["schema"], "components": description["components"]}
    status, answer = service.request(method, path, body)
    lines = answer.decode().splitlines()
    if status != 200 or not lines:
        sys.exit(f"{method} {path}: status {status}, {len(lines)} lines")
    for line in lines:
        jsonschema_rs.validate(schema, json.loads(line))
    return len(lines)


with tempfile.TemporaryDirectory() as folder, Service(options.program, f"{folder}/seen", "-q", "--keep-text") as service:
    service.add([document(number) for number in range(20)])
    service.add([{**document(number), "id": f"copy{number}"} for number in range(5)])
    odd = ["broken", "[1]", "{}", '{"id": "x"}', '{"id": "t", "text": "x", "time": "soon"}', '{"id": "s", "text": "x"}']
    body = "\n".join([json.dumps(document(1)), *odd, json.dumps({**document(2), "id": "again"})]).encode()
    lines = check_lines(service, "POST", "/v1/documents", body) + check_lines(service, "POST", "/v1/check", body)
    decisions = [
        {"action": "not-a-copy", "documents": ["copy1"]}, {"action": "tag", "documents": ["copy2"], "tags": ["x"]},
        {"action": "keep", "documents": ["copy3"], "person": "Ada"}, {"action": "undo"}, {"action": "redo", "of": 99},
        {"action": "merge", "documents": ["nobody"], "others": ["copy1"]}, {"action": "burn"}, [1],
    ]
    body = "\n".join(json.dumps(decision) for decision in decisions).encode()
    lines += check_lines(service, "POST", "/v1/decisions", body)
    lines += check_lines(service, "GET", "/v1/export")
    print(f"{lines} lines of answers fit the description")
    command = [
        os.path.join(os.path.dirname(sys.executable), "schemathesis"), "run", f"{service.url}/openapi.json", "--checks", CHECKS,
        "--max-examples", options.examples, "--seed", "7", "--request-timeout", "30",
        "--phases", "examples,coverage,fuzzing", "--generation-database", "none", "--no-color",
    ]
    here = os.path.dirname(os.path.abspath(__file__))
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": here}
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=folder, env=environment)
    print(done.stdout[-6000:] if done.returncode else "\n".join(done.stdout.splitlines()[-12:]))
    if done.returncode != 0 or service.stop() != 0:
        sys.exit(done.stderr[-2000:] or "schemathesis found something")
