"""Collections for the tests: a small one to decide about, a hostile one, and a very large one."""

import json
import subprocess
from pathlib import Path

from payloads import PAYLOADS

WORDS = (
    "harbour bridge council minister river school station market village winter summer engine "
    "theatre library hospital railway island mountain valley farmer doctor teacher captain weather "
    "morning evening letter window garden kitchen picture history science music language travel"
).split()


def story(number, length=70):
    """A text that shares little with the others."""
    words = [f"{WORDS[(number * 7 + at * 5 + at * at) % len(WORDS)]}{(number * 31 + at) % 97}" for at in range(length)]
    return f"Report {number} said on Monday that 12 people met in Ankara. " + " ".join(words) + "."


def small(folder):
    """Eight clusters with copies, changed figures, exact copies, several sources and times."""
    lines = []
    for number in range(8):
        text = story(number)
        variants = [
            text,
            text,
            text.replace("12 people", "17 people"),
            text.replace("Monday", "Tuesday").replace("Ankara", "Izmir"),
            text + " More was to follow later in the day, the council said.",
        ][: 3 + number % 3]
        for copy, variant in enumerate(variants):
            lines.append({
                "id": f"doc-{number}-{copy}",
                "title": f"Story {number}, version {copy}",
                "text": variant,
                "source": ["Courier", "Herald", "Gazette"][(number + copy) % 3],
                "url": f"https://news.example/{number}/{copy}",
                "time": f"2026-0{1 + number % 6}-1{copy}T0{copy}:30:00Z",
            })
    path = folder / "news.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def hostile(folder):
    """Two copies for each payload, which stands in every field."""
    path = folder / "hostile.jsonl"
    with path.open("w") as out:
        for number, payload in enumerate(PAYLOADS):
            for copy in range(2):
                text = f"{payload} {story(100 + number)} {payload if copy else ''}\n{payload}"
                out.write(json.dumps({
                    "id": f"{payload} {number} {copy}",
                    "title": f"{payload} {copy}",
                    "text": text,
                    "source": payload if copy == 0 else f"{payload} other",
                    "sender": payload,
                    "url": payload if number % 2 else f"https://x.example/{payload}",
                    "time": f"2026-03-0{1 + copy}T00:00:00Z",
                }) + "\n")
    return path


def pages(folder):
    """Two HTML pages that try to run scripts and to fetch things."""
    for copy in range(2):
        body = story(500) + (" Updated." if copy else "")
        (folder / f"page{copy}.html").write_text(
            "<html><head><title>Page</title><script>parent.__ran=1;top.__ran=1</script>"
            "<link rel=stylesheet href=//evil.example/x.css></head><body onload='top.__ran=1'>"
            f"<article><h1>Page</h1><p>{body}</p><img src=//evil.example/x.png onerror='top.__ran=1'>"
            "<form action=//evil.example><button>go</button></form></article></body></html>"
        )
    return folder


def sites(folder):
    """Pages of two sites, each with furniture of its own within the text; one story is on both."""
    lines = []
    for site in ("north.example", "south.example"):
        for number in range(12):
            told = 700 if number == 0 else 710 + number + (50 if site[0] == "s" else 0)
            teaser = f"Subscribe to the letter of {site} and get ten stories each morning before breakfast, for free."
            body = f"<p>{story(told)}</p><p>{teaser}</p><p>{story(told + 200, 40)}</p>"
            lines.append({
                "id": f"{site}-{number}",
                "html": f"<html><head><title>Story {told}</title></head><body><article><h1>Story {told}</h1>{body}</article></body></html>",
                "url": f"https://{site}/stories/{number}.html",
                "time": f"2026-03-1{number % 10}T0{site[0] == 's'}:00:00Z".replace("True", "1").replace("False", "0"),
            })
    path = folder / "pages.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def large(small_results, folder, clusters):
    """Results with very many clusters, written as dedup writes them."""
    folder.mkdir()
    (folder / "report.json").write_text((small_results / "report.json").read_text())
    with (folder / "clusters.jsonl").open("w") as out:
        for number in range(1, clusters + 1):
            size = 2 + number % 4
            members = [
                {
                    "id": f"d{number}-{at}",
                    "score": 1.0 if at == 0 else round(0.5 + (number * 37 + at) % 500 / 1000, 3),
                    "exact": None if at == 0 else False,
                    "time": f"2026-0{1 + number % 9}-{10 + at}T00:00:00Z",
                    "title": f"Cluster about {WORDS[number % len(WORDS)]} number {number}",
                    "source": f"source {(number + at) % 40}",
                }
                for at in range(size)
            ]
            out.write(json.dumps({"cluster": number, "original": members[0]["id"], "size": size, "members": members}) + "\n")
    return folder


def dedup(firsthand, inputs, output, *more):
    profile = [] if "--profile" in more else ["--profile", "corpus"]
    command = [str(firsthand), "dedup", str(inputs), "-o", str(output), *profile, "--quiet", *more]
    subprocess.run(command, check=True, cwd=Path(output).parent)
    return output
