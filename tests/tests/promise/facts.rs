//! Facts that keep the contract and are as odd as it allows.

use proem_core::opening::facts::Facts;
use proem_core::opening::kind::OpeningKind;
use proem_core::opening::table::{Field, Type, roots};
use proem_core::template::engine::Context;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// Facts that follow a row of choices, which is read over and over.
struct Choices<'a> {
    row: &'a [u8],
    at: usize,
}

impl Choices<'_> {
    fn next(&mut self, of: usize) -> usize {
        self.at += 1;
        usize::from(self.row[self.at % self.row.len()]) % of
    }

    fn text(&mut self) -> Value {
        let texts = [
            "",
            "a",
            "0",
            "a b",
            "<x> & {{ y }}",
            "-3.5",
            "é🙂\nzwei",
            "1e400",
            "-0.0",
            "nan",
            "-inf",
            "170141183460469231731687303715884105728",
            "task-start",
            "%s",
            "text",
            "A",
            "-170141183460469231731687303715884105728",
        ];
        texts[self.next(texts.len())].into()
    }

    fn object(&mut self, fields: impl Iterator<Item = &'static Field>, kind: OpeningKind) -> Value {
        Value::Object(fields.map(|field| (field.name().to_owned(), self.field(field, kind))).collect::<Map<_, _>>())
    }

    fn field(&mut self, field: &'static Field, kind: OpeningKind) -> Value {
        let there = field.kinds.include(kind);
        match field.ty {
            Type::ObjectList | Type::TextList if !there => Value::Array(vec![]),
            Type::Integer if field.name() == "contract" => 1.into(),
            Type::Integer if !there => 0.into(),
            _ if !there || (field.nullable && self.next(2) == 0) => Value::Null,
            Type::Kind => kind.as_str().into(),
            Type::Text => self.text(),
            Type::Word(words) => words[self.next(words.len())].into(),
            Type::Integer => [0, 1, 2, 3, u64::from(u32::MAX), (1 << 53) + 1, u64::MAX - 1, u64::MAX][self.next(8)].into(),
            Type::Object => self.object(field.fields(), kind),
            Type::ObjectList => {
                let count = [0, 1, 2, 5][self.next(4)];
                (0..count).map(|_| self.object(field.fields(), kind)).collect()
            }
            Type::TextList => {
                let count = [0, 1, 3][self.next(3)];
                (0..count).map(|_| self.text()).collect()
            }
        }
    }
}

/// How many different facts there are of each kind.
pub const EACH: usize = 40;

/// Facts of one kind, ready to render: the first with little in them, then with more, then mixed.
pub fn contexts(kind: usize) -> &'static [(Facts, Context)] {
    static CONTEXTS: OnceLock<Vec<Vec<(Facts, Context)>>> = OnceLock::new();
    let of = |kind: OpeningKind| {
        (0..EACH)
            .map(|at| {
                let mut seed = at as u32 * 2 + 1;
                let mixed: Vec<u8> = std::iter::repeat_with(|| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (seed >> 24) as u8
                })
                .take(97)
                .collect();
                let row = if at < 8 { vec![at as u8] } else { mixed };
                let facts = Facts::from_json(Choices { row: &row, at: 0 }.object(roots(), kind)).unwrap();
                let context = facts.context();
                (facts, context)
            })
            .collect()
    };
    &CONTEXTS.get_or_init(|| OpeningKind::ALL.map(of).into())[kind]
}
