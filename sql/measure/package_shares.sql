-- measure.package_shares: of the folded packages of 50 contracts and more, those that are exactly
-- a true one and those that were invented, without one print of a true package; and the share of
-- the true ones that was found exactly, of those with a print in some order: what traded outside
-- the hours of the session, and what was cancelled, is in none.
-- grain: one row
-- reads: fold.order_prints, measure.folded_packages, measure.truth_parents, measure.truth_prints
with

folded as (
    select
        count(*) as package_count,
        count(*) filter (where is_exact) as exact_count,
        count(*) filter (where not has_true_leg) as invented_count
    from measure.folded_packages
    where contracts >= 50
),

true_ones as (
    select count(*) as package_count
    from measure.truth_parents
    semi join (
        select parent_id
        from measure.truth_prints
        semi join fold.order_prints using (sequence)
    ) using (parent_id)
    where leg_count > 1 and contracts >= 50
)

select
    folded.package_count,
    folded.exact_count / nullif(folded.package_count, 0) as exact_share,
    folded.invented_count / nullif(folded.package_count, 0) as invented_share,
    folded.exact_count / nullif(true_ones.package_count, 0) as found_share
from folded
cross join true_ones
