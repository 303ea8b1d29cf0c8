-- Only INTEGER, TEXT and BLOB columns, and org_id first in every key. Times are RFC 3339 text in UTC, lists are JSON text.

CREATE TABLE org (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE role (
    org_id TEXT NOT NULL REFERENCES org (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (org_id, id)
) STRICT;

CREATE TABLE role_revision (
    org_id TEXT NOT NULL,
    role_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    author TEXT NOT NULL,
    time TEXT NOT NULL,
    note TEXT NOT NULL,
    contract INTEGER NOT NULL,
    PRIMARY KEY (org_id, role_id, number),
    FOREIGN KEY (org_id, role_id) REFERENCES role (org_id, id)
) STRICT;

CREATE TABLE skill (
    org_id TEXT NOT NULL REFERENCES org (id),
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    summary TEXT NOT NULL,
    description TEXT NOT NULL,
    mode TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    position INTEGER NOT NULL,
    roles TEXT,
    builtin TEXT,
    attachments TEXT NOT NULL,
    PRIMARY KEY (org_id, slug)
) STRICT;

CREATE TABLE skill_revision (
    org_id TEXT NOT NULL,
    slug TEXT NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    author TEXT NOT NULL,
    time TEXT NOT NULL,
    note TEXT NOT NULL,
    contract INTEGER NOT NULL,
    PRIMARY KEY (org_id, slug, number),
    FOREIGN KEY (org_id, slug) REFERENCES skill (org_id, slug)
) STRICT;

CREATE TRIGGER role_revision_is_final BEFORE UPDATE ON role_revision
BEGIN
    SELECT RAISE(ABORT, 'a revision is never changed');
END;

CREATE TRIGGER skill_revision_is_final BEFORE UPDATE ON skill_revision
BEGIN
    SELECT RAISE(ABORT, 'a revision is never changed');
END;

-- The built-ins this organisation was given. One that was removed afterwards stays here and so is not given again.
CREATE TABLE seeded_builtin (
    org_id TEXT NOT NULL REFERENCES org (id),
    builtin TEXT NOT NULL,
    seeded_at TEXT NOT NULL,
    PRIMARY KEY (org_id, builtin)
) STRICT;

CREATE TABLE audit (
    org_id TEXT NOT NULL REFERENCES org (id),
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    target TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (org_id, number)
) STRICT;

-- The bytes of a log, whether still arriving or complete; they go with their content row.
CREATE TABLE content (
    org_id TEXT NOT NULL REFERENCES org (id),
    id TEXT NOT NULL,
    PRIMARY KEY (org_id, id)
) STRICT;

CREATE TABLE frame (
    org_id TEXT NOT NULL,
    content_id TEXT NOT NULL,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    packed BLOB NOT NULL,
    PRIMARY KEY (org_id, content_id, start),
    FOREIGN KEY (org_id, content_id) REFERENCES content (org_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE upload (
    org_id TEXT NOT NULL,
    id TEXT NOT NULL,
    content_id TEXT NOT NULL,
    file_name TEXT NOT NULL,
    size INTEGER NOT NULL,
    received INTEGER NOT NULL,
    touched_at INTEGER NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, content_id) REFERENCES content (org_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE session_log (
    org_id TEXT NOT NULL,
    id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    content_id TEXT NOT NULL,
    file_name TEXT NOT NULL,
    stored_at TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    last_activity_at TEXT,
    summary TEXT NOT NULL,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, session_id),
    FOREIGN KEY (org_id, content_id) REFERENCES content (org_id, id)
) STRICT;
