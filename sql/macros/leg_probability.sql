-- That the customer bought a leg, of the probability that the package was bought and the sign of
-- the leg within it; null where either is. Probabilities have four decimals.
create or replace macro leg_probability(side_probability, package_sign) as
    case package_sign
        when 1 then side_probability
        when -1 then round(1 - side_probability, 4)
    end;
