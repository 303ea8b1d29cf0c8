//! What the values can be that a template reads: the part of a contract that the checker and the typed context need. Built by
//! whoever knows the contract; knows no fact by name.

/// What one value can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Always null.
    Null,
    /// Text: any, or one of these words.
    Text(Option<Vec<String>>),
    /// A whole number, not negative; `None` when any, else exactly this one.
    Integer(Option<u64>),
    /// These fields and no others, in this order.
    Object(Vec<(String, Shape)>),
    /// A list of any length of such items; [`Shape::Null`] as the item says that the list is always empty.
    List(Box<Shape>),
    /// Such a value or null.
    Optional(Box<Shape>),
}

impl Shape {
    /// The shape of a field, looked up in an object or behind an optional one.
    pub fn field(&self, name: &str) -> Option<&Shape> {
        match self {
            Shape::Object(fields) => fields.iter().find(|(known, _)| known == name).map(|(_, shape)| shape),
            Shape::Optional(inner) => inner.field(name),
            _ => None,
        }
    }

    /// The names of the fields, in order; none for what is not an object.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut shape = self;
        while let Shape::Optional(inner) = shape {
            shape = inner;
        }
        let fields: &[(String, Shape)] = if let Shape::Object(fields) = shape { fields } else { &[] };
        fields.iter().map(|(name, _)| name.as_str())
    }
}
