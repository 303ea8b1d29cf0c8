//! The arguments that filters and tests take.

/// Filters: name, most arguments by position, arguments by name.
pub(super) const FILTERS: &[(&str, usize, &[&str])] = &[
    ("abs", 0, &[]),
    ("attr", 1, &[]),
    ("batch", 2, &[]),
    ("bool", 0, &[]),
    ("capitalize", 0, &[]),
    ("chain", 8, &[]),
    ("count", 0, &[]),
    ("d", 2, &[]),
    ("default", 2, &[]),
    ("dictsort", 0, &["by", "case_sensitive", "reverse"]),
    ("e", 0, &[]),
    ("escape", 0, &[]),
    ("first", 0, &[]),
    ("float", 1, &["default"]),
    ("format", 16, &[]),
    ("groupby", 1, &["attribute", "default", "case_sensitive"]),
    ("indent", 3, &["width", "first", "blank"]),
    ("int", 2, &["default", "base"]),
    ("items", 0, &[]),
    ("join", 2, &["d", "attribute"]),
    ("last", 0, &[]),
    ("length", 0, &[]),
    ("lines", 0, &[]),
    ("list", 0, &[]),
    ("lower", 0, &[]),
    ("map", 6, &["attribute", "default"]),
    ("max", 0, &["case_sensitive", "attribute"]),
    ("min", 0, &["case_sensitive", "attribute"]),
    ("pprint", 0, &[]),
    ("reject", 3, &[]),
    ("rejectattr", 4, &[]),
    ("replace", 3, &["count"]),
    ("reverse", 0, &[]),
    ("round", 2, &["precision", "method"]),
    ("safe", 0, &[]),
    ("select", 3, &[]),
    ("selectattr", 4, &[]),
    ("slice", 2, &[]),
    ("sort", 0, &["case_sensitive", "reverse", "attribute"]),
    ("split", 2, &[]),
    ("string", 0, &[]),
    ("sum", 2, &["attribute", "start"]),
    ("title", 0, &[]),
    ("tojson", 1, &["indent"]),
    ("trim", 1, &[]),
    ("truncate", 1, &["length", "killwords", "end", "leeway"]),
    ("unique", 0, &["case_sensitive", "attribute"]),
    ("upper", 0, &[]),
    ("wordcount", 0, &[]),
    ("wordwrap", 1, &["width", "break_long_words", "wrapstring"]),
    ("zip", 8, &[]),
];

/// Tests: name, arguments by position.
pub(super) const TESTS: &[(&str, usize, &[&str])] = &[
    ("!=", 1, &[]),
    ("<", 1, &[]),
    ("<=", 1, &[]),
    ("==", 1, &[]),
    (">", 1, &[]),
    (">=", 1, &[]),
    ("boolean", 0, &[]),
    ("defined", 0, &[]),
    ("divisibleby", 1, &[]),
    ("endingwith", 1, &[]),
    ("eq", 1, &[]),
    ("equalto", 1, &[]),
    ("escaped", 0, &[]),
    ("even", 0, &[]),
    ("false", 0, &[]),
    ("filter", 0, &[]),
    ("float", 0, &[]),
    ("ge", 1, &[]),
    ("greaterthan", 1, &[]),
    ("gt", 1, &[]),
    ("in", 1, &[]),
    ("int", 0, &[]),
    ("integer", 0, &[]),
    ("iterable", 0, &[]),
    ("le", 1, &[]),
    ("lessthan", 1, &[]),
    ("lower", 0, &[]),
    ("lt", 1, &[]),
    ("mapping", 0, &[]),
    ("ne", 1, &[]),
    ("none", 0, &[]),
    ("number", 0, &[]),
    ("odd", 0, &[]),
    ("safe", 0, &[]),
    ("sameas", 1, &[]),
    ("sequence", 0, &[]),
    ("startingwith", 1, &[]),
    ("string", 0, &[]),
    ("test", 0, &[]),
    ("true", 0, &[]),
    ("undefined", 0, &[]),
    ("upper", 0, &[]),
];

#[cfg(test)]
mod tests {
    use super::super::super::builtins;
    use super::{FILTERS, TESTS};

    /// The language's words are listed in `builtins`, which is held against the engine; here are their arguments.
    #[test]
    fn every_word_of_the_language_has_its_arguments() {
        let words = |known: &[builtins::Known]| known.iter().map(|known| known.name).collect::<Vec<_>>();
        let mut filters: Vec<&str> = FILTERS.iter().map(|(name, ..)| *name).collect();
        filters.sort_unstable();
        assert_eq!(filters, words(builtins::FILTERS));
        // Operators are tests for `select` only, and are no words.
        let is_word = |name: &&str| name.starts_with(char::is_alphabetic);
        let mut tests: Vec<&str> = TESTS.iter().map(|(name, ..)| *name).filter(is_word).collect();
        tests.sort_unstable();
        assert_eq!(tests, words(builtins::TESTS));
        assert!(super::super::call::FUNCTIONS.iter().all(|name| words(builtins::FUNCTIONS).contains(name)));
    }
}
