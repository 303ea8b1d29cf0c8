//! The facts table as shapes: what a template may read in one situation.

use super::kind::OpeningKind;
use super::table::{CONTRACT, Field, Type, roots};
use crate::template::check::{Contract, Situation};
use crate::template::shape::Shape;
use std::sync::OnceLock;

/// What the checker goes by: the six situations, and an older server's, where a failure is only worth a warning.
pub fn contract() -> &'static Contract {
    static CONTRACT: OnceLock<Contract> = OnceLock::new();
    CONTRACT.get_or_init(|| {
        let kinds =
            OpeningKind::ALL.map(|kind| Situation { name: kind.as_str().to_owned(), shape: shape(Some(kind)), required: true });
        let old = Situation { name: "an older server".to_owned(), shape: shape(None), required: false };
        Contract { situations: kinds.into_iter().chain([old]).collect(), selector: vec!["opening".to_owned(), "kind".to_owned()] }
    })
}

/// The shape of all facts in a situation; in `None`, an older server's, `opening` is not among them.
pub fn shape(kind: Option<OpeningKind>) -> Shape {
    let there = roots().filter(|field| kind.is_some() || field.path != "opening");
    Shape::Object(there.map(|field| (field.name().to_owned(), of(field, kind))).collect())
}

fn of(field: &Field, kind: Option<OpeningKind>) -> Shape {
    let applies = kind.is_none_or(|kind| field.kinds.include(kind));
    let fields = || field.fields().map(|field| (field.name().to_owned(), of(field, kind))).collect();
    let shape = match field.ty {
        Type::ObjectList | Type::TextList if !applies => return Shape::List(Box::new(Shape::Null)),
        Type::Integer if !applies => return Shape::Integer(Some(0)),
        _ if !applies => return Shape::Null,
        Type::ObjectList => Shape::List(Box::new(Shape::Object(fields()))),
        Type::TextList => Shape::List(Box::new(Shape::Text(None))),
        Type::Text => Shape::Text(None),
        Type::Word(words) => Shape::Text(Some(words.iter().map(|word| (*word).to_owned()).collect())),
        Type::Kind => Shape::Text(kind.map(|kind| vec![kind.as_str().to_owned()])),
        Type::Integer if field.is_contract() => Shape::Integer(Some(u64::from(CONTRACT))),
        Type::Integer => Shape::Integer(None),
        Type::Object => Shape::Object(fields()),
    };
    // Without a kind nothing says that there must be a task or a conversation.
    let nullable = field.nullable || (kind.is_none() && matches!(field.path, "task" | "conversation"));
    if nullable { Shape::Optional(Box::new(shape)) } else { shape }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_null_where_it_does_not_apply_and_sure_where_it_does() {
        let task = shape(Some(OpeningKind::TaskStart));
        assert!(matches!(task.field("task"), Some(Shape::Object(_))));
        assert_eq!(task.field("conversation"), Some(&Shape::Null));
        assert_eq!(task.field("opening").unwrap().field("messages"), Some(&Shape::List(Box::new(Shape::Null))));
        assert!(matches!(task.field("opening").unwrap().field("handoff"), Some(Shape::Optional(_))));
        assert!(shape(None).field("opening").is_none() && matches!(shape(None).field("task"), Some(Shape::Optional(_))));
    }
}
