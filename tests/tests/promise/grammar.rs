//! Templates that are drawn from a row of numbers: most are of a piece, some are not, and what is asked is often read.

/// What stands before every template: namespaces and macros.
pub const START: [&str; 3] = [
    "{% set ns = namespace(n=0, l=[], o=none) %}",
    "{% macro m(t, u='z') %}{% if t %}{{ t }}{% endif %}{{ u|default('', true) }}{% endmacro %}",
    "{% macro box(a=none) %}<{{ caller(a) if a else caller('x') }}>{% endmacro %}",
];

/// What an expression should be.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Text,
    Number,
    List,
    Object,
    Condition,
    Any,
}

/// A drawing in progress. A row that has come to its end gives the simplest of everything.
struct Draw<'a> {
    row: &'a [u16],
    at: usize,
    /// What conditions round this place have asked for.
    asked: Vec<String>,
}

const NULLABLE: &[&str] = &[
    "role.description",
    "task.title",
    "task.description",
    "opening.stop_reason",
    "opening.handoff.note",
    "opening.handoff.from",
    "opening.peer.organization_name",
    "opening.peer.role_name",
    "opening.origin.title",
    "conversation.title",
    "x.author",
    "y.author",
    "ns.o",
    "ns.o.text",
    "loop.previtem.text",
    "loop.nextitem.author",
    "opening.messages[0].text",
    "x.text",
    "y",
    "t",
    "opening.messages|first",
    "h.note",
    "(role.description)",
    "opening['handoff']['note']",
];
const OBJECTS: &[&str] = &[
    "task",
    "conversation",
    "opening.handoff",
    "opening.peer",
    "opening.origin",
    "opening",
    "loop",
    "x",
    "y",
    "loop.previtem",
    "ns",
    "h",
    "role",
];
const LISTS: &[&str] = &[
    "opening.messages",
    "opening.updates",
    "conversation.participants",
    "ns.l",
    "y",
    "x.attachments",
    "x.list",
    "[1, 2, 3]",
    "[]",
    "['a', 'B', 'a']",
    "[x, y]",
    "[none, 1]",
    "[[1, 'a'], [2, 'b']]",
    "[{'a': 1}, {'a': 'b'}, {}]",
    "[1.5, 2]",
    "(opening.messages or [])",
    "opening.messages|groupby('author')",
];

