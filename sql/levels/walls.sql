-- levels.walls: net gamma at the spot of each book, of all expiries and of each bucket of them, and
-- the strikes that hold most of it. The call wall is the strike with the largest absolute dealer
-- gamma among calls; of equal ones the lower. The put wall the same among puts; of equal ones the higher. A book with too
-- little priced has neither.
-- grain: minute_at, book_basis, bucket
-- reads: levels.strikes
select
    minute_at,
    book_basis,
    bucket,
    exact_sum(call_musd + put_musd) as net_gamma_musd_per_point,
    exact_sum(gross_musd) as gross_gamma_musd_per_point,
    exact_sum(monthly_musd) as monthly_gamma_musd_per_point,
    exact_sum(listed_musd) as listed_gamma_musd_per_point,
    exact_sum(guessed_musd) as guessed_gamma_musd_per_point,
    arg_max(strike, (abs(call_musd), -strike)) filter (call_musd <> 0) as call_wall,
    arg_max(strike, (abs(put_musd), strike)) filter (put_musd <> 0) as put_wall
from levels.strikes
group by minute_at, book_basis, bucket
