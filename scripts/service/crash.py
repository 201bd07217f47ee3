#!/usr/bin/env python3
"""Kills a service with SIGKILL under load, again and again, and checks that nothing it acknowledged is lost.

    scripts/service/crash.py [--program FILE] [--cycles 200] [--clients 4] [--keep-text]

In every cycle several clients send documents, singly and in bulk, until the service is killed at a random
moment; then a new one is asked for every document that was acknowledged so far, in a sample of at most 2,000
and all of the last cycle. Also: SIGTERM under load (every answer is whole, exit code 0), and a full disk where
a small one can be mounted. Ends by itself.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, document, program  # noqa: E402


class Load:
    """Clients that send documents until the service is gone, or for as long as they are told."""

    def __init__(self, service, first, clients, seconds):
        self.service, self.lock = service, threading.Lock()
        self.next, self.until = first, time.monotonic() + seconds
        self.acknowledged, self.broken, self.decided = [], [], []
        self.threads = [threading.Thread(target=self.send, args=(at,)) for at in range(clients)]
        for thread in self.threads:
            thread.start()

    def take(self, count):
        with self.lock:
            first, self.next = self.next, self.next + count
        return range(first, first + count)

    def send(self, client):
        while time.monotonic() < self.until:
            numbers = self.take(1 if client % 2 else 50)
            try:
                self.stream(numbers)
                self.decide(numbers)
            except OSError:
                return
            except Exception as error:  # noqa: BLE001 - a cut-off answer shows as various errors
                if "IncompleteRead" not in type(error).__name__ and "BadStatusLine" not in repr(error):
                    self.broken.append(repr(error))
                return

    def stream(self, numbers):
        """Every whole line that comes back is an acknowledgement, though the rest may not come."""
        body = "".join(json.dumps(document(number)) + "\n" for number in numbers).encode()
        connection = self.service.connect(timeout=30)
        connection.request("POST", "/v1/documents", body, {"content-type": "application/x-ndjson"})
        response = connection.getresponse()
        if response.status != 200:
            raise OSError(response.status)
        rest = b""
        while chunk := response.read1(65536):
            *whole, rest = (rest + chunk).split(b"\n")
            answers = [json.loads(line) for line in whole]
            with self.lock:
                self.acknowledged += [answer["id"] for answer in answers if answer["verdict"] != "error"]
        connection.close()

    def decide(self, numbers):
        """One decision about a document that was acknowledged."""
        tag = {"action": "tag", "documents": [document(numbers[0])["id"]], "tags": ["seen"]}
        connection = self.service.connect(timeout=30)
        connection.request("POST", "/v1/decisions", json.dumps([tag]), {"content-type": "application/json"})
        response = connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise OSError(response.status)
        with self.lock:
            self.decided.append(json.loads(answer)["line"])
        connection.close()

    def end(self):
        for thread in self.threads:
            thread.join(60)


def missing(service, ids):
    """Which of these documents the service does not know."""
    lost = []
    for start in range(0, len(ids), 500):
        part = [document(int(name[1:])) for name in ids[start:start + 500]]
        answers = service.add(part)
        lost += [answer["id"] for answer in answers if not answer.get("repeated")]
    return lost


def decisions(service):
    """The numbers of all decisions that the service knows."""
    lines, cursor = set(), ""
    while cursor is not None:
        connection = service.connect(timeout=30)
        connection.request("GET", f"/v1/decisions?limit=1000{cursor and '&cursor=' + cursor}")
        page = json.loads(connection.getresponse().read())
        connection.close()
        lines |= {decision["line"] for decision in page["decisions"]}
        cursor = page["next"]
    return lines


def crash(options):
    chance, store = random.Random(7), tempfile.mkdtemp() + "/seen"
    more = ["--keep-text"] if options.keep_text else []
    everything, first, lost, decided = [], 0, [], []
    for cycle in range(options.cycles):
        with Service(options.program, store, "-q", *more) as service:
            load = Load(service, first, options.clients, 30)
            # On a busy machine the first answer may take a while; without one there is nothing to lose.
            until = time.monotonic() + 20
            while not load.acknowledged and time.monotonic() < until:
                time.sleep(0.002)
            time.sleep(chance.uniform(0, 0.4))
            service.kill()
            load.end()
        first = load.next
        if load.broken:
            sys.exit(f"cycle {cycle}: {load.broken[:3]}")
        sample = chance.sample(everything, min(len(everything), 2000 - min(len(load.acknowledged), 1000)))
        with Service(options.program, store, "-q", *more) as service:
            lost += missing(service, load.acknowledged + sample)
            decided += load.decided
            lost += [f"decision {line}" for line in set(decided) - decisions(service)]
            service.stop()
        everything += load.acknowledged
    print(f"kill -9 under load: {options.cycles} cycles, {len(everything)} documents and {len(decided)} decisions "
          f"acknowledged, {len(lost)} lost")
    shutil.rmtree(os.path.dirname(store))
    if lost or len(everything) < options.cycles:
        sys.exit(f"lost: {lost[:10]}, acknowledged: {len(everything)}")


def stop(options):
    """SIGTERM under load."""
    store = tempfile.mkdtemp() + "/seen"
    with Service(options.program, store, "-q") as service:
        load = Load(service, 0, options.clients, 1.5)
        time.sleep(0.5)
        code = service.stop()
        load.end()
    with Service(options.program, store, "-q") as service:
        lost = missing(service, load.acknowledged)
        service.stop()
    print(f"SIGTERM under load: exit code {code}, {len(load.acknowledged)} acknowledged, {len(lost)} lost")
    shutil.rmtree(os.path.dirname(store))
    if code != 0 or lost or not load.acknowledged:
        sys.exit("it did not end in order")


def full(options):
    """A disk that fills: 507 or 503, and everything that was acknowledged stays."""
    folder = tempfile.mkdtemp()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder]
    if subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("full disk: not tried, since no small disk can be mounted here (that needs root)")
        return
    try:
        for limit, expected in (("disk=1M", {507}), ("disk=1", {503, 507})):
            store, acknowledged, refused = f"{folder}/{limit.replace('=', '')}", [], set()
            with Service(options.program, store, "-q", "--limit", limit) as service:
                for start in range(0, 200_000, 50):
                    body = "".join(json.dumps(document(n)) + "\n" for n in range(start, start + 50))
                    status, answer = service.request("POST", "/v1/documents", body.encode())
                    lines = [json.loads(line) for line in answer.decode().splitlines()]
                    acknowledged += [it["id"] for it in lines if it.get("verdict") not in ("error", None)]
                    refused |= {it["status"] for it in lines if "status" in it}
                    if refused:
                        break
                status, answer = service.request("POST", "/v1/check", json.dumps(document(0)).encode())
                checked = status == 200 and b"repeated\":true" in answer
                code = service.stop()
            # With room again, everything is there.
            subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)
            with Service(options.program, store, "-q", "--limit", "disk=1") as service:
                lost = missing(service, acknowledged)
                service.stop()
            shutil.rmtree(store)
            subprocess.run(["mount", "-o", "remount,size=6m", folder], check=True)
            print(f"full disk ({limit}): refused with {sorted(refused)}, checking goes on: {checked}, "
                  f"{len(acknowledged)} acknowledged, {len(lost)} lost, exit code {code}")
            if lost or not refused <= expected or not refused or not checked or code != 0:
                sys.exit("a full disk was not withstood")
    finally:
        subprocess.run(["umount", folder], check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=program())
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--keep-text", action="store_true")
    options = parser.parse_args()
    crash(options)
    stop(options)
    full(options)


main()
