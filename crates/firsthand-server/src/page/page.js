// Keys and actions of the review page. Everything works by buttons and links too; this only makes it
// quick. Nothing of a document is ever put into the page as markup here.

const mode = document.body.dataset.mode;
const status = document.getElementById("status");
const main = document.getElementById("main");
const query = (selector, root = document) => root.querySelector(selector);
const queryAll = (selector, root = document) => [...root.querySelectorAll(selector)];

// A message outlives the page that is loaded after an action.
function say(text) {
  status.textContent = text;
}
const kept = sessionStorage.getItem("message");
if (kept) {
  sessionStorage.removeItem("message");
  say(kept);
}
function sayAfterLoading(text) {
  sessionStorage.setItem("message", text);
}

const person = document.getElementById("person");
if (person) {
  person.value = localStorage.getItem("person") ?? "";
  person.addEventListener("change", () => localStorage.setItem("person", person.value.trim()));
}

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...body, person: person?.value.trim() || null }),
  });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    throw new Error(said.detail ?? said.title ?? `The service answered ${answer.status}.`);
  }
  return said;
}

// Where to look again after the page was loaded anew.
function reload(target) {
  sessionStorage.setItem("scroll", String(window.scrollY));
  if (target) {
    location.assign(target);
  } else {
    location.reload();
  }
}
const scroll = sessionStorage.getItem("scroll");
if (scroll) {
  sessionStorage.removeItem("scroll");
  if (!location.hash) {
    window.scrollTo(0, Number(scroll));
  }
}

let busy = false;
async function act(path, body, message, target) {
  if (busy) {
    return;
  }
  busy = true;
  try {
    await post(path, body);
    sayAfterLoading(message);
    reload(target);
  } catch (error) {
    say(error.message);
  } finally {
    busy = false;
  }
}

const cluster = Number(query("#cluster")?.dataset.number ?? 0);
const beside = query("#beside");

function checked() {
  return queryAll("input[name=member]:checked").map((box) => box.value);
}
function chosenOrShown() {
  const boxes = checked();
  return boxes.length > 0 || !beside ? boxes : [beside.dataset.member];
}
function count(documents) {
  return documents.length === 1 ? "1 document" : `${documents.length} documents`;
}
function request(action, more, message, target) {
  return act("/v1/review/actions", { action, cluster, ...more }, message, target);
}

const actions = {
  undo: () => act("/v1/review/undo", {}, "Undone. r does it again."),
  redo: () => act("/v1/review/redo", {}, "Done again."),
  "undo-line": (button) =>
    act("/v1/review/undo", { of: Number(button.dataset.line) }, `Line ${button.dataset.line} is undone.`),
  legend: () => query("#legend").showModal(),
  close: () => query("#legend").close(),
  tag: () => {
    const tags = query("#tag").value.split(",").map((tag) => tag.trim()).filter(Boolean);
    const documents = checked();
    if (tags.length === 0) {
      return query("#tag").focus();
    }
    const who = documents.length ? count(documents) : "all";
    return request("tag", { documents, tags }, `Tagged ${who}: ${tags.join(", ")}. u undoes it.`);
  },
  untag: (button) =>
    request("untag", { documents: checked(), tags: [button.dataset.tag] }, "The tag is gone. u undoes it."),
  keep: () => {
    const documents = chosenOrShown();
    return documents.length === 1
      ? request("keep", { documents }, "It is the original now. u undoes it.")
      : say("Choose the one document to keep.");
  },
  split: () => {
    const documents = chosenOrShown();
    return request("split", { documents }, `Split out ${count(documents)}. u undoes it.`);
  },
  "not-a-copy": () => {
    const documents = chosenOrShown();
    return request("not-a-copy", { documents }, `Not a copy: ${count(documents)}. u undoes it.`);
  },
  "is-a-copy": () => {
    const documents = chosenOrShown();
    return request("is-a-copy", { documents }, `A copy: ${count(documents)}. u undoes it.`);
  },
  merge: () => {
    const other = query("#merge").value.trim();
    return other
      ? request("merge", { with: other }, `Merged with ${other}. u undoes it.`)
      : query("#merge").focus();
  },
  skip: () => request("skip", {}, "Skipped. u undoes it.", query("a[rel=next]")?.href),
  note: () => {
    const note = query("#note").value.trim();
    return note
      ? request("note", { documents: checked(), note }, "Noted. u undoes it.")
      : query("#note").focus();
  },
  rule: (control) => {
    const rule = control.dataset.rule ?? (control.value ? { source: control.value } : null);
    return rule && request("keep", { rule }, "The original is another now. u undoes it.");
  },
  "next-difference": () => step(1),
  "previous-difference": () => step(-1),
  yes: () => label("yes"),
  no: () => label("no"),
  unsure: () => label("unsure"),
};

