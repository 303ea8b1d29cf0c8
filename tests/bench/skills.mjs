// The bench's thirty skills, always the same, each once in Jinja (for Proem and nunjucks) and once in Handlebars.
//
// A skill is a small tree: text, values, conditions and loops. Two writers below put it into the two languages, so that the three
// engines have the same to do. Block tags stand alone on their lines or in the middle of one, where all three treat white space alike.

/** A value, with the word that stands in for it when it is missing. */
const value = (path, instead) => ({ is: "value", path, instead });
const upper = (path) => ({ is: "upper", path });
const joined = (path) => ({ is: "joined", path });
const count = (path) => ({ is: "count", path });
const number = () => ({ is: "number" });
/** Alternatives, each tag alone on its line: pairs of condition and body, and perhaps a last body without a condition. */
const choose = (arms, other) => ({ is: "choose", arms, other, end: "\n" });
const when = (condition, body, other) => choose([[condition, body]], other);
/** The same within a line. */
const inline = (condition, body, other) => ({ ...when(condition, body, other), end: "" });
const each = (list, name, body, other) => ({ is: "each", list, name, body, other });

const has = (path) => ({ is: "has", path });
const equal = (path, to) => ({ is: "equal", path, to });
const more = (path, than) => ({ is: "more", path, than });
const and = (...of) => ({ is: "and", of });
const or = (...of) => ({ is: "or", of });
const not = (of) => ({ is: "not", of });
const situation = (...kinds) => {
  const asked = kinds.map((kind) => equal("opening.kind", kind));
  return and(has("opening"), asked.length === 1 ? asked[0] : or(...asked));
};

const literal = (word) => (typeof word === "string" ? `"${word}"` : String(word));

function jinjaCondition(condition) {
  // In nunjucks `not` binds more closely than `==`, so it gets brackets.
  const within = (inner) => (inner.is === "has" || (inner.is === "equal" && condition.is !== "not") ? jinjaCondition(inner) : `(${jinjaCondition(inner)})`);
  switch (condition.is) {
    case "has": return condition.path;
    case "equal": return `${condition.path} == ${literal(condition.to)}`;
    case "more": return `${condition.path}|length > ${condition.than}`;
    case "not": return `not ${within(condition.of)}`;
    default: return condition.of.map(within).join(` ${condition.is} `);
  }
}

function jinja(node) {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map(jinja).join("");
  switch (node.is) {
    case "value": return node.instead ? `{{ ${node.path}|default("${node.instead}", true) }}` : `{{ ${node.path} }}`;
    case "upper": return `{{ ${node.path}|upper }}`;
    case "joined": return `{{ ${node.path}|join(", ") }}`;
    case "count": return `{{ ${node.path}|length }}`;
    case "number": return "{{ loop.index }}";
    case "choose": {
      const arms = node.arms.map(([condition, body], at) => `{% ${at ? "elif" : "if"} ${jinjaCondition(condition)} %}${node.end}${jinja(body)}`);
      const other = node.other ? `{% else %}${node.end}${jinja(node.other)}` : "";
      return `${arms.join("")}${other}{% endif %}${node.end}`;
    }
    default: {
      const other = node.other ? `{% else %}\n${jinja(node.other)}` : "";
      return `{% for ${node.name} in ${node.list} %}\n${jinja(node.body)}${other}{% endfor %}\n`;
    }
  }
}

/** Inside a loop a name means the item's field first, so what is not of the item is looked up from the root. */
const handlebarsPath = (path, names) => (names.length && !names.includes(path.split(".")[0]) ? `@root.${path}` : path);

function handlebarsCondition(condition, names) {
  const at = (path) => handlebarsPath(path, names);
  switch (condition.is) {
    case "has": return at(condition.path);
    case "equal": return `(eq ${at(condition.path)} ${literal(condition.to)})`;
    case "more": return `(gt (length ${at(condition.path)}) ${condition.than})`;
    case "not": return `(not ${handlebarsCondition(condition.of, names)})`;
    default: return `(${condition.is} ${condition.of.map((inner) => handlebarsCondition(inner, names)).join(" ")})`;
  }
}

