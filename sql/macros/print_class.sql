-- The kind of market that a condition letter names.
create or replace macro letter_class(
    letter, is_floor, is_cross, is_auction, is_late, family
) as
    case
        when is_floor then 'floor'
        when is_cross then 'cross'
        when is_auction or family = 'auction' then 'auction'
        when is_late then 'late'
        when letter = 'J' then 'reopening'
        when family in ('plain', 'auto', 'iso', 'ext', 'ml') then 'electronic'
        else 'legacy'
    end;

-- The kind of market a print came from, by the class of its letter in tape.conditions. A print
-- without a condition counts as electronic.
create or replace macro print_class_of(condition, known_class) as
    case when condition is null then 'electronic' else coalesce(known_class, 'legacy') end;

-- True when a print may be compared with its quote: two-sided, and current shortly before it. A
-- vendor that names no instant gives the quote before the print; a quote of the print's own instant
-- may already be the one after it.
create or replace macro is_print_quoted(best_bid, best_ask, printed_at, quoted_at, quote_age_us) as
    coalesce(
        best_bid < best_ask
        and coalesce(
            epoch_us(printed_at) - epoch_us(quoted_at) between 1 and quote_age_us,
            quoted_at is null
        ),
        false
    );
