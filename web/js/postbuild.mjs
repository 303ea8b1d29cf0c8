// Runs after Trunk: names programs after their content, so that they can be cached for ever, and compresses a release.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const dir = process.env.TRUNK_STAGING_DIR;
const base = process.env.TRUNK_PUBLIC_URL ?? "/";
if (!dir) throw new Error("TRUNK_STAGING_DIR is not set: this script is run by Trunk");

const path = (name) => join(dir, name);
const read = (name) => readFileSync(path(name), "utf8");
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
const only = (pattern) => {
  const found = readdirSync(dir).filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`expected one file like ${pattern} in the build, found ${found.length}`);
  return found[0];
};

/** Renames a wasm file and its glue to `stem-HASH`, each after its own final content. */
function nameProgram(stem, wasm, glue) {
  const wasmName = `${stem}-${hash(readFileSync(path(wasm)))}_bg.wasm`;
  renameSync(path(wasm), path(wasmName));
  const script = read(glue).replaceAll(wasm, wasmName);
  const glueName = `${stem}-${hash(script)}.js`;
  rmSync(path(glue));
  writeFileSync(path(glueName), script);
  return { wasmName, glueName };
}

let html = read("index.html");

// Trunk's own hash of the page's program is of cargo's output, before wasm-bindgen and wasm-opt changed it.
const pageWasm = only(/^proem-web-[0-9a-f]+_bg\.wasm$/);
const pageGlue = only(/^proem-web-[0-9a-f]+\.js$/);
const page = nameProgram("proem-web", pageWasm, pageGlue);
html = html.replaceAll(pageWasm, page.wasmName).replaceAll(pageGlue, page.glueName);

// Trunk never hashes a worker. Its loader is three lines, written anew with the hashed names.
const engine = nameProgram("proem-engine", "proem-engine_bg.wasm", "proem-engine.js");
const loader = `import init from "./${engine.glueName}";\nawait init({ module_or_path: new URL("./${engine.wasmName}", import.meta.url) });\n`;
const loaderName = `proem-engine-loader-${hash(loader)}.js`;
rmSync(path("proem-engine_loader.js"));
writeFileSync(path(loaderName), loader);
const placeholder = 'content="/proem-engine_loader.js"';
if (!html.includes(placeholder)) throw new Error(`index.html has no ${placeholder} for the engine's worker`);
html = html.replace(placeholder, `content="${base}${loaderName}"`);

writeFileSync(path("index.html"), html);

if (process.env.TRUNK_PROFILE === "release") compress(dir);

/** Writes .br and .gz beside everything that is sent as text or as a program. */
function compress(folder) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (statSync(file).isDirectory()) compress(file);
    else if (/\.(html|js|css|svg|wasm)$/.test(name)) {
      const bytes = readFileSync(file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  }
}
