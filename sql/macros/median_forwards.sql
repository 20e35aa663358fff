-- The weighted median of the forwards of each term of `pairs_table`, whose rows have a term_number,
-- a strike, a forward and a weight.
create or replace macro median_forwards(pairs_table) as table
with

cumulated as (
    select
        *,
        -- whole numbers: half of the weight must be half with any number of threads
        sum(round(weight * 1e10)::bigint) over (
            partition by term_number order by forward, strike
            rows unbounded preceding
        ) as weight_below,
        lead(forward) over (
            partition by term_number order by forward, strike
        ) as next_forward
    from query_table(pairs_table)
),

totals as (
    select term_number, max(weight_below) as total_weight
    from cumulated
    group by term_number
)

select
    cumulated.term_number,
    -- the first value above half of the weight; exactly half is shared with the next one
    arg_min(
        case
            when 2 * weight_below > total_weight then forward
            else 0.5::double * (forward + next_forward)
        end,
        weight_below
    ) as median_forward
from cumulated
inner join totals using (term_number)
where 2 * weight_below >= total_weight
group by cumulated.term_number;
