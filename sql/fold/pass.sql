-- fold.pass: limits of the running pass of the ladder. A row instead of parameters: a statement
-- with parameters is bound twice, and binding the judgement of packages takes long.
-- grain: one row
-- reads:
-- param: is_final, is_weak_allowed, join_gap_us, longest_run, merge_span_us, plain_rarity, widest_gap_us
select
    $is_final::boolean as is_final,
    $is_weak_allowed::boolean as is_weak_allowed,
    $join_gap_us::bigint as join_gap_us,
    $longest_run::integer as longest_run,
    $merge_span_us::bigint as merge_span_us,
    $plain_rarity::integer as plain_rarity,
    $widest_gap_us::bigint as widest_gap_us
