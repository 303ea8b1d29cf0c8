// Bundles what the pages take from npm into web/editor/dist: the editor, the styles and the fonts.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");

const families = [
  { name: "source-serif-4", css: "Source Serif 4" },
  { name: "source-sans-3", css: "Source Sans 3" },
  { name: "ibm-plex-mono", css: "IBM Plex Mono" },
];
const weights = [400, 600];
const subsets = ["latin", "latin-ext"];

/** Copies the fonts under names that carry their hash, and answers the style sheet that declares them. */
function fonts() {
  const folder = join(dist, "fonts");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const rules = [];
  for (const { name, css } of families) {
    const source = join(here, "node_modules/@fontsource", name);
    const ranges = JSON.parse(readFileSync(join(source, "unicode.json"), "utf8"));
    for (const weight of weights) {
      for (const subset of subsets) {
        const bytes = readFileSync(join(source, "files", `${name}-${subset}-${weight}-normal.woff2`));
        const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
        const file = `${name}-${subset}-${weight}-${hash}.woff2`;
        writeFileSync(join(folder, file), bytes);
        rules.push(
          `@font-face{font-family:"${css}";font-weight:${weight};font-style:normal;font-display:swap;` +
            `src:url("fonts/${file}") format("woff2");unicode-range:${ranges[subset]}}`,
        );
      }
    }
  }
  return rules.join("\n");
}

await build({
  entryPoints: [join(here, "code-editor.js")],
  outfile: join(dist, "code-editor.js"),
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
});

const styles = await build({
  entryPoints: [join(here, "../styles/proem.css")],
  bundle: true,
  minify: true,
  write: false,
  logLevel: "warning",
});
writeFileSync(join(dist, "proem.css"), `${fonts()}\n${styles.outputFiles[0].text}`);
