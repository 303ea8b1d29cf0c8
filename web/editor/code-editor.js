// <code-editor>: a template editor as a custom element. It knows positions in UTF-16 units and nothing about templates' meaning.
//
// Properties: doc, label, readonly, diagnostics [{from, to, severity, message}], highlight [from, to] | null,
//             reveal [from, to] (selects the range, scrolls to it and takes the focus),
//             replacement [text] (as if a person had typed it: an event and one step to undo).
// Events:     code-input (detail: the text, only for what a person changed), code-select (detail: {from, to}), code-save (Mod-S).

import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { templateLanguage } from "./language.js";
import { highlighting, theme } from "./theme.js";

const quiet = Annotation.define();
const setLit = StateEffect.define();
const litMark = Decoration.mark({ class: "cm-lit" });

// The range that the page lights up, moved along by edits.
const lit = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    marks = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setLit)) marks = effect.value ? Decoration.set([litMark.range(...effect.value)]) : Decoration.none;
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const properties = ["doc", "label", "readonly", "diagnostics", "highlight", "reveal", "replacement"];

const plainLines = (value) => String(value ?? "").replace(/\r\n?/g, "\n");

class CodeEditor extends HTMLElement {
  #view = null;
  #doc = "";
  #label = "";
  #readonly = false;
  #diagnostics = [];
  #highlight = null;
  #attributes = new Compartment();
  #writable = new Compartment();

  connectedCallback() {
    // A page that was quicker than this script has set plain properties, which would hide the real ones.
    for (const name of properties) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.#view = new EditorView({ root, parent: root, state: EditorState.create({ doc: this.#doc, extensions: this.#extensions() }) });
    this.#showDiagnostics();
    this.#showHighlight();
  }

  disconnectedCallback() {
    this.#doc = this.doc;
    this.#view?.destroy();
    this.#view = null;
  }

  /** The view, for tests. */
  get view() {
    return this.#view;
  }

  get doc() {
    return this.#view ? this.#view.state.doc.toString() : this.#doc;
  }

  /** Replaces the text without an event and without a step to undo; the cursor stays with its words. */
  set doc(value) {
    const next = plainLines(value);
    const changes = this.#changesTo(next);
    this.#doc = next;
    if (!this.#view || !changes) return;
    this.#view.dispatch({ changes, annotations: [quiet.of(true), Transaction.addToHistory.of(false)] });
  }

  set replacement(value) {
    if (!this.#view || !Array.isArray(value)) return;
    const changes = this.#changesTo(plainLines(value[0]));
    if (changes) this.#view.dispatch({ changes, annotations: isolateHistory.of("full"), userEvent: "input.replace" });
  }

  /** The smallest single change that makes the text `next`; null when it is. */
  #changesTo(next) {
    const now = this.doc;
    if (next === now) return null;
    const shorter = Math.min(next.length, now.length);
    let start = 0;
    while (start < shorter && next[start] === now[start]) start++;
    let end = 0;
    while (end < shorter - start && next[next.length - 1 - end] === now[now.length - 1 - end]) end++;
    return { from: start, to: now.length - end, insert: next.slice(start, next.length - end) };
  }

  get label() {
    return this.#label;
  }

  set label(value) {
    this.#label = String(value ?? "");
    this.#view?.dispatch({ effects: this.#attributes.reconfigure(this.#contentAttributes()) });
  }

  get readonly() {
    return this.#readonly;
  }

  set readonly(value) {
    this.#readonly = Boolean(value);
    this.#view?.dispatch({ effects: this.#writable.reconfigure(EditorState.readOnly.of(this.#readonly)) });
  }

  get diagnostics() {
    return this.#diagnostics;
  }

  set diagnostics(value) {
    this.#diagnostics = Array.isArray(value) ? value : [];
    this.#showDiagnostics();
  }

  get highlight() {
    return this.#highlight;
  }

  set highlight(value) {
    this.#highlight = Array.isArray(value) ? value : null;
    this.#showHighlight();
  }

  set reveal(value) {
    if (!this.#view || !Array.isArray(value)) return;
    const [from, to] = this.#clamp(value);
    this.#view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.#view.focus();
  }

  focus() {
    this.#view?.focus();
  }

  #clamp([from, to]) {
    const length = this.#view.state.doc.length;
    const start = Math.max(0, Math.min(Number(from) || 0, length));
    return [start, Math.max(start, Math.min(Number(to) || 0, length))];
  }

  #showDiagnostics() {
    if (!this.#view) return;
    const shown = this.#diagnostics.map(({ from, to, severity, message }) => {
      const [start, end] = this.#clamp([from, to]);
      return { from: start, to: end, severity: severity === "warning" ? "warning" : "error", message: String(message) };
    });
    shown.sort((a, b) => a.from - b.from);
    this.#view.dispatch(setDiagnostics(this.#view.state, shown));
  }

  #showHighlight() {
    if (!this.#view) return;
    const range = this.#highlight && this.#clamp(this.#highlight);
    const effects = [setLit.of(range && range[0] < range[1] ? range : null)];
    if (range) effects.push(EditorView.scrollIntoView(range[0], { y: "nearest", yMargin: 40 }));
    this.#view.dispatch({ effects });
  }

  #contentAttributes() {
    return EditorView.contentAttributes.of({ "aria-label": this.#label || "Text", tabindex: "0", spellcheck: "true", autocorrect: "off" });
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #extensions() {
    return [
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      // Invisible characters and turned writing directions get a mark: an author must see what an agent reads.
      highlightSpecialChars({ addSpecialChars: /[\u2060\u202a-\u202c\u{e0000}-\u{e007f}]/gu }),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      EditorView.lineWrapping,
      templateLanguage,
      syntaxHighlighting(highlighting),
      theme,
      lit,
      // Tab is left to the browser, so that the keyboard can leave the editor; Mod-[ and Mod-] indent.
      keymap.of([
        { key: "Mod-s", run: () => (this.#emit("code-save", null), true), preventDefault: true },
        ...searchKeymap,
        ...lintKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      // Typing over a selection: left to itself, Chromium keeps the replaced text's look in a style attribute, which the policy refuses.
      EditorView.domEventHandlers({
        beforeinput: (event, view) => {
          const plain = event.inputType === "insertText" && event.data !== null && !event.isComposing;
          if (!plain || view.state.readOnly || view.state.selection.main.empty) return false;
          view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
          return true;
        },
      }),
      this.#attributes.of(this.#contentAttributes()),
      this.#writable.of(EditorState.readOnly.of(this.#readonly)),
      EditorView.updateListener.of((update) => {
        const own = update.transactions.some((transaction) => transaction.annotation(quiet));
        if (update.docChanged && !own) this.#emit("code-input", update.state.doc.toString());
        if (update.selectionSet || update.docChanged) {
          const { from, to } = update.state.selection.main;
          this.#emit("code-select", { from, to });
        }
      }),
    ];
  }
}

customElements.define("code-editor", CodeEditor);
