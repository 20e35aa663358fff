-- book.smile_pairs: the strikes of the book that lie on each segment of a smile. Segments recur all
-- day, so one search serves every minute.
-- grain: root, expiry, from_strike, to_strike, pair_number
-- reads: book.pairs, surface.forwards, surface.smiles
with

terms as (select term_number, root, expiry from surface.forwards),

segments as (
    select distinct terms.root, terms.expiry, smiles.from_strike, smiles.to_strike
    from surface.smiles as smiles
    inner join terms using (term_number)
)

select
    segments.root,
    segments.expiry,
    segments.from_strike,
    segments.to_strike,
    pairs.pair_number,
    pairs.strike,
    pairs.held_from
from segments
inner join book.pairs as pairs
    on pairs.root = segments.root
    and pairs.expiry = segments.expiry
    and pairs.strike >= segments.from_strike
    and pairs.strike < segments.to_strike
