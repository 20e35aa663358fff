-- fold.order_prints: the prints of each order, each with its leg: the evidence.
-- grain: sequence
-- reads: fold.included_prints, fold.order_legs, fold.order_members, fold.order_totals
with

-- apart: a join of members and legs first would pair every print with every leg of its order
members as materialized (
    select members.parent_id, prints.contract_number, prints.sequence
    from fold.order_members as members
    inner join fold.included_prints as prints using (print_number)
)

select
    totals.order_id,
    members.sequence,
    legs.leg_number
from members
inner join fold.order_totals as totals using (parent_id)
inner join fold.order_legs as legs using (parent_id, contract_number)
