//! Statements that are drawn, and whole templates of them.

use super::grammar::{Draw, LISTS, NULLABLE, Sort};

/// What stands before every template: namespaces and macros.
pub const START: [&str; 3] = [
    "{% set ns = namespace(n=0, l=[], o=none) %}",
    "{% macro m(t, u='z') %}{% if t %}{{ t }}{% endif %}{{ u|default('', true) }}{% endmacro %}",
    "{% macro box(a=none) %}<{{ caller(a) if a else caller('x') }}>{% endmacro %}",
];

impl Draw<'_> {
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
                let name = self.of("x ¦ x ¦ x ¦ x ¦ y ¦ loop ¦ k, x ¦ k, v ¦ (k, v), x ¦ x, y");
                format!("{{% for {name} in {list}{filter} %}}{}{otherwise}{{% endfor %}}", self.body(deep))
            }
            8 => format!("{{% with {} = {} %}}{}{{% endwith %}}", self.of("y ¦ t ¦ h"), self.expr(Sort::Any, 2), self.body(deep)),
            9 => format!(
                "{{% set {} %}}{}{{% endset %}}",
                self.of("y ¦ t ¦ y | upper ¦ y | replace(t, 'x') ¦ \
                y | default('', true)"),
                self.body(deep)
            ),
            10 => format!(
                "{{% filter {} %}}{}{{% endfilter %}}",
                self.of("upper ¦ trim|indent(2) ¦ replace('a', y) ¦ \
                default(y) ¦ truncate(3) ¦ length"),
                self.body(deep)
            ),
            11 | 12 => {
                let head = self.of("m(t) ¦ m(t, u=t) ¦ f(y=y) ¦ f(t=none) ¦ m(a, b=a) ¦ f() ¦ box(a)");
                let caller = self.of(" ¦  ¦ {{ caller() }} ¦ {% if caller %}{{ caller('x') }}{% endif %}");
                format!("{{% macro {head} %}}{}{caller}{{% endmacro %}}", self.body(deep))
            }
            13 => {
                let head = self
                    .of("call box() ¦ call(y) box() ¦ call(y) box(x) ¦ call m('a') ¦ call(y) box(role.description) ¦ \
                    call f()");
                format!("{{% {head} %}}{}{{% endcall %}}", self.body(deep))
            }
            _ => format!("{{% autoescape {} %}}{}{{% endautoescape %}}", self.of("true ¦ false"), self.body(deep)),
        }
    }

    fn simple(&mut self) -> String {
        match self.next(14) {
            0..=2 => format!("{{{{ {} }}}}", self.expr(Sort::Text, 3)),
            3 => format!("{{{{ {} }}}}", self.expr(Sort::Number, 3)),
            4 => format!("{{{{ {} }}}}", self.expr(Sort::Any, 2)),
            5 => format!("{{% set y = {} %}}", self.expr(Sort::Any, 2)),
            6 => format!("{{% set c = {} %}}", self.condition(2)),
            7 if self.odd(2) => {
                let list = self.of(LISTS);
                let set = self.of("set n = LIST|length ¦ set kinds = ['task-start', 'task-resume', y] ¦ \
                    set kinds = ['task-start', 'task-resume'] ¦ set first = 'task-start' ¦ set kinds = ['a'] if c else 'abc' ¦ set kinds = x ¦ set first = none ¦ \
                    set first = 'human' ¦ set n = ns.l|length ¦ set n = loop.index");
                format!("{{% {} %}}", set.replace("LIST", &list))
            }
            7 => format!("{{% set h = {} %}}", self.expr(Sort::Object, 1)),
            8 => format!("{{% set ns.{} = {} %}}", self.of("n ¦ l ¦ o ¦ z"), self.expr(Sort::Any, 2)),
            9 => self
                .of("{% set ns.n = ns.n + 1 %} ¦ {% set ns.l = ns.l + [x] %} ¦ {% set ns.o = x %} ¦ {% set ns.o = none %} ¦ \
                {% set ns.n = ns.n * 2 %} ¦ {% set ns.l = [ns.l] %} ¦ {% set ns.o = loop %} ¦ {% set ns.n = loop.index %}"),
            10 => self.of("{% continue %} ¦ {% break %} ¦ text ¦ {% if loop.index > 2 %}{% break %}{% endif %} ¦ \
                {% if not y %}{% continue %}{% endif %} ¦ {% do loop.changed(1) %}"),
            11 => self
                .of("{% set f = m %} ¦ {% set y, h = [1, none] %} ¦ {% set f = m if c else box %} ¦ {% set (y, h) = x %} ¦ \
                {% set l = loop %} ¦ {% set y = y ~ 'x' %} ¦ {% set m = 1 %}"),
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
