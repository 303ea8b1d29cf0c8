//! The token of one start of the server: whoever has it may do everything, so it is never logged and compared in constant time.

/// A secret text of this start.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new one: 32 random bytes as 64 hex digits.
    pub fn fresh() -> Result<Token, getrandom::Error> {
        random_hex(32).map(Token)
    }

    /// A given one, for tests.
    pub fn new(text: impl Into<String>) -> Token {
        Token(text.into())
    }

    /// The text, for the link that is printed and for the cookie.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether a text is this token. How long that takes says nothing about where they differ.
    pub fn matches(&self, given: &str) -> bool {
        let (ours, given) = (self.0.as_bytes(), given.as_bytes());
        let differing = ours.iter().zip(given).fold(0u8, |found, (a, b)| std::hint::black_box(found | (a ^ b)));
        ours.len() == given.len() && differing == 0
    }
}

/// A token that was printed by accident is no secret any more: this prints none.
impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// That many random bytes, as lower-case hex digits.
pub fn random_hex(bytes: usize) -> Result<String, getrandom::Error> {
    let mut random = vec![0u8; bytes];
    getrandom::fill(&mut random)?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn only_the_whole_token_matches() {
        let token = Token::new("abcd");
        assert!(token.matches("abcd"));
        for other in ["", "abc", "abcde", "abce", "Abcd"] {
            assert!(!token.matches(other), "{other}");
        }
        assert_ne!(Token::fresh().unwrap().reveal(), Token::fresh().unwrap().reveal());
    }
}
