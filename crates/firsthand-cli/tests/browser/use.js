"use strict";
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const methods = all("#quality tbody th").map((cell) => cell.textContent);
const outcome = { methods };

outcome.requests = performance.getEntriesByType("resource").map((entry) => entry.name);
outcome.lines = {};
for (const plot of ["f1", "recall", "time"]) {
  outcome.lines[plot] = methods.map((_, at) => {
    const drawn = all(`#${plot} .series.m${at} use.line`);
    return drawn.filter((line) => line.getBBox().width > 0).length;
  });
}
outcome.rows = all("#forest .series").length;
outcome.bars = all("#sizes rect.bar").length;

// Words that lie on other words of the same picture.
outcome.overlaps = [];
for (const picture of all("figure svg")) {
  const words = all("text", picture).filter((text) => text.textContent);
  words.forEach((one, at) => {
    const a = one.getBBox();
    for (const other of words.slice(at + 1)) {
      const b = other.getBBox();
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x;
      // Lines may touch where letters do not.
      const above = a.y + a.height - 3 <= b.y || b.y + b.height - 3 <= a.y;
      if (!apart && !above) {
        outcome.overlaps.push(`${picture.id}: ${one.textContent} / ${other.textContent}`);
      }
    }
  });
}
outcome.sideways = document.documentElement.scrollWidth > document.documentElement.clientWidth;

const head = all("#quality thead th").find((cell) => cell.textContent === "F1");
const column = head.cellIndex;
const values = () => all("#quality tbody tr").map((row) => Number(row.cells[column].dataset.value));
const inOrder = (list) => list.every((value, at) => at === 0 || list[at - 1] <= value);
head.querySelector("button").click();
const down = values();
const first = head.getAttribute("aria-sort");
head.querySelector("button").click();
const up = values();
outcome.sorted = {
  first,
  again: head.getAttribute("aria-sort"),
  right: down.length > 1 && inOrder([...down].reverse()) && inOrder(up),
  down,
};

const display = () => getComputedStyle(document.querySelector("#f1 .series.m1")).display;
const chip = document.querySelector("label[for=show1]");
outcome.toggled = [display()];
for (let click = 0; click < 2; click++) {
  chip.click();
  outcome.toggled.push(display());
}
const shown = () => all("#forest .series").filter((row) => getComputedStyle(row).display !== "none");
const [every, none] = all(".legend button");
none.click();
outcome.none = { none: shown().length };
every.click();
outcome.none.all = shown().length;

outcome.planted = all("#planted, img, iframe, object, embed, link, [onerror]").length;
outcome.scripts = document.scripts.length;
outcome.title = document.title;
outcome.errors = document.querySelector("#errors").textContent;
outcome.wrong = wrong;
const result = document.createElement("pre");
result.id = "outcome";
const plain = (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0");
result.textContent = JSON.stringify(outcome).replace(/[<>&\u0080-\uffff]/g, plain);
document.body.append(result);
