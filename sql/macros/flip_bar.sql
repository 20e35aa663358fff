-- What the error bar of the flip takes for granted.

-- How often a decided side is right where an order has no probability of its own: what simulated
-- tapes show on which customers also rest limit orders. An undecided side is a coin.
create or replace macro right_side_share(leg_count) as
    case when leg_count = 1 then 0.75::double else 0.81::double end;

-- Standard deviations from the middle to each end of a 90 % interval.
create or replace macro bar_reach() as 1.6448536269514722::double;

-- Orders of fewer contracts than this are added up by strike, each leg for itself.
create or replace macro bar_order_contracts() as 50;

-- Minutes from one pricing of the doubts to the next: a bell narrows with the time that its expiry
-- has left, so what the doubts weigh is priced anew before a fifth of that is gone.
create or replace macro bar_minutes(years) as
    case
        when years > years_of_seconds(3000) then 10
        when years > years_of_seconds(1500) then 5
        when years > years_of_seconds(600) then 2
        else 1
    end;

-- Beyond four deviations a bell is under a thousandth of its top, its square nothing.
create or replace macro bar_gamma_reach() as 4.0::double;

-- One deviation of a price that is anywhere between bid and ask, as a share of half the spread.
create or replace macro bar_error_share() as 0.5773502691896258::double;

-- Strikes of an expiry whose neighbours tell how far quotes are off.
create or replace macro bar_neighbours() as 8;
