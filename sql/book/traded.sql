-- book.traded: the strikes that the session's orders add to the book, or may have added to it.
-- grain: root, expiry, strike
-- reads: book.deviations, book.flows
select root, expiry, strike from book.flows
union
select root, expiry, strike from book.deviations
