-- Names of four legs in canonical order: see plain_structure.
-- four strikes of one type: two verticals when the outer and the inner sizes cancel
create or replace macro one_type_structure(q1, q2, q3, q4, width) as
    case
        when least(q1, q2, q3, q4) + greatest(q1, q2, q3, q4) <> 0 or q1 + q2 + q3 + q4 <> 0
            then 'custom'
        when q1 = q4 and q2 = q3 and width = 'even' then 'condor'
        when q1 = q4 and q2 = q3 then 'broken_wing_condor'
        else 'double_vertical'
    end;

-- two puts and two calls of one expiry: two verticals when those of each type cancel
create or replace macro two_type_structure(
    t1, t2, t3, t4, k1, k2, k3, k4, q1, q2, q3, q4
) as
    case
        when k1 = k2 and k3 = k4 then
            case when q1 + q2 = 0 and q1 + q3 = 0 and q1 = q4 then 'box' else 'custom' end
        when q1 + q2 + q3 + q4 <> 0
            or case when t1 = 'P' then q1 else 0 end + case when t2 = 'P' then q2 else 0 end
            + case when t3 = 'P' then q3 else 0 end + case when t4 = 'P' then q4 else 0 end <> 0
            then 'custom'
        when t1 = 'P' and t4 = 'C' and q1 = q4 and k2 < k3 then 'iron_condor'
        when t1 = 'P' and t4 = 'C' and q1 = q4 and k2 = k3 then 'iron_butterfly'
        else 'double_vertical'
    end;

create or replace macro two_expiry_structure(
    t1, t2, t3, t4, k1, k2, k3, k4, q1, q2, q3, q4
) as
    case
        when t1 <> t2 and t3 <> t4 and k1 = k2 and k3 = k4
            and q1 + q2 = 0 and q1 + q3 = 0 and q1 = q4 then 'jelly_roll'
        when t1 = t2 and t2 = t3 and t3 = t4 and q1 + q2 = 0 and q1 + q3 = 0 and q1 = q4
            then 'vertical_roll'
        when t1 = t2 and t2 = t3 and t3 = t4 and q1 + q2 = 0 and q1 = q3 and q1 + q4 = 0
            then 'double_vertical'
        when q1 <> q2 or q1 + q3 <> 0 or q1 + q4 <> 0 then 'custom'
        when not (t1 = t3 and t2 = t4) and not (t1 = t4 and t2 = t3) then 'custom'
        when t1 = t3 and k1 = k3 and k2 = k4 then 'double_calendar'
        else 'double_diagonal'
    end;
