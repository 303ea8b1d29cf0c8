//! Templates as cases: `cases/templates/*.txt` holds a context as JSON, a line `---`, and a template. The snapshot is what it
//! prints, or the whole problem as a person reads it.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proem_core::template::engine::{Context, Printing, Template};
use proem_core::template::problem::Problem;

fn render(source: &str, context: &Context, printing: Printing) -> Result<String, Problem> {
    let rendered = Template::compile(source, printing)?.render(context)?;
    for span in &rendered.spans {
        if span.origin == proem_core::template::engine::Origin::Raw {
            assert_eq!(
                rendered.text[span.output.clone()],
                source[span.template.clone()],
                "raw spans are the template's own bytes"
            );
        }
    }
    Ok(rendered.text)
}

fn show(source: &str, result: Result<String, Problem>) -> String {
    match result {
        Ok(text) if text.len() > 2_000 => format!("prints {} bytes", text.len()),
        Ok(text) => format!("prints {text:?}"),
        Err(problem) => format!("{}{} {:?}", problem.long(source, "case"), problem.code, problem.range),
    }
}

#[test]
fn templates() {
    insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "snapshots/templates", omit_expression => true}, {
        insta::glob!("../cases/templates", "*.txt", |path| {
            let case = std::fs::read_to_string(path).unwrap();
            let (context, source) = case.split_once("\n---\n").unwrap();
            let context = Context::from_json(&serde_json::from_str(context).unwrap());
            let lenient = show(source, render(source, &context, Printing::Lenient));
            let strict = show(source, render(source, &context, Printing::Strict));
            let text = if lenient == strict { lenient } else { format!("at run time: {lenient}\n\non save: {strict}") };
            insta::assert_snapshot!(text);
        });
    });
}