function handlebars(node, names = []) {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map((inner) => handlebars(inner, names)).join("");
  const path = node.path && handlebarsPath(node.path, names);
  switch (node.is) {
    case "value": return node.instead ? `{{default ${path} "${node.instead}"}}` : `{{${path}}}`;
    case "upper": return `{{upper ${path}}}`;
    case "joined": return `{{join ${path} ", "}}`;
    case "count": return `{{length ${path}}}`;
    case "number": return "{{next @index}}";
    case "choose": {
      const arms = node.arms.map(([condition, body], at) => `{{${at ? "else " : "#"}if ${handlebarsCondition(condition, names)}}}${node.end}${handlebars(body, names)}`);
      const other = node.other ? `{{else}}${node.end}${handlebars(node.other, names)}` : "";
      return `${arms.join("")}${other}{{/if}}${node.end}`;
    }
    default: {
      const other = node.other ? `{{else}}\n${handlebars(node.other, names)}` : "";
      const body = handlebars(node.body, [...names, node.name]);
      return `{{#each ${handlebarsPath(node.list, names)} as |${node.name}|}}\n${body}${other}{{/each}}\n`;
    }
  }
}

/** What a Handlebars template of the bench calls; the language itself compares nothing. */
export const HELPERS = {
  eq: (a, b) => a === b,
  gt: (a, b) => a > b,
  and: (...of) => of.slice(0, -1).every(Boolean),
  or: (...of) => of.slice(0, -1).some(Boolean),
  not: (of) => !of,
  length: (list) => list.length,
  default: (of, instead) => of || instead,
  upper: (of) => of.toUpperCase(),
  join: (list, by) => list.join(by),
  next: (index) => index + 1,
};

const SENTENCES = [
  "Say what you did before you say what you think, and keep the two apart in every note you leave.\n",
  "If two instructions disagree, follow the narrower one and name the other in your report.\n",
  "Numbers come with their unit and the time they were read; a number without either is not a finding.\n",
  "Do not open a second thread about something that already has one. Answer where the question was asked.\n",
  "Before you change a setting, write down its old value where the next person will look for it.\n",
  "A check that cannot fail is no check. Say how you know that yours would have shown the fault.\n",
  "Ask one question at a time, and say what you will do if nobody answers by the end of the day.\n",
  "Leave the place tidier than it was: close what you opened, and delete what only you needed.\n",
  "Names of people are written as they write them. Do not shorten, translate or guess them — ask.\n",
  "When a step takes longer than planned, say so when you notice it and not when it is over.\n",
  "Never paste a secret, not even a part of one. If you see one, say where and to whom it belongs.\n",
  "What was agreed in a conversation holds only once it is written on the task it concerns.\n",
  "Prefer the small, reversible step. If a step cannot be undone, have somebody read it first.\n",
  "Quote what you rely on, with its place, so that a reader need not search for it.\n",
];

const TASK = [
  ["**", value("task.title"), "** (", value("task.id"), ") is ", value("task.status"), " and has the priority ", value("task.priority", "normal"), ".\n"],
  [
    when(has("task.requester"), ["- Asked for by ", value("task.requester"), "\n"]),
    when(has("task.due_at"), ["- Due at ", value("task.due_at"), "\n"], "- Without a date\n"),
  ],
  [when(has("task.description"), ["What is to be done:\n\n", value("task.description"), "\n"], "There is no description. Ask before you begin.\n")],
  [
    when(has("opening.handoff"), [
      value("opening.handoff.from"), " handed this over at ", value("opening.handoff.at"),
      inline(has("opening.handoff.note"), [" and wrote: ", value("opening.handoff.note")], " without a note"), ".\n",
    ]),
  ],
  [
    when(more("opening.updates", 0), [
      "What happened meanwhile (", count("opening.updates"), "):\n\n",
      each("opening.updates", "update", [
        number(), ". ", value("update.at"), " ", upper("update.kind"), inline(has("update.author"), [" by ", value("update.author")]), ": ", value("update.text"), "\n",
        when(and(equal("update.kind", "comment"), has("task.requester")), ["   Answer it; ", value("task.requester"), " reads along.\n"]),
      ]),
      when(has("opening.updates_omitted"), [value("opening.updates_omitted"), " earlier ", inline(equal("opening.updates_omitted", 1), "one is", "ones are"), " not shown.\n"]),
    ], "Nothing happened on the task meanwhile.\n"),
  ],
  [
    choose([
      [or(equal("task.priority", "high"), equal("task.priority", "urgent")), "This comes before everything else you have open.\n"],
      [equal("task.status", "blocked"), "Find out first what blocks it, and whether that still holds.\n"],
    ], "Take it in its turn.\n"),
  ],
];

