-- What an operator's key allows, each including those before it: read, moderate, admin. NULL for partners' keys, and
-- for operators' keys from before there were scopes: those allow nothing of it.
ALTER TABLE keys ADD COLUMN scope TEXT CHECK (scope IN ('read', 'moderate', 'admin'));

-- Who did what, when and from where. Rows are only ever added. actor: a person's name; key_prefix: of the key that they
-- used; origin: the address that they came from, or the machine whose command line they used. before, after: JSON
-- without secrets. report_seq: the report that it is about; if there are several, audited_reports has them.
CREATE TABLE audit_log (
    seq        INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    actor      TEXT    NOT NULL,
    key_prefix TEXT,
    origin     TEXT    NOT NULL,
    action     TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    report_seq INTEGER,
    before     TEXT,
    after      TEXT
) STRICT;
CREATE INDEX audit_log_report ON audit_log (report_seq) WHERE report_seq IS NOT NULL;

CREATE TABLE audited_reports (
    report_seq INTEGER NOT NULL,
    entry_seq  INTEGER NOT NULL,
    PRIMARY KEY (report_seq, entry_seq)
) STRICT, WITHOUT ROWID;
