"""Runs the two programs and keeps what they say, so that a run can be taken up again."""

import json
import os
import subprocess
import sys

import machine


class Programs:
    def __init__(self, folder, cache, again):
        self.folder, self.cache, self.again = folder, cache, again
        # What an earlier run measured and this one did not.
        self.reused = []
        os.makedirs(cache, exist_ok=True)

    def path(self, *names):
        return os.path.join(self.cache, *names)

    def version(self):
        return self._say("firsthand", "--version")

    def evaluate(self, name, documents, *flags):
        """The report of `firsthand eval` on labelled documents."""
        out = self.path("eval-" + name)
        report = os.path.join(out, "report.json")
        if self._has(report):
            self.reused.append(f"the methods on {name}")
        else:
            self._log(f"every method on {name}")
            self._run("firsthand", "eval", documents, "-o", out, "--force", "--quiet", *flags)
        with open(report, encoding="utf-8") as file:
            return json.load(file)

    def evaluate_online(self, name, documents, *flags):
        """The report of `firsthand eval --online` on labelled documents."""
        out = self.path("online-" + name)
        report = os.path.join(out, "report.json")
        if self._has(report):
            self.reused.append(f"the stream of {name}")
        else:
            self._log(f"a stream of {name}")
            self._run("firsthand", "eval", "--online", documents, "-o", out, "--force", "--quiet",
                      *flags)
        with open(report, encoding="utf-8") as file:
            return json.load(file)

    def generate(self, shape, documents, seed=7):
        """The path of a generated collection."""
        path = self.path(f"{shape}-{documents}.jsonl")
        if not self._has(path):
            self._log(f"generating {documents} documents of the shape {shape}")
            command = [self._program("firsthand-bench"), "generate", "--shape", shape]
            command += ["--documents", str(documents), "--seed", str(seed)]
            with open(path + ".new", "wb") as file:
                subprocess.run(command, stdout=file, check=True)
            os.replace(path + ".new", path)
        return path

    def join(self, name, documents, *flags):
        """The figures of the collection and the rows of `firsthand-bench join`."""
        path = self.path(f"join-{name}.jsonl")
        if self._has(path):
            self.reused.append(f"the joins ({name})")
        else:
            self._log(f"joins: {name}")
            command = [self._program("firsthand-bench"), "join", documents, *flags]
            with open(path + ".new", "wb") as file:
                subprocess.run(command, stdout=file, check=True)
            os.replace(path + ".new", path)
        with open(path, encoding="utf-8") as lines:
            figures, *rows = [json.loads(line) for line in lines]
        return figures, rows

    def andd(self, name, documents, *flags):
        """The rows of `firsthand-bench andd`, and when they were measured."""
        path = self.path(f"andd-{name}.json")
        if self._has(path):
            self.reused.append(f"learned weights ({name})")
        else:
            self._log(f"learned weights: {name}")
            lines = self._say("firsthand-bench", "andd", documents, *flags).splitlines()
            measured = {"when": machine.when(), "rows": [json.loads(line) for line in lines]}
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(measured, file)
            os.replace(path + ".new", path)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def _has(self, path):
        return self.again and os.path.exists(path)

    def _program(self, name):
        return os.path.join(self.folder, name)

    def _say(self, name, *args):
        done = subprocess.run([self._program(name), *args], check=True, stdout=subprocess.PIPE)
        return done.stdout.decode().strip()

    def _run(self, name, *args):
        subprocess.run([self._program(name), *args], check=True, stdout=subprocess.DEVNULL)

    @staticmethod
    def _log(text):
        print(f"results: {text}", file=sys.stderr)
