//! Expressions that are drawn from a row of numbers: most are of a piece, some are not, and what is asked is often read.

/// What an expression should be.
#[derive(Clone, Copy, PartialEq)]
pub enum Sort {
    Text,
    Number,
    List,
    Object,
    Condition,
    Any,
}

/// A drawing in progress. A row that has come to its end gives the simplest of everything.
pub struct Draw<'a> {
    pub row: &'a [u16],
    pub at: usize,
    /// What conditions round this place have asked for.
    pub asked: Vec<String>,
}

pub const NULLABLE: &str = "role.description ¦ task.title ¦ task.description ¦ opening.stop_reason ¦ opening.handoff.note ¦ \
    opening.handoff.from ¦ opening.peer.organization_name ¦ opening.peer.role_name ¦ opening.origin.title ¦ conversation.title ¦ \
    x.author ¦ y.author ¦ ns.o ¦ ns.o.text ¦ loop.previtem.text ¦ loop.nextitem.author ¦ opening.messages[0].text ¦ \
    opening.messages[1].text ¦ y[0] ¦ ns.l[1] ¦ x.text ¦ y ¦ t ¦ opening.messages|first ¦ h.note ¦ (role.description) ¦ \
    opening['handoff']['note']";
const OBJECTS: &str = "task ¦ conversation ¦ opening.handoff ¦ opening.peer ¦ opening.origin ¦ opening ¦ loop ¦ x ¦ y ¦ \
    loop.previtem ¦ ns ¦ h ¦ role";
pub const LISTS: &str = "opening.messages ¦ opening.updates ¦ conversation.participants ¦ ns.l ¦ y ¦ x.attachments ¦ x.list ¦ \
    [1, 2, 3] ¦ [] ¦ ['a', 'B', 'a'] ¦ [x, y] ¦ [none, 1] ¦ [[1, 'a'], [2, 'b']] ¦ [{'a': 1}, {'a': 'b'}, {}] ¦ [1.5, 2] ¦ \
    (opening.messages or []) ¦ opening.messages|groupby('author')";

