-- book.flows: what each order of the session with a decided side added to the dealers' book.
-- Only the sign of the whole order counts: signs of single prints of a package are no better than a
-- coin. What was known otherwise before counts as it was, until the state that knows better takes
-- it back. minute_at is the first state that knows, null when the session ended before.
-- grain: edition_id, leg_number, is_taken_back
-- reads: fold.edition_legs, fold.editions, tape.minutes
with

versions as (
    select edition_id, visible_at as usable_at, false as is_taken_back from fold.editions
    union all
    select edition_id, superseded_at, true from fold.editions where superseded_at is not null
),

decided as (
    select
        legs.edition_id,
        legs.leg_number,
        legs.root,
        legs.expiry,
        legs.strike,
        legs.option_type,
        (if(versions.is_taken_back, 1, -1) * legs.customer_sign * legs.contracts)::bigint
            as dealer_quantity,
        versions.is_taken_back,
        versions.usable_at,
    from fold.edition_legs as legs
    join versions using (edition_id)
    where legs.customer_sign <> 0
)

select
    decided.edition_id,
    decided.leg_number,
    decided.root,
    decided.expiry,
    decided.strike,
    decided.option_type,
    decided.dealer_quantity,
    decided.is_taken_back,
    minutes.minute_at,
from decided
asof left join tape.minutes as minutes on decided.usable_at < minutes.minute_at
