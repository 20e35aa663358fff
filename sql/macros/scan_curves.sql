-- One number for a curve of the scan, that is a minute, book and bucket, and one for a step of it, in
-- their order: sorted and compared in half the time of a timestamp and two texts.
create or replace macro curve_number(minute_at, book_basis, bucket) as
    epoch_us(minute_at) // 60000000 * 16
    + case book_basis when 'measured' then 0 when 'vol' then 4 else 8 end
    + case bucket when 'all' then 0 when '0dte' then 1 else 2 end;

create or replace macro curve_step(number, step) as number * 1024 + 512 + step::bigint;

-- From a step's number back to the number of its curve, and its step.
create or replace macro curve_of_step(step_number) as step_number // 1024;

create or replace macro step_of_curve(step_number) as step_number % 1024 - 512;

-- From a curve's number back to its minute, book and bucket.
create or replace macro curve_minute(number) as make_timestamp(number // 16 * 60000000);

create or replace macro curve_basis(number) as
    case number % 16 // 4 when 0 then 'measured' when 1 then 'vol' else 'oi' end;

create or replace macro curve_bucket(number) as
    case number % 4 when 0 then 'all' when 1 then '0dte' else 'next' end;
