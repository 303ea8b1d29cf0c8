// Prints what the bench measured, as a table for people or as JSON, and whether each bar is reached.

import { cpus, loadavg } from "node:os";
import process from "node:process";

const WHAT = {
  cold: "compile and render with spans, nothing cached",
  render: "render with spans, compiled before",
  compile: "guard and compile",
  guard: "guard alone",
  "one skill changed": "preview after a keystroke in one skill, checked",
  "nothing changed": "the same request again, checked",
  "whole preview": "preview with nothing cached, one skill checked",
  check: "check of one skill",
  "reading the request": "of a preview: reading the request",
  "writing the answer": "of a preview: writing the answer as JSON",
  "passing the answer": "of a preview: handing the answer to the host",
};

/** Bars: of a measure, what is compared with what, and what it must be. */
const BARS = [
  { measure: "cold", of: "wasm", against: "native", most: 3 },
  { measure: "cold", of: "nunjucks", against: "wasm", least: 5 },
  { measure: "cold", of: "handlebars", against: "wasm", least: 5 },
  { measure: "one skill changed", of: "wasm", p95Below: 8 },
];

const rank = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)];
const round = (number, digits) => Number(number.toFixed(digits));

export function report({ measured, rounds, skills, samples, json }) {
  const figures = {};
  for (const [measure, engines] of measured) {
    figures[measure] = {};
    const wasm = rank(engines.wasm, 0.5);
    for (const [engine, times] of Object.entries(engines)) {
      const median = rank(times, 0.5);
      figures[measure][engine] = { median_ms: round(median, 3), p95_ms: round(rank(times, 0.95), 3), to_wasm: round(median / wasm, 2) };
    }
  }
  const bars = BARS.map((bar) => {
    const of = figures[bar.measure][bar.of];
    const is = bar.p95Below ? of.p95_ms : round(of.median_ms / figures[bar.measure][bar.against].median_ms, 2);
    return { ...bar, is, reached: bar.p95Below ? is < bar.p95Below : bar.most ? is <= bar.most : is >= bar.least };
  });
  const characters = skills.reduce((sum, skill) => sum + skill.jinja.length, 0);
  const workload = { skills: skills.length, characters_each: Math.round(characters / skills.length), samples, rounds, cores: cpus().length, load: round(loadavg()[0], 1) };
  if (json) process.stdout.write(`${JSON.stringify({ workload, figures, bars }, null, 1)}\n`);
  else print(workload, figures, bars);
}

function print({ skills, characters_each, samples, rounds, cores, load }, figures, bars) {
  const lines = [`${skills} skills of ${characters_each} characters, ${samples} samples, ${rounds} rounds, ${cores} cores, load ${load}; milliseconds`, ""];
  lines.push("| measure | engine | median | p95 | to wasm |", "|---|---|--:|--:|--:|");
  for (const [measure, what] of Object.entries(WHAT)) {
    Object.entries(figures[measure]).forEach(([engine, figure], at) => {
      lines.push(`| ${at ? "" : what} | ${engine} | ${figure.median_ms.toFixed(2)} | ${figure.p95_ms.toFixed(2)} | ${figure.to_wasm.toFixed(2)} |`);
    });
  }
  lines.push("");
  for (const bar of bars) {
    const wanted = bar.p95Below ? `p95 below ${bar.p95Below} ms` : bar.most ? `at most ${bar.most} times ${bar.against}` : `at least ${bar.least} times ${bar.against}`;
    lines.push(`${bar.reached ? "reached" : "MISSED "}  ${WHAT[bar.measure]}: ${bar.of} ${wanted}: ${bar.is}`);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}
