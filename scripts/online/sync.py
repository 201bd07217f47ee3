"""How long the disk takes to confirm a small write: the floor under every durable add."""

import json
import os
import sys
import time

path = os.path.join(sys.argv[1], "sync.tmp")
file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
times = []
for _ in range(1000):
    started = time.perf_counter()
    os.write(file, b"x" * 3000)
    os.fdatasync(file)
    times.append((time.perf_counter() - started) * 1000)
os.close(file)
os.unlink(path)
times.sort()
print(json.dumps({"p50_ms": times[500], "p99_ms": times[990]}))
