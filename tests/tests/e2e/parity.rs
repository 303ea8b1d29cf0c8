//! One list of openings, three ways to them, the same bytes: what is previewed is what an agent gets.

use super::browser::run;
use super::runners::{cases, command_line, http, page as shown, write_files};
use super::server::Server;
use super::workbench::{SKILL, open};

/// Texts in which renderers and pages like to differ, each in the place of a built-in. They speak in every situation.
const TRICKY: [(&str, &str); 6] = [
    (
        "opening-task-start",
        "Loops:\n{% if opening %}\n{% for message in opening.messages %}\n{{ loop.index }}/{{ loop.length }}: {{ message.text }} {{ message.attachments }}\n\
         {% else %}\n(none)\n{% endfor %}\n{% for update in opening.updates|reverse %}{{ update.author or \"?\" }}{% if not loop.last %}; {% endif %}{% endfor %}\n\
         {% set box = namespace(n=0) %}{% for i in range(3) %}{% set box.n = box.n + i %}{% endfor %}{{ box.n }}\n{% endif %}\n",
    ),
    (
        "opening-task-resume",
        "Filters: {{ role.name|upper }} {{ organization.name|replace(\"&\", \"and\") }} {{ [3, 1, 2]|sort|join(\"-\") }} {{ role|tojson }}\n\
         {{ task.description|default(\"no task\", true)|indent(4) }}\n{{ 7 / 2 }} {{ 7 // 2 }} {{ 1e3 }} {{ 0.1 + 0.2 }} {{ true }} {{ [1, \"a\"] }}\n",
    ),
    (
        "opening-human-conversation-start",
        "Unicode: Grüße, \u{202e}שלום\u{202c}, e\u{301} é, 👩\u{200d}👩\u{200d}👧, \u{a0}\u{2028}\u{feff}|\u{1f600}{{ role.name|length }}{{ \"👧é\"|length }}\u{85}\t|\n",
    ),
    (
        "opening-human-conversation-resume",
        "\u{feff}Line ends:\r\none\r{% if true %}\r\n  two\r\n{% endif %}\r\n\r\n\r\nthree  \r\n",
    ),
    (
        "opening-agent-conversation-start",
        "   Space:  {%- if true -%}   x   {%- endif -%}  y {{- \" z \" -}}  |\n\n  {% if true %}\n    kept {% endif %}\n{%+ if true +%}\n after\n{% endif %}   \n\n\n",
    ),
    (
        "opening-agent-conversation-resume",
        "Braces: {{ \"{{ role.name }}\" }} {% raw %}{{ raw }} {% if %}{% endraw %} {{ \"{% endif %}\" }} <b>&amp;</b> {{ task.title if task }} {{ opening.messages if opening }}\n\
         <script>alert(1)</script> <img src=x onerror=alert(1)> {# gone #}`code` **bold** [link](javascript:alert(1))\n",
    ),
];

async fn three_ways(name: &str, bodies: &'static [(&'static str, &'static str)]) {
    run(name, Server::guarded().await, &[], async |page| {
        for (slug, body) in bodies {
            page.server.save(slug, body).await;
        }
        let files = tempfile::tempdir().unwrap();
        write_files(page, bodies, files.path()).await;
        open(page, SKILL).await;
        let mut differing = Vec::new();
        for case in cases() {
            let (printed, answered, previewed) =
                (command_line(files.path(), case), http(page, case).await, shown(page, case).await);
            assert!(!printed.trim().is_empty(), "{case:?} says nothing");
            for (runner, text) in [("http", answered), ("page", previewed)] {
                differing.extend(difference(&printed, &text).map(|what| format!("{case:?} {runner}: {what}")));
            }
        }
        assert!(
            differing.is_empty(),
            "{} openings differ from what the command line prints:\n{}",
            differing.len(),
            differing.join("\n")
        );
    })
    .await;
}

/// Where two texts part, with what follows in each.
fn difference(expected: &str, text: &str) -> Option<String> {
    let common = expected.chars().zip(text.chars()).take_while(|(a, b)| a == b).count();
    let rest = |text: &str| text.chars().skip(common).take(60).collect::<String>();
    (expected != text).then(|| format!("at character {common} {:?}, not {:?}", rest(text), rest(expected)))
}

#[test]
fn a_difference_of_one_byte_is_found() {
    assert_eq!(difference("a\n", "a\n"), None);
    assert!(difference("a\n", "a").is_some() && difference("é", "e\u{301}").is_some() && difference("a ", "a\u{a0}").is_some());
}

#[tokio::test]
async fn the_built_in_skills_read_the_same_everywhere() {
    three_ways("parity-builtins", &[]).await;
}

#[tokio::test]
async fn tricky_skills_read_the_same_everywhere() {
    three_ways("parity-tricky", &TRICKY).await;
}
