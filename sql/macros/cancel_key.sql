-- The attributes that a cancel repeats of its print, as one number: few other prints share it.
create or replace macro cancel_key(prints) as
    hash(
        prints.root, prints.expiry, prints.strike, prints.option_type, prints.price, prints.size,
        coalesce(prints.exchange, '')
    );

-- Rank of a match between cancel and print by the vendor's own key: 0 by the identifier of the
-- trade, 1 by its number, which the cancel has again, 2 by neither.
create or replace macro cancel_key_rank(prints, cancels) as
    case
        when prints.trade_id = cancels.trade_id then 0
        when prints.vendor_sequence = cancels.vendor_sequence then 1
        else 2
    end;
