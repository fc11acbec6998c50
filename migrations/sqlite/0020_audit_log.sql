-- The audit log is append-only, for whatever has the database open. Only `svc db copy` may change the rows of a copy that
-- it has not completed.
CREATE TRIGGER audit_log_not_changed BEFORE UPDATE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM origin WHERE copied_from IS NOT NULL AND copy_digest IS NULL)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_log_not_removed BEFORE DELETE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM origin WHERE copied_from IS NOT NULL AND copy_digest IS NULL)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audited_reports_not_changed BEFORE UPDATE ON audited_reports
WHEN NOT EXISTS (SELECT 1 FROM origin WHERE copied_from IS NOT NULL AND copy_digest IS NULL)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audited_reports_not_removed BEFORE DELETE ON audited_reports
WHEN NOT EXISTS (SELECT 1 FROM origin WHERE copied_from IS NOT NULL AND copy_digest IS NULL)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- REPLACE removes rows without their triggers.
CREATE TRIGGER audit_log_not_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE seq = NEW.seq)
    AND NOT EXISTS (SELECT 1 FROM origin WHERE copied_from IS NOT NULL AND copy_digest IS NULL)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
