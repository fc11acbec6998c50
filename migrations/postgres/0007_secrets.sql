-- Webhook secrets are encrypted: secret is the nonce and the ciphertext, secret_key the id of the key, which is
-- not in the database. Deleted subscriptions have neither.
ALTER TABLE subscriptions ADD COLUMN secret BYTEA;
ALTER TABLE subscriptions ADD COLUMN secret_key TEXT COLLATE "C"
    CHECK ((secret IS NULL) = (secret_key IS NULL))
    CHECK (secret IS NULL OR status <> 'DELETED');

-- Only SQLite's files ever had secrets in plain text. Here it is always false.
ALTER TABLE derived ADD COLUMN plain_secrets BOOLEAN NOT NULL DEFAULT false;
