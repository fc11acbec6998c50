-- Webhook secrets are encrypted: secret is the nonce and the ciphertext, secret_key the id of the key, which is
-- not in the database. Deleted subscriptions have neither. SQL cannot encrypt: the binary does so right after
-- this, in the same transaction, and then drops plain_secret (store/events/secrets/plain.rs).
ALTER TABLE subscriptions RENAME COLUMN secret TO plain_secret;
ALTER TABLE subscriptions ADD COLUMN secret BLOB;
ALTER TABLE subscriptions ADD COLUMN secret_key TEXT
    CHECK ((secret IS NULL) = (secret_key IS NULL))
    CHECK (secret IS NULL OR status <> 'DELETED');

-- 1: parts of the file that no row uses may still have secrets in plain text. The binary writes the file
-- anew then.
ALTER TABLE derived ADD COLUMN plain_secrets INTEGER NOT NULL DEFAULT 0 CHECK (plain_secrets IN (0, 1));
