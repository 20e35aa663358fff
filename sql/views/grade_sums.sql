-- views.grade_sums: the grades of a session, added up by book: of each kind of level, and of the
-- strikes compared with it, how many could be judged, were touched and held; and of the
-- probabilities of positive gamma the sums that a Brier score and a reliability curve of ten bins
-- need.
-- grain: one row
-- reads: ledger.level_grades, ledger.regime_grades
with

level_sums as (
    select
        book_basis as book,
        kind,
        role,
        count(outcome)::integer as judged,
        (count(*) filter (outcome in ('held', 'broken')))::integer as touched,
        (count(*) filter (outcome = 'held'))::integer as held
    from ledger.level_grades
    group by book_basis, kind, role
    having count(outcome) > 0
),

judged as (
    select
        book_basis as book,
        p_positive,
        is_calm::integer as calm,
        least(floor(p_positive * 10), 9)::integer as bin
    from ledger.regime_grades
    where reason is null
),

bins as (
    select
        book,
        bin,
        count(*)::integer as judged,
        sum(calm)::integer as calm,
        exact_sum(p_positive) as probability_sum,
        exact_sum(square(p_positive - calm)) as square_sum
    from judged
    group by book, bin
),

reasons as (
    select max_by(reason, (frequency, reason)) as reason
    from (
        select reason, count(*) as frequency
        from ledger.level_grades
        where role = 'level' and book_basis = 'measured' and reason is not null
        group by reason
    )
)

select
    (select coalesce(list(level_sums order by book, kind, role), []) from level_sums) as levels,
    (select coalesce(list(bins order by book, bin), []) from bins) as regimes,
    case
        when
            not exists (from level_sums where book = 'measured')
            then coalesce((select reason from reasons), 'no_hour')
    end as reason
