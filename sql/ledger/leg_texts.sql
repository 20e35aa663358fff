-- ledger.leg_texts: the contracts of an order in words, such as `5930/5950P 6050/6070C`.
-- grain: edition_id
-- reads: fold.edition_legs
with

second_legs as (
    select edition_id from fold.edition_legs where leg_number = 2
),

-- most orders: there is nothing to gather
singles as (
    select
        edition_id,
        strike_text(strike) || option_type
        || case when ratio <> 1 then ' ' || ratio else '' end as legs_text
    from fold.edition_legs
    anti join second_legs using (edition_id)
),

-- lists are gathered as they come and then sorted: an aggregate with an order of its own sorts
-- every group by itself
strike_groups as (
    select
        edition_id,
        root,
        expiry,
        option_type,
        list_sort(list({
            'strike': strike,
            'words': strike_text(strike),
            'ratio': ratio
        })) as legs
    from fold.edition_legs
    semi join second_legs using (edition_id)
    group by edition_id, root, expiry, option_type
),

packages as (
    select
        edition_id,
        list_sort(list({
            'expiry': expiry,
            'root': root,
            'lowest_strike': legs[1].strike,
            'option_type': option_type,
            'strikes': array_to_string([leg.words for leg in legs], '/') || option_type,
            'ratios': array_to_string([leg.ratio for leg in legs], 'x')
        })) as parts,
        max(list_max([leg.ratio for leg in legs])) > 1 as has_ratios
    from strike_groups
    group by edition_id
),

-- AM and PM contracts of one Friday are different expiries
dated as (
    select
        edition_id,
        parts,
        has_ratios,
        case
            when parts[1].expiry = parts[-1].expiry and parts[1].root = parts[-1].root then ''
            when len(list_distinct([part.expiry for part in parts]))
                = len(list_distinct([{'a': part.expiry, 'b': part.root} for part in parts]))
                then 'expiry'
            else 'root and expiry'
        end as dated_by
    from packages
)

select edition_id, legs_text from singles
union all
select
    edition_id,
    array_to_string(case dated_by
        when '' then [part.strikes for part in parts]
        when 'expiry' then [part.expiry || ' ' || part.strikes for part in parts]
        else [part.root || ' ' || part.expiry || ' ' || part.strikes for part in parts]
    end, ' ')
    || case
        when has_ratios then ' ' || array_to_string([part.ratios for part in parts], 'x')
        else ''
    end as legs_text
from dated