impl Draw<'_> {
    pub fn next(&mut self, of: usize) -> usize {
        let drawn = self.row.get(self.at).map_or(0, |number| usize::from(*number) % of);
        self.at += 1;
        drawn
    }

    /// One of words between which `¦` stands.
    pub fn of(&mut self, words: &str) -> String {
        let words: Vec<&str> = words.split(" ¦ ").collect();
        words[self.next(words.len())].to_owned()
    }

    pub fn odd(&mut self, one_of: usize) -> bool {
        self.next(one_of) == one_of - 1
    }

    pub fn expr(&mut self, sort: Sort, deep: usize) -> String {
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
            return self
                .of("role.name ¦ 'a' ¦ '' ¦ x.text ¦ opening.kind ¦ 'nan' ¦ '-0.0' ¦ x.author_kind ¦ x.name ¦ t ¦ u ¦ y ¦ \
                x.grouper ¦ 'b c' ¦ x ¦ k");
        }
        let deep = deep - 1;
        match self.next(16) {
            0 => {
                let filters = "upper ¦ lower ¦ title ¦ capitalize ¦ trim ¦ e ¦ string ¦ safe ¦ tojson ¦ replace('a', 'b') ¦ \
                    replace('a', none) ¦ indent(2) ¦ indent(width=2, first=true) ¦ truncate(5) ¦ truncate(length=3, end='') ¦ \
                    wordwrap(3) ¦ reverse ¦ default('d') ¦ d('x', true) ¦ first ¦ last ¦ format('x') ¦ pprint ¦ \
                    truncate(3, length=2) ¦ trim('a') ¦ replace('', 'x', 2) ¦ wordwrap(width=0) ¦ attr('x')";
                format!("({})|{}", self.expr(Sort::Text, deep), self.of(filters))
            }
            1 => format!("({} ~ {})", self.expr(Sort::Any, deep), self.expr(Sort::Text, deep)),
            2 => format!("({} + {})", self.expr(Sort::Text, deep), self.expr(Sort::Text, deep)),
            3 => format!("({} * {})", self.expr(Sort::Text, deep), self.of("2 ¦ 0 ¦ -1 ¦ loop.index ¦ 3.5 ¦ 200000000")),
            4 => format!("({}){}", self.expr(Sort::Text, deep), self.slice()),
            5 => format!(
                "({} if {} else {})",
                self.expr(Sort::Text, deep),
                self.expr(Sort::Condition, deep),
                self.expr(Sort::Text, deep)
            ),
            6 => format!("({} if {})", self.expr(Sort::Text, deep), self.expr(Sort::Condition, deep)),
            7 => format!("({})|{}", self.expr(Sort::Number, deep), self.of("string ¦ tojson ¦ upper ¦ e ¦ default('x', true)")),
            8 => {
                let joins = "join ¦ join(', ') ¦ join(attribute='text') ¦ join(', ', 'author') ¦ join(d=';', attribute='name') ¦ \
                    map('upper')|join ¦ map(attribute='text')|join ¦ map('string')|join('-') ¦ \
                    map(attribute='author', default='x')|join ¦ map('default', 'x', true)|join ¦ map('tojson')|join ¦ map('length')|join";
                format!("({})|{}", self.expr(Sort::List, deep), self.of(joins))
            }
            9 => {
                let call = self.of("m ¦ m ¦ f ¦ caller");
                format!("{call}({})", self.arguments(deep))
            }
            10 => format!("({}|default('d', true))", self.of(NULLABLE)),
            11 => format!("({} or {})", self.of(NULLABLE), self.expr(Sort::Text, deep)),
            12 => self.of(NULLABLE),
            13 => format!("loop.cycle({}, {})", self.expr(Sort::Text, deep), self.expr(Sort::Any, deep)),
            14 => format!(
                "('{}'|format({}, {}))",
                self.of("%s-%s ¦ %05d %-3s ¦ %.2f%s ¦ %d%%%s ¦ %3%%s%s ¦ \
                %s"),
                self.expr(Sort::Any, deep),
                self.expr(Sort::Text, deep)
            ),
            _ => format!("({}).{}", self.expr(Sort::Object, deep), self.of("text ¦ title ¦ author ¦ name ¦ note ¦ a ¦ grouper")),
        }
    }

    pub fn arguments(&mut self, deep: usize) -> String {
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
        self.of("[:2] ¦ [1:] ¦ [::-1] ¦ [-2:] ¦ [none:3] ¦ [0:9223372036854775807] ¦ [loop.index:] ¦ [::0] ¦ \
            [-9223372036854775808:] ¦ [1:0:2] ¦ [opening.messages_omitted:] ¦ [0] ¦ [-1]")
    }

    fn number(&mut self, deep: usize) -> String {
        if deep == 0 || self.next(5) < 2 {
            let leaves = "1 ¦ 0 ¦ 2 ¦ -1 ¦ 3.5 ¦ opening.messages_omitted ¦ opening.updates_omitted ¦ opening.contract ¦ \
                loop.index ¦ loop.index0 ¦ loop.length ¦ loop.revindex0 ¦ ns.n ¦ y ¦ 18446744073709551615 ¦ 9223372036854775807 ¦ \
                -0.0 ¦ 1e308 ¦ x ¦ k";
            return self.of(leaves);
        }
        let deep = deep - 1;
        match self.next(10) {
            0 | 1 => {
                let operator = self.of("+ ¦ - ¦ * ¦ / ¦ // ¦ % ¦ **");
                format!("({} {operator} {})", self.expr(Sort::Number, deep), self.expr(Sort::Number, deep))
            }
            2 => format!("(-{})", self.expr(Sort::Number, deep)),
            3 => {
                let filter = self.of("abs ¦ round ¦ round(2) ¦ round(method='floor') ¦ round(1, 'ceil') ¦ round(-1) ¦ int ¦ \
                    float ¦ round(1, precision=1)");
                format!("({}|{filter})", self.expr(Sort::Number, deep))
            }
            4 => {
                let filter = self.of("int(0) ¦ float(0) ¦ int(default=none) ¦ int(0, 16) ¦ length ¦ wordcount ¦ \
                    float(default=1) ¦ int('x') ¦ count ¦ int");
                format!("({}|{filter})", self.expr(Sort::Text, deep))
            }
            5 | 6 => {
                let filter = self.of("length ¦ count ¦ sum ¦ min ¦ max ¦ first ¦ last ¦ sum(start=1.5) ¦ map('length')|sum ¦ \
                    sum(attribute='a') ¦ max(attribute='text') ¦ reverse|first");
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
                let filters = "list ¦ reverse ¦ sort ¦ sort(attribute='text') ¦ sort(reverse=true, attribute='author') ¦ \
                    sort(attribute='author_kind, text') ¦ unique ¦ unique(attribute='author') ¦ batch(2) ¦ batch(2, 'x') ¦ \
                    slice(2) ¦ map(attribute='text') ¦ map(attribute='author') ¦ map('upper') ¦ map('first') ¦ \
                    map('default', 'x') ¦ select ¦ reject ¦ select('none') ¦ reject('none') ¦ select('string') ¦ \
                    reject('eq', 1) ¦ selectattr('author') ¦ rejectattr('author') ¦ selectattr('text', 'eq', 'a') ¦ \
                    selectattr('author', 'none') ¦ rejectattr('author', 'none') ¦ selectattr('kind', 'in', ['a']) ¦ \
                    groupby('author') ¦ groupby('kind') ¦ groupby('text', default='x') ¦ zip([1, 2]) ¦ chain([1]) ¦ \
                    chain([1]|reverse) ¦ map('list') ¦ map(attribute='a', default=0) ¦ select('gt', 1) ¦ sort(case_sensitive=1) ¦ \
                    groupby('text')|map(attribute='grouper') ¦ map('batch', 1)";
                format!("({})|{}", self.expr(Sort::List, deep), self.of(filters))
            }
            4 => format!("({}){}", self.expr(Sort::List, deep), self.slice()),
            5 => format!("({} + {})", self.expr(Sort::List, deep), self.expr(Sort::List, deep)),
            6 => format!("[{}, {}]", self.expr(Sort::Any, deep), self.expr(Sort::Any, deep)),
            7 => {
                let filter = self.of("split ¦ split(',') ¦ split('') ¦ lines ¦ list ¦ split(' ', 1)");
                format!("({})|{filter}", self.expr(Sort::Text, deep))
            }
            8 => format!(
                "range({})",
                [self.expr(Sort::Number, deep), "1, 3".into(), "5, 0, -2".into(), "0, 9, loop.index".into()][self.next(4)]
            ),
            9 => format!("({})|{}", self.expr(Sort::Object, deep), self.of("items ¦ dictsort ¦ list ¦ dictsort(by='value')")),
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
                self.of("'b' ¦ role.name ¦ 1 ¦ x ¦ \
                'a'"),
                self.expr(Sort::Any, deep)
            ),
            1 => format!("dict(a={})", self.expr(Sort::Any, deep)),
            2 => format!(
                "(({})|{})",
                self.expr(Sort::List, deep),
                self.of("first ¦ last ¦ min(attribute='text') ¦ \
                max(attribute='author')")
            ),
            3 => format!("({} or {})", self.expr(Sort::Object, deep), self.expr(Sort::Object, deep)),
            4 => format!(
                "({} if {} else {})",
                self.expr(Sort::Object, deep),
                self.expr(Sort::Condition, deep),
                self.expr(Sort::Object, deep)
            ),
            _ => format!("namespace({})", self.of("a=1 ¦ {'a': none} ¦ h ¦ text=none")),
        }
    }

    pub fn condition(&mut self, deep: usize) -> String {
        if deep == 0 || self.next(4) == 0 {
            return self.of("true ¦ c ¦ loop.first ¦ loop.last ¦ not loop.first ¦ task ¦ opening.peer ¦ role.description ¦ \
                loop.changed(x) ¦ y is defined ¦ loop.index0 ¦ ns.o");
        }
        let deep = deep - 1;
        match self.next(11) {
            0 => format!("({} {} {})", self.expr(Sort::Any, deep), self.of("== ¦ != ¦ < ¦ >="), self.expr(Sort::Any, deep)),
            1 => format!(
                "({} {} {} {} {})",
                self.expr(Sort::Number, deep),
                self.of("< ¦ <= ¦ == ¦ in ¦ \
                not in"),
                self.expr(Sort::Any, deep),
                self.of("< ¦ >= ¦ !="),
                self.expr(Sort::Number, deep)
            ),
            2 => format!("({} {} {})", self.expr(Sort::Any, deep), self.of("in ¦ not in"), self.expr(Sort::Any, deep)),
            3 => format!("({} and {})", self.expr(Sort::Condition, deep), self.expr(Sort::Condition, deep)),
            4 => format!("({} or {})", self.expr(Sort::Condition, deep), self.expr(Sort::Condition, deep)),
            5 => format!("(not {})", self.expr(Sort::Condition, deep)),
            6 | 7 => {
                let test = self.of("none ¦ not none ¦ defined ¦ string ¦ mapping ¦ odd ¦ divisibleby(2) ¦ eq('a') ¦ \
                    in(['a', 1]) ¦ startingwith('a') ¦ number ¦ lower ¦ true ¦ sequence ¦ sameas(none) ¦ gt(1) ¦ not defined ¦ \
                    iterable ¦ eq(2) ¦ ne(none) ¦ divisibleby(0)");
                format!("({} is {test})", self.expr(Sort::Any, deep))
            }
            8 => format!("({}|length {} {})", self.expr(Sort::List, deep), self.of("> ¦ >= ¦ == ¦ < ¦ !="), self.of("0 ¦ 1 ¦ 2")),
            9 if self.odd(2) => self.of("loop.index > 1 ¦ loop.index < loop.length ¦ loop.index != loop.length ¦ \
                loop.revindex == 1 ¦ loop.index0 >= 1 ¦ loop.revindex0 != 0 ¦ n > 1 ¦ n ¦ n == 2 ¦ k in kinds ¦ \
                opening.kind in kinds ¦ opening.kind is startingwith('task') ¦ 'human' in opening.kind ¦ opening.kind == first ¦ \
                x.author_kind == first ¦ n is gt(0)"),
            9 => self.of("opening.kind == 'task-start' ¦ opening.kind in ['task-start', 'task-resume'] ¦ \
                opening.kind != 'human-conversation-start' ¦ 2 == true ¦ opening.stop_reason == 'error'"),
            _ => self.guard(),
        }
    }

    /// A condition after which something can be read.
    pub fn guard(&mut self) -> String {
        let path = match self.next(8) {
            0 => self.of(LISTS),
            1 => self.of(OBJECTS),
            3 | 4 => {
                let sort = [Sort::Text, Sort::Any, Sort::List, Sort::Object][self.next(4)];
                self.expr(sort, 2)
            }
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
}