const HUMAN = [
  [
    "The conversation", inline(has("conversation.title"), [" about “", value("conversation.title"), "”"]), " takes place in ",
    value("conversation.channel", "a direct message"), ".\n",
  ],
  [
    when(more("conversation.participants", 1), [
      "Taking part:\n\n",
      each("conversation.participants", "person", ["- ", value("person.name"), inline(equal("person.kind", "agent"), " (an agent)"), ".\n"]),
    ], "You are alone with one person.\n"),
  ],
];

const TALK = [
  [
    each("opening.messages", "message", [
      "> ", value("message.author"), ", ", value("message.at"), inline(not(equal("message.author_kind", "human")), ", an agent"), ": ", value("message.text"), "\n",
      when(more("message.attachments", 0), ["> with ", joined("message.attachments"), "\n"]),
    ], "Nobody has said anything yet.\n"),
  ],
  [when(has("opening.messages_omitted"), [value("opening.messages_omitted"), " older messages are not shown; read them before you promise anything.\n"])],
];

const AGENT = [
  [
    when(has("opening.peer"), [
      "You speak with ", value("opening.peer.role_name"), " of ", value("opening.peer.organization_name", "our own organisation"), " (",
      value("opening.peer.conversation_id"), ").\n",
    ]),
  ],
  [
    when(has("opening.origin"), [
      "It was begun for ", inline(equal("opening.origin.kind", "task"), "the task ", "the conversation "), value("opening.origin.id"),
      inline(has("opening.origin.title"), [", “", value("opening.origin.title"), "”"]), ".\n",
    ]),
  ],
];

const ANYWHERE = [
  ["You are ", value("role.name"), " at ", value("organization.name"), ".\n"],
  [when(has("role.description"), ["In one sentence: ", value("role.description"), "\n"])],
  [
    choose([
      [equal("opening.stop_reason", "max_tokens"), "Your last run ended in the middle of a sentence. Finish it first.\n"],
      [or(equal("opening.stop_reason", "error"), equal("opening.stop_reason", "timeout")), "Your last run broke off. Look at what it left behind.\n"],
      [has("opening.stop_reason"), ["Your last run stopped: ", value("opening.stop_reason"), ".\n"]],
    ]),
  ],
];

const FAMILIES = [
  { kinds: ["task-start", "task-resume"], blocks: TASK },
  { kinds: ["human-conversation-start", "human-conversation-resume"], blocks: [...HUMAN, ...TALK] },
  { kinds: ["agent-conversation-start", "agent-conversation-resume"], blocks: [...AGENT, ...TALK] },
  { kinds: ["task-start", "task-resume"], blocks: [...TASK].reverse() },
  { kinds: ["task-resume", "human-conversation-resume", "agent-conversation-resume"], blocks: [] },
];

/** Blocks and sentences in turn until the Jinja form is about `size` characters long. */
function fill(blocks, size, turn) {
  const body = [];
  for (let at = 0; jinja(body).length < size; at += 1) {
    body.push(`\n### Point ${at + 1}\n\n`);
    body.push(SENTENCES[(turn * 5 + at * 3) % SENTENCES.length], blocks[(turn + at) % blocks.length]);
    body.push(SENTENCES[(turn * 3 + at * 5 + 1) % SENTENCES.length]);
  }
  return body;
}

function skill(turn) {
  const { kinds, blocks } = FAMILIES[turn % FAMILIES.length];
  const all = [...blocks, ...ANYWHERE];
  const [first, ...rest] = kinds;
  const share = 3_500 / (rest.length ? 2 : 1);
  const tree = choose([
    [situation(first), fill(all, share, turn)],
    [situation(...rest), fill(all, share, turn + 7)],
  ]);
  return { slug: `skill-${turn + 1}`, name: `Skill ${turn + 1}`, jinja: jinja(tree), handlebars: handlebars(tree) };
}

export const SKILLS = Array.from({ length: 30 }, (_, turn) => skill(turn));
