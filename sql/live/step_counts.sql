-- live.step_counts: how many rows the step adds to each dataset, in one reading.
-- grain: one row
-- reads: live.ended, live.ended_legs, live.large_now, live.legs_now, live.levels_now, live.message_times, live.minutes_now, live.placed_now, live.profiles_now
select
    (select count(*) from live.placed_now) as orders,
    (select count(*) from live.legs_now) as legs,
    (select count(*) from live.ended) as revisions,
    (select count(*) from live.ended_legs) as revision_legs,
    (select count(*) from live.levels_now) as levels,
    (select count(*) from live.profiles_now) as profiles,
    (select count(*) from live.minutes_now) as market_minutes,
    (select count(*) from live.large_now) as large_orders,
    (select count(*) from live.message_times) as message_times
