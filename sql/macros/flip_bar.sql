-- Assumptions of the confidence interval of the flip.

-- Share of decided sides that are right, for orders without a probability of their own, and one
-- standard deviation of what nobody knows of it, on the logit scale: those of a single order of which
-- no size is shown. An undecided side is a coin.
create or replace macro right_side_share() as 0.68::double;
create or replace macro rate_deviation() as 0.6::double;

-- One standard deviation of the share of buyers in a class of orders, on the logit scale.
create or replace macro balance_deviation() as 0.4::double;

-- That share as the orders of a class show it, on the logit scale: each leans by 2p - 1, which is the
-- excess of buyers times 2p - 1, with an error of about one; to four digits, since times a whole number
-- of 1e-6 it is one of 1e-10. And its variance after them.
create or replace macro balance_logit(lean, lean_square) as
    round(2 * lean / (4 / (balance_deviation() * balance_deviation()) + lean_square), 4);
create or replace macro balance_variance(lean_square) as
    4 / (4 / (balance_deviation() * balance_deviation()) + lean_square);

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
