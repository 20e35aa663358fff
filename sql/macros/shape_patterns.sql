-- Every way the legs of a shape can have been bought and sold, first leg bought, with its name.
-- `shapes_table` has shape, types, expiries, strikes, ratios and width of package_shapes; each
-- distinct shape is named once, so the work does not grow with the prints. Beyond six legs there
-- is one row, 'custom'. A custom pattern with one synthetic future (call against put, one strike,
-- equal size) is named by its other legs and flagged as hedged_with_combo.
create or replace macro shape_patterns(shapes_table) as table
with

shapes as (
    select distinct shape, types, expiries, strikes, ratios, width from query_table(shapes_table)
),

signed as (
    select
        *,
        [
            case when leg > 1 and (pattern >> (leg - 2)) & 1 = 1 then -1 else 1 end
            for leg in range(1, len(types) + 1)
        ] as signs
    from shapes
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

reduced as (
    select
        *,
        [leg for leg in range(1, len(types) + 1) if not list_contains(pair, leg)] as rest,
        plain_structure(types, expiries, strikes, quantities, width) as full_name,
        plain_structure(
            types, expiries, strikes, [-quantity for quantity in quantities], width
        ) as flipped_name
    from paired
),

named as (
    select
        *,
        full_name = 'custom' and len(pair) = 2 and len(types) between 3 and 6 and plain_structure(
            list_select(types, rest), list_select(expiries, rest), list_select(strikes, rest),
            list_select(quantities, rest), width
        ) <> 'custom' as is_hedged_with_combo
    from reduced
)

select
    shape,
    signs,
    case
        when is_hedged_with_combo then plain_structure(
            list_select(types, rest), list_select(expiries, rest), list_select(strikes, rest),
            list_select(quantities, rest), width
        )
        else full_name
    end as structure,
    case
        when is_hedged_with_combo then plain_structure(
            list_select(types, rest), list_select(expiries, rest), list_select(strikes, rest),
            [-quantity for quantity in list_select(quantities, rest)], width
        )
        else flipped_name
    end as structure_when_sold,
    is_hedged_with_combo
from named;
