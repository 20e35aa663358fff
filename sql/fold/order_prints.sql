-- fold.order_prints: the evidence: which prints make an order, and of which leg each is.
-- grain: sequence
-- reads: fold.kept_prints, fold.order_legs, fold.order_members, fold.order_totals
select
    totals.order_id,
    prints.sequence,
    legs.leg_number
from fold.order_members as members
inner join fold.kept_prints as prints using (print_number)
inner join fold.order_totals as totals using (parent_id)
inner join fold.order_legs as legs
    on legs.parent_id = members.parent_id and legs.contract_number = prints.contract_number
