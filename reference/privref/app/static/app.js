"use strict";
// Everything works without this script; it takes a dropped file, shows the steps, and moves the focus to what is wrong.
const drop = document.getElementById("drop");
if (drop) {
  const input = document.getElementById("ledger");
  const chosen = document.getElementById("chosen");
  const show = () => { chosen.textContent = input.files.length ? "Chosen: " + input.files[0].name : ""; };
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files.length === 1) { input.files = event.dataTransfer.files; show(); }
    else { chosen.textContent = "Drop one file."; }
  });
  // A file that misses the frame shall not replace the page.
  for (const name of ["dragover", "drop"]) { document.addEventListener(name, (event) => event.preventDefault()); }
  input.addEventListener("change", show);
}
const wrong = document.querySelector("[data-focus]");
if (wrong) { wrong.focus(); }
const working = document.getElementById("working");
if (working) {
  const events = new EventSource(working.dataset.events);
  events.onmessage = (event) => {
    const now = JSON.parse(event.data);
    if (now.state !== "reading" && now.state !== "auditing") { events.close(); location.reload(); return; }
    if (now.step) { document.getElementById("step").textContent = now.step; }
    document.getElementById("seconds").textContent = now.seconds;
  };
}
