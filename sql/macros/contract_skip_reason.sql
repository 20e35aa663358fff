-- Why a row of a contract is passed over in an import, null where it is not: the reason that it came
-- with, a root that was not requested, or another day. A broken row is judged whatever its root.
create or replace macro contract_skip_reason(
    skip_reason, row_reason, root, session_date, roots, wanted_day
) as
    coalesce(skip_reason, case
        when row_reason is null and len(roots) > 0 and not list_contains(roots, root)
            then 'other root'
        when session_date <> wanted_day then 'other day'
    end);
