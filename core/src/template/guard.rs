//! The guard: refuses texts whose size or shape would overflow a stack or never end, before the parser sees them.
//! Linear in the text. Limits and messages: specs, engine notes 10.3.

use super::engine::probe::RESERVED;
use super::engine::{Token, TokenKind, tokens};
use super::problem::{Places, Problem};

/// Largest template, in bytes.
pub const SOURCE_LIMIT: usize = 65_536;
/// Most counted tokens in one tag.
pub const OPERATOR_LIMIT: usize = 400;
/// Most `elif` in one `if`.
pub const ELIF_LIMIT: usize = 200;
/// Most `elif` in a template.
pub const ELIF_TOTAL_LIMIT: usize = 1_000;
/// Deepest nesting of blocks, and of brackets within one tag.
pub const NESTING_LIMIT: usize = 60;

/// Statements that open a block; a `set` without `=` does, too.
const BLOCKS: [&str; 8] = ["if", "for", "with", "filter", "macro", "call", "block", "autoescape"];

/// Checks a text against the limits. The first limit that is passed is the problem.
pub fn guard(source: &str) -> Result<(), Problem> {
    if source.len() > SOURCE_LIMIT {
        return Err(Problem::error(source, SOURCE_LIMIT..source.len(), "too-large", "template is larger than 64 KB")
            .suggest("split it into several skills, or shorten it"));
    }
    if let Some(at) = memchr::memchr(0, source.as_bytes()) {
        return Err(Problem::error(source, at..at + 1, "nul", "a template cannot hold the character U+0000").suggest("remove it"));
    }
    let mut shape = Shape::default();
    for token in tokens(source) {
        shape.see(source, &token)?;
    }
    Ok(())
}

