-- measure.items: prints of multi-leg orders of 50 contracts and more, with true and folded order.
-- grain: sequence
-- reads: fold.order_prints, measure.truth_parents, measure.truth_prints
select
    prints.sequence,
    prints.parent_id as truth,
    order_prints.order_id as pred,
    parents.print_class = 'floor' as is_floor,
    parents.print_class in ('electronic', 'auction') as is_electronic
from measure.truth_prints as prints
inner join measure.truth_parents as parents using (parent_id)
inner join fold.order_prints as order_prints using (sequence)
where parents.leg_count > 1 and parents.contracts >= 50
