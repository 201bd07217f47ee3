"""A `firsthand serve` that a script starts, talks to and ends, with nothing but the standard library."""

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile


class Service:
    """A running service. `kill` ends it at once, `stop` in order."""

    def __init__(self, program, store, *more):
        self.log = tempfile.TemporaryFile()
        command = [program, "serve", "--store", store, "--listen", "127.0.0.1:0", *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline().decode()
        if "://" not in line:
            self.process.wait(10)
            sys.exit(f"the service did not start: {self.told()}")
        self.url = line.split()[-1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def told(self):
        """What the service has written to stderr."""
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def connect(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def request(self, method, path, body=None, kind="application/x-ndjson", headers=None):
        """The status and the body of one request on a connection of its own."""
        connection = self.connect()
        headers = dict(headers or {})
        if body is not None:
            headers["content-type"] = kind
        connection.request(method, path, body=body, headers=headers)
        response = connection.getresponse()
        status, answer = response.status, response.read()
        connection.close()
        return status, answer

    def add(self, documents):
        """The answers to documents."""
        body = "".join(json.dumps(document) + "\n" for document in documents).encode()
        status, answer = self.request("POST", "/v1/documents", body)
        if status != 200:
            raise OSError(f"status {status}: {answer[:300]}")
        return [json.loads(line) for line in answer.decode().splitlines()]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, timeout=60):
        """The exit code after SIGTERM."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


def program():
    """The program under test: the first argument, or the debug build."""
    target = os.environ.get("CARGO_TARGET_DIR", "target")
    return os.path.join(target, "debug", "firsthand")


def document(number, words=40):
    """A document whose text is its own."""
    text = " ".join(f"word{number * words + word}" for word in range(words))
    return {"id": f"d{number}", "text": text}
