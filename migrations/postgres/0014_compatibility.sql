-- The oldest migration that a binary has to know to use this database. A migration that older binaries cannot live
-- with sets it to its own number; all others leave it, so that old and new binaries work side by side.
CREATE TABLE compatibility (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    oldest BIGINT NOT NULL
);

INSERT INTO compatibility (id, oldest) VALUES (1, 14);
