-- fold.edition_legs: the legs of every version of every order.
-- grain: edition_id, leg_number
-- kind: view
-- reads: fold.legs, fold.revised
with

superseded as (
    select
        edition_number(folded.first_sequence, revision_number) as edition_id,
        unnest(legs, max_depth := 2)
    from fold.revised
    where superseded_at is not null
),

current_legs as (
    select first_sequence as edition_id, * from fold.legs where is_on_tape(first_sequence)
)

select
    edition_id,
    leg_number,
    root,
    expiry,
    strike,
    option_type,
    ratio,
    contracts,
    premium_usd,
    average_price,
    package_sign,
    customer_sign,
    own_quote_sign
from (from current_legs union all by name from superseded)
