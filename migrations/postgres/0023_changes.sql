-- Numbers that grow with every transaction that changes something, besides those of deliveries, which keep their own
-- books: one for each kind of turn that transactions take, so that they do not wait for each other. Whoever compares them
-- knows whether there were changes in between.
CREATE TABLE changes (
    turn   TEXT   PRIMARY KEY,
    number BIGINT NOT NULL
);
INSERT INTO changes (turn, number) VALUES ('publishing', 0), ('administration', 0);
