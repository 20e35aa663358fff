-- Cost of a named structure as one order, in thousandths of the cost of a plain one: the
-- fold explains prints by the cheapest set of packages. Verticals, flies and the like are free;
-- two verticals are rarely one order, so they must win by their net price. Sizes without a small
-- common ratio are the sizes of strangers; a synthetic future that hedges may have any small one.
create or replace macro structure_cost(structure, is_hedged_with_combo, reduced_ratio) as
    case
        -- lists: so long an `in` would be a join
        when list_contains([
            'vertical', 'straddle', 'strangle', 'synthetic', 'risk_reversal', 'butterfly', 'condor',
            'iron_condor', 'iron_butterfly', 'box', 'calendar'
        ], structure) then 0
        when list_contains([
            'ratio_spread', 'back_spread', 'diagonal', 'double_calendar', 'jelly_roll',
            'broken_wing_butterfly', 'guts', 'vertical_roll', 'double_diagonal'
        ], structure) then 300
        when structure = 'double_vertical' then 900
        else 800
    end
    + case
        when is_hedged_with_combo and reduced_ratio <= 25 then 300
        when reduced_ratio <= 3 then 0
        when reduced_ratio <= 8 then 800
        else 3200
    end;
