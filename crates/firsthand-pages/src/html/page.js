"use strict";
// Tables are sorted by a click on a heading. Without this script they stand as they were written.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const cell = row.cells[column];
    if (column === 0) return cell.textContent;
    return "value" in cell.dataset ? Number(cell.dataset.value) : null;
  };
  const sort = (column, down) => {
    const compare = (a, b) => {
      const [x, y] = [value(a, column), value(b, column)];
      if (x === null || y === null) return (x === null) - (y === null);
      const order = typeof x === "string" ? x.localeCompare(y) : x - y;
      return down ? -order : order;
    };
    body.append(...[...body.rows].sort(compare));
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  };
  heads.forEach((head, column) => {
    if (!head.dataset.first) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sort(column, now ? now === "ascending" : head.dataset.first === "descending");
    });
  });
}
// All lines or none: a way to see one alone.
for (const legend of document.querySelectorAll(".legend")) {
  for (const [name, on] of [["all", true], ["none", false]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", () => {
      for (const box of legend.querySelectorAll("input")) box.checked = on;
    });
    legend.append(button);
  }
}
