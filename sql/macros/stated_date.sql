-- The date of a cell: ISO 8601, or eight digits such as 20241104.
create or replace macro stated_date(text) as
    coalesce(
        try_cast(text as date),
        try_strptime(regexp_extract(text, '^([0-9]{8})(?:[.]0*)?$', 1), '%Y%m%d')::date
    );
