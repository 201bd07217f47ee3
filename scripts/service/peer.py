"""What a user would set up without firsthand: datasketch's MinHashLSH behind FastAPI.

It keeps everything in memory, finds candidates only, and verifies nothing.
"""

import json

from datasketch import MinHash, MinHashLSH
from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse

app = FastAPI()
lsh = MinHashLSH(threshold=0.5, num_perm=128)


@app.post("/documents")
async def add(request: Request):
    answers = []
    for line in (await request.body()).splitlines():
        document = json.loads(line)
        words = document.get("text", document.get("html", "")).lower().split()
        sketch = MinHash(num_perm=128)
        sketch.update_batch([" ".join(words[at:at + 3]).encode() for at in range(max(1, len(words) - 2))])
        near = lsh.query(sketch)
        if document["id"] not in lsh:
            lsh.insert(document["id"], sketch)
        answers.append(json.dumps({"id": document["id"], "near": near[:1]}))
    return PlainTextResponse("\n".join(answers) + "\n")
