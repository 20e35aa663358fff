-- import.flow_verdicts: 'known' for a flow that is stored already, stands further up in the file,
-- or is of a day whose later sums are stored. Another flow of its contract replaces the stored one:
-- the exchange restates its files.
-- grain: row_id
-- reads: import.existing, import.judged
with

valid_rows as (
    select
        *,
        rowid as row_id,
        row_number() over (
            partition by session_date, exchange, root, expiry, strike, option_type
            order by line_number
        ) as row_rank
    from import.judged
    where reason is null and skip_reason is null
)

select valid_rows.row_id, 'known' as verdict
from valid_rows
left join import.existing as stored
    using (session_date, exchange, root, expiry, strike, option_type)
where valid_rows.row_rank > 1
    or (
        stored.session_date is not null
        and coalesce(stored.snapshot_at, 'infinity'::timestamp)
        > coalesce(valid_rows.snapshot_at, 'infinity'::timestamp)
    )
    or (
        (
            stored.dealers, stored.dealer_bought, stored.dealer_sold, stored.traded, stored.opened,
            stored.closed, stored.maker_bought, stored.maker_sold, stored.open_interest,
            stored.snapshot_at, stored.fault
        ) is not distinct from (
            valid_rows.dealers, valid_rows.dealer_bought, valid_rows.dealer_sold,
            valid_rows.traded, valid_rows.opened, valid_rows.closed, valid_rows.maker_bought,
            valid_rows.maker_sold, valid_rows.open_interest, valid_rows.snapshot_at,
            valid_rows.fault
        )
        and stored.session_date is not null
    )
