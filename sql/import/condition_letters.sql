-- import.condition_letters: the OPRA letter of every condition text that occurs in the file.
-- A text may hold several ids; the letter that decides most about the print wins. One id that is
-- not in the table makes the whole text unknown: quarantine, never a guess.
-- grain: condition_id
-- reads: import.candidates, import.conditions
-- param: vendor
with

known as (
    select
        case $vendor::varchar
            when 'polygon' then polygon_id when 'thetadata' then thetadata_id else letter
        end as id,
        letter,
        case
            when is_cancel = 'true' then 1 when family = 'compression' then 2
            when is_late = 'true' then 3 when is_multi_leg = 'true' then 4
            when is_cross = 'true' then 5 when is_floor = 'true' then 6
            when is_auction = 'true' then 7 when letter in ('I', ' ') then 9 else 8
        end as precedence
    from import.conditions
),

texts as (
    select distinct condition_id
    from import.candidates
    where condition_id is not null and skip_reason is null
),

ids as (
    select
        condition_id,
        unnest(case $vendor::varchar
            when 'opra' then [condition_id]
            else string_split(regexp_replace(condition_id, '[\[\]\s]', '', 'g'), ',')
        end) as id
    from texts
)

select
    condition_id,
    case when bool_and(known.letter is not null) then
        arg_min(known.letter, (precedence, known.letter))
    end as letter
from ids
left join known using (id)
group by condition_id
