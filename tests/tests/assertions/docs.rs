//! The page on rules says what is so: its examples are rules, its tables are the tables.

use proem_core::assertion::{FIELDS, Over, Rules};

const PAGE: &str = include_str!("../../../docs/assertions.md");

#[test]
fn every_example_is_read() {
    let examples: Vec<&str> = PAGE.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().expect("an end")).collect();
    assert!(examples.len() > 5);
    for example in examples {
        let rules = Rules::parse(example).unwrap_or_else(|faults| panic!("{example}\n{faults:#?}"));
        assert!(rules.said().len() > 0);
    }
}

#[test]
fn every_field_is_listed() {
    for over in Over::ALL {
        let names: Vec<String> =
            FIELDS.iter().filter(|field| field.of == over).map(|field| format!("`{}`", field.name)).collect();
        let row = PAGE.lines().find(|line| line.starts_with(&format!("| {} | ", over.as_str()))).expect("a row");
        assert!(row.contains(&names.join(", ")), "{row}\n{}", names.join(", "));
    }
}

#[test]
fn every_built_in_rule_is_listed() {
    for (id, says) in Rules::built_in().said() {
        assert!(PAGE.contains(&format!("| `{id}` | {says} |")), "{id}");
    }
}
