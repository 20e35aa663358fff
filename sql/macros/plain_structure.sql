-- Names of a signed set of legs in canonical order (expiry, strike, C before P): of each of the
-- first four its type t, expiry rank e, strike rank k and signed ratio q. `width` is width_class()
-- of the strikes. Everything without a name of its own is 'custom'. Only ratio_spread, back_spread
-- and put_spread_collar depend on which side of the trade is looked at.
create or replace macro pair_structure(t1, t2, e1, e2, k1, k2, q1, q2) as
    case
        when t1 = t2 and sign(q1) = sign(q2) then 'custom'
        when t1 = t2 and e1 = e2 then case
            when q1 + q2 = 0 then 'vertical'
            when q1 + q2 < 0 then 'ratio_spread'
            else 'back_spread'
        end
        when t1 = t2 then
            case when q1 + q2 = 0 then '' else 'ratio_' end
            || case when k1 = k2 then 'calendar' else 'diagonal' end
        when e1 <> e2 then 'custom'
        when k1 = k2 and q1 = q2 then 'straddle'
        when k1 = k2 and q1 + q2 = 0 then 'synthetic'
        when k1 = k2 and sign(q1) = sign(q2) then 'ratio_straddle'
        when k1 = k2 then 'custom'
        when sign(q1) <> sign(q2) then
            case when q1 + q2 = 0 then 'risk_reversal' else 'ratio_risk_reversal' end
        when t1 = 'P' then case when q1 = q2 then 'strangle' else 'ratio_strangle' end
        when q1 = q2 then 'guts'
        else 'custom'
    end;

create or replace macro triple_structure(t1, t2, t3, e1, e3, k2, k3, q1, q2, q3, width) as
    case
        when e1 <> e3 then 'custom'
        when t1 = t2 and t2 = t3 then case
            when sign(q1) = sign(q3) and q1 + q2 + q3 = 0 then case
                when q1 = q3 and width = 'even' then 'butterfly'
                when width = 'left' and q3 = 2 * q1 then 'christmas_tree'
                when width = 'right' and q1 = 2 * q3 then 'christmas_tree'
                else 'broken_wing_butterfly'
            end
            when abs(q1) = abs(q2) and abs(q2) = abs(q3) and q1 + q3 = 0 then 'ladder'
            else 'custom'
        end
        when t1 = t2 and q1 + q2 = 0 then case
            when t1 = 'P' and q1 < 0 and q3 < 0 and k3 > k2 then 'put_spread_collar'
            else 'three_way'
        end
        when t1 = t3 and q1 + q3 = 0 then 'three_way'
        when t2 = t3 and q2 + q3 = 0 then 'three_way'
        else 'custom'
    end;

create or replace macro plain_structure(
    leg_count, t1, t2, t3, t4, e1, e2, e3, e4, k1, k2, k3, k4, q1, q2, q3, q4, width
) as
    case leg_count
        when 0 then 'flat'
        when 1 then 'single'
        when 2 then pair_structure(t1, t2, e1, e2, k1, k2, q1, q2)
        when 3 then triple_structure(t1, t2, t3, e1, e3, k2, k3, q1, q2, q3, width)
        when 4 then case
            when e1 = e4 and t1 = t2 and t2 = t3 and t3 = t4
                then one_type_structure(q1, q2, q3, q4, width)
            when e1 = e4 and (t1 = 'P')::integer + (t2 = 'P')::integer + (t3 = 'P')::integer
                + (t4 = 'P')::integer = 2
                then two_type_structure(t1, t2, t3, t4, k1, k2, k3, k4, q1, q2, q3, q4)
            when e1 = e2 and e2 <> e3 and e3 = e4
                then two_expiry_structure(t1, t2, t3, t4, k1, k2, k3, k4, q1, q2, q3, q4)
            else 'custom'
        end
        else 'custom'
    end;

-- The name of the same legs from the other side of the trade.
create or replace macro sold_structure(structure, t1, t2, t3, k2, k3, q1, q2, q3) as
    case
        when structure = 'ratio_spread' then 'back_spread'
        when structure = 'back_spread' then 'ratio_spread'
        when structure = 'put_spread_collar' then 'three_way'
        when structure = 'three_way'
            and t1 = 'P' and t2 = 'P' and t3 = 'C'
            and q1 > 0 and q1 + q2 = 0 and q3 > 0 and k3 > k2
            then 'put_spread_collar'
        else structure
    end;
