//! What the tests share: where cases and the corpus are.
