//! Where a value lies in JSON: names with dots between them; lists are walked into. `content[type=text].text` reads `text` of only those
//! elements whose `type` is `text`.

use serde_json::{Map, Value};

/// Names on the way, the outermost first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Path {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
struct Step {
    name: String,
    /// Only elements with this text under this name.
    only: Option<(String, String)>,
}

impl Path {
    /// Reads a path. The error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Path, String> {
        let mut steps = Vec::new();
        for step in text.split('.') {
            let (name, only) = match step.split_once('[') {
                None => (step, None),
                Some((name, filter)) => {
                    let filter = filter.strip_suffix(']').and_then(|inner| inner.split_once('='));
                    let (key, value) =
                        filter.filter(|(key, value)| !key.is_empty() && !value.is_empty()).ok_or("write name[key=value]")?;
                    (name, Some((key.to_owned(), value.to_owned())))
                }
            };
            if name.is_empty() {
                return Err("a name is missing between its dots".to_owned());
            }
            steps.push(Step { name: name.to_owned(), only });
        }
        Ok(Path { steps })
    }

    /// The values it leads to; of a list at its end the elements. None when it leads nowhere; null is nowhere.
    pub fn values<'a>(&self, map: &'a Map<String, Value>) -> Option<Vec<&'a Value>> {
        let (first, rest) = self.steps.split_first()?;
        let mut reached = vec![map.get(&first.name)?];
        let keep = |reached: Vec<&'a Value>, step: &Step| {
            let mut found = Vec::new();
            for value in reached {
                match value {
                    Value::Array(items) => found.extend(items),
                    Value::Null => {}
                    value => found.push(value),
                }
            }
            if let Some((key, wanted)) = &step.only {
                found.retain(|value| value.get(key).and_then(Value::as_str) == Some(wanted));
            }
            found
        };
        let is_there = |values: &[&Value]| values.iter().any(|value| !value.is_null());
        let mut somewhere = is_there(&reached);
        reached = keep(reached, first);
        for step in rest {
            let next: Vec<&Value> = reached.iter().filter_map(|value| value.get(&step.name)).collect();
            // An empty list on the way is an answer: nothing is in it.
            somewhere = somewhere && (reached.is_empty() || is_there(&next));
            reached = keep(next, step);
        }
        somewhere.then_some(reached)
    }
}
