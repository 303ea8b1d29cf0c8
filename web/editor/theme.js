// How the editor looks: every colour and size is a custom property of the page, so light and dark follow it.

import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const underline = (colour) => ({
  backgroundImage: "none",
  textDecoration: `underline wavy ${colour}`,
  textDecorationThickness: "1.5px",
  textUnderlineOffset: "3px",
  textDecorationSkipInk: "none",
  paddingBottom: "0",
});

export const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--code-paper)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { padding: "12px 0", caretColor: "var(--rubric)" },
  ".cm-line": { padding: "0 16px 0 8px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--rubric)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--selection)" },
  ".cm-gutters": { backgroundColor: "var(--code-paper)", color: "var(--ink-3)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 6px 0 12px", minWidth: "28px", fontVariantNumeric: "tabular-nums" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--line-wash)" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0", display: "flex", alignItems: "center", justifyContent: "center" },
  ".cm-lint-marker": { width: "8px", height: "8px", content: "none", borderRadius: "50%" },
  ".cm-lint-marker-error": { content: "none", background: "var(--bad)" },
  ".cm-lint-marker-warning": { content: "none", background: "var(--warn)", borderRadius: "1px", transform: "rotate(45deg)" },
  ".cm-lintRange-error": underline("var(--bad)"),
  ".cm-lintRange-warning": underline("var(--warn)"),
  ".cm-lit": { backgroundColor: "var(--lit)", boxShadow: "0 0 0 2px var(--lit)", borderRadius: "2px" },
  ".cm-matchingBracket": { backgroundColor: "transparent" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--ink-3)", borderRadius: "2px" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent", color: "var(--bad)" },
  ".cm-selectionMatch": { backgroundColor: "var(--line-wash)", outline: "1px solid var(--rule)" },
  ".cm-searchMatch": { backgroundColor: "var(--lit)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--rubric)" },
  ".cm-tooltip": { border: "1px solid var(--rule-strong)", backgroundColor: "var(--paper-raised)", color: "var(--ink)", borderRadius: "4px", boxShadow: "var(--shadow)", fontFamily: "var(--sans)", maxWidth: "46ch" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "3px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-panels": { backgroundColor: "var(--paper-sunk)", color: "var(--ink)", fontFamily: "var(--sans)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--rule)" },
  ".cm-panel.cm-search": { padding: "8px 32px 8px 12px", fontSize: "13px" },
  ".cm-panel.cm-search label": { fontSize: "13px" },
  ".cm-textfield": { fontFamily: "var(--sans)", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--paper)", border: "1px solid var(--rule-strong)", borderRadius: "3px", padding: "3px 6px" },
  ".cm-button": { fontFamily: "var(--sans)", fontSize: "13px", color: "var(--ink)", backgroundImage: "none", backgroundColor: "var(--paper)", border: "1px solid var(--rule-strong)", borderRadius: "3px", padding: "3px 8px" },
  ".cm-textfield:focus-visible, .cm-button:focus-visible, .cm-panel input:focus-visible": { outline: "2px solid var(--rubric)", outlineOffset: "1px" },
  ".cm-panel input[type=checkbox]": { accentColor: "var(--rubric)", verticalAlign: "-2px" },
  ".cm-panel.cm-search button[name=close]": { right: "6px", padding: "0 6px", color: "var(--ink-2)", fontSize: "20px", cursor: "pointer" },
});

export const highlighting = HighlightStyle.define([
  { tag: tags.bracket, color: "var(--rubric)", fontWeight: "600" },
  { tag: tags.keyword, color: "var(--rubric)" },
  { tag: tags.variableName, color: "var(--code-name)" },
  { tag: tags.propertyName, color: "var(--code-name)" },
  { tag: tags.labelName, color: "var(--code-filter)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.number, tags.atom], color: "var(--code-filter)" },
  { tag: tags.operator, color: "var(--ink-2)" },
  { tag: tags.comment, color: "var(--ink-3)" },
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.monospace, color: "var(--code-string)" },
  { tag: tags.list, color: "var(--ink-3)" },
]);
