//! The template engine: the only module that names minijinja. One function sets it up for every host, so that a preview fails
//! exactly where the real opening fails (specs: engine notes, section 2).

pub mod context;
mod explain;
mod filters;
pub mod parse;
mod print;
pub mod probe;

pub use context::Context;

use super::guard::guard;
use super::problem::{Problem, widen};
use minijinja::machinery::{Token as EngineToken, tokenize};
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use std::ops::Range;
use std::sync::OnceLock;

/// Work one render may do: about one unit an instruction and one for 64 bytes made.
pub const FUEL: u64 = 100_000;
/// Deepest recursion of macros and loops; the largest that an unoptimised wasm build survives.
pub const RECURSION_LIMIT: usize = 120;
/// Largest output of one part, in bytes.
pub const OUTPUT_LIMIT: usize = 1_048_576;
/// Deepest value that can be printed.
pub const PRINT_DEPTH_LIMIT: usize = 64;

/// The name of every template inside the engine. It never decides about escaping.
const NAME: &str = "skill.md";

/// What printing a null does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Printing {
    /// Nothing: at run time an opening cannot fail because a fact is missing.
    Lenient,
    /// An error that names the expression: at save time a guard is asked for.
    Strict,
}

/// Whether output was copied from the template or came out of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The template's own words.
    Raw,
    /// A value.
    Expression,
}

/// A run of output and the template bytes that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputSpan {
    /// Byte range of the output.
    pub output: Range<usize>,
    /// Byte range of the template.
    pub template: Range<usize>,
    /// Raw text or a value.
    pub origin: Origin,
    /// The facts a value came from, as paths with positions (`opening.messages[0].text`), where they were asked for and are known.
    pub facts: Vec<String>,
}

/// A text that rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The output.
    pub text: String,
    /// In output order, without overlaps.
    pub spans: Vec<OutputSpan>,
}

/// A text that was guarded, parsed and compiled.
pub struct Template {
    source: String,
    environment: Environment<'static>,
}

impl Template {
    /// Guards, parses and compiles.
    pub fn compile(source: &str, printing: Printing) -> Result<Template, Problem> {
        guard(source)?;
        let mut environment = prepared(printing).clone();
        environment.add_template_owned(NAME, source.to_owned()).map_err(|error| explain::explain(source, &error))?;
        Ok(Template { source: source.to_owned(), environment })
    }

    /// Renders with spans.
    pub fn render(&self, context: &Context) -> Result<Rendered, Problem> {
        let source = &self.source;
        let (text, spans) = self
            .environment
            .get_template(NAME)
            .and_then(|template| template.render_with_spans(context.0.clone()))
            .map_err(|error| explain::explain(source, &error))?;
        let spans: Vec<OutputSpan> = spans
            .iter()
            .map(|span| OutputSpan {
                output: span.output_range(),
                template: widen(source, span.source_range()),
                origin: match span.kind() {
                    minijinja::OutputSpanKind::Raw => Origin::Raw,
                    _ => Origin::Expression,
                },
                facts: Vec::new(),
            })
            .collect();
        if text.len() > OUTPUT_LIMIT {
            let place = spans.iter().find(|span| span.output.end > OUTPUT_LIMIT).map_or(0..0, |span| span.template.clone());
            return Err(Problem::error(source, place, "output-too-large", "output is larger than 1 MB").suggest("print less"));
        }
        Ok(Rendered { text, spans })
    }
}

fn prepared(printing: Printing) -> &'static Environment<'static> {
    static LENIENT: OnceLock<Environment<'static>> = OnceLock::new();
    static STRICT: OnceLock<Environment<'static>> = OnceLock::new();
    match printing {
        Printing::Lenient => LENIENT.get_or_init(|| environment(Printing::Lenient)),
        Printing::Strict => STRICT.get_or_init(|| environment(Printing::Strict)),
    }
}

fn environment(printing: Printing) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_debug(true);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_syntax(syntax());
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(RECURSION_LIMIT);
    environment.remove_global("debug");
    environment.set_formatter(move |out, state, value| print::print(out, state, value, printing));
    filters::add(&mut environment);
    environment
}

fn syntax() -> SyntaxConfig {
    SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()
        .expect("the standard delimiters are valid")
}

/// What a token is, as far as the guard and the lints need to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind<'a> {
    /// Text outside tags.
    Text,
    /// `{%`
    BlockStart,
    /// `%}`
    BlockEnd,
    /// `{{`
    VariableStart,
    /// `}}`
    VariableEnd,
    /// A name or keyword.
    Word(&'a str),
    /// `( [ {`
    Open,
    /// `) ] }`
    Close,
    /// `-`
    Minus,
    /// `=`
    Assign,
    /// `+ * / // % ** ~ == != < <= > >= . |`
    Operator,
    /// A text or a number.
    Literal,
    /// Commas and colons.
    Other,
}

/// A token and its byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind<'a>,
    /// Where it is.
    pub range: Range<usize>,
}

/// The tokens of a text, up to the first that cannot be read; the parser names that one.
pub fn tokens(source: &str) -> impl Iterator<Item = Token<'_>> {
    tokenize(source, false, syntax()).map_while(Result::ok).map(|(token, span)| Token {
        kind: match token {
            EngineToken::TemplateData(_) => TokenKind::Text,
            EngineToken::BlockStart => TokenKind::BlockStart,
            EngineToken::BlockEnd => TokenKind::BlockEnd,
            EngineToken::VariableStart => TokenKind::VariableStart,
            EngineToken::VariableEnd => TokenKind::VariableEnd,
            EngineToken::Ident(word) => TokenKind::Word(word),
            EngineToken::ParenOpen | EngineToken::BracketOpen | EngineToken::BraceOpen => TokenKind::Open,
            EngineToken::ParenClose | EngineToken::BracketClose | EngineToken::BraceClose => TokenKind::Close,
            EngineToken::Minus => TokenKind::Minus,
            EngineToken::Assign => TokenKind::Assign,
            EngineToken::Plus
            | EngineToken::Mul
            | EngineToken::Div
            | EngineToken::FloorDiv
            | EngineToken::Mod
            | EngineToken::Pow
            | EngineToken::Tilde
            | EngineToken::Eq
            | EngineToken::Ne
            | EngineToken::Lt
            | EngineToken::Lte
            | EngineToken::Gt
            | EngineToken::Gte
            | EngineToken::Dot
            | EngineToken::Pipe => TokenKind::Operator,
            EngineToken::Str(_)
            | EngineToken::String(_)
            | EngineToken::Int(_)
            | EngineToken::Int128(_)
            | EngineToken::Float(_) => TokenKind::Literal,
            _ => TokenKind::Other,
        },
        range: widen(source, span.start_offset as usize..span.end_offset as usize),
    })
}

/// The names of all filters, tests and functions, each sorted, read from what the engine shows of itself for debugging.
#[cfg(test)]
pub(super) fn names() -> (Vec<String>, Vec<String>, Vec<String>) {
    let shown = format!("{:?}", prepared(Printing::Lenient));
    let part = |from: &str, to: &str| {
        let part =
            shown.split_once(from).and_then(|(_, rest)| rest.split_once(to)).expect("the engine shows its names in this form").0;
        part.to_owned()
    };
    let list = |part: String| part.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    let globals = part("globals: {", "}, tests: ");
    let mut functions: Vec<String> = globals.split(", ").filter_map(|pair| pair.split('"').nth(1)).map(str::to_owned).collect();
    functions.sort();
    (list(part("filters: ", ", templates")), list(part("tests: ", ", filters: ")), functions)
}
