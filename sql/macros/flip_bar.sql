-- Assumptions of the confidence interval of the flip.

-- Share of decided sides that are right, for orders without a probability of their own: measured on
-- simulated tapes on which customers also rest limit orders. An undecided side is a coin.
create or replace macro right_side_share(leg_count) as
    case when leg_count = 1 then 0.75::double else 0.81::double end;

-- Standard deviations from the middle to each end of a 90 % interval.
create or replace macro bar_half_width() as 1.6448536269514722::double;

-- Orders of fewer contracts than this are added up by strike, each leg for itself.
create or replace macro bar_order_contracts() as 50;

-- Minutes from one pricing of the deviations to the next: a bell narrows with the time left to its
-- expiry, so the deviations are priced again before a fifth of that is gone.
create or replace macro bar_minutes(years) as
    case
        when years > years_of_seconds(3000) then 10
        when years > years_of_seconds(1500) then 5
        when years > years_of_seconds(600) then 2
        else 1
    end;

-- Beyond four deviations a bell is under a thousandth of its top, its square nothing.
create or replace macro bar_gamma_cutoff() as 4.0::double;

-- One deviation of a price that is anywhere between bid and ask, as a share of half the spread.
create or replace macro bar_error_share() as 0.5773502691896258::double;

-- Number of strikes with neighbours needed to measure the error of an expiry's quotes.
create or replace macro bar_neighbours() as 8;
