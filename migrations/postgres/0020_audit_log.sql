-- The audit log is append-only, for whatever has the database open. Only `svc db copy` may change the rows of a copy that
-- it has not completed.
CREATE FUNCTION refuse_changes_of_the_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM origin WHERE copied_from IS NOT NULL AND copy_digest IS NULL) THEN
        RETURN coalesce(NEW, OLD);
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END
$$;

CREATE FUNCTION refuse_truncation_of_the_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END
$$;

CREATE TRIGGER audit_log_not_changed BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION refuse_changes_of_the_audit_log();
CREATE TRIGGER audit_log_not_truncated BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation_of_the_audit_log();

CREATE TRIGGER audited_reports_not_changed BEFORE UPDATE OR DELETE ON audited_reports
    FOR EACH ROW EXECUTE FUNCTION refuse_changes_of_the_audit_log();
CREATE TRIGGER audited_reports_not_truncated BEFORE TRUNCATE ON audited_reports
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation_of_the_audit_log();
