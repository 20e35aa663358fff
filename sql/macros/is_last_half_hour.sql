-- True in the half hour before an expiry, in which gamma is not stated: the model's goes to infinity
-- at the money.
create or replace macro is_last_half_hour(seconds_left) as seconds_left between 1 and 30 * 60;
