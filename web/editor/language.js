// Colours for templates: Jinja tags, and the headings, lists and emphasis of the Markdown around them. It judges nothing.

import { StreamLanguage } from "@codemirror/language";

const keywords = new Set(
  "if elif else endif for endfor in set endset with endwith block endblock macro endmacro filter endfilter raw endraw do and or not is break continue".split(" "),
);
const constants = new Set(["true", "false", "none", "True", "False", "None"]);

/** Inside a tag: state.close is what ends it. */
function inTag(stream, state) {
  const close = stream.match(/^[-+]?[}%]}/, false);
  if (close && close[0].endsWith(state.close)) {
    stream.match(close[0]);
    state.close = null;
    return "bracket";
  }
  if (stream.eatSpace()) return null;
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return "string";
  if (stream.match(/^\d[\d_]*(?:\.\d+)?/)) return "number";
  const word = stream.match(/^[A-Za-z_]\w*/);
  if (word) {
    const after = state.after;
    state.after = null;
    if (word[0] === "raw" || word[0] === "endraw") state.raw = word[0] === "raw";
    if (after === ".") return "propertyName";
    if (after === "|") return "labelName";
    if (constants.has(word[0])) return "atom";
    return keywords.has(word[0]) ? "keyword" : "variableName";
  }
  const mark = stream.next();
  state.after = mark === "." || mark === "|" ? mark : null;
  return "operator";
}

/** Outside tags: the words an agent reads. */
function inText(stream, state) {
  if (stream.sol()) state.heading = Boolean(stream.match(/^ {0,3}#{1,6}(?=\s)/, false));
  if (stream.match(state.raw ? /^\{%[-+]?(?=\s*endraw\b)/ : /^\{(?:\{|%)[-+]?/)) {
    state.close = stream.current().startsWith("{{") ? "}}" : "%}";
    state.after = null;
    return "bracket";
  }
  if (!state.raw && stream.match("{#")) {
    state.comment = true;
    return "comment";
  }
  if (stream.match(/^`[^`{]+`/)) return "monospace";
  if (!state.heading && stream.match(/^\*\*[^*{]+\*\*/)) return "strong";
  if (!state.heading && stream.match(/^(?:\*[^*\s{][^*{]*\*|_[^_\s{][^_{]*_(?!\w))/)) return "emphasis";
  if (stream.sol() && stream.match(/^\s*(?:[-*+]|\d+[.)])(?=\s)/)) return "list";
  stream.next();
  stream.match(/^[^{`*_]+/);
  return state.heading ? "heading" : null;
}

function inComment(stream, state) {
  if (stream.skipTo("#}")) {
    stream.match("#}");
    state.comment = false;
  } else stream.skipToEnd();
  return "comment";
}

/** The language of skills and role instructions. */
export const templateLanguage = StreamLanguage.define({
  name: "template",
  startState: () => ({ close: null, after: null, comment: false, raw: false, heading: false }),
  copyState: (state) => ({ ...state }),
  token: (stream, state) => (state.comment ? inComment : state.close ? inTag : inText)(stream, state),
  languageData: { commentTokens: { block: { open: "{#", close: "#}" } } },
});