impl Draw<'_> {
    fn next(&mut self, of: usize) -> usize {
        let drawn = self.row.get(self.at).map_or(0, |number| usize::from(*number) % of);
        self.at += 1;
        drawn
    }

    fn of(&mut self, words: &[&str]) -> String {
        words[self.next(words.len())].to_owned()
    }

    fn odd(&mut self, one_of: usize) -> bool {
        self.next(one_of) == one_of - 1
    }

    fn expr(&mut self, sort: Sort, deep: usize) -> String {
        if !self.asked.is_empty() && self.next(3) == 2 {
            let at = self.next(self.asked.len());
            return self.asked[at].clone();
        }
        let sort =
            if self.odd(24) { [Sort::Text, Sort::Number, Sort::List, Sort::Object, Sort::Condition][self.next(5)] } else { sort };
        match sort {
            Sort::Text => self.text(deep),
            Sort::Number => self.number(deep),
            Sort::List => self.list(deep),
            Sort::Object => self.object(deep),
            Sort::Condition => self.condition(deep),
            Sort::Any => {
                let sort = [Sort::Text, Sort::Number, Sort::List, Sort::Object, Sort::Condition][self.next(5)];
                self.expr(sort, deep)
            }
        }
    }

    fn text(&mut self, deep: usize) -> String {
        if deep == 0 || self.next(5) < 2 {
            return self.of(&[
                "role.name",
                "'a'",
                "''",
                "x.text",
                "opening.kind",
                "'nan'",
                "'-0.0'",
                "x.author_kind",
                "x.name",
                "t",
                "u",
                "y",
                "x.grouper",
                "'b c'",
                "x",
                "k",
            ]);
        }
        let deep = deep - 1;
        match self.next(16) {
            0 => {
                let filters = [
                    "upper",
                    "lower",
                    "title",
                    "capitalize",
                    "trim",
                    "e",
                    "string",
                    "safe",
                    "tojson",
                    "replace('a', 'b')",
                    "replace('a', none)",
                    "indent(2)",
                    "indent(width=2, first=true)",
                    "truncate(5)",
                    "truncate(length=3, end='')",
                    "wordwrap(3)",
                    "reverse",
                    "default('d')",
                    "d('x', true)",
                    "first",
                    "last",
                    "format('x')",
                    "pprint",
                    "truncate(3, length=2)",
                    "trim('a')",
                    "replace('', 'x', 2)",
                    "wordwrap(width=0)",
                    "attr('x')",
                ];
                format!("({})|{}", self.expr(Sort::Text, deep), self.of(&filters))
            }
            1 => format!("({} ~ {})", self.expr(Sort::Any, deep), self.expr(Sort::Text, deep)),
            2 => format!("({} + {})", self.expr(Sort::Text, deep), self.expr(Sort::Text, deep)),
            3 => format!("({} * {})", self.expr(Sort::Text, deep), self.of(&["2", "0", "-1", "loop.index", "3.5", "200000000"])),
            4 => format!("({}){}", self.expr(Sort::Text, deep), self.slice()),
            5 => format!(
                "({} if {} else {})",
                self.expr(Sort::Text, deep),
                self.expr(Sort::Condition, deep),
                self.expr(Sort::Text, deep)
            ),
            6 => format!("({} if {})", self.expr(Sort::Text, deep), self.expr(Sort::Condition, deep)),
            7 => format!(
                "({})|{}",
                self.expr(Sort::Number, deep),
                self.of(&["string", "tojson", "upper", "e", "default('x', true)"])
            ),
            8 => {
                let joins = [
                    "join",
                    "join(', ')",
                    "join(attribute='text')",
                    "join(', ', 'author')",
                    "join(d=';', attribute='name')",
                    "map('upper')|join",
                    "map(attribute='text')|join",
                    "map('string')|join('-')",
                    "map(attribute='author', default='x')|join",
                    "map('default', 'x', true)|join",
                    "map('tojson')|join",
                    "map('length')|join",
                ];
                format!("({})|{}", self.expr(Sort::List, deep), self.of(&joins))
            }
            9 => {
                let call = self.of(&["m", "m", "f", "caller"]);
                format!("{call}({})", self.arguments(deep))
            }
            10 => format!("({}|default('d', true))", self.of(NULLABLE)),
            11 => format!("({} or {})", self.of(NULLABLE), self.expr(Sort::Text, deep)),
            12 => self.of(NULLABLE),
            13 => format!("loop.cycle({}, {})", self.expr(Sort::Text, deep), self.expr(Sort::Any, deep)),
            14 => format!("('%s-%s'|format({}, {}))", self.expr(Sort::Any, deep), self.expr(Sort::Text, deep)),
            _ => format!(
                "({}).{}",
                self.expr(Sort::Object, deep),
                self.of(&["text", "title", "author", "name", "note", "a", "grouper"])
            ),
        }
    }

    fn arguments(&mut self, deep: usize) -> String {
        let first = self.expr(Sort::Any, deep);
        match self.next(5) {
            0 => first,
            1 => format!("{first}, {}", self.expr(Sort::Any, deep)),
            2 => format!("t={first}"),
            3 => format!("{first}, u={}", self.expr(Sort::Text, deep)),
            _ => String::new(),
        }
    }

    fn slice(&mut self) -> String {
        self.of(&[
            "[:2]",
            "[1:]",
            "[::-1]",
            "[-2:]",
            "[none:3]",
            "[0:9223372036854775807]",
            "[loop.index:]",
            "[::0]",
            "[-9223372036854775808:]",
            "[1:0:2]",
            "[opening.messages_omitted:]",
            "[0]",
            "[-1]",
        ])
    }

    fn number(&mut self, deep: usize) -> String {
        if deep == 0 || self.next(5) < 2 {
            let leaves = [
                "1",
                "0",
                "2",
                "-1",
                "3.5",
                "opening.messages_omitted",
                "opening.updates_omitted",
                "opening.contract",
                "loop.index",
                "loop.index0",
                "loop.length",
                "loop.revindex0",
                "ns.n",
                "y",
                "18446744073709551615",
                "9223372036854775807",
                "-0.0",
                "1e308",
                "x",
                "k",
            ];
            return self.of(&leaves);
        }
        let deep = deep - 1;
        match self.next(10) {
            0 | 1 => {
                let operator = self.of(&["+", "-", "*", "/", "//", "%", "**"]);
                format!("({} {operator} {})", self.expr(Sort::Number, deep), self.expr(Sort::Number, deep))
            }
            2 => format!("(-{})", self.expr(Sort::Number, deep)),
            3 => {
                let filter = self.of(&[
                    "abs",
                    "round",
                    "round(2)",
                    "round(method='floor')",
                    "round(1, 'ceil')",
                    "round(-1)",
                    "int",
                    "float",
                    "round(1, precision=1)",
                ]);
                format!("({}|{filter})", self.expr(Sort::Number, deep))
            }
            4 => {
                let filter = self.of(&[
                    "int(0)",
                    "float(0)",
                    "int(default=none)",
                    "int(0, 16)",
                    "length",
                    "wordcount",
                    "float(default=1)",
                    "int('x')",
                    "count",
                    "int",
                ]);
                format!("({}|{filter})", self.expr(Sort::Text, deep))
            }
            5 | 6 => {
                let filter = self.of(&[
                    "length",
                    "count",
                    "sum",
                    "min",
                    "max",
                    "first",
                    "last",
                    "sum(start=1.5)",
                    "map('length')|sum",
                    "sum(attribute='a')",
                    "max(attribute='text')",
                    "reverse|first",
                ]);
                format!("({}|{filter})", self.expr(Sort::List, deep))
            }
            7 => format!(
                "({} if {} else {})",
                self.expr(Sort::Number, deep),
                self.expr(Sort::Condition, deep),
                self.expr(Sort::Number, deep)
            ),
            8 => format!("({})[{}]", self.expr(Sort::List, deep), self.expr(Sort::Number, deep)),
            _ => format!("({} or {})", self.expr(Sort::Number, deep), self.expr(Sort::Number, deep)),
        }
    }

    fn list(&mut self, deep: usize) -> String {
        if deep == 0 || self.next(5) < 2 {
            return self.of(LISTS);
        }
        let deep = deep - 1;
        match self.next(11) {
            0..=3 => {
                let filters = [
                    "list",
                    "reverse",
                    "sort",
                    "sort(attribute='text')",
                    "sort(reverse=true, attribute='author')",
                    "unique",
                    "unique(attribute='author')",
                    "batch(2)",
                    "batch(2, 'x')",
                    "slice(2)",
                    "map(attribute='text')",
                    "map(attribute='author')",
                    "map('upper')",
                    "map('first')",
                    "map('default', 'x')",
                    "select",
                    "reject",
                    "select('none')",
                    "reject('none')",
                    "select('string')",
                    "reject('eq', 1)",
                    "selectattr('author')",
                    "rejectattr('author')",
                    "selectattr('text', 'eq', 'a')",
                    "selectattr('author', 'none')",
                    "rejectattr('author', 'none')",
                    "selectattr('kind', 'in', ['a'])",
                    "groupby('author')",
                    "groupby('kind')",
                    "groupby('text', default='x')",
                    "zip([1, 2])",
                    "chain([1])",
                    "chain([1]|reverse)",
                    "map('list')",
                    "map(attribute='a', default=0)",
                    "select('gt', 1)",
                    "sort(case_sensitive=1)",
                    "groupby('text')|map(attribute='grouper')",
                    "map('batch', 1)",
                ];
                format!("({})|{}", self.expr(Sort::List, deep), self.of(&filters))
            }
            4 => format!("({}){}", self.expr(Sort::List, deep), self.slice()),
            5 => format!("({} + {})", self.expr(Sort::List, deep), self.expr(Sort::List, deep)),
            6 => format!("[{}, {}]", self.expr(Sort::Any, deep), self.expr(Sort::Any, deep)),
            7 => {
                let filter = self.of(&["split", "split(',')", "split('')", "lines", "list", "split(' ', 1)"]);
                format!("({})|{filter}", self.expr(Sort::Text, deep))
            }
            8 => format!(
                "range({})",
                [self.expr(Sort::Number, deep), "1, 3".into(), "5, 0, -2".into(), "0, 9, loop.index".into()][self.next(4)]
            ),
            9 => {
                format!("({})|{}", self.expr(Sort::Object, deep), self.of(&["items", "dictsort", "list", "dictsort(by='value')"]))
            }
            _ => format!("({} or {})", self.expr(Sort::List, deep), self.expr(Sort::List, deep)),
        }
    }

    fn object(&mut self, deep: usize) -> String {
        if deep == 0 || self.next(3) < 2 {
            return self.of(OBJECTS);
        }
        let deep = deep - 1;
        match self.next(6) {
            0 => format!(
                "{{'a': {}, {}: {}}}",
                self.expr(Sort::Any, deep),
                self.of(&["'b'", "role.name", "1", "x", "'a'"]),
                self.expr(Sort::Any, deep)
            ),
            1 => format!("dict(a={})", self.expr(Sort::Any, deep)),
            2 => format!(
                "(({})|{})",
                self.expr(Sort::List, deep),
                self.of(&["first", "last", "min(attribute='text')", "max(attribute='author')"])
            ),
            3 => format!("({} or {})", self.expr(Sort::Object, deep), self.expr(Sort::Object, deep)),
            4 => format!(
                "({} if {} else {})",
                self.expr(Sort::Object, deep),
                self.expr(Sort::Condition, deep),
                self.expr(Sort::Object, deep)
            ),
            _ => format!("namespace({})", self.of(&["a=1", "{'a': none}", "h", "text=none"])),
        }
    }

    fn condition(&mut self, deep: usize) -> String {
        if deep == 0 || self.next(4) == 0 {
            return self.of(&[
                "true",
                "c",
                "loop.first",
                "loop.last",
                "not loop.first",
                "task",
                "opening.peer",
                "role.description",
                "loop.changed(x)",
                "y is defined",
                "loop.index0",
                "ns.o",
            ]);
        }
        let deep = deep - 1;
        match self.next(11) {
            0 => format!("({} {} {})", self.expr(Sort::Any, deep), self.of(&["==", "!=", "<", ">="]), self.expr(Sort::Any, deep)),
            1 => format!(
                "({} {} {} {} {})",
                self.expr(Sort::Number, deep),
                self.of(&["<", "<=", "==", "in", "not in"]),
                self.expr(Sort::Any, deep),
                self.of(&["<", ">=", "!="]),
                self.expr(Sort::Number, deep)
            ),
            2 => format!("({} {} {})", self.expr(Sort::Any, deep), self.of(&["in", "not in"]), self.expr(Sort::Any, deep)),
            3 => format!("({} and {})", self.expr(Sort::Condition, deep), self.expr(Sort::Condition, deep)),
            4 => format!("({} or {})", self.expr(Sort::Condition, deep), self.expr(Sort::Condition, deep)),
            5 => format!("(not {})", self.expr(Sort::Condition, deep)),
            6 | 7 => {
                let test = self.of(&[
                    "none",
                    "not none",
                    "defined",
                    "string",
                    "mapping",
                    "odd",
                    "divisibleby(2)",
                    "eq('a')",
                    "in(['a', 1])",
                    "startingwith('a')",
                    "number",
                    "lower",
                    "true",
                    "sequence",
                    "sameas(none)",
                    "gt(1)",
                    "not defined",
                    "iterable",
                    "eq(2)",
                    "ne(none)",
                    "divisibleby(0)",
                ]);
                format!("({} is {test})", self.expr(Sort::Any, deep))
            }
            8 => format!(
                "({}|length {} {})",
                self.expr(Sort::List, deep),
                self.of(&[">", ">=", "==", "<", "!="]),
                self.of(&["0", "1", "2"])
            ),
            9 => self.of(&[
                "opening.kind == 'task-start'",
                "opening.kind in ['task-start', 'task-resume']",
                "opening.kind != 'human-conversation-start'",
                "2 == true",
                "opening.stop_reason == 'error'",
            ]),
            _ => self.guard(),
        }
    }

    /// A condition after which something can be read.
    fn guard(&mut self) -> String {
        let path = match self.next(8) {
            0 => self.of(LISTS),
            1 => self.of(OBJECTS),
            2 if !self.asked.is_empty() => {
                let at = self.next(self.asked.len());
                self.asked[at].clone()
            }
            _ => self.of(NULLABLE),
        };
        let object = path.rsplit_once('.').map_or(path.as_str(), |(object, _)| object).to_owned();
        let guard = match self.next(9) {
            0..=3 => path.clone(),
            4 => format!("{object} and {path}"),
            5 => format!("{path} is not none"),
            6 => format!("{object} and {path} is not none and {path} != ''"),
            7 => format!("{path} is defined and {path}"),
            _ => format!("{path} and {}", self.condition(1)),
        };
        self.asked.push(path);
        guard
    }

    /// `inner` where nothing is asked that was not asked here.
    fn scoped(&mut self, inner: impl FnOnce(&mut Self) -> String) -> String {
        let before = self.asked.len();
        let drawn = inner(self);
        self.asked.truncate(before);
        drawn
    }

    fn body(&mut self, deep: usize) -> String {
        let count = self.next(4);
        (0..count).map(|_| self.stmt(deep)).collect()
    }

    fn stmt(&mut self, deep: usize) -> String {
        if deep == 0 || self.next(9) < 4 {
            return self.simple();
        }
        let deep = deep - 1;
        match self.next(15) {
            0..=2 => self.scoped(|draw| format!("{{% if {} %}}{}{{% endif %}}", draw.guard(), draw.body(deep))),
            3 => {
                let arm = self.scoped(|draw| format!("{{% if {} %}}{}", draw.guard(), draw.body(deep)));
                let other = self.scoped(|draw| format!("{{% elif {} %}}{}", draw.condition(2), draw.body(deep)));
                format!("{arm}{other}{{% else %}}{}{{% endif %}}", self.body(deep))
            }
            4 => {
                let asked = self.guard();
                let (yes, no) = (self.simple(), self.body(deep));
                self.asked.pop();
                format!("{{% if not ({asked}) %}}{yes}{{% else %}}{no}{{% endif %}}")
            }
            5..=7 => {
                let list = self.expr(Sort::List, 2);
                let filter = if self.odd(4) { format!(" if {}", self.condition(2)) } else { String::new() };
                let otherwise = if self.odd(4) { format!("{{% else %}}{}", self.body(deep)) } else { String::new() };
                let name = self.of(&["x", "x", "x", "x", "y", "loop", "k, x", "k, v", "(k, v), x", "x, y"]);
                format!("{{% for {name} in {list}{filter} %}}{}{otherwise}{{% endfor %}}", self.body(deep))
            }
            8 => format!(
                "{{% with {} = {} %}}{}{{% endwith %}}",
                self.of(&["y", "t", "h"]),
                self.expr(Sort::Any, 2),
                self.body(deep)
            ),
            9 => format!(
                "{{% set {} %}}{}{{% endset %}}",
                self.of(&["y", "t", "y | upper", "y | replace(t, 'x')", "y | default('', true)"]),
                self.body(deep)
            ),
            10 => format!(
                "{{% filter {} %}}{}{{% endfilter %}}",
                self.of(&["upper", "trim|indent(2)", "replace('a', y)", "default(y)", "truncate(3)", "length"]),
                self.body(deep)
            ),
            11 | 12 => {
                let head = self.of(&["m(t)", "m(t, u=t)", "f(y=y)", "f(t=none)", "m(a, b=a)", "f()", "box(a)"]);
                let caller = self.of(&["", "", "{{ caller() }}", "{% if caller %}{{ caller('x') }}{% endif %}"]);
                format!("{{% macro {head} %}}{}{caller}{{% endmacro %}}", self.body(deep))
            }
            13 => {
                let head = self.of(&[
                    "call box()",
                    "call(y) box()",
                    "call(y) box(x)",
                    "call m('a')",
                    "call(y) box(role.description)",
                    "call f()",
                ]);
                format!("{{% {head} %}}{}{{% endcall %}}", self.body(deep))
            }
            _ => format!("{{% autoescape {} %}}{}{{% endautoescape %}}", self.of(&["true", "false"]), self.body(deep)),
        }
    }

    fn simple(&mut self) -> String {
        match self.next(14) {
            0..=2 => format!("{{{{ {} }}}}", self.expr(Sort::Text, 3)),
            3 => format!("{{{{ {} }}}}", self.expr(Sort::Number, 3)),
            4 => format!("{{{{ {} }}}}", self.expr(Sort::Any, 2)),
            5 => format!("{{% set y = {} %}}", self.expr(Sort::Any, 2)),
            6 => format!("{{% set c = {} %}}", self.condition(2)),
            7 => format!("{{% set h = {} %}}", self.expr(Sort::Object, 1)),
            8 => format!("{{% set ns.{} = {} %}}", self.of(&["n", "l", "o", "z"]), self.expr(Sort::Any, 2)),
            9 => self.of(&[
                "{% set ns.n = ns.n + 1 %}",
                "{% set ns.l = ns.l + [x] %}",
                "{% set ns.o = x %}",
                "{% set ns.o = none %}",
                "{% set ns.n = ns.n * 2 %}",
                "{% set ns.l = [ns.l] %}",
                "{% set ns.o = loop %}",
                "{% set ns.n = loop.index %}",
            ]),
            10 => self.of(&[
                "{% continue %}",
                "{% break %}",
                "text",
                "{% if loop.index > 2 %}{% break %}{% endif %}",
                "{% if not y %}{% continue %}{% endif %}",
                "{% do loop.changed(1) %}",
            ]),
            11 => self.of(&[
                "{% set f = m %}",
                "{% set y, h = [1, none] %}",
                "{% set f = m if c else box %}",
                "{% set (y, h) = x %}",
                "{% set l = loop %}",
                "{% set y = y ~ 'x' %}",
                "{% set m = 1 %}",
            ]),
            12 => {
                let list = self.of(NULLABLE);
                format!("{{% if not {list} %}}{{% continue %}}{{% endif %}}{{{{ {list} }}}}")
            }
            _ => format!("{{% do m({}) %}}", self.arguments(1)),
        }
    }
}

/// The parts of a template.
pub fn parts(row: &[u16]) -> Vec<String> {
    let mut draw = Draw { row, at: 0, asked: Vec::new() };
    let mut parts = Vec::new();
    while draw.at < row.len() && parts.len() < 12 {
        let part = draw.scoped(|draw| draw.stmt(3));
        parts.push(part);
    }
    parts
}
