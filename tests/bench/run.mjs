// Times the core natively and in wasm, and nunjucks and handlebars.js, on the same skills in turn, and prints medians, p95s and ratios.
//
// Usage: node run.mjs NATIVE_PROGRAM WASM_MODULE [--json] [--rounds N]. scripts/bench builds both and calls it.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import process from "node:process";
import Handlebars from "handlebars";
import nunjucks from "nunjucks";
import { HELPERS, SKILLS } from "./skills.mjs";
import { report } from "./report.mjs";

const [program, module] = process.argv.slice(2);
const option = (name) => process.argv.indexOf(name);
const rounds = option("--rounds") > 0 ? Number(process.argv[option("--rounds") + 1]) : 60;
const WARM_UP = 15;

/** The native program: one piece of work a line, one answer a line, timed by itself. */
class Native {
  constructor(path) {
    this.child = spawn(path, { stdio: ["pipe", "pipe", "inherit"] });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async run(name, input = "") {
    this.child.stdin.write(`${name}\t${input}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`the native program ended during ${name}`);
    const tab = value.indexOf("\t");
    return { ms: Number(value.slice(0, tab)) / 1e6, output: value.slice(tab + 1) };
  }

  end() {
    this.child.stdin.end();
  }
}

const timed = (work) => {
  const begun = performance.now();
  const output = work();
  return { ms: performance.now() - begun, output };
};

const wasm = createRequire(import.meta.url)(module);
const native = new Native(program);
const hosts = {
  native: (name, input) => native.run(name, input),
  wasm: (name, input = "") => timed(() => wasm.run(name, input)),
};

// What the core is given: the skills as parts of an opening below the usual kind of role.
const parts = SKILLS.map(({ slug, name, jinja }) => ({ slug, name, body: jinja }));
for (const run of Object.values(hosts)) await run("skills", JSON.stringify(parts));
const SAMPLES = JSON.parse(wasm.run("samples", ""));
const contexts = SAMPLES.map(([, facts]) => facts);

const environment = new nunjucks.Environment(null, { autoescape: false, trimBlocks: true, lstripBlocks: true });
const handlebars = Handlebars.create();
handlebars.registerHelper(HELPERS);
const OPTIONS = { noEscape: true };

/** The others' engines: from text to something that renders; `compile` is always a true one, never put off or remembered. */
const others = {
  nunjucks: {
    text: (skill) => skill.jinja,
    compile: (text) => new nunjucks.Template(text, environment, null, true),
    render: (template, context) => template.render(context),
  },
  handlebars: {
    text: (skill) => skill.handlebars,
    compile: (text) => handlebars.compile(text, OPTIONS),
    render: (template, context) => template(context),
  },
};
const renderAll = (engine, templates) => {
  let bytes = 0;
  for (const template of templates) for (const context of contexts) bytes += engine.render(template, context).length;
  return bytes;
};

agree();
const measured = new Map();
for (let round = -WARM_UP; round < rounds; round += 1) await everything(round);
native.end();
report({ measured, rounds, skills: SKILLS, samples: SAMPLES.length, json: process.argv.includes("--json") });

/** All engines say the same, up to white space; otherwise they do not do the same work. */
function agree() {
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const ours = JSON.parse(wasm.run("texts", ""));
  let said = 0;
  for (const [name, engine] of Object.entries(others)) {
    SKILLS.forEach((skill, at) => {
      const template = engine.compile(engine.text(skill));
      contexts.forEach((context, sample) => {
        const [expected, actual] = [plain(ours[at][sample]), plain(engine.render(template, context))];
        if (expected !== actual) throw new Error(`${name} renders ${skill.slug} with ${SAMPLES[sample][0]} differently:\n${actual}\nProem:\n${expected}`);
        said += expected.length;
      });
    });
  }
  if (said < 100_000) throw new Error("the skills print hardly anything");
  for (const { slug, body } of parts) {
    const { problems } = JSON.parse(wasm.run("handle", JSON.stringify({ check: { body, source: "skill" } }))).problems;
    const faults = problems.filter((problem) => problem.severity === "error");
    if (faults.length) throw new Error(`${slug} has faults: ${JSON.stringify(faults)}`);
  }
}

function preview(parts, check) {
  const role = { body: "You are {{ role.name }} at {{ organization.name }}.\n" };
  return { preview: { parts: [role, ...parts], samples: SAMPLES.map(([name]) => name), old_server: false, check: check + 1 } };
}

/** Every measure once, all engines in turn, so that a busy machine slows all alike. Rounds below 0 only warm up. */
async function everything(round) {
  const keep = (measure, engine, ms) => {
    if (round < 0) return;
    if (!measured.has(measure)) measured.set(measure, {});
    (measured.get(measure)[engine] ??= []).push(ms);
  };
  // A keystroke: another skill each round gets another text.
  const changed = ((round % SKILLS.length) + SKILLS.length) % SKILLS.length;
  const typed = parts.map((part, at) => (at === changed ? { ...part, body: part.body.replace("### Point 1", `### Point ${round}`) } : part));
  const before = JSON.stringify(preview(parts, changed));
  const after = JSON.stringify(preview(typed, changed));
  const check = JSON.stringify({ check: { body: typed[changed].body, source: "skill" } });
  for (const [host, run] of Object.entries(hosts)) {
    for (const measure of ["cold", "compile", "render", "guard"]) keep(measure, host, (await run(measure)).ms);
    await run("forget");
    const { ms, output } = await run("handle", before);
    keep("whole preview", host, ms);
    if (!output.startsWith('{"preview":')) throw new Error(`${host} answered ${output.slice(0, 200)}`);
    keep("one skill changed", host, (await run("handle", after)).ms);
    keep("nothing changed", host, (await run("handle", after)).ms);
    keep("check", host, (await run("handle", check)).ms);
    await run("keep", after);
    keep("reading the request", host, (await run("read", after)).ms);
    keep("writing the answer", host, (await run("write")).ms);
    keep("passing the answer", host, (await run("pass")).ms);
  }
  for (const [name, engine] of Object.entries(others)) {
    // A text that was never seen before: JavaScript's own cache of compiled functions must not help.
    const texts = SKILLS.map((skill) => `${engine.text(skill)}\n${round}\n`);
    keep("cold", name, timed(() => renderAll(engine, texts.map(engine.compile))).ms);
    const compiled = texts.map(engine.compile);
    renderAll(engine, compiled);
    keep("render", name, timed(() => renderAll(engine, compiled)).ms);
  }
}