function label(grade) {
  const pair = query("#pair");
  if (!pair) {
    return;
  }
  const documents = [pair.dataset.a, pair.dataset.b];
  return act("/v1/review/actions", { action: "label", documents, grade }, "");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (button) {
    actions[button.dataset.do]?.(button);
  }
});
document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-do]")) {
    actions[event.target.dataset.do]?.(event.target);
  }
});
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-do]");
  if (form) {
    event.preventDefault();
    actions[form.dataset.do]?.(form);
  }
});

// Differences: a row or a variant is one stop.
const stops = queryAll("#beside .row.changed, #beside .row.only, #beside .variant");
let at = -1;
function step(by) {
  if (stops.length === 0) {
    return say("There is no difference.");
  }
  stops[at]?.classList.remove("current");
  const start = by > 0 ? 0 : stops.length - 1;
  at = at < 0 ? start : (at + by + stops.length) % stops.length;
  const stop = stops[at];
  stop.classList.add("current");
  stop.tabIndex = -1;
  stop.focus({ preventScroll: true });
  stop.scrollIntoView({ block: "center" });
  const place = query("#place");
  if (place) {
    place.textContent = `${at + 1} of ${stops.length}`;
  }
}

// The list: j and k go from row to row.
const rows = queryAll("a.cluster");
let row = -1;
function move(by) {
  if (rows.length === 0) {
    return;
  }
  row = Math.min(Math.max(row + by, 0), rows.length - 1);
  rows[row].focus();
}
rows.forEach((link, number) => link.addEventListener("focus", () => (row = number)));

function follow(selector) {
  query(selector)?.click();
}

const keys = {
  list: {
    j: () => move(1),
    k: () => move(-1),
    o: () => rows[Math.max(row, 0)]?.click(),
  },
  cluster: {
    j: () => follow("main a[rel=next]"),
    k: () => follow("main a[rel=prev]"),
    l: () => follow("a[data-step=next]"),
    h: () => follow("a[data-step=previous]"),
    n: () => step(1),
    p: () => step(-1),
    o: () => follow("a[data-show=text]"),
    t: () => query("#tag").focus(),
    c: () => actions.keep(),
    x: () => actions.split(),
    d: () => actions["not-a-copy"](),
    i: () => actions["is-a-copy"](),
    m: () => query("#merge").focus(),
    s: () => actions.skip(),
    w: () => query("#note").focus(),
  },
  label: {
    y: () => actions.yes(),
    n: () => actions.no(),
    u: () => actions.unsure(),
  },
}[mode] ?? {};
const everywhere = {
  u: () => actions.undo(),
  r: () => actions.redo(),
  "?": () => actions.legend(),
  "/": () => {
    const search = query("#search");
    if (search) {
      search.focus();
    } else {
      sessionStorage.setItem("search", "1");
      location.assign("/");
    }
  },
};
if (sessionStorage.getItem("search") && query("#search")) {
  sessionStorage.removeItem("search");
  query("#search").focus();
}

function isTyping(target) {
  return target.matches("textarea, select, input:not([type=checkbox]):not([type=radio])");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
    return;
  }
  if (event.key === "Escape" && isTyping(event.target)) {
    event.target.blur();
    main.focus();
    return;
  }
  if (isTyping(event.target) || query("dialog[open]")) {
    return;
  }
  const run = keys[event.key] ?? everywhere[event.key];
  if (run) {
    event.preventDefault();
    run();
  }
});

// What was decided in another tab is shown when this one is looked at again.
async function refresh() {
  if (document.visibilityState !== "visible" || busy || isTyping(document.activeElement)) {
    return;
  }
  const answer = await fetch("/v1/review/version", { cache: "no-store" }).catch(() => null);
  const said = await answer?.json().catch(() => null);
  if (said && String(said.version) !== document.body.dataset.version) {
    sayAfterLoading("Something was decided elsewhere; this page shows it now.");
    reload();
  }
}
document.addEventListener("visibilitychange", refresh);
window.addEventListener("focus", refresh);
