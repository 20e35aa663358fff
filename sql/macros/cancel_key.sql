-- What a cancel repeats of the print that it takes off, as one number: few other prints have it.
create or replace macro cancel_key(prints) as
    hash(
        prints.root, prints.expiry, prints.strike, prints.option_type, prints.price, prints.size,
        coalesce(prints.exchange, '')
    );
