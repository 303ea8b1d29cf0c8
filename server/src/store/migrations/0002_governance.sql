-- Conversations that Proem runs itself, the governance ledger, the welcome, and the organisation's rules.

-- A log is imported, or live: a conversation that Proem runs, which grows. `spans` is packed JSON: of each turn its reference and times, so
-- that rows of the ledger can be led to it; NULL until the log was read for it. `conversation` says whether it holds a turn that a user opened
-- or one that did work. Logs that were stored before: every listed or hidden turn counts.
ALTER TABLE session_log ADD COLUMN live INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session_log ADD COLUMN channel TEXT;
ALTER TABLE session_log ADD COLUMN audience TEXT;
ALTER TABLE session_log ADD COLUMN ephemeral INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session_log ADD COLUMN conversation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session_log ADD COLUMN spans BLOB;
UPDATE session_log SET conversation = json_extract(summary, '$.turn_count') + json_extract(summary, '$.hidden_turns') > 0;
-- Ids of test, playground and evaluation runs, as they begin (the list of the log reader, without what others in it cover).
UPDATE session_log SET ephemeral = 1 WHERE lower(session_id) GLOB 'playground*' OR lower(session_id) GLOB 'eval*'
    OR lower(session_id) GLOB 'exp0*' OR lower(session_id) GLOB 'test*' OR lower(session_id) GLOB 'verify*'
    OR lower(session_id) GLOB 'smoke*' OR lower(session_id) GLOB 'accept*' OR lower(session_id) GLOB 'leakjudge*'
    OR lower(session_id) GLOB 'dbg-*' OR lower(session_id) GLOB 'ob-*' OR lower(session_id) GLOB 'clean-*'
    OR lower(session_id) GLOB '__eval*' OR lower(session_id) GLOB 'probe*' OR lower(session_id) GLOB 'proof-*'
    OR lower(session_id) GLOB 'wiki-switch-proof*' OR lower(session_id) GLOB 'mut*';

CREATE TABLE governance_ledger (
    org_id TEXT NOT NULL REFERENCES org (id),
    id INTEGER NOT NULL,
    record_id TEXT NOT NULL,
    ts TEXT NOT NULL,
    ts_us INTEGER NOT NULL,
    session_id TEXT,
    turn_id TEXT,
    hook_point TEXT NOT NULL,
    plugin TEXT NOT NULL,
    decision TEXT NOT NULL,
    severity TEXT NOT NULL,
    reason TEXT NOT NULL,
    run_id TEXT,
    agent_type TEXT,
    step_id INTEGER,
    attempt INTEGER,
    classification TEXT,
    tier TEXT,
    call_id TEXT,
    parent_call_id TEXT,
    replay_of TEXT,
    resumed_from_run TEXT,
    caller TEXT,
    deterministic INTEGER,
    handler TEXT,
    payload_json TEXT NOT NULL,
    origin TEXT NOT NULL,
    kind TEXT,
    writer_id TEXT,
    writer_seq INTEGER,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, record_id)
) STRICT;

CREATE INDEX governance_ledger_time ON governance_ledger (org_id, ts_us, id);
CREATE INDEX governance_ledger_session ON governance_ledger (org_id, session_id, ts_us, id);
CREATE INDEX governance_ledger_run ON governance_ledger (org_id, run_id, ts_us, id);
-- What screens show, counted and listed without looking at the rows.
CREATE INDEX governance_ledger_decisions ON governance_ledger (org_id, ts_us, id, kind, plugin, caller, handler)
    WHERE kind IS NULL AND plugin <> 'audit';

CREATE TRIGGER governance_ledger_is_final BEFORE UPDATE ON governance_ledger
BEGIN
    SELECT RAISE(ABORT, 'a decision is never changed');
END;

-- The key is the lock: a home is welcomed once.
CREATE TABLE welcome_record (
    org_id TEXT NOT NULL PRIMARY KEY REFERENCES org (id),
    state TEXT NOT NULL,
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    response TEXT NOT NULL,
    channel TEXT NOT NULL,
    audience TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

-- An admin's "offer the welcome again": the next run asks nothing about earlier conversations, and takes this row away.
CREATE TABLE welcome_offer (
    org_id TEXT NOT NULL PRIMARY KEY REFERENCES org (id),
    at TEXT NOT NULL
) STRICT;

CREATE TABLE welcome_attempt (
    org_id TEXT NOT NULL REFERENCES org (id),
    session_id TEXT NOT NULL,
    at TEXT NOT NULL,
    error TEXT NOT NULL,
    PRIMARY KEY (org_id, session_id)
) STRICT;

CREATE TABLE rules_revision (
    org_id TEXT NOT NULL REFERENCES org (id),
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    author TEXT NOT NULL,
    time TEXT NOT NULL,
    PRIMARY KEY (org_id, number)
) STRICT;
