-- Names of a signed set of legs in canonical order (expiry, strike, C before P): types, expiry
-- ranks, strike ranks and signed ratios as lists of equal length. `width` is width_class() of the
-- strikes. Everything without a name of its own is 'custom'. Only ratio_spread, back_spread and
-- put_spread_collar depend on which side of the trade is looked at.
create or replace macro pair_structure(t, e, k, q) as
    case
        when t[1] = t[2] and sign(q[1]) = sign(q[2]) then 'custom'
        when t[1] = t[2] and e[1] = e[2] then case
            when q[1] + q[2] = 0 then 'vertical'
            when q[1] + q[2] < 0 then 'ratio_spread'
            else 'back_spread'
        end
        when t[1] = t[2] then
            case when q[1] + q[2] = 0 then '' else 'ratio_' end
            || case when k[1] = k[2] then 'calendar' else 'diagonal' end
        when e[1] <> e[2] then 'custom'
        when k[1] = k[2] and q[1] = q[2] then 'straddle'
        when k[1] = k[2] and q[1] + q[2] = 0 then 'synthetic'
        when k[1] = k[2] and sign(q[1]) = sign(q[2]) then 'ratio_straddle'
        when k[1] = k[2] then 'custom'
        when sign(q[1]) <> sign(q[2]) then
            case when q[1] + q[2] = 0 then 'risk_reversal' else 'ratio_risk_reversal' end
        when t[1] = 'P' then case when q[1] = q[2] then 'strangle' else 'ratio_strangle' end
        when q[1] = q[2] then 'guts'
        else 'custom'
    end;

create or replace macro triple_structure(t, e, k, q, width) as
    case
        when e[1] <> e[3] then 'custom'
        when t[1] = t[2] and t[2] = t[3] then case
            when sign(q[1]) = sign(q[3]) and q[1] + q[2] + q[3] = 0 then case
                when q[1] = q[3] and width = 'even' then 'butterfly'
                when width = 'left' and q[3] = 2 * q[1] then 'christmas_tree'
                when width = 'right' and q[1] = 2 * q[3] then 'christmas_tree'
                else 'broken_wing_butterfly'
            end
            when abs(q[1]) = abs(q[2]) and abs(q[2]) = abs(q[3]) and q[1] + q[3] = 0
                then 'ladder'
            else 'custom'
        end
        when t[1] = t[2] and q[1] + q[2] = 0 then case
            when t[1] = 'P' and q[1] < 0 and q[3] < 0 and k[3] > k[2]
                then 'put_spread_collar'
            else 'three_way'
        end
        when t[1] = t[3] and q[1] + q[3] = 0 then 'three_way'
        when t[2] = t[3] and q[2] + q[3] = 0 then 'three_way'
        else 'custom'
    end;

-- four strikes of one type, sizes sorted: two verticals when the outer and the inner two cancel
create or replace macro one_type_structure(q, sorted, width) as
    case
        when sorted[1] + sorted[4] <> 0 or sorted[2] + sorted[3] <> 0 then 'custom'
        when q[1] = q[4] and q[2] = q[3] and width = 'even' then 'condor'
        when q[1] = q[4] and q[2] = q[3] then 'broken_wing_condor'
        else 'double_vertical'
    end;

-- two puts and two calls of one expiry; p and c are the signed ratios of the puts and the calls
create or replace macro two_type_structure(t, k, q, p, c) as
    case
        when k[1] = k[2] and k[3] = k[4] then
            case when q = [q[1], -q[1], -q[1], q[1]] then 'box' else 'custom' end
        when p[1] + p[2] <> 0 or c[1] + c[2] <> 0 then 'custom'
        when t[1] = 'P' and t[4] = 'C' and p[1] = c[2] and k[2] < k[3] then 'iron_condor'
        when t[1] = 'P' and t[4] = 'C' and p[1] = c[2] and k[2] = k[3] then 'iron_butterfly'
        else 'double_vertical'
    end;

create or replace macro two_expiry_structure(t, k, q) as
    case
        when t[1] <> t[2] and t[3] <> t[4] and k[1] = k[2] and k[3] = k[4]
            and q = [q[1], -q[1], -q[1], q[1]] then 'jelly_roll'
        when t[1] = t[2] and t[2] = t[3] and t[3] = t[4] and q = [q[1], -q[1], -q[1], q[1]]
            then 'vertical_roll'
        when t[1] = t[2] and t[2] = t[3] and t[3] = t[4] and q = [q[1], -q[1], q[1], -q[1]]
            then 'double_vertical'
        when q <> [q[1], q[1], -q[1], -q[1]] or list_sort([t[1], t[2]]) <> list_sort([t[3], t[4]])
            then 'custom'
        when t[1] = t[3] and k[1] = k[3] and k[2] = k[4] then 'double_calendar'
        else 'double_diagonal'
    end;

create or replace macro plain_structure(t, e, k, q, width) as
    case len(t)
        when 0 then 'flat'
        when 1 then 'single'
        when 2 then pair_structure(t, e, k, q)
        when 3 then triple_structure(t, e, k, q, width)
        when 4 then case
            when e[1] = e[4] and t[1] = t[2] and t[2] = t[3] and t[3] = t[4]
                then one_type_structure(q, list_sort(q), width)
            when e[1] = e[4] and len(list_filter(t, lambda x: x = 'P')) = 2
                then two_type_structure(
                    t, k, q,
                    [x[2] for x in list_zip(t, q) if x[1] = 'P'],
                    [x[2] for x in list_zip(t, q) if x[1] = 'C']
                )
            when e[1] = e[2] and e[2] <> e[3] and e[3] = e[4] then two_expiry_structure(t, k, q)
            else 'custom'
        end
        else 'custom'
    end;

-- The name of the same legs from the other side of the trade.
create or replace macro sold_structure(structure, t, k, q) as
    case
        when structure = 'ratio_spread' then 'back_spread'
        when structure = 'back_spread' then 'ratio_spread'
        when structure = 'put_spread_collar' then 'three_way'
        when structure = 'three_way'
            and t[1] = 'P' and t[2] = 'P' and t[3] = 'C'
            and q[1] > 0 and q[1] + q[2] = 0 and q[3] > 0 and k[3] > k[2]
            then 'put_spread_collar'
        else structure
    end;
