-- Every way the legs of a shape can have been bought and sold, first leg bought, with its name.
-- `shapes_table` has shape, types, expiries, strikes, ratios and width of package_shapes; each
-- distinct shape is named once, so the work does not grow with the prints. Beyond six legs there
-- is one row, 'custom'. A custom pattern with one synthetic future (call against put, one strike,
-- equal size) is named by its other legs and flagged as hedged_with_combo.
create or replace macro shape_patterns(shapes_table) as table
with

distinct_shapes as (
    select distinct shape, types, expiries, strikes, ratios, width from query_table(shapes_table)
),

signed as (
    select
        *,
        [
            case when leg > 1 and (pattern >> (leg - 2)) & 1 = 1 then -1 else 1 end
            for leg in range(1, len(types) + 1)
        ] as signs
    from distinct_shapes
    cross join range(32) as patterns (pattern)
    where pattern < case when len(types) > 6 then 1 else 1 << (len(types) - 1) end
),

sized as (
    select *, [x[1] * x[2] for x in list_zip(signs, ratios)] as quantities from signed
),

-- numbers of the legs that belong to a synthetic future
paired as (
    select
        *,
        [
            leg for leg in range(1, len(types) + 1)
            if len([
                other for other in range(1, len(types) + 1)
                if expiries[other] = expiries[leg] and strikes[other] = strikes[leg]
                    and types[other] <> types[leg] and quantities[other] = -quantities[leg]
            ]) > 0
        ] as pair
    from sized
),

-- each pattern is named four times: all legs or without the synthetic future, bought or sold
variants as (
    select
        shape,
        pattern,
        signs,
        width,
        is_rest,
        is_sold,
        [
            leg for leg in range(1, len(types) + 1)
            if not (is_rest and list_contains(pair, leg))
        ] as kept,
        types,
        expiries,
        strikes,
        [case when is_sold then -quantity else quantity end for quantity in quantities]
            as quantities
    from paired
    cross join (values (false), (true)) as rests (is_rest)
    cross join (values (false), (true)) as directions (is_sold)
    where not is_rest or (len(pair) = 2 and len(types) between 3 and 6)
),

selected as (
    select
        * exclude (types, expiries, strikes, quantities),
        list_select(types, kept) as types,
        list_select(expiries, kept) as expiries,
        list_select(strikes, kept) as strikes,
        list_select(quantities, kept) as quantities
    from variants
),

named as (
    select *, plain_structure(types, expiries, strikes, quantities, width) as structure
    from selected
),

gathered as (
    select
        shape,
        pattern,
        any_value(signs) as signs,
        max(structure) filter (where not is_rest and not is_sold) as full_name,
        max(structure) filter (where not is_rest and is_sold) as full_name_sold,
        max(structure) filter (where is_rest and not is_sold) as rest_name,
        max(structure) filter (where is_rest and is_sold) as rest_name_sold
    from named
    group by shape, pattern
)

select
    shape,
    pattern,
    signs,
    case when is_hedged_with_combo then rest_name else full_name end as structure,
    case when is_hedged_with_combo then rest_name_sold else full_name_sold end
        as structure_when_sold,
    is_hedged_with_combo
from (
    select *, full_name = 'custom' and coalesce(rest_name <> 'custom', false) as is_hedged_with_combo
    from gathered
);
