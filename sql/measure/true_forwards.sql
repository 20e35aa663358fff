-- measure.true_forwards: surface.forwards as the simulated market really was.
-- grain: minute_et, root, expiry
-- reads: measure.truth_surface, surface.terms
select
    terms.term_number,
    terms.minute_et,
    terms.minute_at,
    terms.root,
    terms.expiry,
    terms.seconds_left,
    terms.years,
    truth.discount,
    truth.forward,
    truth.spot,
    truth.total_variance,
    truth.rho,
    truth.eta
from surface.terms as terms
inner join measure.truth_surface as truth using (minute_at, root, expiry)
where terms.years > 0