/// What has been counted so far.
#[derive(Default)]
struct Shape {
    /// Open blocks: the word, and for an `if` the number of its `elif`s.
    blocks: Vec<(&'static str, usize)>,
    elifs: usize,
    tag_start: usize,
    operators: usize,
    brackets: usize,
    /// How much of `.cycle(` stands before this token.
    cycle: usize,
    /// The next word of a block tag is its keyword.
    at_keyword: bool,
    /// The tag is a `set`, which opens a block unless it assigns.
    open_set: bool,
}

impl Shape {
    fn see(&mut self, source: &str, token: &Token) -> Result<(), Problem> {
        let range = token.range.clone();
        self.cycle(source, token)?;
        match token.kind {
            TokenKind::BlockStart | TokenKind::VariableStart => {
                self.tag_start = range.start;
                self.operators = 0;
                self.brackets = 0;
                self.at_keyword = token.kind == TokenKind::BlockStart;
            }
            TokenKind::BlockEnd if std::mem::take(&mut self.open_set) => {
                self.open_block(source, "set", self.tag_start..range.end)?
            }
            TokenKind::Assign if self.brackets == 0 => self.open_set = false,
            TokenKind::Word(word) if std::mem::take(&mut self.at_keyword) => {
                self.keyword(source, word, self.tag_start..range.end)?
            }
            TokenKind::Word(word) if RESERVED.contains(&word) => {
                let message = format!("`{word}` is a name of Proem's own");
                return Err(Problem::error(source, range, "reserved-name", message).suggest("use another name"));
            }
            TokenKind::Word("and" | "or" | "not" | "in" | "is" | "if" | "else") | TokenKind::Operator | TokenKind::Minus => {
                self.operator(source, range.end)?;
            }
            TokenKind::Open => {
                self.operator(source, range.end)?;
                self.brackets += 1;
                if self.brackets > NESTING_LIMIT {
                    return Err(too_deep(source, range));
                }
            }
            TokenKind::Close => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        Ok(())
    }

    /// `loop.cycle` without arguments divides by their number: the engine panics.
    fn cycle(&mut self, source: &str, token: &Token) -> Result<(), Problem> {
        let text = &source[token.range.clone()];
        self.cycle = match (self.cycle, text) {
            (_, ".") => 1,
            (1, "cycle") => 2,
            (2, "(") => 3,
            (3, ")" | "*" | "**") => {
                let suggestion = "write loop.cycle(\"a\", \"b\")";
                return Err(Problem::error(source, token.range.clone(), "empty-cycle", "`cycle` needs something to choose from")
                    .suggest(suggestion));
            }
            _ => 0,
        };
        Ok(())
    }

    fn operator(&mut self, source: &str, end: usize) -> Result<(), Problem> {
        self.operators += 1;
        if self.operators > OPERATOR_LIMIT {
            let message = "this expression has more than 400 operators";
            return Err(Problem::error(source, self.tag_start..end, "too-many-operators", message)
                .suggest("compute it in steps with {% set %}"));
        }
        Ok(())
    }

    fn open_block(&mut self, source: &str, word: &'static str, range: std::ops::Range<usize>) -> Result<(), Problem> {
        self.blocks.push((word, 0));
        if self.blocks.len() > NESTING_LIMIT { Err(too_deep(source, range)) } else { Ok(()) }
    }

    fn keyword(&mut self, source: &str, word: &str, range: std::ops::Range<usize>) -> Result<(), Problem> {
        match word {
            "break" | "continue" => self.leave_loop(source, word, range)?,
            // What follows belongs to no round of the loop any more.
            "else" if self.blocks.last().is_some_and(|(word, _)| *word == "for") => {
                if let Some((word, _)) = self.blocks.last_mut() {
                    *word = "else";
                }
            }
            "set" => self.open_set = true,
            "elif" => {
                self.elifs += 1;
                let here = self.blocks.last_mut();
                let in_this = here.map_or(1, |(_, count)| {
                    *count += 1;
                    *count
                });
                if in_this > ELIF_LIMIT {
                    return Err(Problem::error(source, range, "too-many-elif", "more than 200 elif in one if")
                        .suggest("split the list, or loop over a list of pairs"));
                }
                if self.elifs > ELIF_TOTAL_LIMIT {
                    return Err(Problem::error(source, range, "too-many-elif", "more than 1,000 elif")
                        .suggest("split this skill into several"));
                }
            }
            "include" | "import" | "from" | "extends" => {
                let message = format!("`{word}` is not available: a skill cannot pull in another text");
                return Err(Problem::error(source, range, "no-includes", message)
                    .suggest("write the text here, or make it a skill of its own"));
            }
            _ if word.starts_with("end") => {
                self.blocks.pop();
            }
            _ => {
                if let Some(block) = BLOCKS.iter().find(|block| **block == word) {
                    self.open_block(source, block, range)?;
                }
            }
        }
        Ok(())
    }

    /// The engine leaves a loop without closing what is open inside: it would lose count of its frames, or panic.
    fn leave_loop(&self, source: &str, word: &str, range: std::ops::Range<usize>) -> Result<(), Problem> {
        match self.blocks.iter().rev().find(|(block, _)| *block != "if") {
            Some(("for", _)) | None => Ok(()),
            Some((block, _)) => {
                let message = format!("`{word}` cannot leave a loop from inside `{block}`");
                Err(Problem::error(source, range, "leaves-block", message)
                    .suggest("put it in an {% if %} directly inside the loop"))
            }
        }
    }
}

fn too_deep(source: &str, range: std::ops::Range<usize>) -> Problem {
    Problem::error(source, range, "too-deep", "nested deeper than 60").suggest("flatten it, for example with {% set %} or elif")
}

/// Names with a dash in them, which the engine reads as a subtraction: `{{ my-var }}`.
pub fn dashes(source: &str) -> Vec<Problem> {
    let tokens: Vec<Token> = tokens(source).collect();
    let mut places = Places::new(source);
    let mut found = Vec::new();
    for window in tokens.windows(3) {
        if let [
            Token { kind: TokenKind::Word(left), range: a },
            Token { kind: TokenKind::Minus, range: dash },
            Token { kind: TokenKind::Word(right), range: b },
        ] = window
            && a.end == dash.start
            && dash.end == b.start
        {
            let message = format!("`{left}-{right}` subtracts `{right}` from `{left}`; names cannot hold a dash");
            found.push(
                places
                    .warning(a.start..b.end, "dash-in-name", message)
                    .suggest(format!("write {left}_{right}, or put spaces round the minus")),
            );
        }
    }
    found
}

/// Characters that show nothing or turn the writing direction, so that a reader sees another text than the agent gets. One warning for
/// each character, at its first place.
pub fn invisible(source: &str) -> Vec<Problem> {
    let hides = |c: char| matches!(c, '\u{ad}' | '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    let mut found: Vec<(char, usize, usize)> = Vec::new();
    for (at, c) in source.char_indices().filter(|(_, c)| hides(*c)) {
        match found.iter_mut().find(|(known, ..)| *known == c) {
            Some((.., count)) => *count += 1,
            None => found.push((c, at, 1)),
        }
    }
    let warning = |(c, at, count): (char, usize, usize)| {
        let times = if count == 1 { String::new() } else { format!(", {count} times") };
        let message = format!("the character U+{:04X} shows nothing here, but the agent reads it{times}", c as u32);
        Problem::warning(source, at..at + c.len_utf8(), "invisible", message).suggest("remove it, unless it is meant")
    };
    found.into_iter().map(warning).collect()
}

/// The innermost block that is still open at the end of the text: its keyword and the range of its tag's beginning.
pub fn unclosed(source: &str) -> Option<(String, std::ops::Range<usize>)> {
    let mut open: Vec<(String, std::ops::Range<usize>)> = Vec::new();
    let mut start = 0;
    let mut keyword: Option<(&str, std::ops::Range<usize>)> = None;
    let mut assigns = false;
    let mut first = false;
    for token in tokens(source) {
        match token.kind {
            TokenKind::BlockStart => {
                start = token.range.start;
                keyword = None;
                assigns = false;
                first = true;
            }
            TokenKind::Word(word) if std::mem::take(&mut first) => keyword = Some((word, start..token.range.end)),
            TokenKind::Assign => assigns = true,
            TokenKind::BlockEnd => match keyword.take() {
                Some((word, _)) if word.starts_with("end") => {
                    open.pop();
                }
                Some(("set", range)) if !assigns => open.push(("set".to_owned(), range)),
                Some((word, range)) if BLOCKS.contains(&word) => open.push((word.to_owned(), range)),
                _ => {}
            },
            _ => {}
        }
    }
    open.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(source: &str) -> Option<String> {
        guard(source).err().map(|problem| problem.message)
    }

    #[test]
    fn each_limit_accepts_its_value_and_refuses_the_next() {
        assert_eq!(code(&"x".repeat(65_536)), None);
        assert_eq!(code(&"x".repeat(65_537)).as_deref(), Some("template is larger than 64 KB"));
        let sum = |n: usize| format!("{{{{ a{} }}}}", "+a".repeat(n));
        assert_eq!(code(&sum(400)), None);
        assert_eq!(code(&sum(401)).as_deref(), Some("this expression has more than 400 operators"));
        let chain = |n: usize| format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(n));
        assert_eq!(code(&chain(200)), None);
        assert_eq!(code(&chain(201)).as_deref(), Some("more than 200 elif in one if"));
        assert_eq!(code(&chain(200).repeat(5)), None);
        assert_eq!(code(&(chain(200).repeat(5) + &chain(1))).as_deref(), Some("more than 1,000 elif"));
        let blocks = |n: usize| "{% if 1 %}".repeat(n) + &"{% endif %}".repeat(n);
        assert_eq!(code(&blocks(60)), None);
        assert_eq!(code(&blocks(61)).as_deref(), Some("nested deeper than 60"));
        let brackets = |n: usize| format!("{{{{ {}1{} }}}}", "[".repeat(n), "]".repeat(n));
        assert_eq!(code(&brackets(60)), None);
        assert_eq!(code(&brackets(61)).as_deref(), Some("nested deeper than 60"));
    }

    #[test]
    fn comments_raw_blocks_and_text_do_not_count() {
        let many = "+ - [ ( and or ".repeat(500);
        assert_eq!(code(&many), None);
        assert_eq!(code(&format!("{{# {many} #}}")), None);
        assert_eq!(code(&format!("{{% raw %}}{{{{ {many} }}}}{{% endraw %}}")), None);
    }

    #[test]
    fn a_closed_set_block_and_an_assignment_leave_the_depth_as_it_was() {
        assert_eq!(code(&"{% set a = 1 %}".repeat(100)), None);
        assert_eq!(code(&"{% set a %}x{% endset %}".repeat(100)), None);
        assert_eq!(code(&"{% set a %}".repeat(61)).as_deref(), Some("nested deeper than 60"));
    }

    #[test]
    fn other_texts_are_never_pulled_in() {
        assert!(code("{% include 'x' ignore missing %}").unwrap().contains("`include` is not available"));
        assert!(code("{% from 'x' import y %}").unwrap().contains("`from` is not available"));
    }

    #[test]
    fn a_dash_inside_a_name_is_pointed_out() {
        assert_eq!(dashes("{{ o.my-var }} a-b {{ a - b }}").len(), 1);
    }

    #[test]
    fn what_a_reader_cannot_see_is_pointed_out() {
        let found = invisible("Pay \u{202e}001\u{202c} euro, ad\u{200b}mi\u{200b}n; 👩\u{200d}🔬 may join");
        let messages: Vec<_> = found.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "the character U+202E shows nothing here, but the agent reads it",
                "the character U+202C shows nothing here, but the agent reads it",
                "the character U+200B shows nothing here, but the agent reads it, 2 times",
            ]
        );
    }

    #[test]
    fn the_opener_of_an_unclosed_block_is_found() {
        assert_eq!(unclosed("{% if a %}{% for x in y %}{% endfor %}").map(|found| found.0), Some("if".to_owned()));
        assert_eq!(unclosed("{% set a = 1 %}"), None);
    }
}
