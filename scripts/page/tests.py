"""The review page in a real browser. See `run`."""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import sync_playwright

import made
from payloads import PAYLOADS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
import service as serving  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]
# What a page must never do is noted before anything of it runs.
WATCH = """
window.__violations = [];
document.addEventListener('securitypolicyviolation', (e) => window.__violations.push(e.violatedDirective + ' ' + e.blockedURI));
"""
CLUSTERS = 100_000


def lines(path):
    """The lines of a file, which may have separators of other kinds within."""
    return path.read_text().removesuffix("\n").split("\n")


class Service:
    """`firsthand review` on a free port."""

    def __init__(self, firsthand, results):
        command = [str(firsthand), "review", str(results), "--no-open", "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=results.parent)
        line = self.process.stdout.readline()
        assert " on http://" in line, line
        self.url = line.split(" on ")[1].split()[0].rstrip("/")
        self.decisions = results / "decisions.jsonl"

    def lines(self):
        return [json.loads(line) for line in lines(self.decisions)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        code = self.process.wait(timeout=20)
        assert code in (0, 143, -15), code


class Tests:
    def __init__(self, firsthand, folder, pictures):
        self.firsthand, self.folder, self.pictures = firsthand, folder, pictures

    def open(self, playwright):
        path = next(filter(None, map(shutil.which, BROWSERS)))
        self.browser = playwright.chromium.launch(executable_path=path, args=FLAGS)

    def context(self, service, **options):
        """A context whose pages fail the test if they run, fetch or are refused anything."""
        context = self.browser.new_context(**options)
        context.add_init_script(WATCH)
        context.set_default_timeout(20_000)
        self.faults = faults = []
        allowed = (service.url + "/",) if service else ()

        def on_request(request):
            if not request.url.startswith(allowed) and not request.url.startswith(("file:", "data:,")):
                faults.append(f"request to {request.url}")

        def on_failed(request):
            # What the policy of a frame stops has gone nowhere.
            if request.failure == "csp":
                faults.remove(f"request to {request.url}")

        context.on("request", on_request)
        context.on("requestfailed", on_failed)
        context.on("dialog", lambda dialog: (faults.append("dialog"), dialog.dismiss()))
        context.on("weberror", lambda error: faults.append(f"error {error.error}"))
        context.on("console", lambda said: said.type in ("error", "warning") and "409" not in said.text
                   and "422" not in said.text and faults.append(f"console {said.text}"))
        return context

    def check(self, page):
        ran = page.evaluate("window.__ran")
        violations = page.evaluate("window.__violations")
        assert ran is None, f"a script ran on {page.url}"
        assert violations == [], f"{violations} on {page.url}"
        assert self.faults == [], f"{self.faults} on {page.url}"

    def act(self, page, do):
        """Does something that appends a decision and loads the page anew; returns the message."""
        with page.expect_navigation():
            do()
        page.wait_for_function("document.getElementById('status').textContent !== ''")
        return page.text_content("#status")

    def results(self, name):
        folder = self.folder / name
        folder.mkdir()
        return made.dedup(self.firsthand, made.small(folder), folder / "result")

    # The tests.

    def test_every_action_by_its_key(self):
        results = self.results("keys")
        with Service(self.firsthand, results) as service:
            context = self.context(service)
            page = context.new_page()
            page.goto(service.url + "/")
            # The list, by keys only.
            rows = page.locator("a.cluster")
            assert rows.count() == 8
            page.keyboard.press("j")
            page.keyboard.press("j")
            assert page.evaluate("document.activeElement.textContent") == rows.nth(1).text_content()
            page.keyboard.press("k")
            page.keyboard.press("/")
            assert page.evaluate("document.activeElement.id") == "search"
            page.keyboard.type("version j k ?")
            assert page.input_value("#search") == "version j k ?", "keys are off while typing"
            assert not page.locator("#legend").is_visible()
            page.keyboard.press("Escape")
            page.keyboard.press("?")
            assert page.locator("#legend").is_visible()
            page.keyboard.press("Escape")
            page.keyboard.press("j")
            page.keyboard.press("o")
            page.wait_for_selector("#cluster")
            first = page.url
            page.keyboard.press("j")
            page.wait_for_url(lambda url: url != first)
            page.keyboard.press("k")
            page.wait_for_url(lambda url: url.split("?")[0] == first.split("?")[0])
            page.fill("#person", "Ada")
            page.keyboard.press("Tab")
            page.keyboard.press("n")
            assert page.locator(".row.current").count() == 1
            assert page.text_content("#place").startswith("1 of ")
            page.keyboard.press("n")
            page.keyboard.press("p")
            # t: all members are tagged.
            page.keyboard.press("t")
            page.keyboard.type("ferry, north")
            said = self.act(page, lambda: page.keyboard.press("Enter"))
            assert "Tagged all" in said, said
            line = service.lines()[-1]
            assert line["action"] == "tag" and line["tags"] == ["ferry", "north"], line
            assert line["person"] == "Ada" and len(line["documents"]) >= 3 and line["documents"][0]["text"], line
            assert page.locator("p.tags .tag").count() == 2
            # c: the member that is shown is kept.
            member = page.get_attribute("#beside", "data-member")
            self.act(page, lambda: page.keyboard.press("c"))
            assert service.lines()[-1]["action"] == "keep"
            assert page.locator("tr.original code").first.text_content() == member
            assert "chosen by Ada" in page.text_content("section.group")
            self.act(page, lambda: page.keyboard.press("u"))
            assert service.lines()[-1] == {**service.lines()[-1], "action": "undo", "of": 2}
            self.act(page, lambda: page.keyboard.press("r"))
            assert service.lines()[-1]["action"] == "redo"
            self.act(page, lambda: page.keyboard.press("u"))
            # d: not a copy of the original; it stands on its own then, and i brings it back.
            member = page.get_attribute("#beside", "data-member")
            self.act(page, lambda: page.keyboard.press("d"))
            line = service.lines()[-1]
            assert line["action"] == "not-a-copy" and line["documents"][0]["id"] == member
            assert page.locator("section.group").count() == 2
            page.goto(page.url.split("?")[0] + "?m=" + member)
            self.act(page, lambda: page.keyboard.press("i"))
            assert service.lines()[-1]["action"] == "is-a-copy"
            assert page.locator("section.group").count() == 1
            # x: chosen members are split out together, by the keyboard alone.
            boxes = page.locator("table.members > tbody > tr > td > input[name=member]")
            for at in range(1, boxes.count()):
                boxes.nth(at).focus()
                page.keyboard.press("Space")
            self.act(page, lambda: page.keyboard.press("x"))
            assert service.lines()[-1]["action"] == "split"
            assert page.locator("section.group").count() == 2
            self.act(page, lambda: page.keyboard.press("u"))
            # m: merged with another cluster.
            other = "2" if "/clusters/1" in page.url else "1"
            page.keyboard.press("m")
            page.keyboard.type(other)
            self.act(page, lambda: page.keyboard.press("Enter"))
            assert service.lines()[-1]["action"] == "merge"
            assert "merged with" in page.text_content("#cluster")
            # w: a note.
            page.keyboard.press("w")
            page.keyboard.type("look again")
            self.act(page, lambda: page.keyboard.press("Enter"))
            assert "look again" in page.text_content("table.members")
            # o: the text of the original; l and h: the members.
            page.keyboard.press("o")
            page.wait_for_selector("#beside .text")
            page.go_back()
            before = page.get_attribute("#beside", "data-member")
            page.keyboard.press("h" if page.locator("a[data-step=next]").count() == 0 else "l")
            page.wait_for_function("(before) => document.querySelector('#beside').dataset.member !== before", arg=before)
            # s: skipped, and on to the next.
            page.goto(service.url + "/clusters/5")
            self.act(page, lambda: page.keyboard.press("s"))
            assert service.lines()[-1]["action"] == "skip" and "/clusters/5" not in page.url
            # Rules for the original, and what was decided stays after loading anew.
            page.goto(service.url + "/clusters/6")
            self.act(page, lambda: page.click("button[data-rule=longest]"))
            kept = service.lines()[-1]["documents"][0]["id"]
            page.reload()
            assert page.locator("tr.original code").first.text_content() == kept
            page.goto(service.url + "/clusters/6?show=stack")
            assert page.locator(".stack .base").count() > 0
            page.goto(service.url + "/history")
            assert page.locator("table.history tbody tr").count() == len(service.lines())
            assert "Ada" in page.text_content("table.history")
            page.goto(service.url + "/?state=reviewed")
            assert page.locator("a.cluster").count() >= 2
            page.goto(service.url + "/?tag=ferry")
            assert page.locator("a.cluster").count() == 1
            self.check(page)
            for name in ["clusters.csv", "clusters.jsonl", "clusters.parquet", "labels.tsv"]:
                answer = context.request.get(f"{service.url}/export/{name}")
                assert answer.ok and len(answer.body()) >= 10, name
            context.close()
        # The next run obeys, and so does --apply.
        made.dedup(self.firsthand, results.parent / "news.jsonl", results, "--force")
        report = json.loads((results / "report.json").read_text())
        assert report["decisions"]["joined"] > 0 and report["decisions"]["not_obeyed_count"] == 0, report["decisions"]
        subprocess.run([self.firsthand, "review", results, "--apply", "--quiet"], check=True, cwd=results.parent)
        assert (results / "reviewed" / "tags.jsonl").read_text().count("ferry") >= 3

    def test_two_tabs(self):
        with Service(self.firsthand, self.results("tabs")) as service:
            context = self.context(service)
            one, two = context.new_page(), context.new_page()
            one.goto(service.url + "/clusters/1")
            two.goto(service.url + "/clusters/1")
            one.bring_to_front()
            one.fill("#tag", "seen")
            self.act(one, lambda: one.press("#tag", "Enter"))
            # The other tab shows it when it is looked at, and can undo it.
            with two.expect_navigation():
                two.bring_to_front()
                two.evaluate("window.dispatchEvent(new Event('focus'))")
            assert two.locator("p.tags .tag").count() == 1
            self.act(two, lambda: two.keyboard.press("u"))
            assert two.locator("p.tags .tag").count() == 0
            # What was undone there is not undone twice here.
            answer = context.request.post(f"{service.url}/v1/review/undo", data={"of": 1})
            assert answer.status == 409 and answer.json()["code"] == "conflict", answer.text()
            # Both at once: nothing is lost.
            for tab in (one, two):
                tab.goto(service.url + "/clusters/2")
            for tab, tag in ((one, "left"), (two, "right")):
                tab.fill("#tag", tag)
            with one.expect_navigation(), two.expect_navigation():
                one.evaluate("document.querySelector('form[data-do=tag]').requestSubmit()")
                two.evaluate("document.querySelector('form[data-do=tag]').requestSubmit()")
            one.reload()
            assert one.locator("p.tags .tag").count() == 2
            assert self.faults == [], self.faults
            context.close()

    def test_labelling(self):
        with Service(self.firsthand, self.results("label")) as service:
            context = self.context(service)
            page = context.new_page()
            page.goto(service.url + "/label")
            assert "score of that pair" not in page.text_content("main")
            for key, grade in [("y", "yes"), ("n", "no"), ("u", "unsure")] + 5 * [("y", "yes")]:
                with page.expect_navigation():
                    page.keyboard.press(key)
                page.wait_for_selector(".answered")
                assert service.lines()[-1]["grade"] == grade
            assert "score of that pair" in page.text_content(".answered")
            assert "95 % interval" in page.text_content(".lead")
            labels = context.request.get(f"{service.url}/export/labels.tsv").text().splitlines()
            assert labels[0] == "a\tb\tgrade" and len(labels) == 9, labels
            self.check(page)
            context.close()

    def serve(self, name):
        """`firsthand serve` on a store that keeps texts, with the small collection in it."""
        folder = self.folder / name
        folder.mkdir()
        documents = [json.loads(line) for line in lines(made.small(folder))]
        # A stream with its window is about the present.
        for at, document in enumerate(documents):
            document["time"] = int(time.time()) - 3600 + at
        service = serving.Service(str(self.firsthand), str(folder / "seen"), "--keep-text", "-q")
        service.add(documents)
        return service

    def test_store(self):
        with self.serve("store") as service:
            decisions = lambda: json.loads(service.request("GET", "/v1/decisions")[1])["decisions"]  # noqa: E731
            context = self.context(service)
            page = context.new_page()
            page.goto(service.url + "/")
            assert page.locator("a.cluster").count() == 8
            page.keyboard.press("j")
            page.keyboard.press("o")
            page.wait_for_selector("#beside .row.changed")
            page.keyboard.press("t")
            page.keyboard.type("ferry")
            self.act(page, lambda: page.keyboard.press("Enter"))
            assert decisions()[-1]["tags"] == ["ferry"]
            self.act(page, lambda: page.keyboard.press("u"))
            assert not decisions()[0]["holds"]
            page.goto(page.url.split("#")[0].split("?")[0] + "?show=page")
            assert "no page to show" in page.text_content("#beside") and page.locator("#beside .text p").count() > 0
            assert page.locator("iframe").count() == 0
            page.goto(service.url + "/label")
            for key, grade in [("y", "yes"), ("n", "no"), ("u", "unsure")]:
                assert page.locator("#pair .row.changed, #pair .row.same, #pair .row.only").count() > 0
                with page.expect_navigation():
                    page.keyboard.press(key)
                page.wait_for_selector(".answered")
                assert decisions()[-1]["grade"] == grade
            self.check(page)
            context.close()
            assert service.stop() == 0

    def test_exports(self):
        import csv
        import io

        import pyarrow.parquet

        results = self.results("exports")
        with Service(self.firsthand, results) as service:
            context = self.context(service)
            action = {"cluster": 3, "person": "Ada", "action": "tag", "tags": ["=1+1", "ferry"]}
            assert context.request.post(f"{service.url}/v1/review/actions", data=action).ok
            page = context.new_page()
            page.goto(service.url + "/export")
            files = {}
            for name in ("clusters.csv", "clusters.jsonl", "clusters.parquet", "labels.tsv"):
                with page.expect_download() as download:
                    page.click(f"a[href='/export/{name}']")
                assert download.value.suggested_filename == name
                files[name] = Path(download.value.path()).read_bytes()
            objects = [json.loads(line) for line in files["clusters.jsonl"].splitlines()]
            head, objects = objects[0]["export"], objects[1:]
            assert head["firsthand"] and head["settings"], head
            rows = list(csv.DictReader(io.StringIO(files["clusters.csv"].decode("utf-8-sig"), newline="")))
            table = pyarrow.parquet.read_table(pyarrow.BufferReader(files["clusters.parquet"])).to_pylist()
            print(f"  {len(objects)} documents; columns {', '.join(rows[0])}")
            ids = [one["id"] for one in objects]
            clusters = [json.loads(line) for line in lines(results / "clusters.jsonl")]
            assert sorted(ids) == sorted(member["id"] for cluster in clusters for member in cluster["members"])
            assert [row["id"] for row in rows if row["id"]] == ids == [row["id"] for row in table]
            tagged = [row for row in rows if "ferry" in row["tags"]]
            assert len(tagged) == sum("ferry" in (one.get("tags") or []) for one in objects) >= 3
            assert all(not row["tags"].startswith("=") for row in tagged), tagged
            self.check(page)
            context.close()

    def test_furniture_is_set_aside(self):
        folder = self.folder / "furniture"
        folder.mkdir()
        results = made.dedup(self.firsthand, made.sites(folder), folder / "result", "--profile", "archive")
        with Service(self.firsthand, results) as service:
            for width in (1280, 390):
                context = self.context(service, viewport={"width": width, "height": 900})
                page = context.new_page()
                page.goto(service.url + "/clusters/1")
                aside = page.locator("details.aside")
                assert aside.count() == 2, page.text_content("#beside")
                for at in range(2):
                    aside.nth(at).locator("summary").click()
                assert "letter of north.example" in aside.nth(0).text_content()
                assert "letter of south.example" in aside.nth(1).text_content()
                # It is no difference.
                assert "letter of" not in page.text_content(".rows")
                page.screenshot(path=self.pictures / f"furniture-{width}.png", full_page=True)
                self.check(page)
                context.close()

    def test_hostile_documents(self):
        folder = self.folder / "hostile"
        folder.mkdir()
        results = made.dedup(self.firsthand, made.hostile(folder), folder / "result")
        clusters = len(lines(results / "clusters.jsonl"))
        assert clusters == len(PAYLOADS), f"{clusters} clusters of {len(PAYLOADS)} payloads"
        with Service(self.firsthand, results) as service:
            context = self.context(service)
            page = context.new_page()
            for after in ("", "&after=50", "&after=100"):
                page.goto(f"{service.url}/?sort=newest{after}")
                self.check(page)
            for number in range(1, clusters + 1):
                page.goto(f"{service.url}/clusters/{number}" + ("?show=stack" if number % 3 == 0 else ""))
                self.check(page)
            # Every payload as a tag, a note and a name, by the page's own script.
            page.goto(f"{service.url}/clusters/1")
            for number, payload in enumerate(PAYLOADS):
                body = {"cluster": number + 1, "person": payload}
                for more in ({"action": "tag", "tags": [payload]}, {"action": "note", "note": payload}):
                    answer = context.request.post(f"{service.url}/v1/review/actions", data={**body, **more})
                    assert answer.ok, answer.text()
            for number in range(1, clusters + 1, 5):
                page.goto(f"{service.url}/clusters/{number}")
                self.check(page)
            # What the page itself repeats of an address.
            fields = ("text", "source", "tag", "sort", "m", "show", "after", "state", "from", "to", "min_size")
            for payload in PAYLOADS[::3]:
                every = "&".join(f"{field}={made_safe(payload)}" for field in fields)
                for path in ("/clusters/1", "/"):
                    page.goto(f"{service.url}{path}?{every}")
                    self.check(page)
            for path in ("/history", "/label", "/export", "/nothing"):
                answer = page.goto(service.url + path)
                if answer.ok:
                    self.check(page)
            # Cells that a spreadsheet would run are defused.
            table = context.request.get(f"{service.url}/export/clusters.csv").text()
            assert "\n=" not in table and ",=HYPERLINK" not in table and ',"=HYPERLINK' not in table
            context.close()
        # The page for mailing has no script at all.
        context = self.context(None)
        page = context.new_page()
        page.goto(f"file://{results}/report.html")
        assert page.locator("script").count() == 0 and page.locator("article").count() > 0
        self.check(page)
        context.close()

    def test_page_in_a_frame(self):
        folder = self.folder / "frame"
        (folder / "pages").mkdir(parents=True)
        made.pages(folder / "pages")
        results = made.dedup(self.firsthand, folder / "pages", folder / "result")
        with Service(self.firsthand, results) as service:
            context = self.context(service)
            page = context.new_page()
            # What the policy of the frame refuses is reported on the console, which is what is wanted here.
            page.goto(f"{service.url}/clusters/1?show=page")
            frame = page.frame_locator("iframe")
            assert "Report 500" in frame.locator("body").text_content()
            assert page.evaluate("window.__ran") is None
            wrong = [fault for fault in self.faults if fault.startswith(("request", "dialog"))]
            assert wrong == [], wrong
            (folder / "pages" / "page1.html").write_text("<p>Another text altogether, which nobody has compared.</p>")
            page.goto(f"{service.url}/clusters/1")
            assert "has changed since" in page.text_content("#beside")
            (folder / "pages" / "page1.html").unlink()
            page.goto(f"{service.url}/clusters/1")
            assert "is not there any more" in page.text_content("#beside")
            context.close()

    def test_very_many_clusters(self):
        results = made.large(self.results("base"), self.folder / "large", CLUSTERS)
        with Service(self.firsthand, results) as service:
            context = self.context(service)
            page = context.new_page()
            took = {}
            for name, path in {
                "list": "/", "least certain": "/?sort=least-certain", "search": "/?text=harbour+777",
                "filter": "/?source=source+7&min_size=4&state=open", "cluster": "/clusters/77777",
            }.items():
                start = time.monotonic()
                page.goto(service.url + path)
                took[name] = f"{time.monotonic() - start:.2f} s"
            page.goto(service.url + "/?sort=newest")
            seen = set()
            for _ in range(4):
                numbers = page.eval_on_selector_all("a.cluster", "links => links.map(link => link.pathname)")
                assert len(numbers) == 50 and not seen & set(numbers)
                seen |= set(numbers)
                page.click("main nav.pages a[rel=next]")
                page.wait_for_load_state()
            page.goto(service.url + "/?text=number+99999")
            assert page.locator("a.cluster").count() == 1
            page.keyboard.press("j")
            page.keyboard.press("o")
            page.wait_for_selector("#cluster")
            page.fill("#tag", "far")
            start = time.monotonic()
            self.act(page, lambda: page.press("#tag", "Enter"))
            took["tag"] = f"{time.monotonic() - start:.2f} s"
            assert "1 of 100,000" in page.text_content("header")
            print("  100,000 clusters:", ", ".join(f"{name} {value}" for name, value in took.items()))
            self.check(page)
            context.close()

    def test_accessible_and_pictures(self):
        results = self.results("pictures")
        shown = {
            "list": "/", "cluster": "/clusters/3", "differences": "/clusters/3?m=doc-2-3", "stack": "/clusters/3?show=stack", "label": "/label",
            "history": "/history", "export": "/export",
        }
        with Service(self.firsthand, results) as service:
            for width, scheme in ((1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")):
                context = self.context(service, viewport={"width": width, "height": 900}, color_scheme=scheme)
                page = context.new_page()
                for action in ({"action": "tag", "tags": ["ferry"]}, {"action": "note", "note": "look again"}):
                    if width == 1280 and scheme == "light":
                        context.request.post(f"{service.url}/v1/review/actions", data={"cluster": 3, "person": "Ada", **action})
                for name, path in shown.items():
                    page.goto(service.url + path)
                    page.screenshot(path=self.pictures / f"{name}-{width}-{scheme}.png", full_page=True)
                    page.evaluate(AXE)
                    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
                    told = [(one["id"], one["nodes"][0]["html"][:200]) for one in found]
                    assert told == [], f"{name} at {width}, {scheme}: {told}"
                    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
                    assert wide <= 0, f"{name} is {wide} wider than {width}"
                page.goto(service.url + "/")
                page.keyboard.press("?")
                page.screenshot(path=self.pictures / f"keys-{width}-{scheme}.png")
                self.check(page)
                context.close()


def made_safe(text):
    from urllib.parse import quote
    return quote(text, safe="")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=str(ROOT / "target" / "debug"))
    parser.add_argument("tests", nargs="*")
    args = parser.parse_args()
    firsthand = (ROOT / args.bin / "firsthand").resolve()
    pictures = ROOT / "target" / "page"
    pictures.mkdir(parents=True, exist_ok=True)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        tests = Tests(firsthand, Path(folder), pictures)
        tests.open(playwright)
        names = [name for name in dir(Tests) if name.startswith("test_")]
        for name in [name for name in names if not args.tests or any(part in name for part in args.tests)]:
            start = time.monotonic()
            try:
                getattr(tests, name)()
                print(f"ok {name} ({time.monotonic() - start:.1f} s)", flush=True)
            except Exception as error:
                failed += 1
                where = error.__traceback__
                while where.tb_next and where.tb_next.tb_frame.f_code.co_filename == __file__:
                    where = where.tb_next
                print(f"FAILED {name}, line {where.tb_lineno}: {error}", flush=True)
        tests.browser.close()
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
