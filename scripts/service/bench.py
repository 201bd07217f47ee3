#!/usr/bin/env python3
"""The measurements of scripts/bench-serve. Prints a table; every loop is bounded in count and in time."""

import argparse
import itertools
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service  # noqa: E402

SINGLES = 500
BULK = 5000
# Documents of one request while the store only grows: a body has at most a gigabyte.
MOST = 100_000


def quantiles(times):
    """The median and the 99th percentile, in milliseconds."""
    times = sorted(times)
    return statistics.median(times) * 1000, times[min(len(times) - 1, len(times) * 99 // 100)] * 1000


def read(path, count):
    """Lines of documents, without labels, with ids of their own."""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(itertools.islice(lines, count)):
            found = json.loads(line)
            fields = {name: found[name] for name in ("text", "title", "url", "html") if found.get(name)}
            yield json.dumps({"id": str(number), **fields}) + "\n"


def post(service, path, body):
    """Sends a body whole and reads all answers: how many."""
    connection = service.connect(timeout=600)
    connection.request("POST", path, body, {"content-type": "application/x-ndjson"})
    response = connection.getresponse()
    count = sum(chunk.count(b"\n") for chunk in iter(lambda: response.read(1 << 16), b""))
    connection.close()
    if response.status != 200:
        sys.exit(f"status {response.status}")
    return count


def singles(service, lines, path="/v1/documents"):
    """The times of single documents, one after another on one connection."""
    connection, times = service.connect(), []
    for line in lines:
        began = time.perf_counter()
        connection.request("POST", path, line.encode(), {"content-type": "application/x-ndjson"})
        connection.getresponse().read()
        times.append(time.perf_counter() - began)
    connection.close()
    return times


def bulk_times(service, lines):
    """The times of requests of 100 documents."""
    times = []
    for start in range(0, len(lines), 100):
        began = time.perf_counter()
        post(service, "/v1/documents", "".join(lines[start:start + 100]).encode())
        times.append(time.perf_counter() - began)
    return times


def stream(program, store, path):
    """The seconds that `firsthand stream` takes for a file, without those for opening the store and closing it."""
    def run(path):
        command = [program, "stream", "--store", store, "--window", "endless", "-q", path]
        began = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - began

    return run(path) - (run(os.devnull) if os.path.isdir(store) else 0)


def parts(count, measured):
    """The documents up to a stop, in pieces that fit into one request; only the last one is measured."""
    grown = count - measured
    for start in range(0, grown, MOST):
        yield min(MOST, grown - start), False
    yield measured, True


def growing(options):
    """The service as its store grows, beside `firsthand stream`, each with a store of its own."""
    stops = [int(stop) for stop in options.stops.split(",")]
    lines = read(options.documents, stops[-1] + len(stops) * (SINGLES + BULK))
    served, streamed = f"{options.out}/store-served", f"{options.out}/store-streamed"
    print("| documents | bulk docs/s | `firsthand stream` docs/s | bulk/stream | single p50 ms | p99 ms | bulk of 100 p50 ms | p99 ms |")
    print("|---|---|---|---|---|---|---|---|")
    at = 0
    for stop in stops:
        measured = min(20_000, (stop - at) // 2)
        for count, is_measured in parts(stop - at, measured):
            part = f"{options.out}/part.ndjson"
            with open(part, "w", encoding="utf-8") as out:
                out.writelines(itertools.islice(lines, count))
            took_stream = stream(options.program, streamed, part)
            with Service(options.program, served, "-q", "--window", "endless") as service:
                with open(part, "rb") as body:
                    whole = body.read()
                began = time.perf_counter()
                answered = post(service, "/v1/documents", whole)
                took = time.perf_counter() - began
                if answered != count:
                    sys.exit(f"{answered} answers to {count} documents")
                if is_measured:
                    single = quantiles(singles(service, list(itertools.islice(lines, SINGLES))))
                    bulk = quantiles(bulk_times(service, list(itertools.islice(lines, BULK))))
                service.stop()
        at = stop
        print(f"| {stop:,} | {measured / took:,.0f} | {measured / took_stream:,.0f} | {took_stream / took:.2f} "
              f"| {single[0]:.2f} | {single[1]:.2f} | {bulk[0]:.1f} | {bulk[1]:.1f} |", flush=True)


def peer(options):
    """datasketch MinHashLSH behind FastAPI and uvicorn, in memory, beside the service on a new store."""
    lines = list(read(options.documents, options.peer + SINGLES + BULK))
    bulk, rest = "".join(lines[:options.peer]).encode(), lines[options.peer:]
    print("\n| | bulk docs/s | single p50 ms | p99 ms |\n|---|---|---|---|")
    with Service(options.program, f"{options.out}/store-peer", "-q", "--window", "endless") as service:
        began = time.perf_counter()
        post(service, "/v1/documents", bulk)
        took = time.perf_counter() - began
        single = quantiles(singles(service, rest[:SINGLES]))
        print(f"| firsthand serve, durable | {options.peer / took:,.0f} | {single[0]:.2f} | {single[1]:.2f} |")
        service.stop()
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    module = os.path.dirname(os.path.abspath(__file__))
    command = [sys.executable, "-m", "uvicorn", "peer:app", "--port", str(port), "--log-level", "warning"]
    process = subprocess.Popen(command, cwd=module)

    class Peer:
        def connect(self, timeout=600):
            import http.client
            return http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        began = time.perf_counter()
        post(Peer(), "/documents", bulk)
        took = time.perf_counter() - began
        single = quantiles(singles(Peer(), rest[:SINGLES], "/documents"))
        print(f"| datasketch MinHashLSH (128) in FastAPI, in memory | {options.peer / took:,.0f} | {single[0]:.2f} | {single[1]:.2f} |")
    finally:
        process.terminate()
        process.wait(30)


def crowd(options):
    """Single documents beside 2,000 idle and 2,000 dribbling connections, and without them."""
    lines = list(read(options.documents, 4 * SINGLES))
    with Service(options.program, "memory:", "-q") as service:
        singles(service, lines[:SINGLES])
        quiet = quantiles(singles(service, lines[SINGLES:2 * SINGLES]))
        connect = lambda: socket.create_connection(("127.0.0.1", service.port))  # noqa: E731
        idle, dribbling = [connect() for _ in range(2000)], [connect() for _ in range(2000)]
        ended, until = threading.Event(), time.monotonic() + 60

        def dribble():
            head = b"POST /v1/documents HTTP/1.1\r\nhost: localhost\r\nx: " + b"y" * 1000
            for byte in head:
                for at, one in enumerate(dribbling):
                    if ended.is_set() or time.monotonic() > until:
                        return
                    try:
                        one.send(bytes([byte]))
                    except OSError:
                        # The service has closed it: another one takes its place.
                        one.close()
                        dribbling[at] = connect()
                time.sleep(1)

        thread = threading.Thread(target=dribble)
        thread.start()
        crowded = quantiles(singles(service, lines[2 * SINGLES:3 * SINGLES]))
        ended.set()
        thread.join()
        for one in idle + dribbling:
            one.close()
        service.stop()
    print("\n| single documents | p50 ms | p99 ms |\n|---|---|---|")
    print(f"| quiet | {quiet[0]:.2f} | {quiet[1]:.2f} |")
    print(f"| beside 2,000 idle and 2,000 dribbling connections | {crowded[0]:.2f} | {crowded[1]:.2f} |")
    print(f"\np99 ratio {crowded[1] / quiet[1]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("program", "documents", "stops", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--peer", type=int, default=0)
    options = parser.parse_args()
    # A crowd needs more files than most shells allow at first.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    growing(options)
    if options.peer:
        peer(options)
    crowd(options)


main()
