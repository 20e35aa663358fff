-- Every way the legs of a shape can have been bought and sold, first leg bought, with its name.
-- `shapes_table` has shape, types, expiries, strikes, ratios and width of package_shapes; each
-- distinct shape is named once, so the work does not grow with the prints. Beyond six legs there
-- is one row, 'custom'. A custom pattern with one synthetic future (call against put, one strike,
-- equal size) is named by its other legs and flagged as hedged_with_combo. Unless `is_every_way`, a
-- shape of five or six legs without a synthetic future, which has no name in any way, is one row.
create or replace macro shape_patterns(shapes_table, is_every_way) as table
with

legs as (from leg_patterns(shapes_table, is_every_way)),

-- as numbers of their own: in a name every element of a list would be an operation of its own
picked as (
    select
        shape,
        pattern,
        signs,
        is_rest,
        width,
        len(named) as leg_count,
        types[named[1]] as t1,
        types[named[2]] as t2,
        types[named[3]] as t3,
        types[named[4]] as t4,
        expiries[named[1]] as e1,
        expiries[named[2]] as e2,
        expiries[named[3]] as e3,
        expiries[named[4]] as e4,
        strikes[named[1]] as k1,
        strikes[named[2]] as k2,
        strikes[named[3]] as k3,
        strikes[named[4]] as k4,
        signs[named[1]] * ratios[named[1]] as q1,
        signs[named[2]] * ratios[named[2]] as q2,
        signs[named[3]] * ratios[named[3]] as q3,
        signs[named[4]] * ratios[named[4]] as q4
    from legs
),

bought as (
    select
        *,
        plain_structure(
            leg_count, t1, t2, t3, t4, e1, e2, e3, e4, k1, k2, k3, k4, q1, q2, q3, q4, width
        ) as structure
    from picked
),

named as (
    select
        shape,
        pattern,
        signs,
        is_rest,
        structure,
        sold_structure(structure, t1, t2, t3, k2, k3, q1, q2, q3) as structure_when_sold
    from bought
),

full_names as (
    select
        shape,
        pattern,
        any_value(signs) as signs,
        any_value(structure) filter (not is_rest) as structure,
        any_value(structure_when_sold) filter (not is_rest) as structure_when_sold,
        any_value(structure) filter (is_rest) as rest_structure,
        any_value(structure_when_sold) filter (is_rest) as rest_structure_when_sold
    from named
    group by shape, pattern
)

select
    shape,
    pattern,
    signs,
    structure = 'custom' and coalesce(rest_structure <> 'custom', false) as is_hedged_with_combo,
    case when is_hedged_with_combo then rest_structure else structure end as structure,
    case when is_hedged_with_combo then rest_structure_when_sold else structure_when_sold end
        as structure_when_sold
from full_names;
