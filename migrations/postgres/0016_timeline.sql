-- Exactly one row: to which history of the server the data belongs, as its system identifier and timeline. A server
-- that was promoted or restored has another one, and may lack transactions that clients have seen. NULL: not known yet.
CREATE TABLE timeline (
    id   BIGINT PRIMARY KEY CHECK (id = 1),
    name TEXT
);

INSERT INTO timeline (id) VALUES (1);
