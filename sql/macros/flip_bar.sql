-- What the error bar of the flip takes for granted.

-- How often a decided side is right where an order has no probability of its own: what simulated
-- tapes show on which customers also rest limit orders. An undecided side is a coin.
create or replace macro right_side_share(leg_count) as
    case when leg_count = 1 then 0.75::double else 0.81::double end;

-- Standard deviations from the middle to each end of a 90 % interval.
create or replace macro bar_reach() as 1.6448536269514722::double;

-- Orders of fewer contracts than this are added up by strike, each leg for itself.
create or replace macro bar_order_contracts() as 50;

-- Minutes from one pricing of the doubts to the next.
create or replace macro bar_minutes() as 10;

-- Beyond four deviations a bell is under a thousandth of its top, its square nothing.
create or replace macro bar_gamma_reach() as 4.0::double;
